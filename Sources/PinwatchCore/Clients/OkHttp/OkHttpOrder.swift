/// How OkHttp's own chain cleaner comes to the chain that it holds pins against, on the JVM (pin-semantics 0.4): from
/// each certificate to the trust index's anchor that signed it, else to any sent certificate that did, until a
/// self-signed anchor. It looks at no dates: the trust manager has done so on its own path before.
enum OkHttpOrder {
    /// The most certificates above the leaf.
    private static let signerLimit = 9

    /// The ways that the walk may take: more than one only where several anchors signed the same certificate, of which the
    /// trust index holds one in front, in an order of its own.
    static func cleaned(_ paths: [Path], sent: [CertificateSummary]) -> [Path] {
        var places: [SHA256Digest: Int] = [:]
        for (index, certificate) in sent.enumerated() where places[certificate.fingerprint] == nil {
            places[certificate.fingerprint] = index
        }
        return first(paths.map(upToRoot), after: 1, places).map { onwards($0, sent) }
    }

    /// Above an anchor that did not sign itself the walk goes on by what was sent, trusted or not. Names alone tell here
    /// what signed what: nobody has built a way beyond an anchor.
    private static func onwards(_ path: Path, _ sent: [CertificateSummary]) -> Path {
        var members = path.members
        while members.count <= signerLimit, let last = members.last, last.selfSigned != true,
            let issuer = last.issuerDER,
            let next = sent.first(where: { one in
                one.subjectDER == issuer && !members.contains { $0.fingerprint == one.fingerprint }
            })
        {
            members.append(next)
        }
        guard members.count > path.members.count, let end = members.last else { return path }
        return Path(
            certificates: members.dropLast(), anchor: end, source: path.source, anchored: path.anchored)
    }

    /// Whether the walk ends before the cleaner gives up with "certificate chain too long".
    static func isShortEnough(_ path: Path) -> Bool {
        let signers = path.members.count - 1
        return signers < signerLimit || (signers == signerLimit && path.anchor.selfSigned == true)
    }

    /// Whether the walk finds an anchor that signed something: a leaf that is the anchor itself must have signed itself.
    static func isSignedByTrusted(_ path: Path) -> Bool {
        path.members.enumerated().contains { index, member in
            path.anchored.contains(member.fingerprint) && (index > 0 || member.selfSigned == true)
        }
    }

    private static func upToRoot(_ path: Path) -> Path {
        let members = path.members
        guard
            let root = members.firstIndex(where: { path.anchored.contains($0.fingerprint) && $0.selfSigned == true })
        else { return path }
        return Path(
            certificates: Array(members[..<max(root, 1)]), anchor: members[root], source: path.source,
            anchored: path.anchored)
    }

    private static func first(_ paths: [Path], after index: Int, _ places: [SHA256Digest: Int]) -> [Path] {
        let longer = paths.filter { $0.members.count > index }
        guard !longer.isEmpty else { return Array(paths.prefix(1)) }
        var signers: [SHA256Digest] = []
        for path in longer where path.anchored.contains(path.members[index].fingerprint) {
            let signer = path.members[index].fingerprint
            if !signers.contains(signer) { signers.append(signer) }
        }
        if signers.isEmpty {
            let nearest = longer.map { $0.members[index].fingerprint }
                .min { places[$0] ?? .max < places[$1] ?? .max }
            signers = nearest.map { [$0] } ?? []
        }
        return signers.flatMap { signer in
            first(longer.filter { $0.members[index].fingerprint == signer }, after: index + 1, places)
        }
    }
}
