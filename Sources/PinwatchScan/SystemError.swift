internal import Glibc

/// Texts of errno values.
enum SystemError {
    /// What strerror(3) says, by its form that is safe on several threads.
    static func text(_ number: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 128)
        let result = unsafe buffer.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return ERANGE }
            return unsafe strerror_r(number, start.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        return result == 0 ? String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self) : "error \(number)"
    }
}
