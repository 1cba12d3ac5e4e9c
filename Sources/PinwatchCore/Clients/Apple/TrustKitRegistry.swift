/// The public suffixes as the library bundled with TrustKit finds them (`domain_registry`, a table of July 2018).
///
/// Where a list has suffixes below a name but not the name itself, as below `amazonaws.com`, the library comes to a halt
/// there and finds no suffix at all, not even `com`.
struct TrustKitRegistry {
    let suffixes: any PublicSuffixes

    static let age =
        "TrustKit's own list of public suffixes is of July 2018, older than the one that was asked here; where "
        + "they differ the app may behave otherwise"

    /// Bytes of the public suffix, a trailing dot included; 0 where the library finds none.
    func length(of host: String) -> Int {
        let dot = host.hasSuffix(".") ? 1 : 0
        let name = (dot == 1 ? String(host.dropLast()) : host).lowercased()
        guard let length = suffixes.suffixLength(of: name), halt(of: name, below: length) == nil,
            !Self.younger.contains(String(name.split(separator: ".").last ?? ""))
        else { return 0 }
        return length + dot
    }

    func isSuffix(_ domain: String) -> Bool { length(of: domain) == domain.utf8.count }

    /// Whether `host` is below `domain`, at any depth and under the same suffix.
    func covers(_ domain: String, _ host: String) -> Bool {
        host.hasSuffix("." + domain) && length(of: domain) == length(of: host)
    }

    /// Why TrustKit takes a domain for none; `nil` if it does not.
    func fault(of domain: String) -> String? {
        guard length(of: domain) == 0 else { return nil }
        let name = HostPattern.normalised(domain)
        if let halt = suffixes.suffixLength(of: name).flatMap({ halt(of: name, below: $0) }) {
            return "is at or below \(halt), where TrustKit's list comes to no public suffix"
        }
        return "ends in no public suffix that TrustKit's list holds"
    }

    /// What to know of a domain that TrustKit takes.
    func notes(on domain: String) -> [String] {
        // A suffix of several labels may have come into the list, or gone, since.
        let suffix = domain.utf8.suffix(length(of: domain))
        return suffix.dropLast(domain.hasSuffix(".") ? 1 : 0).contains(0x2E) ? [Self.age] : []
    }

    /// The name at which the library's search comes to a halt, if that is not at the suffix.
    private func halt(of name: String, below length: Int) -> String? {
        if Self.inner.contains(name) { return name }
        var rest = name[...]
        while rest.utf8.count > length {
            if Self.inner.contains(String(rest)) { return String(rest) }
            guard let dot = rest.firstIndex(of: ".") else { return nil }
            rest = rest[rest.index(after: dot)...]
        }
        return Self.amazon.first { rest.hasSuffix("." + $0) && Self.isYounger(rest) }
    }

    private static let amazon = ["amazonaws.com", "amazonaws.com.cn"]

    /// Whether a suffix of Amazon's, such as `execute-api.eu-west-1.amazonaws.com`, came after the table, which has its
    /// storage, its machines, its load balancers and one region.
    private static func isYounger(_ suffix: Substring) -> Bool {
        let labels = suffix.split(separator: ".")
        let isOld = labels.contains { $0 == "compute" || $0 == "compute-1" || $0 == "elb" }
        return !isOld && labels.first?.hasPrefix("s3") != true && suffix != "us-east-1.amazonaws.com"
    }

    /// Top-level domains that came after the table: a sample of those in use.
    private static let younger: Set<String> = [
        "amazon", "cpa", "gay", "kids", "llp", "music", "spa", "ss", "xn--4dbrk0ce", "xn--cckwcxetd", "xn--jlq480n2rg",
        "xn--mgbah1a3hjkrd", "xn--mgbcpq6gpa1a", "xn--q7ce6a", "xn--qxa6a",
    ]

    /// Names that are no suffix but have some below them, each the topmost of its kind: those that both TrustKit's table
    /// and the public suffix list of today have.
    private static let inner = Set(
        """
        0emm.com akershus.no alces.network amazonaws.com amazonaws.com.cn amune.org awdev.ca azurecontainer.io bd
        buskerud.no cdn77-secure.org cdn77.net cdn77.org ck cldmail.ru compute.estate cosidns.de cryptonomic.net
        dnstrace.pro er evennode.com fastly.net fbsbx.com fedoraproject.org fk futurecms.at hedmark.no her.name
        his.name hordaland.no hosting.myjino.ru jm joyent.com kawasaki.jp kh kitakyushu.jp kobe.jp lair.io
        landing.myjino.ru magentosite.cloud metacentrum.cz mm more-og-romsdal.no muni.cz nagoya.jp nodeart.io nom.br
        nordland.no np ortsinfo.at ostfold.no otap.co pg platform.sh platformsh.site prgmr.com quipelements.com
        resinstaging.io s5y.io sapporo.jp sch.uk sendai.jp sensiosite.cloud spectrum.myjino.ru speedpartner.de
        statics.cloud stolos.io telemark.no thingdust.io transurl.be transurl.eu transurl.nl triton.zone uberspace.de
        vestfold.no vps.myjino.ru xn--mre-og-romsdal-qqb.no xn--stfold-9xa.no yokohama.jp za
        """.split { $0 == " " || $0 == "\n" }.map { String($0) })
}
