internal import Glibc
internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchTLS

/// Tells the URLs of channels apart without keeping them: HMAC-SHA256 under a random key that stands in a file of its
/// own, `<database>.url-key`.
///
/// A URL is a secret, and one that a person made up can be guessed. Who has a copy of the database and not the key, as
/// with every backup, can try no guess against its marks: without 256 random bits they are random themselves. A key that
/// is lost costs nothing but that each channel of the file counts as having another URL once, so that a disabled one is
/// tried again.
struct URLMark: Sendable {
    private static let keyBytes = 32
    private let key: [UInt8]

    /// Takes the key up, or makes one where there is none.
    ///
    /// - Throws: ``UsageError`` if it can neither be read nor be made.
    init(beside database: String) throws(UsageError) {
        let path = database + ".url-key"
        if let known = try Self.read(path) {
            key = known
            return
        }
        key = Machine.random(Self.keyBytes)
        try Self.write(key, to: path)
    }

    func of(_ url: Secret) -> [UInt8] { Digests.hmacSHA256(key: key, message: Array(url.revealed.utf8)) }

    /// - Returns: `nil` where there is no key, or but a part of one.
    private static func read(_ path: String) throws(UsageError) -> [UInt8]? {
        guard unsafe access(path, F_OK) == 0 else { return nil }
        do {
            let bytes = try InputSources.fileSystem(environment: { _ in nil }).readFile(path, 4_096)
            return bytes.count == keyBytes ? bytes : nil
        } catch {
            throw UsageError("the key that marks channels' URLs cannot be read: \(error.description)")
        }
    }

    /// Under another name first, so that no part of a key ever has its name.
    private static func write(_ key: [UInt8], to path: String) throws(UsageError) {
        let new = path + ".new"
        unsafe unlink(new)
        let descriptor = unsafe open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(new) }
        let isWritten = unsafe Glibc.write(descriptor, key, key.count) == key.count && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, unsafe rename(new, path) == 0 else { throw failure(path) }
    }

    private static func failure(_ path: String) -> UsageError {
        UsageError(
            "the key that marks channels' URLs cannot be kept in \(path): \(unsafe String(cString: strerror(errno)))")
    }
}
