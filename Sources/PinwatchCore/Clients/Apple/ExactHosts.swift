/// Host entries that a client looks up as a dictionary does: letter for letter. Found by their names' labels, for one app
/// may list very many.
struct ExactHosts: Sendable {
    private let places: [String: Int]
    /// Entries as spelled, by what they would mean if spelling did not count.
    private let spellings: [String: [String]]
    /// The same of wildcards, without the stars.
    private let wildcards: [String: String]

    /// - Parameter names: In the order of the entries; of two that are the same the first counts.
    init(_ names: [String]) {
        var places: [String: Int] = [:]
        var spellings: [String: [String]] = [:]
        var wildcards: [String: String] = [:]
        for (place, name) in names.enumerated() where places[name] == nil {
            places[name] = place
            let normalised = HostPattern.normalised(name)
            spellings[normalised, default: []].append(name)
            let base = HostPattern.base(of: name)
            if base != normalised, wildcards[base] == nil { wildcards[base] = name }
        }
        (self.places, self.spellings, self.wildcards) = (places, spellings, wildcards)
    }

    /// The place of the entry for a host.
    subscript(host: String) -> Int? { places[host] }

    /// An entry that a reader may believe to cover the host, and why it does not: the nearest by its labels.
    func nearMiss(for host: String) -> String? {
        let asked = HostPattern.normalised(host)
        if let entry = spellings[asked]?.first(where: { $0 != host }) {
            return "the entry is spelled \(entry), and spelling counts"
        }
        var name: String? = asked
        while let suffix = name {
            if let entry = wildcards[suffix] {
                return "\(entry) is taken letter for letter, for wildcards mean nothing here"
            }
            if suffix != asked, suffix.contains("."), let entry = spellings[suffix]?.first(where: { $0 != host }) {
                return "\(entry) stands for that very name, without its sub-domains"
            }
            name = HostPattern.parent(of: suffix)
        }
        return nil
    }
}
