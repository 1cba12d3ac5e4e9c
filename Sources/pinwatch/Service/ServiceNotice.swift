internal import CLinux
internal import Glibc
internal import PinwatchCore

/// Tells the service manager that started the process how it fares, by the datagrams of sd_notify(3): its socket's name
/// is in `NOTIFY_SOCKET`, and nothing is told where there is none.
struct ServiceNotice: Sendable {
    /// The address of the manager's socket, ready for `sendto(2)`; `nil` where nobody listens.
    private let address: sockaddr_un?
    private let addressSize: socklen_t
    /// How often the manager wants a sign of life, in seconds; `nil` if it does not.
    let watchdogSeconds: Double?

    /// - Parameter environment: Looks a variable up.
    init(environment: (String) -> String?) {
        let path = environment("NOTIFY_SOCKET") ?? ""
        (address, addressSize) = Self.address(path) ?? (nil, 0)
        let isMeant = environment("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
        watchdogSeconds =
            address == nil || !isMeant
            ? nil : environment("WATCHDOG_USEC").flatMap(Double.init).map { $0 / 1_000_000 }
    }

    /// Requests arrive and targets are scanned from now on.
    func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }
    func stopping() { send("STOPPING=1\nSTATUS=stopping") }
    /// The manager matches the pair by a clock that both read: CLOCK_MONOTONIC, in microseconds.
    func reloading() {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        send("RELOADING=1\nMONOTONIC_USEC=\(Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)")
    }
    func alive() { send("WATCHDOG=1") }

    private static func address(_ path: String) -> (sockaddr_un, socklen_t)? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        guard let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@"),
            bytes.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return nil }
        // An abstract name begins with a zero byte (unix(7)), which the variable writes as @.
        if first == UInt8(ascii: "@") { bytes[0] = 0 }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        return (address, socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2) + socklen_t(bytes.count))
    }

    /// A manager that does not take it is none of the service's troubles: sd_notify(3) says to ignore failures.
    private func send(_ text: String) {
        guard var address else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), generic, addressSize)
            }
        }
    }
}
