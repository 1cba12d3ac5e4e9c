/// Why certificates from a file cannot be used, with where they came from.
package enum CertificateError: Error, Hashable, CustomStringConvertible {
    /// More bytes than are read of one file.
    case tooLarge(origin: String, bytes: Int, limit: Int)
    /// More certificates than are read of one file.
    case tooMany(origin: String, limit: Int)
    /// Neither PEM nor DER certificates.
    case noCertificate(origin: String)
    /// A PEM block whose base64 is broken, or that lacks its last line. Blocks count from 1.
    case brokenPEM(origin: String, block: Int)
    /// A certificate that OpenSSL cannot load. Certificates count from 1.
    case unusable(origin: String, number: Int)
    case fileUnreadable(path: String, why: String)
    /// None of the places where this system keeps its trust store holds a file.
    case noSystemStore(places: [String])
    /// OpenSSL has no memory, or its built-in provider does not load.
    case libraryUnavailable

    package var description: String {
        switch self {
        case .tooLarge(let origin, let bytes, let limit):
            "\(origin) has \(bytes) bytes; at most \(limit) are read of a file of certificates"
        case .tooMany(let origin, let limit): "\(origin) holds more than \(limit) certificates; split the file"
        case .noCertificate(let origin):
            "\(origin) holds no certificate; PEM blocks \"BEGIN CERTIFICATE\" or DER are wanted"
        case .brokenPEM(let origin, let block): "\(origin): PEM block \(block) is cut short or is no base64"
        case .unusable(let origin, let number):
            "\(origin): certificate \(number) cannot be loaded by OpenSSL; look at it with `openssl x509 -text`"
        case .fileUnreadable(let path, let why): "\(path) cannot be read: \(why)"
        case .noSystemStore(let places):
            "no system trust store at \(places.joined(separator: " or ")); install the package ca-certificates, "
                + "or name a file under trust_stores"
        case .libraryUnavailable:
            "OpenSSL's default provider does not load; the installation is broken or out of memory"
        }
    }
}
