import FoundationEssentials
import PinwatchCore
import Testing

@testable import PinwatchTLS

private let newKey = Secret("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
private let oldKey = Secret("HxwdHh8AAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRo=")
private let url = Secret("https://hooks.example.com/T0/B0/token")

private func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8).map { UInt8($0 < 0x3A ? $0 - 0x30 : $0 - 0x57) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

private func failure(_ body: () throws(SealError) -> Void) -> SealError? {
    do { try body() } catch { return error }
    return nil
}

private func refusal(
    _ seal: Seal, _ envelope: [UInt8], for purpose: Seal.Purpose = .channelURL, of name: String = "ops"
) -> SealError? {
    failure { () throws(SealError) in _ = try seal.open(envelope, for: purpose, of: name) }
}

@Suite struct SealTests {
    @Test(
        "The cipher gives what the GCM specification's test cases 13 to 16 give",
        arguments: [
            (
                String(repeating: "00", count: 32), "000000000000000000000000", "", "", "",
                "530f8afbc74536b9a963b4f1c4cb738b"
            ),
            (
                String(repeating: "00", count: 32), "000000000000000000000000", "", String(repeating: "00", count: 16),
                "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919"
            ),
            (
                "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888", "",
                "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                    + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
                "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                    + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad",
                "b094dac5d93471bdec1a502270e3cc6c"
            ),
            (
                "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
                "feedfacedeadbeeffeedfacedeadbeefabaddad2",
                "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                    + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
                "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                    + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
                "76fc6ece0f4e1768cddf8853bb2d551b"
            ),
        ])
    func vectors(key: String, nonce: String, associated: String, text: String, encrypted: String, tag: String) throws {
        let cipher = try AES256GCM()
        let key = try SealingKey(bytes(key))
        let sealed = try cipher.encrypt(bytes(text), key: key, nonce: bytes(nonce), associated: bytes(associated))
        #expect(sealed == bytes(encrypted + tag))
        #expect(try cipher.decrypt(sealed, key: key, nonce: bytes(nonce), associated: bytes(associated)) == bytes(text))
    }

    @Test(
        "What was sealed opens again",
        arguments: ["", "x", "https://hooks.example.com/ü", String(repeating: "a", count: 65_536)])
    func roundTrip(_ text: String) throws {
        let seal = try Seal(keys: [newKey])
        let envelope = try seal.seal(Secret(text), for: .channelURL, of: "ops")
        #expect(envelope.count == 1 + 8 + 12 + text.utf8.count + 16)
        #expect(try seal.open(envelope, for: .channelURL, of: "ops").revealed == text)
        #expect(try seal.seal(Secret(text), for: .channelURL, of: "ops") != envelope)
    }

    @Test func `No byte of an envelope can be another one`() throws {
        let seal = try Seal(keys: [newKey, oldKey])
        let envelope = try seal.seal(url, for: .channelURL, of: "ops")
        for index in envelope.indices {
            var changed = envelope
            changed[index] ^= 0x40
            let expected: SealError =
                switch index {
                case 0: .unknownVersion(0x41)
                case 1...8: .unknownKey
                default: .tampered
                }
            #expect(refusal(seal, changed) == expected)
        }
    }

    @Test func `No part of an envelope is one`() throws {
        let seal = try Seal(keys: [newKey])
        let envelope = try seal.seal(url, for: .channelURL, of: "ops")
        for count in 0..<envelope.count {
            let part = Array(envelope.prefix(count))
            #expect(refusal(seal, part) == (count < 1 + 8 + 12 + 16 ? .malformed : .tampered))
        }
        #expect(refusal(seal, envelope + [0]) == .tampered)
    }

    @Test(
        "An envelope opens only where it was sealed for",
        arguments: [(.channelSecret, "ops"), (.channelURL, "op"), (.channelURL, "ops2"), (.channelURL, "")]
            as [(Seal.Purpose, String)])
    func moved(purpose: Seal.Purpose, name: String) throws {
        let seal = try Seal(keys: [newKey])
        let envelope = try seal.seal(url, for: .channelURL, of: "ops")
        #expect(refusal(seal, envelope, for: purpose, of: name) == .tampered)
    }

    @Test func `A second key opens what it sealed, and says that it is to be sealed again`() throws {
        let old = try Seal(keys: [oldKey])
        let envelope = try old.seal(url, for: .channelURL, of: "ops")
        #expect(old.isCurrent(envelope))
        let both = try Seal(keys: [newKey, oldKey])
        #expect(!both.isCurrent(envelope))
        let again = try both.seal(try both.open(envelope, for: .channelURL, of: "ops"), for: .channelURL, of: "ops")
        #expect(both.isCurrent(again))
        let new = try Seal(keys: [newKey])
        #expect(try new.open(again, for: .channelURL, of: "ops") == url)
        #expect(refusal(new, envelope) == .unknownKey)
    }

    @Test(
        "A key is base64 of 32 bytes",
        arguments: ["", "AAAA", "not base64", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg==", newKey.revealed + "AAAA"])
    func keys(_ text: String) {
        #expect(failure { () throws(SealError) in _ = try Seal(keys: [newKey, Secret(text)]) } == .malformedKey)
    }

    @Test func `Without a key nothing is sealed, and no message shows a secret`() throws {
        #expect(failure { () throws(SealError) in _ = try Seal(keys: []) } == .noKey)
        let seal = try Seal(keys: [newKey])
        let long = Secret(String(repeating: "s", count: Seal.sizeLimit + 1))
        let refused = failure { () throws(SealError) in _ = try seal.seal(long, for: .channelSecret, of: "ops") }
        #expect(refused == .tooLong(limit: Seal.sizeLimit))
        #expect(refused?.description.contains("ss") == false)
        let envelope = try seal.seal(url, for: .channelURL, of: "ops")
        #expect(envelope.firstRange(of: Array("token".utf8)) == nil)
    }
}
