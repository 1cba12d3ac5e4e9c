/// What was left out or could not be resolved, at its place in the file that was handed over.
package struct Remark: Sendable, Hashable {
    package let file: String
    package let mark: Mark?
    package let message: String

    package init(file: String, mark: Mark?, message: String) {
        self.file = file
        self.mark = mark
        self.message = message
    }

    /// `file:line:column: message`.
    package var description: String { Problem(file: file, mark: mark, message: message).description }
}

/// What the files cannot tell and a verdict depends on.
package struct Question: Sendable, Hashable {
    /// Stable: `client`, `client_version`, `platform`, `bundle`, `host_lookup`, `debuggable`, `target_sdk`, `stack`,
    /// `on_empty`, `host`, `kind`, `value`, `evaluator`, `build_setting`.
    package let id: String
    package let words: String
    /// The key of the native file that answers it.
    package let key: String
    /// Whether a verdict without the answer would be a guess, rather than the client's default.
    package let mustAnswer: Bool

    package init(id: String, words: String, key: String, mustAnswer: Bool = false) {
        self.id = id
        self.words = words
        self.key = key
        self.mustAnswer = mustAnswer
    }
}
