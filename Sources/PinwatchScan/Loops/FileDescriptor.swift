internal import Glibc

/// A descriptor that is closed when its owner is gone.
///
/// Plain numbers are safe on any thread; only the owner's end closes it, and every user holds the owner.
final class FileDescriptor: Sendable {
    let number: Int32

    /// - Parameter number: What a system call returned; negative throws with errno as it stands.
    init(_ number: Int32, call: String) throws(ScanError) {
        guard number >= 0 else { throw .system(call: call, number: errno) }
        self.number = number
    }

    deinit {
        close(number)
    }
}
