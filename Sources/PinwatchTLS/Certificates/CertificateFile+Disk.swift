internal import CLinux
internal import Glibc

extension CertificateFile {
    /// A regular file's bytes, at most ``sizeLimit``: the rest of a longer one is not read.
    ///
    /// - Throws: ``CertificateError`` where it cannot be read, is a pipe, device or directory, or is too large.
    static func bytes(of path: String) throws(CertificateError) -> [UInt8] {
        // Without O_NONBLOCK, opening a pipe that nobody writes to would never return.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .fileUnreadable(path: path, why: why(errno)) }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .fileUnreadable(path: path, why: "it is not a regular file")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= sizeLimit {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .fileUnreadable(path: path, why: why(errno)) }
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
        }
        throw .tooLarge(origin: path, bytes: max(Int(status.st_size), bytes.count), limit: sizeLimit)
    }

    private static func why(_ number: Int32) -> String {
        switch number {
        case ENOENT: "there is no such file"
        case EACCES: "permission is denied"
        default: unsafe String(cString: pinwatch_error_text(number)).lowercased()
        }
    }
}
