internal import PinwatchCore

/// Policies of the clients on Apple's systems, as plans.
extension PinPlan {
    mutating func readTrustKit(_ policy: Node) {
        for domain in policy["domains"]?.members ?? [] {
            let name = domain.key
            if domain.value["exclude_subdomain_from_parent_policy"]?.flag == true {
                entries.append(Self.entry(name, pins: nil, effect: .exempt))
                continue
            }
            let includes = domain.value["include_subdomains"]?.flag == true
            let isReported = domain.value["enforce_pinning"]?.flag == false
            let pins = domain.value["public_key_hashes"]
            entries.append(
                Self.entry(
                    name, includes ? .withAllBelow : .exact, pins: pins, expires: domain.value["expiration_date"],
                    effect: isReported ? .reported : .refused))
            if Set((pins?.items ?? []).map(PinNotation.raw)).count < (isReported ? 1 : 2) {
                note(
                    "\(word) throws for \(name), which has fewer than two different pins: there the app does not start")
            }
        }
    }

    mutating func readApple(_ policy: Node) {
        for domain in policy["domains"]?.members ?? [] {
            let scope: Scope = domain.value["includes_subdomains"]?.flag == true ? .withOneLabelBelow : .exact
            let lists: [(Place, Node?)] = [
                (.leaf, domain.value["leaf_identities"]), (.issuers, domain.value["ca_identities"]),
            ]
            for (place, pins) in lists {
                guard let pins else { continue }
                entries.append(Self.entry(domain.key, scope, place, pins: pins))
                if pins.items.isEmpty { noteRefused(domain.key, "has an empty list") }
            }
        }
        noteBothLists()
    }

    /// A host whose entries hold both lists must satisfy both.
    private mutating func noteBothLists() {
        let (around, before) = (placesAround(), entries)
        for entry in before where entry.place == .issuers {
            let isBoth = around(entry).map { before[$0] }.contains { other in
                other.place == .leaf && (other.covers(entry.host) || entry.covers(other.host))
            }
            if isBoth { noteAll("both lists of \(entry.host)") }
        }
        for entry in before where entry.place == .leaf {
            let isBelow = around(entry).map { before[$0] }.contains { $0.place == .issuers && $0.covers(entry.host) }
            if isBelow { noteAll("both lists of \(entry.host)") }
        }
    }

    mutating func readAlamofire(_ policy: Node) {
        refusesUnlisted = policy["all_hosts_must_be_evaluated"]?.flag != false
        for host in policy["evaluators"]?.members ?? [] {
            let tests = Self.pinning(host.value)
            let lists = tests.map { ($0["pins"]?.items ?? []).compactMap(\.scalar) }
            entries.append(
                Entry(
                    host: host.key, scope: .exact, place: .anywhere, pins: lists.flatMap { $0 }.once, expires: nil,
                    effect: tests.isEmpty ? .exempt : .refused))
            if Set(lists.map(Set.init)).count > 1 { noteAll("all \(lists.count) evaluators of \(host.key)") }
            if lists.contains(where: \.isEmpty) { noteRefused(host.key, "has an evaluator with nothing to compare") }
            if tests.isEmpty { noteUnpinned(host.key, accepts: Self.accepts(host.value)) }
            for test in tests {
                let (chain, name) = (test["perform_default_validation"]?.flag, test["validate_host"]?.flag)
                if name == false { noteUnvalidated(host.key, chain == false ? "chain and name" : "the name") }
                if test["accept_self_signed"]?.flag == true { noteAnchors(host.key) }
            }
        }
    }

    mutating func readAlamofire4(_ policy: Node) {
        for host in policy["policies"]?.members ?? [] {
            let kind = host.value["policy"]?.scalar
            let isPinning = kind == "pin_certificates" || kind == "pin_public_keys"
            let entry = Self.entry(
                host.key, pins: isPinning ? host.value["pins"] : nil, effect: isPinning ? .refused : .exempt)
            entries.append(entry)
            guard isPinning else {
                noteUnpinned(host.key, accepts: kind == "disabled")
                continue
            }
            if entry.pins.isEmpty { noteRefused(host.key, "has nothing to compare") }
            let isChain = host.value["validate_certificate_chain"]?.flag != false
            if !isChain || host.value["validate_host"]?.flag == false {
                noteUnvalidated(host.key, isChain ? "the name" : "chain and name")
            }
            if kind == "pin_certificates", isChain { noteAnchors(host.key) }
        }
    }

    mutating func readURLSession(_ policy: Node) {
        refusesUnlisted = policy["unlisted"]?.scalar == "reject"
        for host in policy["hosts"]?.members ?? [] {
            let isRaw = host.value["compare"]?.scalar == "raw_key"
            let place: Place = host.value["match"]?.scalar == "any" ? .anywhere : .leaf
            entries.append(Self.entry(host.key, .exact, place, pins: isRaw ? nil : host.value["pins"]))
            if isRaw { note("the pins of \(host.key) are hashes of raw keys, which this client does not compare") }
            if policy["evaluates_trust"]?.flag == false { noteUnvalidated(host.key, "chain and name") }
        }
    }

    mutating func readAFNetworking(_ policy: Node) {
        let isPinning = ["certificate", "public_key"].contains(policy["mode"]?.scalar)
        entries = [Self.entry("", pins: isPinning ? policy["pins"] : nil)]
        if policy["mode"]?.scalar == "certificate" { noteAnchors("every host") }
        let isOpen = policy["allow_invalid"]?.flag == true
        if isOpen || policy["validates_domain_name"]?.flag == false {
            noteUnvalidated("every host", isOpen ? "chain and name" : "the name")
        }
    }

    /// The evaluators that compare pins, of which all must be satisfied.
    private static func pinning(_ node: Node) -> [Node] {
        switch node["evaluator"]?.scalar {
        case "public_keys", "pinned_certificates": [node]
        case "composite": (node["evaluators"]?.items ?? []).flatMap(pinning)
        case _: []
        }
    }

    /// Whether everything passes.
    private static func accepts(_ node: Node) -> Bool {
        switch node["evaluator"]?.scalar {
        case "disabled": true
        case "composite": (node["evaluators"]?.items ?? []).allSatisfy(accepts)
        case _: false
        }
    }

    private mutating func noteAll(_ lists: String) {
        note("by \(word) \(lists) must match; here one pin of any is enough")
    }

    private mutating func noteRefused(_ host: String, _ why: String) {
        note("\(host) \(why), so \(word) refuses every connection to it; here it is not so")
    }

    private mutating func noteUnpinned(_ host: String, accepts: Bool) {
        note(
            accepts
                ? "\(host) is left out: \(word) accepts every certificate for it, and here it is validated"
                : "\(host) is left out: nothing is pinned for it")
    }

    private mutating func noteUnvalidated(_ host: String, _ what: String) {
        note("\(word) does not validate \(what) of \(host) before it compares pins; this client does")
    }

    private mutating func noteAnchors(_ host: String) {
        note("the pinned certificates are the only anchors for \(host) by \(word); here the system's count")
    }
}
