/// Where the parts of a certificate stand (RFC 5280 section 4.1), each found or not by itself.
///
/// A fault in one part leaves those before it; what follows cannot be located then, and carries the same fault.
struct CertificateLayout {
    typealias Part = Result<DERElement, DERFault>

    let serial: Part
    let issuer: Part
    let validity: Part
    let subject: Part
    /// SubjectPublicKeyInfo with its header: the bytes that SPKI pins hash.
    let spki: Part
    /// The SEQUENCE of extensions; success with `nil` where there are none.
    let extensions: Result<DERElement?, DERFault>
    /// The outer signatureAlgorithm.
    let signatureAlgorithm: Part
    /// The BIT STRING of the signature.
    let signatureValue: Part

    init(_ der: [UInt8]) {
        var outer = DERCursor(der)
        var inner = Result<DERCursor, DERFault>.failure(.endsEarly)
        var (algorithm, signature) = (Part.failure(.endsEarly), Part.failure(.endsEarly))
        do throws(DERFault) {
            let certificate = try outer.next(clipped: true)
            guard certificate.tag == DERTag.sequence else {
                throw .unexpectedTag(certificate.tag, wanted: DERTag.sequence)
            }
            var parts = certificate.children
            let body = try parts.next(clipped: true)
            guard body.tag == DERTag.sequence else { throw .unexpectedTag(body.tag, wanted: DERTag.sequence) }
            inner = .success(body.children)
            algorithm = Self.part { () throws(DERFault) in try parts.next(DERTag.sequence) }
            signature = Self.part { () throws(DERFault) in try parts.next(DERTag.bitString) }
        } catch {
            inner = .failure(error)
            algorithm = .failure(error)
        }
        signatureAlgorithm = algorithm
        signatureValue = signature
        var walk = PartWalk(cursor: inner)
        walk.skip(0xA0)  // version
        serial = walk.next(DERTag.integer)
        _ = walk.next(DERTag.sequence)  // signature, which repeats signatureAlgorithm
        issuer = walk.next(DERTag.sequence)
        validity = walk.next(DERTag.sequence)
        subject = walk.next(DERTag.sequence)
        spki = walk.next(DERTag.sequence).flatMap(Self.checkedKey)
        walk.skip(0x81)  // issuerUniqueID, constructed or not
        walk.skip(0xA1)
        walk.skip(0x82)  // subjectUniqueID
        walk.skip(0xA2)
        extensions = walk.optional(0xA3).flatMap { element in
            guard let element else { return .success(nil) }
            return Self.part { () throws(DERFault) in
                var content = element.children
                return try content.next(DERTag.sequence)
            }.map { $0 }
        }
    }

    private static func part(_ body: () throws(DERFault) -> DERElement) -> Part {
        do throws(DERFault) { return .success(try body()) } catch { return .failure(error) }
    }

    /// Where fields are missing, a Name or a validity may stand in the key's place: a digest of that would be a lie.
    private static func checkedKey(_ element: DERElement) -> Part {
        element.content.first == DERTag.sequence ? .success(element) : .failure(.notAKey)
    }
}

/// Takes parts in order; the first that cannot be passed over ends the walk for all that follow.
private struct PartWalk {
    var cursor: Result<DERCursor, DERFault>

    /// The next value. One with another tag fails alone, since its length still leads to the value after it.
    mutating func next(_ tag: UInt8) -> CertificateLayout.Part {
        switch cursor {
        case .failure(let fault): return .failure(fault)
        case .success(var open):
            do throws(DERFault) {
                let element = try open.next()
                cursor = .success(open)
                return element.tag == tag ? .success(element) : .failure(.unexpectedTag(element.tag, wanted: tag))
            } catch {
                cursor = .failure(error)
                return .failure(error)
            }
        }
    }

    mutating func skip(_ tag: UInt8) {
        _ = optional(tag)
    }

    mutating func optional(_ tag: UInt8) -> Result<DERElement?, DERFault> {
        switch cursor {
        case .failure(let fault): return .failure(fault)
        case .success(let open):
            guard open.tag == tag else { return .success(nil) }
            return next(tag).map { $0 }
        }
    }
}
