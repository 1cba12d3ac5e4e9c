internal import PinwatchCore

/// Hashing a key by hand: Apple hands out keys without their headers, which differ by kind and size.
enum KeyHeaderLint {
    static func problems(_ source: LintedSource, _ sources: LintedSources) -> [LintProblem] {
        guard
            source.has([
                "SecKeyCopyExternalRepresentation", "SecKeyCreateWithData", "SecTrustCopyKey", "SecCertificateCopyKey",
            ])
        else { return [] }
        let literals = headers(source)
        guard literals.count == 1, let place = literals.first else { return [] }
        return [
            source.problem(
                .fixedKeyHeader, .warning, at: place,
                "One fixed header stands before every key that is hashed: keys of another kind or size come to a "
                    + "hash that "
                    + "matches no pin, so a change from RSA 2048 cuts the app off.",
                "Keep a header for each kind and size, and choose by the key's own attributes.")
        ]
    }

    /// Array literals that begin as a DER SubjectPublicKeyInfo with its algorithm does.
    private static func headers(_ source: LintedSource) -> [Int] {
        source.tokens.indices.filter { open in
            guard source.isSign("[", open) || source.isSign("{", open), open + 1 < source.tokens.count,
                case .number = source.tokens[open + 1].kind
            else { return false }
            let bytes = source.tokens[open...].dropFirst().prefix(16).compactMap { token -> Int? in
                if case .number(let digits) = token.kind { byte(digits) } else { nil }
            }
            guard bytes.count >= 6, bytes[0] == 0x30 else { return false }
            return bytes[1] == 0x82 ? bytes[4] == 0x30 : bytes[2] == 0x30
        }
    }

    private static func byte(_ digits: String) -> Int? {
        digits.lowercased().hasPrefix("0x") ? Int(digits.dropFirst(2), radix: 16) : Int(digits)
    }
}
