internal import FoundationEssentials
internal import PinwatchCore

/// Follows `{file: PATH}` and `{env: NAME}`. Messages name the path or the variable; they never quote what those hold,
/// nor what stands in place of such a reference.
struct SecretReference {
    /// The most bytes that a secret's file may hold.
    static let limit = 65_536

    let sources: InputSources
    /// What a relative path is relative to.
    let folder: String

    /// The secret behind a reference, without one newline at its end; `nil` after reporting why there is none.
    func secret(_ node: Node, _ what: String, reader: inout NodeReader) -> Secret? {
        guard case .mapping = node.value else {
            reader.report(
                node.mark, "\(what) is a secret, so it must not stand here: write {file: PATH} or {env: NAME}")
            return nil
        }
        guard let reference = reader.mapping(node, what, allowed: ["file", "env"]) else { return nil }
        switch (reference["file"], reference["env"]) {
        case (let file?, nil): return read(file, what, reader: &reader)
        case (nil, let name?): return look(up: name, what, reader: &reader)
        case (nil, nil), (.some, .some):
            reader.report(node.mark, "\(what) takes exactly one of {file: PATH} and {env: NAME}")
            return nil
        }
    }

    /// The references of one that may be two, newest first, while what it leads to is being replaced.
    func references(_ node: Node, _ what: String, reader: inout NodeReader) -> [Node] {
        guard case .sequence(let items) = node.value else { return [node] }
        if (1...2).contains(items.count) { return items }
        reader.report(node.mark, "\(what) takes one reference, or a list of two with the newest first")
        return []
    }

    private func read(_ node: Node, _ what: String, reader: inout NodeReader) -> Secret? {
        guard let path = reader.path(node, "the file of \(what)", in: folder) else { return nil }
        do {
            let bytes = try sources.readFile(path, Self.limit)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                reader.report(node.mark, "\(what): \(path) does not hold text")
                return nil
            }
            return present(text, what, "the file \(path)", node, reader: &reader)
        } catch {
            reader.report(node.mark, "\(what): \(error.description)")
            return nil
        }
    }

    private func look(up node: Node, _ what: String, reader: inout NodeReader) -> Secret? {
        guard let name = reader.string(node, "the variable of \(what)") else { return nil }
        guard let text = sources.environment(name) else {
            reader.report(node.mark, "\(what): the environment variable \(name.prefix(60)) is not set")
            return nil
        }
        return present(text, what, "the environment variable \(name)", node, reader: &reader)
    }

    private func present(
        _ text: String, _ what: String, _ place: String, _ node: Node, reader: inout NodeReader
    ) -> Secret? {
        // Swift takes a carriage return with its line feed for one character.
        let trimmed = text.last.map { $0 == "\n" || $0 == "\r\n" } ?? false ? String(text.dropLast()) : text
        guard !trimmed.isEmpty else {
            reader.report(node.mark, "\(what): \(place) is empty")
            return nil
        }
        return Secret(trimmed)
    }
}

extension NodeReader {
    /// A path, made absolute; an empty one and one with a NUL are refused.
    mutating func path(_ node: Node, _ what: String, in folder: String) -> String? {
        guard let text = string(node, what) else { return nil }
        guard !text.isEmpty, !text.utf8.contains(0) else {
            report(node.mark, "\(what) must be a path")
            return nil
        }
        return InputSources.absolute(text, in: folder)
    }
}

extension Secret {
    /// Whether this is a key that seals: base64 of exactly 32 bytes.
    var isSealingKey: Bool { revealed.utf8.count == 44 && Data(base64Encoded: revealed)?.count == 32 }
}
