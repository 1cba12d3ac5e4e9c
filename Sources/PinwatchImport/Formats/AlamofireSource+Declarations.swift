internal import PinwatchCore

extension AlamofireSource {
    func subclasses(of name: String) -> [String] {
        source.tokens.indices.compactMap { index in
            guard source.word(at: index) == "class", source.isSign(":", at: index + 2),
                source.word(at: index + 3) == name
            else { return nil }
            return source.word(at: index + 1)
        }
    }

    /// A type that shadows one of Alamofire's, and a manager that may look hosts up in its own way.
    mutating func warnOfDeclarations() {
        for (name, mark) in declared.sorted(by: { $0.value.line < $1.value.line }) {
            if AlamofireNames.evaluators[name] != nil {
                draft.remark(mark, "the app declares its own \(name), which shadows Alamofire's")
                draft.ask(
                    "evaluator", "What does the app's own \(name) (line \(mark.line)) check? It is not Alamofire's.",
                    key: "policy.evaluators", at: mark, mustAnswer: true)
            }
        }
        for name in subclasses(of: "ServerTrustManager") + subclasses(of: "ServerTrustPolicyManager") {
            draft.remark(declared[name], "\(name) may look hosts up in its own way, which is not read here")
            draft.ask(
                "host_lookup", "Does \(name) override the look-up of hosts, and how?", key: "policy.evaluators",
                at: declared[name], mustAnswer: true)
        }
    }
}
