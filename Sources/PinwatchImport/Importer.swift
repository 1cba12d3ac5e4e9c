internal import PinwatchConfig
package import PinwatchCore

/// Reads files that apps, tools and people keep pins in, each recognised by its content.
package enum Importer {
    /// The most files of one hand-over.
    package static let fileLimit = 1_000

    /// One result for each file that pins, in their order. Certificates, keys and requests among the files serve the others;
    /// alone they become pins of the client and host that `context` names.
    ///
    /// - Throws: Every file that cannot be read, with why.
    package static func read(
        _ files: [HandedFile], context: ImportContext
    ) throws(ImportProblems) -> [Imported] {
        guard files.count <= fileLimit else {
            throw ImportProblems(file: "the hand-over", "there are more than \(fileLimit) files")
        }
        var (recognised, problems): ([(file: HandedFile, what: Recognised)], [Problem]) = ([], [])
        for file in files {
            do { recognised.append((file, try Recognition.recognise(file))) } catch { problems += error.list }
        }
        guard problems.isEmpty else { throw ImportProblems(problems) }
        let found = recognised.flatMap { pair in if case .keys(let keys) = pair.what { keys } else { [FoundKey]() } }
        var imported: [Imported] = []
        for (file, what) in recognised {
            if case .native(let root) = what { imported.append(native(root, file)) }
            guard let draft = draft(what, file, found: found, context: context) else { continue }
            imported.append(Self.imported(draft, originals: [file], found: found, context: context))
        }
        if imported.isEmpty, !found.isEmpty {
            let draft = KeyFiles.draft(found, context: context)
            imported.append(Self.imported(draft, originals: [], found: found, context: context))
        }
        return imported
    }

    /// Whether a file is of the native format, which its own decoder reads with the files that it names.
    package static func isNative(_ file: HandedFile) -> Bool {
        String(validating: file.bytes, as: UTF8.self).map(Recognition.isNative) ?? false
    }

    /// The files of one release as one result: every file that pins is a layer of it.
    ///
    /// - Throws: As ``read(_:context:)``, and for files of different systems, which are no one release.
    package static func release(
        _ files: [HandedFile], context: ImportContext
    ) throws(ImportProblems) -> Imported {
        let parts = try read(files, context: context)
        guard let first = parts.first else { throw ImportProblems(file: "the hand-over", "there is no file") }
        guard parts.count > 1 else { return first }
        if let native = parts.first(where: { $0.format == .native }) {
            throw ImportProblems(file: native.origin, "a native pin file is a whole release; hand it over by itself")
        }
        let systems = parts.map { ($0.origin, system(of: $0)) }
        for (origin, system) in systems where system != systems[0].1 {
            throw ImportProblems(
                file: origin,
                "it is of another system than \(systems[0].0), so they are no one release; hand them over "
                    + "one by one")
        }
        return joined(parts, first: first, context: context)
    }

    /// What was handed over as releases: files of one system (Apple's, Android's, neither) are one, with a layer for each
    /// that pins; a native file is one by itself. In the order of their first files.
    ///
    /// - Throws: As ``read(_:context:)``.
    package static func releases(
        _ files: [HandedFile], context: ImportContext
    ) throws(ImportProblems) -> [Imported] {
        var groups: [(system: String?, parts: [Imported])] = []
        for part in try read(files, context: context) {
            let system = system(of: part)
            let known = groups.firstIndex { $0.system == system && $0.parts[0].format != .native }
            if let known, part.format != .native {
                groups[known].parts.append(part)
            } else {
                groups.append((system, [part]))
            }
        }
        return groups.compactMap { group in
            group.parts.first.map { joined(group.parts, first: $0, context: context) }
        }
    }

    /// Files of one system as one release. The app and release are those that a file itself says, else the first's.
    private static func joined(_ parts: [Imported], first: Imported, context: ImportContext) -> Imported {
        guard parts.count > 1 else { return first }
        let roots = parts.flatMap(\.files)
        let layers = roots.flatMap { NativePinFile.layers(of: $0) }
        let origin = parts.map(\.origin).joined(separator: ", ")
        let named = parts.first { part in
            part.files.contains { $0["app"]?.scalar.map { !part.origin.hasSuffix($0) } ?? false }
        }
        let says = named?.files.first ?? roots.first
        let identity = PinSetIdentity(
            app: says?["app"]?.scalar ?? String(origin.prefix(100)), release: says?["release"]?.scalar ?? "unknown",
            variant: context.variant, stack: "default")
        let file = NativePinFile.node(
            identity: identity, share: context.share, platform: roots.compactMap { $0["platform"] }.first,
            layers: layers, beside: first.found)
        var asked: Set<Question> = []
        return Imported(
            format: first.format, origin: origin, files: layers.isEmpty ? [] : [file],
            remarks: parts.flatMap(\.remarks),
            questions: parts.flatMap(\.questions).filter { asked.insert($0).inserted }, places: [:],
            found: first.found, originals: parts.flatMap(\.originals))
    }

    /// The system that clients of one family share: Apple's, Android's, or neither.
    private static func system(of part: Imported) -> String? {
        let clients = part.files.flatMap { NativePinFile.layers(of: $0) }.map(\.client)
        let apple: Set<Client> = [
            .alamofire, .alamofire4, .trustKitIOS, .applePinnedDomains, .wultraIOS, .afnetworking,
        ]
        let android: Set<Client> = [.androidNSC, .trustKitAndroid, .okhttp, .okhttp3, .wultraAndroid]
        if clients.contains(where: apple.contains) { return "apple" }
        return clients.contains(where: android.contains) ? "android" : nil
    }

    private static func native(_ root: Node, _ file: HandedFile) -> Imported {
        Imported(
            format: .native, origin: file.name, files: [root], remarks: [], questions: [], places: [:], found: [],
            originals: [file])
    }

    private static func draft(
        _ what: Recognised, _ file: HandedFile, found: [FoundKey], context: ImportContext
    ) -> Draft? {
        switch what {
        case .keys, .native: return nil
        case .plist(let list): return InfoPlist.read(list, file: file.name, context: context)
        case .networkSecurity(let text, let root):
            return NetworkSecurityConfig.read(text, root: root, file: file.name, context: context)
        case .wultra(let root): return WultraList.read(root, file: file.name, context: context)
        case .text(let text, let formats):
            var whole: Draft?
            for format in formats {
                guard let part = draft(text, format, file, found: found, context: context) else { continue }
                if whole == nil { whole = part } else { whole?.take(part) }
            }
            return whole
        }
    }

    private static func draft(
        _ text: String, _ format: ImportFormat, _ file: HandedFile, found: [FoundKey], context: ImportContext
    ) -> Draft? {
        switch format {
        case .trustKitSource: TrustKitSource.read(text, file: file.name, variant: context.variant)
        case .okHttpSource: OkHttpSource.read(text, file: file.name, context: context)
        case .alamofireSource: AlamofireSource.read(text, file: file.name, found: found, variant: context.variant)
        case .commandLine: CommandLineText.read(text, file: file.name, context: context, found: found)
        case .hpkpHeader: HPKPHeader.read(text, file: file.name, context: context)
        case .barePins: BarePins.read(text, file: file.name, found: found, context: context)
        case .native, .infoPlist, .networkSecurityConfig, .wultraList, .keyFiles: nil
        }
    }

    private static func imported(
        _ draft: Draft, originals: [HandedFile], found: [FoundKey], context: ImportContext
    ) -> Imported {
        let name = draft.file.split(separator: "/").last.map(String.init) ?? draft.file
        let identity = PinSetIdentity(
            app: context.app ?? draft.app ?? String(name.prefix(100)),
            release: context.release ?? draft.release ?? "unknown", variant: context.variant, stack: "default")
        let platform = draft.platform.map { platform -> Node in
            .mapping(
                [
                    ("os", .word(platform.system.rawValue, .start)),
                    ("version", platform.version.map { .text($0.text, .start) }),
                ], .start)
        }
        let files =
            draft.layers.isEmpty
            ? []
            : [
                NativePinFile.node(
                    identity: identity, share: context.share, platform: platform, layers: draft.layers,
                    beside: found)
            ]
        return Imported(
            format: draft.format, origin: draft.file, files: files, remarks: draft.remarks,
            questions: draft.questions, places: draft.places, found: found, originals: originals)
    }
}
