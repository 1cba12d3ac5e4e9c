internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchImport
internal import PinwatchTLS

/// Pin files for the API: nothing of this machine's disk is read for them.
struct PinDesk: PinFiles {
    /// For what was handed over, and for what is stored, which must not wait for uploads.
    private let uploads = Workbench("uploads")
    private let stored = Workbench("pin-sets")
    /// The names that `trust_store` may take.
    private let trustStores: @Sendable () -> Set<String>

    init(trustStores: @escaping @Sendable () -> Set<String>) {
        self.trustStores = trustStores
    }

    func read(
        _ files: [HandedFile], context: ImportContext, now: Instant
    ) async throws(PinFilesRefusal) -> [PinFileReading] {
        try Self.refuseTwins(files)
        let trustStores = trustStores()
        return try await Self.done(on: uploads) { () throws(TextFaults) in
            let imported: [Imported]
            do throws(ImportProblems) { imported = try Importer.releases(files, context: context) } catch {
                throw TextFaults(error.list)
            }
            // What can be imported can be linted.
            let problems = (try? Self.linter(context, now: now).lint(files)) ?? []
            return PinFileReading.all(imported, trustStores: trustStores, lint: problems)
        }
    }

    func lint(
        _ files: [HandedFile], context: ImportContext, now: Instant
    ) async throws(PinFilesRefusal) -> [LintProblem] {
        try Self.refuseTwins(files)
        return try await Self.done(on: uploads) { () throws(TextFaults) in
            do throws(ImportProblems) { return try Self.linter(context, now: now).lint(files) } catch {
                throw TextFaults(error.list)
            }
        }
    }

    func lint(_ pinSet: PinSetDefinition, now: Instant) async throws(PinFilesRefusal) -> [LintProblem] {
        try await Self.done(on: stored) { () throws(TextFaults) in
            PolicyLint.problems(
                of: [pinSet], facts: LintFacts(now: now, suffixes: InputFile.resources.publicSuffixes))
        }
    }

    /// Files are told apart by their names, in remarks and problems.
    private static func refuseTwins(_ files: [HandedFile]) throws(PinFilesRefusal) {
        var seen: Set<String> = []
        for file in files where !seen.insert(file.name).inserted {
            throw .faults(TextFaults("files", "two are called \(file.name.visible()); give each a name of its own"))
        }
    }

    private static func linter(_ context: ImportContext, now: Instant) -> Linter {
        Linter(
            context: context, now: now, resources: InputFile.resources,
            native: { file in
                do throws(InputProblems) {
                    return .success(
                        try PinFileDecoder.definition(
                            fromAPI: String(decoding: file.bytes, as: UTF8.self), trustStores: nil,
                            resources: InputFile.resources
                        ).kept(by: .api, origin: file.name))
                } catch {
                    return .failure(error)
                }
            })
    }

    var exportFormats: [String] { ExportFormat.allCases.map(\.rawValue) }

    func export(_ pinSet: PinSetDefinition, as format: String) async throws(PinFilesRefusal) -> String {
        try await Self.done(on: stored) { () throws(TextFaults) in
            guard let format = ExportFormat(rawValue: format), format != .native else { return pinSet.source }
            let file: Node
            do throws(InputProblems) {
                file = try PinFileDecoder.node(Array(pinSet.source.utf8), file: pinSet.origin)
            } catch {
                throw TextFaults(error.list)
            }
            return try Self.written(format) { () throws(HostProblem) in try Exporter.text(of: file, as: format) }
        }
    }

    func export(_ served: ServedKeys, as format: String) async throws(PinFilesRefusal) -> String {
        try await Self.done(on: stored) { () throws(TextFaults) in
            let (keys, format) = (HostKeys(served), ExportFormat(rawValue: format) ?? .native)
            guard !keys.leafKeys.isEmpty else {
                throw TextFaults("chain", "\(served.host) serves no certificate now whose key could be pinned")
            }
            return try Self.written(format) { () throws(HostProblem) in try Exporter.text(of: keys, as: format) }
        }
    }

    private static func written(
        _ format: ExportFormat, _ write: () throws(HostProblem) -> String
    ) throws(TextFaults) -> String {
        do { return try write() } catch { throw TextFaults("format", error.description) }
    }

    func candidate(_ bytes: [UInt8]) async throws(PinFilesRefusal) -> Candidate {
        try await Self.done(on: uploads) { () throws(TextFaults) in
            do throws(HostProblem) { return try Candidate(reading: bytes) } catch {
                throw TextFaults("candidate", error.description)
            }
        }
    }

    private static func done<Result: Sendable>(
        on bench: Workbench, _ work: @escaping @Sendable () throws(TextFaults) -> Result
    ) async throws(PinFilesRefusal) -> Result {
        let outcome: Swift.Result<Result, TextFaults>? = await bench.run { () -> Swift.Result<Result, TextFaults> in
            do throws(TextFaults) { return .success(try work()) } catch { return .failure(error) }
        }
        switch outcome {
        case .success(let result): return result
        case .failure(let faults): throw .faults(faults)
        case nil: throw .busy
        }
    }
}

extension TextFaults {
    /// One fault of a member of the request.
    fileprivate init(_ member: String, _ message: String) {
        self.init([Problem(file: member, mark: nil, message: message)])
    }
}

extension HostKeys {
    /// The leaves' keys in the order that chains are given, then the issuers' if they are wanted.
    fileprivate init(_ served: ServedKeys) {
        let chains = served.chains.map { $0.map { CertificateReader.read($0) } }
        let leaf = chains.lazy.compactMap(\.first).first
        let issuers = served.withIssuers ? chains.flatMap { $0.dropFirst() }.compactMap(\.spki) : []
        self.init(
            host: served.host, leafKeys: Self.once(chains.compactMap { $0.first?.spki }),
            issuerKeys: Self.once(issuers), certificate: leaf?.fingerprint, certificateEnd: leaf?.notAfter)
    }

    private static func once(_ keys: [SHA256Digest]) -> [SHA256Digest] {
        keys.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension Candidate {
    /// - Throws: Why the bytes are no certificates, no key and no signing request, or hold what must not be here.
    fileprivate init(reading bytes: [UInt8]) throws(HostProblem) {
        let found = try KeyMaterialReader.read(bytes)
        var (certificates, keys): ([Certificate], [CandidateKey]) = ([], [])
        for material in found {
            switch material {
            case .certificate(let certificate, _): certificates.append(certificate)
            case .publicKey(let hashes): keys.append(CandidateKey(.publicKey, subject: nil, hashes))
            case .request(let subject, let hashes): keys.append(CandidateKey(.request, subject: subject, hashes))
            }
        }
        if let key = keys.first, keys.count == 1, certificates.isEmpty {
            self = .key(key)
        } else if !certificates.isEmpty, keys.isEmpty, certificates.count <= Self.mostCertificates {
            self = .chain(certificates)
        } else if found.isEmpty {
            throw HostProblem("it holds neither certificates, nor a public key, nor a signing request, in PEM or DER")
        } else {
            throw HostProblem(
                "it must hold one chain of at most \(Self.mostCertificates) certificates, or one public key, or one "
                    + "signing request")
        }
    }

    private static let mostCertificates = 20
}
