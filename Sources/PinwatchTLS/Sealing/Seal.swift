internal import FoundationEssentials
package import PinwatchCore

/// Seals secrets that are to be stored: AES-256-GCM (NIST SP 800-38D) under the keys of `secret_key`.
///
/// An envelope is one byte of version, 1; eight bytes that tell the key; a nonce of twelve random bytes; the text,
/// encrypted; a tag of sixteen. What it is for and whose it is are bound to it without standing in it, so that an
/// envelope that is moved to another place does not open there.
///
/// Random nonces bound what one key may seal to 2³² envelopes (SP 800-38D section 8.3), which no installation's channels
/// come near.
package final class Seal: Sendable {
    /// What a secret is for.
    package enum Purpose: String, Sendable, CaseIterable {
        case channelURL = "channel.url"
        case channelSecret = "channel.secret"
    }

    /// The longest secret that is sealed, in bytes.
    package static let sizeLimit = 1 << 16
    static let version: UInt8 = 1
    private static let headSize = 1 + SealingKey.idSize

    private let cipher: AES256GCM
    private let keys: [SealingKey]

    /// - Parameter keys: Base64 of 32 bytes each, newest first: the first seals, all open.
    /// - Throws: ``SealError`` for no key, or one that is none; and where OpenSSL cannot be set up.
    package init(keys: [Secret]) throws(SealError) {
        guard !keys.isEmpty else { throw .noKey }
        cipher = try AES256GCM()
        var read: [SealingKey] = []
        for key in keys { read.append(try SealingKey(base64: key)) }
        self.keys = read
    }

    /// - Parameters:
    ///   - purpose: What the secret is for.
    ///   - name: Whose it is; the same must be said to open the envelope.
    /// - Returns: The envelope, another one on each call.
    package func seal(_ secret: Secret, for purpose: Purpose, of name: String) throws(SealError) -> [UInt8] {
        let text = Array(secret.revealed.utf8)
        guard text.count <= Self.sizeLimit else { throw .tooLong(limit: Self.sizeLimit) }
        guard let key = keys.first else { throw .noKey }
        let head = [Self.version] + key.id
        let nonce = try cipher.nonce()
        return head + nonce
            + (try cipher.encrypt(text, key: key, nonce: nonce, associated: Self.bound(head, purpose, name)))
    }

    /// - Throws: ``SealError``: one that no configured key made, one that was changed or belongs elsewhere, bytes that are
    ///   no envelope.
    package func open(_ envelope: [UInt8], for purpose: Purpose, of name: String) throws(SealError) -> Secret {
        guard let version = envelope.first else { throw .malformed }
        guard version == Self.version else { throw .unknownVersion(version) }
        let sealed = envelope.dropFirst(Self.headSize + AES256GCM.nonceSize)
        guard (AES256GCM.tagSize...Self.sizeLimit + AES256GCM.tagSize).contains(sealed.count) else { throw .malformed }
        let head = Array(envelope.prefix(Self.headSize))
        guard let key = keys.first(where: { $0.id.elementsEqual(head.dropFirst()) }) else { throw .unknownKey }
        let nonce = Array(envelope[Self.headSize..<Self.headSize + AES256GCM.nonceSize])
        let text = try cipher.decrypt(
            Array(sealed), key: key, nonce: nonce, associated: Self.bound(head, purpose, name))
        guard let text = String(validating: text, as: UTF8.self) else { throw .malformed }
        return Secret(text)
    }

    /// Whether an envelope was made under the newest key; one that was not is to be sealed again.
    package func isCurrent(_ envelope: [UInt8]) -> Bool {
        guard let key = keys.first else { return false }
        return envelope.starts(with: [Self.version] + key.id)
    }

    /// The head as it stands, then both words with their lengths before them, so that no two pairs give the same bytes.
    private static func bound(_ head: [UInt8], _ purpose: Purpose, _ name: String) -> [UInt8] {
        [purpose.rawValue, name].reduce(head) { bytes, word in
            let text = Array(word.utf8)
            let count = unsafe withUnsafeBytes(of: UInt64(text.count).bigEndian) { unsafe Array($0) }
            return bytes + count + text
        }
    }
}

/// Why something could not be sealed or opened. Says nothing of what is secret.
package enum SealError: Error, Hashable, Sendable, CustomStringConvertible {
    case noKey
    /// A key that is not base64 of 32 bytes.
    case malformedKey
    case tooLong(limit: Int)
    /// Bytes that are no envelope: too short, too long, or no text within.
    case malformed
    case unknownVersion(UInt8)
    /// Sealed under a key that is not configured.
    case unknownKey
    /// Changed since it was sealed, or moved here from another purpose or name.
    case tampered
    /// OpenSSL's reasons.
    case library(String)

    package var description: String {
        switch self {
        case .noKey:
            "there is no secret_key to seal with: make one with `openssl rand -base64 32` and name it in the configuration"
        case .malformedKey:
            "secret_key must be base64 of exactly 32 bytes, as `openssl rand -base64 32` makes it"
        case .tooLong(let limit): "the secret is longer than \(limit) bytes"
        case .malformed: "what is stored is no sealed secret; enter the secret again"
        case .unknownVersion(let version):
            "what is stored was sealed in form \(version), which a newer version of Pinwatch made"
        case .unknownKey:
            "it was sealed under another secret_key; name that key as the second one, or enter the secret again"
        case .tampered: "what is stored was changed since it was sealed, or belongs elsewhere; enter the secret again"
        case .library(let reasons): "OpenSSL cannot seal: \(reasons)"
        }
    }
}
