internal import PinwatchCore

extension SourceReader {
    /// Tells of conditions that were not decided, and of pins that were left out for those that were.
    func note(_ draft: inout Draft) {
        for token in decided.prefix(20) {
            draft.remark(
                token.mark,
                "BuildConfig.DEBUG decides here: what no \(variant.rawValue) build runs is left out")
        }
        for token in openConditions.prefix(20) {
            guard case .directive(let line) = token.kind else { continue }
            draft.remark(
                token.mark, "\(line.prefix(80)) is decided by the build; all that stands in its branches is read")
        }
    }

    /// Asks which pins are in force, where a token stands under a condition that only the running app decides.
    func askOfCondition(around index: Int, key: String, _ draft: inout Draft) {
        guard let token = conditions.around(index) else { return }
        let (name, line) = (token.word ?? "choice", token.mark.line)
        let isNew = draft.ask(
            "value", "Which of the pins under the \(name) at line \(line) are those of the release?", key: key,
            at: token.mark, mustAnswer: true)
        guard isNew else { return }
        draft.remark(token.mark, "the \(name) here is decided where the app runs; all that stands under it is read")
    }
}
