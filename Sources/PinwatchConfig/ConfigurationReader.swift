package import PinwatchCore

/// Reads the configuration file and everything it names, and tells all problems together.
package struct ConfigurationReader: Sendable {
    /// The most bytes of a configuration file.
    package static let sizeLimit = 1 << 20

    let sources: InputSources
    let idna: any IDNA
    let pinFiles: PinFileDecoder
    let checks: InputChecks

    /// - Parameters:
    ///   - sources: Environment and files.
    ///   - resources: What policies are read with; files come from `sources` instead of theirs.
    ///   - checks: What other rooms know of what the file names.
    package init(
        sources: InputSources, idna: any IDNA, resources: PolicyResources, checks: InputChecks
    ) {
        self.sources = sources
        self.idna = idna
        self.checks = checks
        pinFiles = PinFileDecoder(sources: sources, resources: resources)
    }

    /// The configuration at a path, which may be relative to the process's directory.
    package func configuration(at path: String) throws(InputProblems) -> Configuration {
        let (text, folder) = try sources.text(at: path, limit: Self.sizeLimit)
        return try configuration(from: text, file: path, folder: folder)
    }

    /// The configuration in a text.
    ///
    /// - Parameters:
    ///   - file: The name that problems show.
    ///   - folder: The absolute path that relative paths start from.
    package func configuration(
        from text: [UInt8], file: String, folder: String
    ) throws(InputProblems) -> Configuration {
        let (root, refused) = try YAMLTree.node(text, file: file, limit: Self.sizeLimit)
        var decoder = ConfigurationDecoder(
            file: file, folder: folder, sources: sources, idna: idna, pinFiles: pinFiles, checks: checks)
        let configuration = decoder.configuration(root)
        let problems = InputProblems.joined(refused, decoder.reader.problems)
        guard problems.isEmpty, let configuration else { throw InputProblems(problems) }
        return configuration
    }
}
