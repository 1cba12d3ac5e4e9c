/// One metric with its samples, in the terms of Prometheus' text format 0.0.4.
package struct MetricFamily: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case counter, gauge
    }

    package struct Sample: Sendable, Hashable {
        package struct Label: Sendable, Hashable {
            /// `[a-zA-Z_][a-zA-Z0-9_]*`.
            package let name: String
            /// Any text; escaped when written.
            package let value: String
            package init(_ name: String, _ value: String) {
                self.name = name
                self.value = value
            }
        }

        package let labels: [Label]
        package let value: Double

        package init(_ value: Double, labels: [Label] = []) {
            self.labels = labels
            self.value = value
        }
    }

    /// `pinwatch_…`, with its unit at the end: `_seconds`, `_bytes`, and `_total` for counters.
    package let name: String
    package let kind: Kind
    /// One sentence for whoever meets it in a query.
    package let help: String
    package let samples: [Sample]

    package init(name: String, kind: Kind, help: String, samples: [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }

    /// A family of one sample without labels.
    package init(name: String, kind: Kind, help: String, value: Double) {
        self.init(name: name, kind: kind, help: help, samples: [Sample(value)])
    }
}

extension MetricFamily {
    /// The family's lines: `# HELP`, `# TYPE`, and one per sample.
    var exposition: String {
        var text = "# HELP \(name) \(Self.escape(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0.name)=\"\(Self.escape($0.value, quotes: true))\"" }
            text += name + (labels.isEmpty ? "" : "{" + labels.joined(separator: ",") + "}")
            text += " " + Self.number(sample.value) + "\n"
        }
        return text
    }

    private static func escape(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map { String($0) } ?? String(value)
    }
}
