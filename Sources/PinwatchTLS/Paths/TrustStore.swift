internal import COpenSSL
internal import FoundationEssentials
package import PinwatchCore

/// Anchors under a name of the configuration's `trust_stores`, loaded once.
///
/// `@unchecked Sendable`: X509_STORE_add_cert(3) and the rest of X509_STORE take its lock, and the store is not changed
/// after `init`; openssl-threads(7), "Objects are thread-safe as long as the API's being invoked don't modify the object".
@safe
package final class TrustStore: @unchecked Sendable {
    package let name: String
    /// In file order, each once.
    package let anchors: [Certificate]
    let library: X509Library
    /// The store's own objects, by which the anchors of a finished path are recognised; same order as `anchors`.
    let handles: [X509Handle]
    /// Where each anchor is from; same order as `anchors`.
    package let sources: [AnchorSource]
    private let store: OpaquePointer
    /// Places in `anchors` by the hash of the subject's name.
    private let places: [UInt: [Int]]

    /// Loads a bundle.
    ///
    /// - Parameters:
    ///   - name: The name in the configuration.
    ///   - bundle: PEM or DER; see ``CertificateFile``.
    ///   - origin: How messages call the bundle.
    ///   - source: Where a device would have these anchors from.
    /// - Throws: ``CertificateError`` where the bundle holds no certificate, or one that OpenSSL cannot load.
    package convenience init(
        name: String, bundle: [UInt8], origin: String = "the file", source: AnchorSource = .given
    ) throws(CertificateError) {
        let read = try CertificateFile.read(bundle, origin: origin)
        try self.init(name: name, certificates: read.map { ($0, source) }, origin: origin)
    }

    /// The same anchors and another store's; what both hold is the other's.
    package func adding(_ other: TrustStore) throws(CertificateError) -> TrustStore {
        try TrustStore(
            name: name, certificates: Array(zip(other.anchors, other.sources)) + Array(zip(anchors, sources)),
            origin: name)
    }

    private init(
        name: String, certificates read: [(Certificate, AnchorSource)], origin: String
    ) throws(CertificateError) {
        let library = try X509Library()
        var seen: Set<SHA256Digest> = []
        var anchors: [Certificate] = []
        var handles: [X509Handle] = []
        var sources: [AnchorSource] = []
        for (index, (certificate, source)) in read.enumerated() where seen.insert(certificate.fingerprint).inserted {
            guard let handle = X509Handle(certificate.der, library: library) else {
                throw .unusable(origin: origin, number: index + 1)
            }
            anchors.append(certificate)
            sources.append(source)
            handles.append(handle)
        }
        guard let made = unsafe X509_STORE_new() else { throw .libraryUnavailable }
        for handle in handles { unsafe X509_STORE_add_cert(made, handle.pointer) }
        ERR_clear_error()
        self.name = name
        self.library = library
        self.anchors = anchors
        self.handles = handles
        self.sources = sources
        places = Dictionary(grouping: handles.indices) { handles[$0].subjectHash }
        unsafe store = made
    }

    deinit { unsafe X509_STORE_free(store) }

    /// Where Debian and OpenSSL keep the bundle of the system's anchors, in the order tried.
    package static let systemBundles = ["/etc/ssl/certs/ca-certificates.crt", "/usr/lib/ssl/cert.pem"]

    /// The operating system's trust store.
    ///
    /// - Throws: ``CertificateError`` where none of the places holds a readable bundle.
    package static func system(
        name: String = "system", places: [String] = systemBundles
    ) throws(CertificateError) -> TrustStore {
        guard let path = places.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            throw .noSystemStore(places: places)
        }
        return try TrustStore(name: name, bundle: try CertificateFile.bytes(of: path), origin: path, source: .system)
    }

    /// Loads a bundle from a file.
    ///
    /// - Throws: ``CertificateError`` as ``init(name:bundle:origin:)`` does, and where the file cannot be read.
    package convenience init(
        name: String, file path: String, source: AnchorSource = .given
    ) throws(CertificateError) {
        try self.init(name: name, bundle: try CertificateFile.bytes(of: path), origin: path, source: source)
    }

    /// Places of the anchors whose subject's name has this hash.
    func anchors(named hash: UInt) -> [Int] { places[hash] ?? [] }

    /// Lends the X509_STORE for the length of the call.
    func withStore<Value>(_ body: (OpaquePointer) throws -> Value) rethrows -> Value {
        try unsafe body(store)
    }
}
