internal import PinwatchCore

/// The addresses in a certificate at which answers about it are to be had; what cannot be read names none.
struct RevocationPlaces {
    private(set) var responders: [String] = []
    private(set) var lists: [String] = []

    init(_ der: [UInt8]) {
        let extensions: CertificateExtensions
        do throws(DERFault) {
            extensions = try CertificateExtensions(CertificateLayout(der).extensions.get())
        } catch {
            return
        }
        if let value = try? extensions.value(.authorityInfoAccess) {
            responders = (try? AuthorityInformation(value))?.ocsp ?? []
        }
        if let value = try? extensions.value(.crlDistributionPoints) {
            lists = (try? DistributionPoints(value))?.urls ?? []
        }
    }
}

/// The URLs of cRLDistributionPoints (RFC 5280 section 4.2.1.13). Points whose list another authority signs are left out.
struct DistributionPoints {
    private(set) var urls: [String] = []

    init(_ value: ArraySlice<UInt8>) throws(DERFault) {
        var outer = DERCursor(value)
        var points = try outer.next(DERTag.sequence).children
        while !points.isAtEnd {
            var fields = try points.next(DERTag.sequence).children
            let name = try fields.nextIf(0xA0)
            _ = try fields.nextIf(0x81)  // reasons
            guard let name, try fields.nextIf(0xA2) == nil else { continue }
            var forms = name.children
            guard let full = try forms.nextIf(0xA0) else { continue }
            var names = full.children
            while !names.isAtEnd {
                let one = try names.next()
                if one.tag == 0x86 { urls.append(EscapedText.plain(one.content)) }
            }
        }
    }
}
