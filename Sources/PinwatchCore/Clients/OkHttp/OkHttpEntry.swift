/// One `add(pattern, pins…)`, read as both generations would.
struct OkHttpEntry: Sendable {
    /// As written.
    let pattern: String
    let pins: [Pin]
    private let modern: Result<OkHttpPattern, HostProblem>
    private let legacy: Result<OkHttpPattern, HostProblem>

    init(pattern: String, pins: [Pin], idna: any IDNA) {
        self.pattern = pattern
        self.pins = pins
        modern = Result { () throws(HostProblem) in try OkHttpPattern(pattern, idna: idna) }
        legacy = Result { () throws(HostProblem) in try OkHttpPattern(legacy: pattern, idna: idna) }
    }

    init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        guard let entry = reader.mapping(node, "an entry of pins", allowed: ["pattern", "pins"]) else { return nil }
        let pattern = entry.required("pattern", &reader).flatMap { reader.string($0, "pattern") }
        let pins = entry.required("pins", &reader).flatMap { reader.pins($0, "pins") }
        guard reader.problems.count == before, let pattern, let pins else { return nil }
        self.init(pattern: pattern, pins: pins, idna: reader.resources.idna)
    }

    func matches(_ host: String, _ isModern: Bool) -> Bool { !pins.isEmpty && covers(host, isModern) }

    /// Whether the pattern is the host's, with pins or without.
    func covers(_ host: String, _ isModern: Bool) -> Bool { read(isModern)?.matches(host) ?? false }

    func nearMiss(_ host: String, _ isModern: Bool) -> String? {
        guard let read = read(isModern) else { return nil }
        if read.matches(host) { return pins.isEmpty ? "\(pattern) was added without pins" : nil }
        return read.nearMiss(host, written: pattern)
    }

    /// The builder makes a pin of each text; a pattern without pins is never looked at.
    func error(_ isModern: Bool) -> Verdict? {
        guard !pins.isEmpty else { return nil }
        switch isModern ? modern : legacy {
        case .failure(let problem):
            return Verdict(
                .configError, code: "malformed_pattern",
                reason: "OkHttp's builder throws for \(pattern): \(problem.description)")
        case .success: break
        }
        guard let bad = pins.first(where: Self.isRefused) else { return nil }
        return Verdict(
            .configError, code: "malformed_pin",
            reason: "OkHttp's builder throws for \(bad.text) of \(pattern): a pin is sha256/ or sha1/ and base64")
    }

    private func read(_ isModern: Bool) -> OkHttpPattern? { try? (isModern ? modern : legacy).get() }

    private static func isRefused(_ pin: Pin) -> Bool {
        switch pin {
        case .spki(let text): namesOtherHash(text) || OkioBase64.decode(text) == nil
        case .spkiSHA1(let text): OkioBase64.decode(text) == nil
        case .certificate: true
        case .file: false
        }
    }

    /// Whether a text that began with neither `sha256/` nor `sha1/` begins with another hash's name or spelling, as in
    /// `SHA256/`: base64 as far as its letters go, but longer than a digest's.
    private static func namesOtherHash(_ text: String) -> Bool {
        guard let slash = text.firstIndex(of: "/"), text.utf8.count > 44 else { return false }
        let name = text[..<slash]
        return ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"].contains(
            name.lowercased().replacing("-", with: ""))
            && name != "sha1" && name != "sha256"
    }

    static func matches(_ pin: Pin, _ certificate: CertificateSummary) -> Bool {
        switch pin {
        case .spki(let text): certificate.spki.map { OkioBase64.decode(text) == $0.bytes } ?? false
        case .spkiSHA1(let text): certificate.spkiSHA1.map { OkioBase64.decode(text) == $0 } ?? false
        case .file(_, .publicKey(let spki)): certificate.spki == spki
        case .file(_, .certificate(let file, _)): file.spki.map { certificate.spki == $0 } ?? false
        case .certificate: false
        }
    }
}
