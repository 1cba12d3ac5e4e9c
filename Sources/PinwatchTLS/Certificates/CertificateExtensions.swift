internal import PinwatchCore

/// The extensions of a certificate by identifier, as far as the list can be walked.
struct CertificateExtensions {
    private var values: [ObjectIdentifier: [Result<ArraySlice<UInt8>, DERFault>]] = [:]
    /// What ended or holed the walk: an extension that was not found before may stand behind it.
    private var fault: DERFault?

    init(_ list: DERElement?) {
        guard let list else { return }
        var items = list.children
        while !items.isAtEnd {
            do throws(DERFault) {
                add(try items.next(DERTag.sequence))
            } catch {
                fault = error
                return
            }
        }
    }

    private mutating func add(_ item: DERElement) {
        var parts = item.children
        do throws(DERFault) {
            let identifier = try ObjectIdentifier(try parts.next())
            values[identifier, default: []].append(Self.value(&parts))
        } catch {
            fault = error
        }
    }

    private static func value(_ parts: inout DERCursor) -> Result<ArraySlice<UInt8>, DERFault> {
        do throws(DERFault) {
            _ = try parts.nextIf(DERTag.boolean)  // critical
            return .success(try parts.next(DERTag.octetString).content)
        } catch {
            return .failure(error)
        }
    }

    /// The bytes inside the OCTET STRING of the first such extension; `nil` if there is none.
    ///
    /// - Throws: the extension's own fault, or the list's where it was not found in the part that could be walked.
    func value(_ identifier: ObjectIdentifier) throws(DERFault) -> ArraySlice<UInt8>? {
        if let first = values[identifier]?.first { return try first.get() }
        if let fault { throw fault }
        return nil
    }

    /// How often the extension stands there.
    func count(_ identifier: ObjectIdentifier) -> Int { values[identifier]?.count ?? 0 }
}

/// The names of subjectAltName (RFC 5280 section 4.2.1.6).
struct AlternativeNames {
    private(set) var dns: [String] = []
    private(set) var ip: [IPAddress] = []
    /// Entries that no client will match, in words.
    private(set) var oddities: [String] = []

    /// - Throws: where the list of names cannot be walked to its end.
    init(_ value: ArraySlice<UInt8>) throws(DERFault) {
        var outer = DERCursor(value)
        var names = try outer.next(DERTag.sequence).children
        while !names.isAtEnd {
            let name = try names.next()
            switch name.tag {
            case 0x82: add(dns: name.content)
            case 0x87: add(ip: name.content)
            default: continue  // other kinds name no host
            }
        }
    }

    private mutating func add(dns name: ArraySlice<UInt8>) {
        let text = EscapedText.plain(name)
        dns.append(text)
        if !DNSPattern.isPlausible(text) {
            oddities.append("dNSName \(text.isEmpty ? "without bytes" : String(text.prefix(80))) is no host name")
        }
    }

    private mutating func add(ip bytes: ArraySlice<UInt8>) {
        guard let address = IPAddress(bytes: bytes) else {
            oddities.append(DERFault.badAddressLength(bytes.count).description)
            return
        }
        ip.append(address)
    }
}

/// The URLs of authorityInfoAccess (RFC 5280 section 4.2.2.1).
struct AuthorityInformation {
    private(set) var ocsp: [String] = []
    private(set) var issuers: [String] = []

    init(_ value: ArraySlice<UInt8>) throws(DERFault) {
        var outer = DERCursor(value)
        var descriptions = try outer.next(DERTag.sequence).children
        while !descriptions.isAtEnd {
            var parts = try descriptions.next(DERTag.sequence).children
            let method = try ObjectIdentifier(try parts.next())
            let location = try parts.next()
            guard location.tag == 0x86 else { continue }  // uniformResourceIdentifier
            if method == .ocsp { ocsp.append(EscapedText.plain(location.content)) }
            if method == .caIssuers { issuers.append(EscapedText.plain(location.content)) }
        }
    }
}

/// basicConstraints' cA flag (RFC 5280 section 4.2.1.9).
enum BasicConstraints {
    static func isCA(_ value: ArraySlice<UInt8>) throws(DERFault) -> Bool {
        var outer = DERCursor(value)
        var fields = try outer.next(DERTag.sequence).children
        guard let flag = try fields.nextIf(DERTag.boolean) else { return false }
        return flag.content.contains { $0 != 0 }
    }
}

/// The embedded list of signed certificate timestamps (RFC 6962 section 3.3).
enum TimestampList {
    /// The number of entries, whatever they hold.
    static func count(_ value: ArraySlice<UInt8>) throws(DERFault) -> Int {
        var outer = DERCursor(value)
        var list = try outer.next(DERTag.octetString).content
        guard let total = length(&list), total == list.count else { throw .badTimestampList }
        var count = 0
        while !list.isEmpty {
            guard let size = length(&list), size > 0, size <= list.count else { throw .badTimestampList }
            list = list.dropFirst(size)
            count += 1
        }
        return count
    }

    private static func length(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= 2 else { return nil }
        let length = bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        bytes = bytes.dropFirst(2)
        return length
    }
}
