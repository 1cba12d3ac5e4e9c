/// Pins that stand for nothing, or that their client can match with nothing.
enum PinTextLint {
    static func traps(_ layer: LintedLayer) -> [PolicyTrap] {
        layer.entries.flatMap { entry in placeholders(entry) + unmatchable(entry, layer) }
    }

    private static func placeholders(_ entry: LintedEntry) -> [PolicyTrap] {
        let found = entry.pins.filter(isPlaceholder)
        let isAll = entry.inForce.allSatisfy(isPlaceholder)
        return found.map { pin in
            PolicyTrap(
                .placeholderPin, isAll ? .error : .warning, host: entry.host, pin: pin,
                message:
                    "\(entry.written(pin)) of \(entry.name) is a placeholder or a documentation's example, and no key "
                    + "of yours"
                    + (isAll ? "; nothing can match." : "."),
                advice: "Put the hash of the host's own key in its place, as `pinwatch pins` prints it.")
        }
    }

    private static func isPlaceholder(_ pin: Pin) -> Bool {
        if case .spki(let text) = pin, Set(PinProbe.bare(text).lowercased().filter { $0 != "=" }).count == 1 {
            return true
        }
        guard let digest = PinProbe.digest(pin) else { return false }
        return Set(digest.bytes) == [0] || Set(digest.bytes) == [0xFF] || documented.contains(digest.base64)
    }

    /// Of RFC 7469, Android's and OkHttp's documentation, and the hash of nothing at all.
    private static let documented: Set<String> = [
        "d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM=", "E9CZ9INDbd+2eRQozYqqbQ2yXLVKB9+xcprMF+44U1g=",
        "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", "7HIpactkIAq2Y49orFOOQKurWxmmSFZhBCoQYcRhJ3Y=",
        "fwza0LRMXouZHRC8Ei+4PyuldPDcf3UKgO/04cDM1oE=", "afwiKY3RxoMmLkuRW1l7QsPZTJPwDS2pdDROQjXw8ig=",
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    ]

    private static func unmatchable(_ entry: LintedEntry, _ layer: LintedLayer) -> [PolicyTrap] {
        // The refusal names the pin already.
        guard layer.error?.code != "malformed_pin" else { return [] }
        let found = entry.pins.filter { !layer.probe.canMatch($0) && !isPlaceholder($0) }
        let isAll = entry.inForce.allSatisfy { !layer.probe.canMatch($0) && !isPlaceholder($0) }
        return found.map { pin in
            if case .file(let path, .certificate(_, isDER: false)) = pin { return pem(path, pin, entry, isAll) }
            return PolicyTrap(
                .pinNeverMatches, isAll ? .error : .warning, host: entry.host, pin: pin,
                message: "\(entry.written(pin)) of \(entry.name) can match nothing: \(why(pin))"
                    + (isAll ? "; no pin is left, so every connection is refused." : "."),
                advice: advice(pin))
        }
    }

    private static func why(_ pin: Pin) -> String {
        switch pin {
        case .spki(let text):
            let bare = PinProbe.bare(text)
            guard PinText.sha256(bare) != nil else { return "it does not come to the 32 bytes of a SHA-256" }
            if bare != text.filter({ !$0.isWhitespace }) {
                return "a prefix of another library's notation stands before it"
            }
            if bare.utf8.count == 64 { return "it is hexadecimal, where the client takes base64" }
            return "the client compares something else, or takes padded standard base64 alone"
        case .spkiSHA1: return "the client compares no SHA-1 of a key, or the text does not come to its 20 bytes"
        case .certificate: return "the client compares keys, not whole certificates"
        case .file: return "the client takes no such file, or not its kind of key"
        }
    }

    private static func advice(_ pin: Pin) -> String {
        if let digest = PinProbe.digest(pin), case .spki = pin {
            return "Write it as \(digest.base64), or as the hash of what the client compares."
        }
        return "Put what the client compares in its place; `pinwatch pins` prints every kind of hash."
    }

    private static func pem(_ path: String, _ pin: Pin, _ entry: LintedEntry, _ isAll: Bool) -> PolicyTrap {
        PolicyTrap(
            .pemCertificate, isAll ? .error : .warning, host: entry.host, pin: pin,
            message: "\(path) is PEM, and the client loads DER alone: it drops the file without an error"
                + (isAll ? ", and no pin is left." : "."),
            advice: "Convert it: openssl x509 -in \(path) -outform der -out certificate.cer")
    }
}
