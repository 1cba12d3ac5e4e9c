internal import PinwatchCore

/// `--pinnedpubkey` of curl and wget: command lines, scripts and rc files (pin-semantics 7.1 and 7.2).
enum CommandLineText {
    static func recognises(_ text: String) -> Bool { text.holds("pinnedpubkey") }

    static func read(_ text: String, file: String, context: ImportContext, found: [FoundKey]) -> Draft {
        var draft = Draft(.commandLine, file: file, system: .linux)
        // More than one is a question anyway.
        for setting in settings(text) where draft.layers.count < 20 {
            let client = context.client ?? setting.program
            if client == nil {
                draft.ask("client", "Is this curl's or wget's? Say so with --client; curl is assumed.", key: "client")
            }
            let value = resolved(setting.value, found, &draft)
            let mark = setting.value.mark
            let policy = Node.mapping([("pinnedpubkey", .text(value, mark))], mark)
            let isKnown = draft.layers.contains {
                $0.client == client ?? .curl && $0.policy.withoutMarks == policy.withoutMarks
            }
            if !isKnown { draft.layers.append(NativeLayer(client: client ?? .curl, policy: policy)) }
        }
        if draft.layers.isEmpty { draft.remark(nil, "pinnedpubkey has no value here, so nothing is pinned") }
        if draft.layers.count > 1 {
            draft.ask(
                "stack",
                "Which of these commands is meant? They pin differently, and one release holds one value; hand "
                    + "them over one by one.", key: "policy.pinnedpubkey",
                at: draft.layers[1].policy["pinnedpubkey"]?.mark, mustAnswer: true)
        }
        draft.ask(
            "client_version", "Which version of the program is it? curl reads lists otherwise from 8.18 on.",
            key: "client_version")
        return draft
    }

    private struct Setting {
        let value: ShellWords.Word
        let program: Client?
    }

    private static func settings(_ text: String) -> [Setting] {
        let rc = ResourceFile.values(text).map { Setting(value: $0, program: nil) }
        let words = ShellWords.words(text)
        var (found, program) = (rc, Client?.none)
        for (index, word) in words.enumerated() {
            let name = word.text.contains("://") ? "" : word.text.split(separator: "/").last.map(String.init) ?? ""
            program = name == "curl" ? .curl : name == "wget" ? .wget : program
            if let value = value(words, at: index) { found.append(Setting(value: value, program: program)) }
        }
        return found
    }

    /// The value of `--pinnedpubkey V` or `--pinnedpubkey=V`.
    private static func value(_ words: [ShellWords.Word], at index: Int) -> ShellWords.Word? {
        let word = words[index]
        guard word.text.hasPrefix("--pinnedpubkey") else { return nil }
        let rest = word.text.dropFirst(14)
        if rest.hasPrefix("="), rest.count > 1 {
            return .init(text: String(rest.dropFirst()), mark: word.mark, beginsCommand: false)
        }
        guard rest.isEmpty, index + 1 < words.count, !words[index + 1].beginsCommand else { return nil }
        return words[index + 1]
    }

    /// A file that was handed over becomes the pin of its key, which is what it is compared with.
    private static func resolved(_ word: ShellWords.Word, _ found: [FoundKey], _ draft: inout Draft) -> String {
        guard !word.text.hasPrefix("sha256//") else { return word.text }
        if word.text.contains("$") {
            draft.remark(word.mark, "\(word.text.prefix(60)) is a variable of the shell's")
            draft.ask(
                "value", "What is \(word.text.prefix(60)) at line \(word.mark.line)?", key: "policy.pinnedpubkey",
                at: word.mark, mustAnswer: true)
            return word.text
        }
        let name = word.text.split(separator: "/").last.map(String.init)
        let match = found.first { $0.file.split(separator: "/").last.map(String.init) == name }
        if let spki = match?.spki {
            draft.remark(word.mark, "the key of \(word.text.prefix(200)) is written as its hash")
            return "sha256//" + spki.base64
        }
        draft.ask(
            "bundle", "Which key does the file \(word.text.prefix(200)) hold? Hand it over beside.",
            key: "policy.pinnedpubkey", at: word.mark, mustAnswer: true)
        return word.text
    }

