internal import FoundationEssentials

/// A directory of one test, removed with its last reference.
package final class TestDirectory: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "pinwatch-" + UUID().uuidString).path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and gives its absolute path.
    @discardableResult
    package func write(_ name: String, _ text: String) throws -> String {
        try write(name, Array(text.utf8))
    }

    /// Writes a file and gives its absolute path.
    @discardableResult
    package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }

    /// Where `openssl s_server` and nginx find a server's chain, leaf first, and its key.
    package struct ServerFiles: Sendable {
        package let chain: String
        package let key: String
    }

    /// Writes `NAME.pem` with the certificates in the order given and `NAME.key` with the first one's private key.
    package func writeServer(_ name: String, _ certificates: TestCertificate...) throws -> ServerFiles {
        ServerFiles(
            chain: try write(name + ".pem", certificates.map(\.certificatePEM).joined()),
            key: try write(name + ".key", certificates.first?.privateKeyPEM ?? ""))
    }
}
