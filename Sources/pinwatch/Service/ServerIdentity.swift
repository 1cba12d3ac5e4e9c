internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchHTTP
internal import PinwatchTLS

/// The certificate and key of the service's own port, as their files are now.
struct ServerIdentity: Sendable {
    /// The most bytes of either file.
    private static let sizeLimit = 1 << 20
    /// Between two looks at the files, in seconds.
    private static let patience = 15

    let files: Configuration.TLSFiles

    /// - Throws: ``UsageError`` that says which file, and why the two cannot be served.
    func load() throws(UsageError) -> ServerCertificate {
        do {
            let sources = InputSources.fileSystem(environment: { _ in nil })
            let chain = try sources.readFile(files.certificate, Self.sizeLimit)
            let key = try sources.readFile(files.key, Self.sizeLimit)
            try KeyPair.check(certificate: chain, key: key, of: .server)
            return ServerCertificate(
                chain: String(decoding: chain, as: UTF8.self), key: Secret(String(decoding: key, as: UTF8.self)))
        } catch {
            throw UsageError("tls: \(files.certificate) and \(files.key): \(error.description)")
        }
    }

    /// Gives the server what the files hold whenever that is another pair, until the task is cancelled. A pair that
    /// cannot be served is told once, and the one before stays: renewals write two files, one after the other.
    func follow(_ server: Server) async {
        let told = LastReason()
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(Self.patience))
            replace(on: server, told)
        }
    }

    private func replace(on server: Server, _ told: LastReason) {
        do {
            if try server.replace(load()) {
                Log.info(.http, "serves the certificate that \(files.certificate) holds now")
            }
            told.clear()
        } catch {
            let reason = "\(error)"
            if told.isNew(reason) { Log.warning(.http, "goes on with the certificate it has: \(reason)") }
        }
    }
}
