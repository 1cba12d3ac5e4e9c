/// A product that reads TLS connections on their way, by issuing a certificate of its own for each host.
package struct InspectionProduct: Sendable, Hashable {
    /// Where such a product stands, which says what can be done about it.
    package enum Place: Sendable, Hashable {
        /// A developer's tool.
        case debugging
        /// A company's web gateway or firewall, its own or in a cloud.
        case gateway
        /// A virus scanner or filter on the machine itself.
        case machine
    }

    /// As its maker writes it.
    package let name: String
    package let place: Place
    /// Attributes of a distinguished name that tell it: all of one entry, with exactly these values. A `*` at the end
    /// stands for what differs between installations.
    let marks: [[String: String]]

    /// The product that issued a certificate, going by the issuer's name; `nil` for any other issuer.
    ///
    /// - Parameter issuer: RFC 4514 text, as in ``CertificateSummary/issuer``.
    package static func issuing(_ issuer: String) -> InspectionProduct? {
        let attributes = NameAttribute.all(of: issuer)
        guard !attributes.isEmpty else { return nil }
        return all.first { product in product.marks.contains { mark in mark.allSatisfy { holds($0, in: attributes) } } }
    }

    /// The product that stands behind a chain without a path to the trust store.
    ///
    /// A path, whatever its dates, says that somebody who is trusted vouches for the chain: the makers of such products
    /// have web sites of their own, and whoever names a store for a target has said which authorities may speak for it.
    /// Only issuers count, on the way up from the leaf: a leaf may call itself anything, and a certificate beside the
    /// way issued nothing.
    package static func behind(_ assessment: ChainAssessment) -> InspectionProduct? {
        guard assessment.paths.isEmpty else { return nil }
        return assessment.lineage.lazy.compactMap(\.issuer).compactMap(issuing).first
    }

    private static func holds(_ mark: (key: String, value: String), in attributes: [NameAttribute]) -> Bool {
        attributes.contains { attribute in
            guard attribute.type == mark.key else { return false }
            guard mark.value.hasSuffix("*") else { return attribute.value == mark.value }
            return attribute.value.hasPrefix(mark.value.dropLast())
        }
    }
}
