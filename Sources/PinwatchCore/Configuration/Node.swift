/// A place in a file a person wrote, counted from 1, columns in Unicode scalars.
package struct Mark: Hashable, Sendable {
    package let line: Int
    package let column: Int
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// One fault of a file, as `file:line:column: what, and what is allowed`.
package struct Problem: Hashable, Sendable, Error, CustomStringConvertible {
    package let file: String
    /// `nil` where the file as a whole is at fault, unreadable for example.
    package let mark: Mark?
    package let message: String

    package init(file: String, mark: Mark?, message: String) {
        self.file = file
        self.mark = mark
        self.message = message
    }

    package var description: String {
        guard let mark else { return "\(file): \(message)" }
        return "\(file):\(mark.line):\(mark.column): \(message)"
    }
}

/// A YAML or JSON value with its place in the file: what decoders of configuration and pin policies read, so that
/// neither they nor this room know the parser.
package struct Node: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        /// The scalar's text. `plain` is true if it stood without quotes, and so may mean a number, a flag or null.
        case scalar(String, plain: Bool)
        case sequence([Node])
        /// Members in file order; the parser has refused duplicate keys.
        case mapping([Member])
    }

    package struct Member: Hashable, Sendable {
        package let key: String
        package let keyMark: Mark
        package let value: Node
        package init(key: String, keyMark: Mark, value: Node) {
            self.key = key
            self.keyMark = keyMark
            self.value = value
        }
    }

    package let value: Value
    package let mark: Mark

    package init(value: Value, mark: Mark) {
        self.value = value
        self.mark = mark
    }
}

/// What a `file:` reference of a pin file leads to.
package enum PinFile: Sendable, Hashable {
    /// A certificate; `der` tells whether the file was DER, which clients that load only DER need to know.
    case certificate(CertificateSummary, isDER: Bool)
    /// A bare public key, by the SHA-256 of its SubjectPublicKeyInfo.
    case publicKey(spki: SHA256Digest)
}
