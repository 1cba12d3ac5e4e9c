internal import PinwatchCore

extension SourceReader {
    /// `[…]` or `{…}`: a dictionary where keys and colons stand in it.
    mutating func collection(
        at open: Int, close: Character, depth: Int
    ) -> (value: SourceValue, end: Int) {
        let mark = token(open)?.mark ?? .start
        var (index, items, pairs) = (open + 1, [SourceValue](), [SourceValue.Pair]())
        if isSign(":", at: index), isSign(close, at: index + 1) { return (.table([], mark), index + 2) }
        while let next = token(index), !next.isSign(close), steps > 0 {
            if case .directive = next.kind {
                index += 1
                continue
            }
            let key = value(at: index, depth: depth + 1)
            index = max(key.end, index + (key.end == index ? 1 : 0))
            if isSign(":", at: index) {
                let value = value(at: index + 1, depth: depth + 1)
                pairs.append(.init(key: key.value, value: value.value))
                index = max(value.end, index + 1)
            } else {
                items.append(key.value)
            }
            if isSign(",", at: index) { index += 1 }
        }
        let end = isSign(close, at: index) ? index + 1 : index
        return (
            pairs.isEmpty
                ? (close == "}" && items.isEmpty ? .table([], mark) : .list(items, mark)) : .table(pairs, mark), end
        )
    }

    /// The arguments between brackets, the first of which stands at `open`.
    mutating func arguments(at open: Int, depth: Int = 0) -> (arguments: [SourceValue.Argument], end: Int) {
        var (index, arguments) = (open + 1, [SourceValue.Argument]())
        while let next = token(index), !next.isSign(")"), steps > 0 {
            if case .directive = next.kind {
                index += 1
                continue
            }
            var label: String?
            if let word = next.word, isSign(":", at: index + 1) || isSign("=", at: index + 1) {
                label = word
                index += 2
            }
            let argument = value(at: index, depth: depth + 1)
            arguments.append(.init(label: label, value: argument.value))
            index = argument.end == index ? index + 1 : argument.end
            if isSign(",", at: index) { index += 1 }
        }
        return (arguments, isSign(")", at: index) ? index + 1 : index)
    }

    /// `<String, Any>` after a name, if that is what stands there.
    func afterGenerics(_ start: Int) -> Int {
        guard isSign("<", at: start) else { return start }
        var (index, depth) = (start, 0)
        while let next = token(index), index - start < 24 {
            if next.isSign("<") { depth += 1 }
            if next.isSign(">") { depth -= 1 }
            index += 1
            if depth == 0 { return index }
        }
        return start
    }

    /// Behind the type of `as Type`, `as! [String: Any]`.
    func afterType(_ start: Int) -> Int {
        var index = start
        if isSign("!", at: index) || isSign("?", at: index) { index += 1 }
        guard isSign("[", at: index) else { return afterGenerics(index + 1) }
        while let next = token(index), index - start < 16, !next.isSign("]") { index += 1 }
        return index + 1
    }
}
