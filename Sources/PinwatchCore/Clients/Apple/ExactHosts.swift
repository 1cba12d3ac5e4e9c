/// Host entries that a client looks up as a dictionary does: letter for letter.
enum ExactHosts {
    /// An entry that a reader may believe to cover the host, and why it does not.
    static func nearMiss<Names: Sequence<String>>(for host: String, among entries: Names) -> String? {
        let asked = HostPattern.normalised(host)
        var near: String?
        for entry in entries where entry != host {
            let name = HostPattern.normalised(entry)
            if name == asked { return "the entry is spelled \(entry), and spelling counts" }
            if near == nil { near = nearMiss(entry, name, above: asked) }
        }
        return near
    }

    private static func nearMiss(_ entry: String, _ name: String, above asked: String) -> String? {
        if name.hasPrefix("*.") || name.hasPrefix("**.") {
            let suffix = String(name.drop { $0 == "*" }.dropFirst())
            guard asked == suffix || asked.hasSuffix("." + suffix) else { return nil }
            return "\(entry) is taken letter for letter, for wildcards mean nothing here"
        }
        guard name.contains("."), asked.hasSuffix("." + name) else { return nil }
        return "\(entry) stands for that very name, without its sub-domains"
    }
}
