internal import COpenSSL
internal import FoundationEssentials
internal import PinwatchCore

/// 32 bytes of a key, in memory of their own that is wiped when they are let go of. The text that they were read from,
/// and the copies that Swift makes of arrays while reading it, are beyond its reach.
///
/// `@unchecked Sendable`: the bytes are written in `init` and only read after it.
@safe
final class SealingKey: @unchecked Sendable {
    static let size = 32
    static let idSize = 8

    /// Tells keys apart and reveals nothing of them: the beginning of a SHA-256 over a fixed word and the key.
    let id: [UInt8]
    private let bytes: UnsafeMutableRawBufferPointer

    convenience init(base64: Secret) throws(SealError) {
        guard let data = Data(base64Encoded: base64.revealed) else { throw .malformedKey }
        try self.init(Array(data))
    }

    init(_ key: [UInt8]) throws(SealError) {
        guard key.count == Self.size else { throw .malformedKey }
        id = Array(Digests.sha256(Array("pinwatch sealing key".utf8) + key).bytes.prefix(Self.idSize))
        unsafe bytes = .allocate(byteCount: Self.size, alignment: 1)
        unsafe bytes.copyBytes(from: key)
    }

    deinit {
        unsafe OPENSSL_cleanse(bytes.baseAddress, bytes.count)
        unsafe bytes.deallocate()
    }

    /// Lends the key's 32 bytes for the length of the call.
    func withBytes<Value>(_ body: (UnsafePointer<UInt8>?) -> Value) -> Value {
        unsafe body(bytes.baseAddress.map { unsafe UnsafePointer($0.assumingMemoryBound(to: UInt8.self)) })
    }
}
