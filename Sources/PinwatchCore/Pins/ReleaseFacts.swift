/// A version as numbers with dots between them; a suffix such as `-rc1` is kept as text and does not count.
package struct VersionNumber: Sendable, Comparable, CustomStringConvertible {
    /// As written.
    package let text: String
    private let numbers: [Int]

    /// `nil` unless 1 to 8 numbers of at most 9 digits stand between the dots, in a text of at most 64 bytes.
    package init?(_ text: String) {
        let parts = text.prefix { $0 != "-" && $0 != "+" }.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            (1...9).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard numbers.count == parts.count, numbers.count <= 8, text.utf8.count <= 64 else { return nil }
        self.text = text
        self.numbers = numbers
    }

    package var description: String { text }
    /// The first number: of Android's versions, the API level.
    package var major: Int { numbers.first ?? 0 }

    /// What is not written is 0, so that `5` and `5.0.0` are the same version.
    package static func < (left: VersionNumber, right: VersionNumber) -> Bool {
        let count = max(left.numbers.count, right.numbers.count)
        return left.padded(to: count).lexicographicallyPrecedes(right.padded(to: count))
    }

    package static func == (left: VersionNumber, right: VersionNumber) -> Bool { !(left < right) && !(right < left) }

    private func padded(to count: Int) -> [Int] { numbers + Array(repeating: 0, count: count - numbers.count) }
}

/// Where a release runs.
package struct Platform: Sendable, Hashable {
    package enum System: String, Sendable, CaseIterable {
        case ios, macos, android, jvm, linux
    }

    package let system: System
    /// The oldest version that the release supports, or the one asked about; of Android the API level.
    package let version: VersionNumber?

    package init(system: System, version: VersionNumber?) {
        self.system = system
        self.version = version
    }

    package static func == (left: Platform, right: Platform) -> Bool {
        left.system == right.system && left.version?.text == right.version?.text
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(system)
        hasher.combine(version?.text)
    }
}

/// What a client's rules may depend on beside its policy and what is served.
package struct ReleaseFacts: Sendable {
    /// The library's version; `nil` if its file does not say.
    package let clientVersion: VersionNumber?
    package let platform: Platform?
    package let variant: Variant

    package init(clientVersion: VersionNumber? = nil, platform: Platform? = nil, variant: Variant = .release) {
        self.clientVersion = clientVersion
        self.platform = platform
        self.variant = variant
    }
}
