internal import PinwatchCore

/// Which brackets among tokens belong together; one without its counterpart has no end.
struct Brackets {
    /// For an opening bracket the place of its end.
    private let ends: [Int: Int]
    /// The place of the innermost bracket that is open at each token; -1 for none.
    private let openers: [Int]

    init(_ tokens: [Token]) {
        var (ends, openers, stack) = ([Int: Int](), [Int](), [(sign: Character, index: Int)]())
        openers.reserveCapacity(tokens.count)
        let pairs: [Character: Character] = [")": "(", "]": "[", "}": "{"]
        for (index, token) in tokens.enumerated() {
            openers.append(stack.last?.index ?? -1)
            guard case .sign(let sign) = token.kind else { continue }
            if "([{".contains(sign) { stack.append((sign, index)) }
            guard let open = pairs[sign], let last = stack.last, last.sign == open else { continue }
            ends[last.index] = index
            stack.removeLast()
            openers[index] = stack.last?.index ?? -1
        }
        (self.ends, self.openers) = (ends, openers)
    }

    func end(of open: Int) -> Int? { ends[open] }
    func opener(of index: Int) -> Int { openers.indices.contains(index) ? openers[index] : -1 }
}
