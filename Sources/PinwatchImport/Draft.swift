internal import PinwatchCore

/// What one file gives before app and release are known.
struct Draft {
    let format: ImportFormat
    /// The name of the file.
    let file: String
    var layers: [NativeLayer] = []
    var platform: Platform?
    /// The system that the layers run on, as far as their clients say.
    var system: Platform.System?
    /// What the file itself says of app and release.
    var app: String?
    var release: String?
    private(set) var remarks: [Remark] = []
    private(set) var questions: [Question] = []
    /// Where in the file a question comes from, as far as it has a place.
    private(set) var places: [Question: Mark] = [:]

    init(_ format: ImportFormat, file: String, system: Platform.System? = nil) {
        self.format = format
        self.file = file
        self.system = system
    }

    /// Remarks and questions that are kept of each file: of a text that gives more, the first are enough to go on with.
    static let limit = 500

    mutating func remark(_ mark: Mark?, _ message: String) {
        guard remarks.count < Self.limit else { return }
        remarks.append(Remark(file: file, mark: mark, message: message))
    }

    /// Each question once, in the order of asking, with its first place.
    ///
    /// - Returns: Whether it had not been asked before.
    @discardableResult mutating func ask(
        _ id: String, _ words: String, key: String, at place: Mark? = nil, mustAnswer: Bool = false
    ) -> Bool {
        let question = Question(id: id, words: words, key: key, mustAnswer: mustAnswer)
        // However many there are, that a verdict would be a guess is not lost.
        guard questions.count < Self.limit || (mustAnswer && !questions.contains(where: \.mustAnswer)) else {
            return false
        }
        guard !questions.contains(question) else { return false }
        questions.append(question)
        places[question] = place
        return true
    }

    mutating func take(_ other: Draft) {
        layers += other.layers
        platform = platform ?? other.platform
        system = system ?? other.system
        app = app ?? other.app
        release = release ?? other.release
        for remark in other.remarks where remarks.count < Self.limit { remarks.append(remark) }
        for question in other.questions {
            ask(
                question.id, question.words, key: question.key, at: other.places[question],
                mustAnswer: question.mustAnswer)
        }
    }
}
