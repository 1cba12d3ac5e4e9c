internal import CYAML
internal import PinwatchCore

/// One step of a YAML stream with its place.
struct YAMLEvent {
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case scalar(String, plain: Bool)
        case alias
        case sequenceStart, sequenceEnd, mappingStart, mappingEnd
    }

    let kind: Kind
    let mark: Mark
    let hasAnchor: Bool
    let hasTag: Bool
}

/// libyaml's event parser over bytes in memory. The text must be valid UTF-8, which the caller has checked.
///
/// See `yaml.h`: the parser keeps pointers to its input and to itself, so both live at fixed addresses until the end.
@safe struct YAMLEvents: ~Copyable {
    /// What libyaml refused, and where.
    struct Fault: Error {
        let mark: Mark
        let message: String
    }

    private let text: [UInt8]
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let parser: UnsafeMutablePointer<yaml_parser_t>

    init(_ text: [UInt8]) throws(Fault) {
        self.text = text
        unsafe input = .allocate(capacity: text.count)
        _ = unsafe input.initialize(fromContentsOf: text)
        unsafe parser = .allocate(capacity: 1)
        unsafe parser.initialize(to: yaml_parser_t())
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            throw Fault(mark: Mark(line: 1, column: 1), message: "there is no memory to read it")
        }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, UnsafePointer(input.baseAddress), text.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe input.deallocate()
    }

    /// The next event. After a fault the stream is not to be read again.
    mutating func next() throws(Fault) -> YAMLEvent {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw unsafe fault(parser.pointee) }
        defer { unsafe yaml_event_delete(&event) }
        return unsafe YAMLEvent(event)
    }

    private func fault(_ parser: yaml_parser_t) -> Fault {
        let problem = unsafe parser.problem.map { unsafe String(cString: $0) } ?? "it cannot be read"
        guard unsafe parser.error != YAML_READER_ERROR else {
            // The reader knows an offset only.
            return Fault(
                mark: Mark(utf8Offset: unsafe Int(parser.problem_offset), in: text),
                message: "not valid YAML: \(problem)")
        }
        let context = unsafe parser.context.map { unsafe " (" + String(cString: $0) + ")" } ?? ""
        return Fault(mark: unsafe Mark(parser.problem_mark), message: "not valid YAML: \(problem)\(context)")
    }
}

extension YAMLEvent {
    fileprivate init(_ event: yaml_event_t) {
        let mark = unsafe Mark(event.start_mark)
        func made(_ kind: Kind, anchor: Bool = false, tag: Bool = false) -> YAMLEvent {
            YAMLEvent(kind: kind, mark: mark, hasAnchor: anchor, hasTag: tag)
        }
        switch unsafe event.type {
        case YAML_STREAM_START_EVENT: self = made(.streamStart)
        case YAML_DOCUMENT_START_EVENT: self = made(.documentStart)
        case YAML_DOCUMENT_END_EVENT: self = made(.documentEnd)
        case YAML_ALIAS_EVENT: self = made(.alias)
        case YAML_SEQUENCE_END_EVENT: self = made(.sequenceEnd)
        case YAML_MAPPING_END_EVENT: self = made(.mappingEnd)
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            self = unsafe made(
                .scalar(String(decoding: bytes, as: UTF8.self), plain: scalar.style == YAML_PLAIN_SCALAR_STYLE),
                anchor: scalar.anchor != nil, tag: scalar.tag != nil)
        case YAML_SEQUENCE_START_EVENT:
            let start = unsafe event.data.sequence_start
            self = unsafe made(.sequenceStart, anchor: start.anchor != nil, tag: start.tag != nil)
        case YAML_MAPPING_START_EVENT:
            let start = unsafe event.data.mapping_start
            self = unsafe made(.mappingStart, anchor: start.anchor != nil, tag: start.tag != nil)
        // The enumeration is libyaml's; what is left is the end of the stream and the "no event" that follows it.
        default: self = made(.streamEnd)
        }
    }
}

extension Mark {
    /// libyaml counts lines and columns from 0, columns in characters.
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }
}
