/// How Android's Conscrypt comes from the leaf to an anchor (pin-semantics 0.4): at every step it tries the anchors that
/// issued the certificate before what the server sent, stops at a self-issued certificate, and above its first anchor
/// looks at anchors only. The first way whose untrusted part validates is the built chain; pins are no reason to go on.
enum ConscryptOrder {
    /// What the walk comes to.
    enum Walk {
        /// Why no path validates.
        case rejected(Verdict)
        /// Those that validate, in the order of the walk and never empty: the first is the built chain.
        case validated([Path])
    }

    /// Walks for a client that trusts the anchors of some paths.
    static func walk(_ presentation: Presentation, trusting trusts: (Path) -> Bool) -> Walk {
        let assessment = presentation.assessment
        let paths = sorted(assessment.paths, sent: assessment.certificates)
        guard let best = paths.first else { return .rejected(presentation.pathless) }
        let trusted = paths.filter(trusts)
        guard let first = trusted.first else { return .rejected(presentation.untrustedAnchor(of: best)) }
        let sound = trusted.filter { $0.untrustedRejection(at: presentation.now) == nil }
        if sound.isEmpty, let rejection = first.untrustedRejection(at: presentation.now) { return .rejected(rejection) }
        return .validated(sound)
    }

    /// The paths as Conscrypt would build them, in the order in which it comes to them.
    static func sorted(_ paths: [Path], sent: [CertificateSummary]) -> [Path] {
        var places: [SHA256Digest: Int] = [:]
        for (index, certificate) in sent.enumerated() where places[certificate.fingerprint] == nil {
            places[certificate.fingerprint] = index
        }
        let walks = paths.map(walked)
        // A path that is cut short is often there by itself, and then it knows where its anchor is from.
        let whole = zip(paths, walks).filter { $0.members == $1.members }.map(\.1)
        var seen: Set<[SHA256Digest]> = []
        return (whole + walks).filter { seen.insert($0.members.map(\.fingerprint)).inserted }.enumerated()
            .sorted { left, right in
                let order = compare(left.element, right.element, places)
                return order == .same ? left.offset < right.offset : order == .before
            }
            .map(\.element)
    }

    /// The path as far as Conscrypt would follow it: a leaf with an anchor's subject and key gives way to that anchor, and
    /// above the first anchor come anchors only, up to one that is self-issued.
    private static func walked(_ path: Path) -> Path {
        var members = path.members
        if members.count > 1, path.anchored.contains(members[1].fingerprint), isSame(members[0], members[1]) {
            members.removeFirst()
        }
        guard let first = members.firstIndex(where: { path.anchored.contains($0.fingerprint) }) else { return path }
        var last = first
        while last + 1 < members.count, !members[last].isSelfIssued,
            path.anchored.contains(members[last + 1].fingerprint)
        {
            last += 1
        }
        return Path(
            certificates: Array(members[..<max(last, 1)]), anchor: members[last], source: path.source,
            anchored: path.anchored.intersection(members[first...last].map(\.fingerprint)))
    }

    /// Same name and key, which is all that Conscrypt asks of an anchor (pin-semantics 0.5).
    private static func isSame(_ leaf: CertificateSummary, _ anchor: CertificateSummary) -> Bool {
        leaf.subjectDER != nil && leaf.subjectDER == anchor.subjectDER && leaf.spki != nil && leaf.spki == anchor.spki
    }

    enum Order { case before, same, after }

    private static func compare(_ left: Path, _ right: Path, _ places: [SHA256Digest: Int]) -> Order {
        let (ours, theirs) = (left.members, right.members)
        for (one, other) in zip(ours, theirs) where one.fingerprint != other.fingerprint {
            switch (left.anchored.contains(one.fingerprint), right.anchored.contains(other.fingerprint)) {
            case (true, false): return .before
            case (false, true): return .after
            case (true, true): return CertificatePriority.compare(one, other)
            case (false, false):
                return rank(places[one.fingerprint] ?? .max, places[other.fingerprint] ?? .max, smallerFirst: true)
            }
        }
        // An anchor that has an issuer among the anchors is never the end.
        return rank(ours.count, theirs.count, smallerFirst: false)
    }

    fileprivate static func rank<Value: Comparable>(_ left: Value, _ right: Value, smallerFirst: Bool) -> Order {
        left == right ? .same : (left < right) == smallerFirst ? .before : .after
    }
}

/// In which order Conscrypt tries anchors that issued the same certificate: self-issued ones, EC before RSA, the larger
/// key, the stronger signature digest, the later end, the later start.
private enum CertificatePriority {
    static func compare(_ left: CertificateSummary, _ right: CertificateSummary) -> ConscryptOrder.Order {
        let steps: [(CertificateSummary) -> Int64] = [
            { $0.isSelfIssued ? 1 : 0 }, { $0.key?.type == "EC" ? 1 : 0 }, { Int64($0.key?.bits ?? 0) },
            { digestStrength($0.signature ?? "") }, { $0.notAfter?.unixSeconds ?? .min },
            { $0.notBefore?.unixSeconds ?? .min },
        ]
        for step in steps {
            let order = ConscryptOrder.rank(step(left), step(right), smallerFirst: false)
            if order != .same { return order }
        }
        return .same
    }

    private static func digestStrength(_ signature: String) -> Int64 {
        let name = signature.lowercased()
        let digests = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"]
        return Int64(digests.lastIndex { name.contains($0) } ?? -1)
    }
}

extension CertificateSummary {
    /// Whether issuer and subject are the same name, whoever signed.
    var isSelfIssued: Bool { subjectDER != nil && subjectDER == issuerDER }
}
