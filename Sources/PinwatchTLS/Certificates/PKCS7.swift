internal import COpenSSL
internal import PinwatchCore

/// Certificates of a PKCS #7 `SignedData` (RFC 2315), by OpenSSL, since such files are often BER with indefinite lengths.
enum PKCS7 {
    /// Whether a ContentInfo of signed data begins here: its object identifier within the first bytes.
    static func isFramed(_ bytes: [UInt8]) -> Bool {
        let signedData: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
        guard let place = bytes.prefix(24).firstRange(of: signedData) else { return false }
        return place.lowerBound <= 6
    }

    /// Each certificate's DER, in the order of the bag.
    ///
    /// - Throws: For bytes that are no signed data, and for a bag without certificates.
    static func certificates(_ bytes: [UInt8]) throws(HostProblem) -> [[UInt8]] {
        defer { ERR_clear_error() }
        let bag = unsafe bytes.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe d2i_PKCS7(nil, &start, buffer.count)
        }
        guard let bag = unsafe bag else { throw HostProblem("the PKCS #7 bag cannot be read by OpenSSL") }
        defer { unsafe PKCS7_free(bag) }
        let stack = unsafe pinwatch_pkcs7_certificates(bag)
        let count = unsafe Int(pinwatch_x509_stack_count(stack))
        guard count > 0 else { throw HostProblem("the PKCS #7 bag holds no certificates") }
        guard count <= CertificateFile.countLimit else {
            throw HostProblem("the PKCS #7 bag holds more than \(CertificateFile.countLimit) certificates")
        }
        return (0..<count).compactMap { index in
            unsafe der(pinwatch_x509_stack_at(stack, Int32(index)))
        }
    }

    private static func der(_ certificate: OpaquePointer?) -> [UInt8]? {
        let length = unsafe i2d_X509(certificate, nil)
        guard length > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe i2d_X509(certificate, &start)
        }
        return written == length ? bytes : nil
    }
}
