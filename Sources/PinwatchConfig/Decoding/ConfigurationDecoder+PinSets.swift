internal import PinwatchCore

extension ConfigurationDecoder {
    /// The most pin files that one configuration may name.
    private static let fileLimit = 10_000

    /// Those of every file that the patterns match, once, in the order of the patterns and sorted within one. Files of
    /// other formats than the native one are read folder by folder, after the native ones.
    mutating func pinSets(_ node: Node?, trustStores: Set<String>) -> (pinSets: [PinSetDefinition], remarks: [Remark]) {
        guard let node, let items = reader.sequence(node, "pin_sets") else { return ([], []) }
        var (definitions, remarks): ([PinSetDefinition], [Remark]) = ([], [])
        var (folders, foreign): ([String], [String: [HandedFile]]) = ([], [:])
        for path in items.flatMap({ files($0) }).reduce(into: ([String](), Set<String>()), Self.once).0 {
            do {
                let (text, folder) = try sources.text(at: path, limit: PinFileDecoder.sizeLimit)
                let file = HandedFile(name: path, bytes: text)
                if checks.imports.isNative(file) {
                    definitions.append(
                        try pinFiles.definition(from: text, file: path, folder: folder, trustStores: trustStores))
                } else {
                    if foreign[folder] == nil { folders.append(folder) }
                    foreign[folder, default: []].append(file)
                }
            } catch {
                reader.report(error.list)
            }
        }
        for folder in folders {
            let reading = checks.imports.read(foreign[folder] ?? [], trustStores)
            reader.report(reading.problems)
            definitions += reading.pinSets
            remarks += reading.remarks
        }
        return (distinct(definitions), remarks)
    }

    /// The first of each identity; the others are reported.
    private mutating func distinct(_ definitions: [PinSetDefinition]) -> [PinSetDefinition] {
        var origins: [PinSetIdentity: String] = [:]
        return definitions.filter { definition in
            guard let origin = origins[definition.identity] else {
                origins[definition.identity] = definition.origin
                return true
            }
            let message =
                "\(definition.identity.label) is defined by \(origin) already; keep one of the files, or give each an app "
                + "of its own: `pinwatch import FILE --app A --release R` writes one that says it"
            reader.report([Problem(file: definition.origin, mark: nil, message: message)])
            return false
        }
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
