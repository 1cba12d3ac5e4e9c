internal import PinwatchCore

/// Keys made of bytes as if all were of one type and size: a host's next key may be of another.
enum KeyTypeLint {
    static func problems(_ source: LintedSource, _ sources: LintedSources) -> [LintProblem] {
        apple(source) + factories(source)
    }

    private static let types: Set<String> = [
        "kSecAttrKeyTypeRSA", "kSecAttrKeyTypeEC", "kSecAttrKeyTypeECSECPrimeRandom",
    ]

    /// `SecKeyCreateWithData(bytes, [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048], nil)`; a source
    /// that names several types or sizes chooses among them, and one with private keys makes its own.
    private static func apple(_ source: LintedSource) -> [LintProblem] {
        let named = types.filter { source.has([$0]) }
        let sizes = Set(source.places(of: ["kSecAttrKeySizeInBits"]).compactMap { size(source, after: $0) })
        guard !named.isEmpty || !sizes.isEmpty, named.count < 2, sizes.count < 2,
            !source.has(["kSecAttrKeyClassPrivate"])
        else { return [] }
        let kind = named.map { String($0.dropFirst(15)) } + sizes.sorted().map { "\($0) bits" }
        return source.places(of: ["SecKeyCreateWithData"]).filter { source.isSign("(", $0 + 1) }.map { index in
            problem(source, at: index, kind.joined(separator: ", "))
        }
    }

    /// The number behind the key, and behind `as String` or a bracket that stand between.
    private static func size(_ source: LintedSource, after place: Int) -> Int? {
        var index = place + 1
        while index < min(place + 8, source.tokens.count), !source.isSign(":", index) { index += 1 }
        while index < min(place + 12, source.tokens.count), !source.isSign(",", index) {
            if case .number(let digits) = source.tokens[index].kind { return Int(digits) }
            index += 1
        }
        return nil
    }

    /// `KeyFactory.getInstance("RSA")` for an `X509EncodedKeySpec`, where connections are pinned; keys of licences and
    /// tokens are read in the same way, and are none of this.
    private static func factories(_ source: LintedSource) -> [LintProblem] {
        guard source.has(["X509EncodedKeySpec"]) else { return [] }
        let pinning: Set<String> = [
            "CertificatePinner", "certificatePinner", "checkServerTrusted", "X509TrustManager", "peerCertificates",
            "SSLSession", "HostnameVerifier",
        ]
        let places = source.places(of: ["KeyFactory"]).filter { index in
            let range = source.function(around: index)
            let around = source.tokens[max(range.lowerBound - 60, 0)..<range.upperBound].prefix(5_000)
            return around.contains { $0.word == "X509EncodedKeySpec" }
                && around.contains { token in
                    token.word.map { pinning.contains($0) || $0.lowercased().contains("pinn") } ?? false
                }
        }
        let kinds = places.compactMap { kind(source, at: $0) }
        guard let kind = kinds.first, Set(kinds).count == 1 else { return [] }
        return places.filter { self.kind(source, at: $0) != nil }.map { problem(source, at: $0, kind) }
    }

    private static func kind(_ source: LintedSource, at place: Int) -> String? {
        guard source.word(place + 2) == "getInstance", source.isSign("(", place + 3),
            source.tokens.indices.contains(place + 4), case .text(let kind) = source.tokens[place + 4].kind
        else { return nil }
        return kind
    }

    private static func problem(_ source: LintedSource, at index: Int, _ kind: String) -> LintProblem {
        source.problem(
            .fixedKeyType, .warning, at: index,
            "Every key is made here as if it were \(kind): bytes of another kind come to no key, so a change of the "
                + "host's key cuts the app off.",
            "Hash the bytes of the SubjectPublicKeyInfo as they are, or choose by the key's own algorithm.")
    }
}
