internal import PinwatchCore

/// A token of Swift, Objective-C, Kotlin or Java, as far as pins need it: comments are gone.
struct Token: Hashable {
    enum Kind: Hashable {
        case word(String)
        /// A literal whose text is known.
        case text(String)
        /// A literal with an interpolation in it: its source, shortened.
        case interpolated(String)
        case number(String)
        case sign(Character)
        /// A line of the preprocessor, such as `#if DEBUG`.
        case directive(String)
    }

    let kind: Kind
    let mark: Mark

    func isSign(_ sign: Character) -> Bool { kind == .sign(sign) }
    var word: String? { if case .word(let word) = kind { word } else { nil } }
}