    /// One command, with the pins of the policy.
    static func write(_ policy: Node, client: Client, host: String?, notes: [String]) -> String {
        let comments =
            notes + [
                "The leaf's key alone is compared, so pin the next leaf's key beside it. No blanks between pins.",
                "The pins bind every host of the transfer, after redirects too; -k does not switch them off.",
            ]
        let value = (policy["pinnedpubkey"]?.scalar ?? "").replacing("'", with: "'\\''")
        let name = (host ?? "HOST").filter { !$0.isNewline }
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5F: true
            default: false
            }
        }
        let address = isPlain ? "https://\(name)/" : "'https://\(name.replacing("'", with: "'\\''"))/'"
        let command =
            client == .wget ? "wget --pinnedpubkey='\(value)' \(address)" : "curl --pinnedpubkey '\(value)' \(address)"
        return comments.map { "# \(SourceLiteral.comment($0))\n" }.joined() + command + "\n"
    }
}

/// Lines of `.curlrc` and `.wgetrc`: the option without dashes, and its value to the line's end.
private enum ResourceFile {
    static func values(_ text: String) -> [ShellWords.Word] {
        var found: [ShellWords.Word] = []
        for (index, line) in text.lines.enumerated() {
            let body = line.drop { $0 == " " || $0 == "\t" }
            guard body.hasPrefix("pinnedpubkey") else { continue }
            let value = body.dropFirst(12).drop { " \t=:".contains($0) }
            let column = line.distance(from: line.startIndex, to: value.startIndex) + 1
            let text = unquoted(value)
            guard !text.isEmpty else { continue }
            found.append(.init(text: text, mark: Mark(line: index + 1, column: column), beginsCommand: false))
        }
        return found
    }

    /// curl takes quotes; without them its value ends at the first blank, as pins never hold one.
    private static func unquoted(_ value: Substring) -> String {
        if value.hasPrefix("\""), let end = value.dropFirst().firstIndex(of: "\"") {
            return String(value.dropFirst()[..<end])
        }
        return value.reversed().drop { $0 == " " || $0 == "\t" }.reversed().reduce(into: "") { $0.append($1) }
    }
}

/// Words of a shell's line, quotes and continued lines resolved, comments gone; expansions stay as written.
enum ShellWords {
    struct Word {
        let text: String
        let mark: Mark
        /// The first of a line or behind `|`, `;` and `&`.
        let beginsCommand: Bool
    }

    static func words(_ text: String) -> [Word] {
        var (words, word, quote) = ([Word](), "", Character?.none)
        var (line, column, mark, begins, isOpen) = (1, 1, Mark.start, true, false)
        func begin() {
            if !isOpen { (mark, isOpen) = (Mark(line: line, column: column), true) }
        }
        func end() {
            if isOpen {
                words.append(Word(text: word, mark: mark, beginsCommand: begins))
                begins = false
            }
            (word, isOpen) = ("", false)
        }
        var (escaped, comment) = (false, false)
        for character in text {
            if comment { comment = !character.isNewline }
            if comment {
                column += 1
                continue
            } else if escaped {
                if !character.isNewline { word.append(character) }
                escaped = false
            } else if let open = quote {
                if character == open {
                    quote = nil
                } else if character == "\\", open == "\"" {
                    escaped = true
                } else {
                    word.append(character)
                }
            } else if character == "'" || character == "\"" {
                begin()
                quote = character
            } else if character == "\\" {
                escaped = true
            } else if character == "#", !isOpen {
                comment = true
            } else if character.isNewline || "|;&".contains(character) {
                end()
                begins = true
            } else if character.isWhitespace {
                end()
            } else {
                begin()
                word.append(character)
            }
            (line, column) = character.isNewline ? (line + 1, 1) : (line, column + 1)
        }
        end()
        return words
    }
}
