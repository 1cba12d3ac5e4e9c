internal import FoundationEssentials
internal import PinwatchCore

/// What bodies that hand files over have in common: the files, and what only their owner knows.
///
/// Names serve messages alone: no path in them is ever opened.
enum PinFileBody {
    /// The contract's limit of an import.
    static let limit: BodyRule = .json(limit: 8 << 20)

    static let files = Member(
        "files", Kind<[HandedFile]>.list(of: Kind<HandedFile>.file, 1...100).example(example),
        "The files of one release, or of one release of each system; certificates beside the sources that pin them.")

    private static let example = JSON.array([
        .object([("name", .string("pins.json")), ("text", .string(PinSetBody.example.text))])
    ])

    private static let app = Member("app", Kind.line(1...200), orNull: true, "The app, where no file says.")
    private static let release = Member("release", Kind.line(1...200), orNull: true, "The release.")
    private static let variant = Member(
        "variant", Kind.word(of: Variant.self), orNull: true, "The build; `release` if nothing is said.")
    private static let client = Member(
        "client", Kind.word(of: Client.self), orNull: true, "The client library, where the content fits several.")
    private static let host = Member(
        "host", Kind.line(1...253), orNull: true, "The host, for formats that name none.")
    private static let share = Member(
        "share", Kind.fraction, orNull: true, "Part of the app's users on its platform.")
    private static let buildSettings = Member(
        "build_settings", Kind.texts, orNull: true, "Values of build settings that files refer to, as `$(NAME)`.")

    /// The files with all that may be said of them.
    static let shape = BodyShape().requiring(files).taking(app).taking(release).taking(variant).taking(client)
        .taking(host).taking(share).taking(buildSettings)

    /// What was said of the files.
    static func context(_ members: BodyMembers, _ reader: inout BodyReader) -> ImportContext {
        var context = ImportContext()
        context.app = members.value(app, &reader)
        context.release = members.value(release, &reader)
        context.variant = members.value(variant, &reader) ?? .release
        context.client = members.value(client, &reader)
        context.host = members.value(host, &reader)
        context.share = members.value(share, &reader)
        context.buildSettings = members.value(buildSettings, &reader) ?? [:]
        return context
    }
}

extension Kind where Value == HandedFile {
    private static var name: Member<String> {
        Member("name", Kind<String>.line(1...200), "As its owner calls it; where it lies is nothing to this service.")
    }
    private static var text: Member<String> {
        Member("text", Kind<String>.whole, "All of it, of a file that is text.")
    }
    private static var base64: Member<[UInt8]> {
        Member("base64", Kind<[UInt8]>.base64, "All of it, of any file.")
    }

    /// A file by its text, or by its bytes.
    static var file: Kind<HandedFile> {
        let textual = BodyShape().requiring(name).requiring(text)
        let binary = BodyShape().requiring(name).requiring(base64)
        return Kind(schema: .one(of: [textual.schema, binary.schema])) { value, reader in
            let isBinary = value["base64"] != nil && value["text"] == nil
            guard let members = reader.object(value, isBinary ? binary : textual) else { return nil }
            let name = members.value(name, &reader)
            let bytes =
                isBinary ? members.value(base64, &reader) : members.value(text, &reader).map { Array($0.utf8) }
            guard let name, let bytes else { return nil }
            return HandedFile(name: name, bytes: bytes)
        }
    }
}

extension Kind where Value == String {
    /// Any text but one with U+0000, as long as a body may be.
    static var whole: Kind {
        Kind(schema: .unboundedProse) { value, reader in
            guard case .string(let text) = value else {
                reader.report("must be a text, not \(value.kindWord)")
                return nil
            }
            guard !text.isEmpty, !text.utf8.contains(0) else {
                reader.report("must not be empty, nor hold the character U+0000")
                return nil
            }
            return text
        }
    }
}

extension Kind where Value == [UInt8] {
    /// Padded standard base64 (RFC 4648 section 4), which may be broken into lines.
    static var base64: Kind {
        Kind(schema: .text(pattern: "^[A-Za-z0-9+/\\r\\n]+={0,2}[\\r\\n]*$")) { value, reader in
            if case .string(let text) = value {
                let body = text.utf8.filter { $0 != 0x0A && $0 != 0x0D }
                if !body.isEmpty, let data = Data(base64Encoded: Data(body)) { return Array(data) }
            }
            reader.report("must be standard base64 with its padding, such as `base64 FILE` prints")
            return nil
        }
    }
}

extension Kind where Value == Double {
    /// From 0 to 1.
    static var fraction: Kind {
        Kind(schema: .number.bounded(0, 1)) { value, reader in
            let number: Double? =
                switch value {
                case .integer(let number): Double(number)
                case .number(let number): number
                case .null, .bool, .string, .array, .object: nil
                }
            if let number, (0...1).contains(number) { return number }
            reader.report("must be a number from 0 to 1")
            return nil
        }
    }
}

extension Kind where Value == [String: String] {
    /// Free names and texts.
    static var texts: Kind {
        Kind(schema: .map(of: .line(0...2_000), names: .line(1...200), maximum: 200)) { value, reader in
            guard case .object(let members) = value, members.count <= 200 else {
                reader.report("must be an object of at most 200 names and texts")
                return nil
            }
            var texts: [String: String] = [:]
            for (name, value) in members {
                reader.at(member: name) { reader in
                    guard Kind<String>.line(1...200).read(.string(name), &reader) != nil else { return }
                    texts[name] = Kind<String>.line(0...2_000).read(value, &reader)
                }
            }
            return texts
        }
    }
}
