package import PinwatchCore

/// Reads native pin files: the contract's `pinwatch: 1` format, as YAML or JSON.
package struct PinFileDecoder: Sendable {
    /// The most bytes of a pin file.
    package static let sizeLimit = 8 << 20
    /// The most bytes of a file that a pin file names.
    package static let namedFileLimit = 1 << 20

    let sources: InputSources
    let resources: PolicyResources

    /// - Parameter resources: What policies are read with; files come from `sources` instead of theirs.
    package init(sources: InputSources, resources: PolicyResources) {
        self.sources = sources
        self.resources = resources
    }

    /// The pin set at a path, which may be relative to the process's directory.
    ///
    /// - Parameter trustStores: The names that `trust_store` may take; `nil` where there is no configuration to ask.
    package func definition(
        at path: String, trustStores: Set<String>? = nil
    ) throws(InputProblems) -> PinSetDefinition {
        let (text, folder) = try sources.text(at: path, limit: Self.sizeLimit)
        return try definition(from: text, file: path, folder: folder, trustStores: trustStores)
    }

    /// The pin set in a text.
    ///
    /// - Parameters:
    ///   - file: The name that problems show, and the definition's origin.
    ///   - folder: The absolute path, free of symbolic links, that `file:` pins must lie within.
    package func definition(
        from text: [UInt8], file: String, folder: String, trustStores: Set<String>? = nil
    ) throws(InputProblems) -> PinSetDefinition {
        try Self.definition(
            from: text, file: file, managedBy: .config, trustStores: trustStores,
            resources: resources.loading(by: bounded(to: folder)))
    }

    /// The pin set in a text that came by the API: the same format, but nothing of this machine's disk is read for it.
    ///
    /// - Parameter trustStores: The names that `trust_store` may take; `nil` for a text that was taken before.
    package static func definition(
        fromAPI text: String, trustStores: Set<String>?, resources: PolicyResources
    ) throws(InputProblems) -> PinSetDefinition {
        let withoutFiles = resources.loading { (_: String) throws(HostProblem) -> [UInt8] in
            throw HostProblem(
                "no file is read for what comes through the API; write the key's hash (sha256/…), which "
                    + "`pinwatch pins --chain FILE` prints")
        }
        return try definition(
            from: Array(text.utf8), file: "API", managedBy: .api, trustStores: trustStores, resources: withoutFiles)
    }

    /// The pin set that an importer made of an app's own files: problems are told at the places of the node's marks.
    ///
    /// - Parameters:
    ///   - source: The node as native text, which is what is stored.
    ///   - file: The name that problems show, and the definition's origin.
    package static func definition(
        from root: Node, source: String, file: String, managedBy: ManagedBy, trustStores: Set<String>?,
        resources: PolicyResources
    ) throws(InputProblems) -> PinSetDefinition {
        var reader = NodeReader(file: file, resources: resources)
        let definition = reader.pinSet(
            root, source: source, origin: file, managedBy: managedBy, trustStores: trustStores)
        guard reader.problems.isEmpty, let definition else { throw InputProblems(reader.problems) }
        return definition
    }

    /// A YAML or JSON text as values with their places, whatever they mean.
    ///
    /// - Throws: What the text is refused for: aliases, tags, keys that stand twice, no end.
    package static func node(_ text: [UInt8], file: String) throws(InputProblems) -> Node {
        let (root, refused) = try YAMLTree.node(text, file: file, limit: sizeLimit)
        guard refused.isEmpty else { throw InputProblems(refused) }
        return root
    }

    private static func definition(
        from text: [UInt8], file: String, managedBy: ManagedBy, trustStores: Set<String>?,
        resources: PolicyResources
    ) throws(InputProblems) -> PinSetDefinition {
        let (root, refused) = try YAMLTree.node(text, file: file, limit: Self.sizeLimit)
        var reader = NodeReader(file: file, resources: resources)
        let definition = reader.pinSet(
            root, source: String(decoding: text, as: UTF8.self), origin: file, managedBy: managedBy,
            trustStores: trustStores)
        let problems = InputProblems.joined(refused, reader.problems)
        guard problems.isEmpty, let definition else { throw InputProblems(problems) }
        return definition
    }

    /// A pin file must not make the service read, and by its errors tell of, what lies elsewhere on the machine.
    private func bounded(to folder: String) -> @Sendable (String) throws(HostProblem) -> [UInt8] {
        let sources = sources
        return { (path: String) throws(HostProblem) -> [UInt8] in
            guard !path.isEmpty, !path.utf8.contains(0) else { throw HostProblem("file: takes a path") }
            let outside = HostProblem("it lies outside the folder of this file, \(folder); copy it there")
            // The first look needs no disk, so that nothing outside is even asked for.
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            guard !parts.contains("..") else { throw outside }
            let prefix = folder == "/" ? "/" : folder + "/"
            let absolute = InputSources.absolute(path, in: folder)
            guard absolute.hasPrefix(prefix) else { throw outside }
            let real = try sources.realPath(absolute)
            guard real.hasPrefix(prefix) else { throw outside }
            return try sources.readFile(real, Self.namedFileLimit)
        }
    }
}
