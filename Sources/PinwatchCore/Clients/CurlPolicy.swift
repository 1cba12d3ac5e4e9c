/// How a list of `sha256//` pins is cut, which changed in curl 8.18.0 (pin-semantics 7.1).
package enum PinListSplitter: Sendable {
    /// Only at the exact text `;sha256//`, so what is written otherwise sticks to the pin before it.
    case atMarks
    /// At every `;`, up to the first element that does not begin with `sha256//`.
    case atSemicolons

    /// The texts that are compared, without `sha256//`.
    ///
    /// - Parameter list: Begins with `sha256//`.
    func elements(of list: String) -> [String] {
        switch self {
        case .atMarks:
            return list.dropFirst(8).split(separator: ";sha256//", omittingEmptySubsequences: false).map(String.init)
        case .atSemicolons:
            return list.split(separator: ";", omittingEmptySubsequences: false)
                .prefix { $0.hasPrefix("sha256//") }.map { String($0.dropFirst(8)) }
        }
    }

    /// What a reader may not expect of this list.
    func notes(on list: String) -> [String] {
        switch self {
        case .atMarks:
            return elements(of: list).filter { $0.contains(";") }
                .map { "sha256//\($0) is read as one pin, which never matches: the list is cut at \";sha256//\" only" }
        case .atSemicolons:
            let all = list.split(separator: ";", omittingEmptySubsequences: false)
            let rest = all.dropFirst(elements(of: list).count)
            guard !rest.allSatisfy(\.isEmpty) else { return [] }
            return ["reading stops at \"\(rest.joined(separator: ";"))\", which does not begin with sha256//"]
        }
    }
}

/// A program that takes `--pinnedpubkey`.
package protocol PinnedPublicKeyProgram: Sendable {
    /// The splitters that a version may have, each with its name; several where the version is not known and matters.
    static func splitters(_ version: VersionNumber?) -> [(name: String, splitter: PinListSplitter)]
    /// Whether an element of the list is the leaf's key.
    static func matches(_ element: String, _ spki: SHA256Digest) -> Bool
    /// What is inferred for a version.
    static func notes(_ version: VersionNumber?) -> [String]
}

package enum Curl: PinnedPublicKeyProgram {
    package static func splitters(_ version: VersionNumber?) -> [(name: String, splitter: PinListSplitter)] {
        let (old, new) = (("curl up to 8.17", PinListSplitter.atMarks), ("curl 8.18", PinListSplitter.atSemicolons))
        guard let version, let first = VersionNumber("8.18.0") else { return [new, old] }
        return [version < first ? old : new]
    }

    /// As text.
    package static func matches(_ element: String, _ spki: SHA256Digest) -> Bool { element == spki.base64 }
    package static func notes(_ version: VersionNumber?) -> [String] { [] }
}

/// curl's `--pinnedpubkey` and `CURLOPT_PINNEDPUBLICKEY`.
package typealias CurlPolicy = PinnedPublicKeyPolicy<Curl>

/// A list of SPKI pins, or one key's file, for all hosts of a transfer: the leaf as sent alone counts
/// (pin-semantics 7.1 and 7.2).
package struct PinnedPublicKeyPolicy<Program: PinnedPublicKeyProgram>: PinPolicy {
    enum Value: Sendable {
        /// Begins with `sha256//`.
        case list(String)
        case file(Pin)
        /// A file that holds no public key, and why not.
        case unusable(path: String, why: String)
    }

    let value: Value

    init(_ value: Value) { self.value = value }

    package init?(from node: Node, reader: inout NodeReader) {
        guard let policy = reader.mapping(node, "policy", allowed: ["pinnedpubkey"]),
            let member = policy.required("pinnedpubkey", &reader), let text = reader.string(member, "pinnedpubkey")
        else { return nil }
        guard !text.hasPrefix("sha256//") else {
            self.init(.list(text))
            return
        }
        let path = text.hasPrefix("file:") ? String(text.dropFirst(5)) : text
        let bytes: [UInt8]
        do {
            bytes = try reader.resources.loadFile(path)
        } catch {
            reader.report(
                member.mark,
                "pinnedpubkey is a list that begins with sha256// or a key's file; \(path): \(error.description)")
            return nil
        }
        do {
            self.init(.file(.file(path: path, try reader.resources.readPinFile(bytes))))
        } catch {
            self.init(.unusable(path: path, why: error.description))
        }
    }

    package func verdict(for presentation: Presentation) -> Verdict {
        if let rejection = presentation.plainRejection { return rejection }
        let version = presentation.release.clientVersion
        switch value {
        case .list(let list):
            let cases = Program.splitters(version).map { ($0.name, judged(list, $0.splitter, presentation)) }
            guard let first = cases.first else { return judged(list, .atMarks, presentation) }
            let verdict =
                cases.count > 1
                ? Verdict.whichever("client_version, below 8.18 or not", first, cases[1]) : first.1
            return verdict.noting(Program.notes(version))
        case .file(.file(_, .publicKey)): return test(allPins).leaf(of: presentation)
        case .file(let pin):
            return Self.unusable(pin.text, "it holds no PEM or DER public key")
        case .unusable(let path, let why): return Self.unusable("file:" + path, why)
        }
    }

    package var namesHosts: Bool { false }

    package var hosts: [PinnedHost] { [PinnedHost(pattern: "*", match: "leaf", pins: allPins, expires: nil)] }

    package var allPins: [Pin] {
        switch value {
        case .list(let list): pins(list, Program.splitters(nil).first?.splitter ?? .atMarks)
        case .file(let pin): [pin]
        case .unusable: []
        }
    }

    /// One value for every host.
    package func pins(for host: String, now: Instant) -> [Pin] { allPins }

    package func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool {
        guard let spki = certificate.spki else { return false }
        switch pin {
        case .spki(let text): return Program.matches(Self.element(text), spki)
        case .file(_, .publicKey(let key)): return key == spki
        case .spkiSHA1, .certificate, .file(_, .certificate): return false
        }
    }

    package var expiries: [PinExpiry] { [] }

    private func judged(_ list: String, _ splitter: PinListSplitter, _ presentation: Presentation) -> Verdict {
        test(pins(list, splitter)).leaf(of: presentation).noting(splitter.notes(on: list))
    }

    private func test(_ pins: [Pin]) -> PinTest {
        PinTest(
            entry: "--pinnedpubkey", pins: pins, matches: pin(_:matches:),
            diagnose: { pin, certificates in
                guard case .spki(let text) = pin else { return nil }
                return PinDiagnosis.note(.spki(text: Self.element(text)), against: certificates, comparing: .spki)?
                    .replacing("sha256/", with: "sha256//")
            })
    }

    private func pins(_ list: String, _ splitter: PinListSplitter) -> [Pin] {
        // With the second slash, so that a pin's text is written as the program takes it.
        splitter.elements(of: list).map { .spki(text: "/" + $0) }
    }

    private static func element(_ text: String) -> String { text.hasPrefix("/") ? String(text.dropFirst()) : text }

    private static func unusable(_ name: String, _ why: String) -> Verdict {
        Verdict(
            .rejectPin, code: "malformed_pin", reason: "\(name) is no key to compare with, so nothing can match: \(why)"
        )
    }
}
