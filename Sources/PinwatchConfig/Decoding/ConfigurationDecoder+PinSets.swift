internal import PinwatchCore

extension ConfigurationDecoder {
    /// The most pin files that one configuration may name.
    private static let fileLimit = 10_000

    /// Every file that the patterns match, once, in the order of the patterns and sorted within one.
    mutating func pinSets(_ node: Node?, trustStores: Set<String>) -> [PinSetDefinition] {
        guard let node, let items = reader.sequence(node, "pin_sets") else { return [] }
        var definitions: [PinSetDefinition] = []
        var origins: [PinSetIdentity: String] = [:]
        for path in items.flatMap({ files($0) }).reduce(into: ([String](), Set<String>()), Self.once).0 {
            let definition: PinSetDefinition
            do {
                definition = try pinFiles.definition(at: path, trustStores: trustStores)
            } catch {
                reader.report(error.list)
                continue
            }
            if let origin = origins[definition.identity] {
                let message = "\(definition.identity.label) is defined by \(origin) already; keep one of the files"
                reader.report([Problem(file: path, mark: nil, message: message)])
                continue
            }
            origins[definition.identity] = path
            definitions.append(definition)
        }
        return definitions
    }

    private mutating func files(_ node: Node) -> [String] {
        guard let pattern = reader.string(node, "a pattern of pin_sets") else { return [] }
        guard !pattern.isEmpty, !pattern.utf8.contains(0) else {
            reader.report(node.mark, "a pattern of pin_sets must be a path such as pins/*.yaml")
            return []
        }
        do {
            let paths = try sources.listFiles(pattern, folder)
            if paths.isEmpty {
                reader.report(node.mark, "pin_sets: \(node.shown) matches no file in \(folder)")
            }
            guard paths.count <= Self.fileLimit else {
                reader.report(node.mark, "pin_sets: \(node.shown) matches more than \(Self.fileLimit) files")
                return []
            }
            return paths
        } catch {
            reader.report(node.mark, "pin_sets: \(error.description)")
            return []
        }
    }

    private static func once(_ kept: inout ([String], Set<String>), _ path: String) {
        if kept.1.insert(path).inserted { kept.0.append(path) }
    }
}
