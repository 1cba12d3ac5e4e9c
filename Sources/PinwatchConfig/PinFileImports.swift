package import PinwatchCore

/// How pin files of the apps' own formats are read, which this room does not know.
package struct PinFileImports: Sendable {
    /// What came of files, each release by itself.
    package struct Reading: Sendable {
        package var pinSets: [PinSetDefinition]
        /// Why files are not taken, open questions among the reasons.
        package var problems: [Problem]
        /// What was left out of those that are.
        package var remarks: [Remark]

        package init(pinSets: [PinSetDefinition], problems: [Problem], remarks: [Remark]) {
            self.pinSets = pinSets
            self.problems = problems
            self.remarks = remarks
        }
    }

    /// Whether a file is a native one, which ``PinFileDecoder`` reads.
    package let isNative: @Sendable (HandedFile) -> Bool
    /// Reads the files of one folder that are not: certificates among them serve the others.
    package let read: @Sendable (_ files: [HandedFile], _ trustStores: Set<String>) -> Reading

    package init(
        isNative: @escaping @Sendable (HandedFile) -> Bool,
        read: @escaping @Sendable (_ files: [HandedFile], _ trustStores: Set<String>) -> Reading
    ) {
        self.isNative = isNative
        self.read = read
    }

    /// Where every file must be native.
    package static let none = PinFileImports(
        isNative: { _ in true }, read: { _, _ in Reading(pinSets: [], problems: [], remarks: []) })
}
