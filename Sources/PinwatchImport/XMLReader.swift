internal import CExpat
package import PinwatchCore

/// Reads whole XML documents by expat into Core's ``XMLElement``.
///
/// Nothing outside the text is ever fetched: external entities and DTDs are left out, as property lists name one. What
/// entities grow to is bounded as the document itself is.
package enum XMLReader {
    /// The most bytes of a document.
    package static let sizeLimit = 8 << 20
    /// The deepest nesting.
    static let depthLimit = 64
    /// The most elements of a document.
    static let elementLimit = 200_000

    /// The root element.
    ///
    /// - Throws: Why the text is no XML, with the line and column where that shows, or which bound it breaks.
    package static func root(of text: String) throws(HostProblem) -> XMLElement {
        guard text.utf8.count <= sizeLimit else {
            throw HostProblem("the XML has \(text.utf8.count) bytes; at most \(sizeLimit) are read")
        }
        guard let parser = unsafe XML_ParserCreate("UTF-8") else { throw HostProblem("expat has no memory") }
        defer { unsafe XML_ParserFree(parser) }
        let builder = unsafe XMLTreeBuilder(parser: parser)
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
        unsafe XML_SetElementHandler(parser, beginElement, endElement)
        unsafe XML_SetCharacterDataHandler(parser, addText)
        let bytes = Array(text.utf8)
        let status = unsafe bytes.withUnsafeBytes { buffer in
            unsafe XML_Parse(
                parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 1)
        }
        if let refusal = builder.refusal { throw refusal }
        guard status == XML_STATUS_OK, let root = builder.root else {
            let words = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) }
            let mark = builder.mark
            throw HostProblem("line \(mark.line), column \(mark.column): \(words ?? "this is no XML document")")
        }
        return root
    }
}

/// What expat's handlers fill; lives as long as the parse, on one thread.
@safe
private final class XMLTreeBuilder {
    private struct Open {
        let name: String
        let attributes: [XMLElement.Attribute]
        let mark: Mark
        var content: [XMLElement.Content] = []
        /// What was read since the last element; expat hands text over in small pieces.
        var text = ""

        mutating func endText() {
            guard !text.isEmpty else { return }
            content.append(.text(text))
            text = ""
        }
    }

    private let parser: XML_Parser
    private var stack: [Open] = []
    private var count = 0
    /// Bytes of text and attributes so far, entities replaced.
    private var size = 0
    private(set) var root: XMLElement?
    private(set) var refusal: HostProblem?

    init(parser: XML_Parser) { unsafe self.parser = parser }

    /// Where the parser stands, counted from 1.
    var mark: Mark {
        let line = unsafe Int(XML_GetCurrentLineNumber(parser))
        let column = unsafe Int(XML_GetCurrentColumnNumber(parser))
        return Mark(line: line, column: column + 1)
    }

    func begin(_ name: String, _ attributes: [XMLElement.Attribute]) {
        count += 1
        size += attributes.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard size <= XMLReader.sizeLimit else { return refuse(tooLarge) }
        guard stack.count < XMLReader.depthLimit, count <= XMLReader.elementLimit else {
            return refuse(
                "more than \(XMLReader.depthLimit) elements within one another, or \(XMLReader.elementLimit) in all")
        }
        if let last = stack.indices.last { stack[last].endText() }
        stack.append(Open(name: name, attributes: attributes, mark: mark))
    }

    func end() {
        guard var open = stack.popLast() else { return }
        open.endText()
        let element = XMLElement(name: open.name, attributes: open.attributes, content: open.content, mark: open.mark)
        if stack.isEmpty { root = element } else { stack[stack.count - 1].content.append(.element(element)) }
    }

    func add(_ text: String) {
        guard let last = stack.indices.last else { return }
        size += text.utf8.count
        guard size <= XMLReader.sizeLimit else {
            return refuse(tooLarge)
        }
        stack[last].text += text
    }

    private let tooLarge = "its entities grow to more than \(XMLReader.sizeLimit) bytes"

    private func refuse(_ why: String) {
        guard refusal == nil else { return }
        refusal = HostProblem("line \(mark.line), column \(mark.column): \(why)")
        unsafe _ = XML_StopParser(parser, XML_Bool(XML_FALSE))
    }
}

private func builder(_ data: UnsafeMutableRawPointer?) -> XMLTreeBuilder? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<XMLTreeBuilder>.fromOpaque(data).takeUnretainedValue()
}

private func beginElement(
    data: UnsafeMutableRawPointer?, name: UnsafePointer<XML_Char>?,
    attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) {
    guard let builder = unsafe builder(data), let name = unsafe name else { return }
    var read: [XMLElement.Attribute] = []
    // Names and values by turns, ended by a null pointer.
    var place = 0
    while let attributes = unsafe attributes, let key = unsafe attributes[place],
        let value = unsafe attributes[place + 1]
    {
        read.append(XMLElement.Attribute(name: unsafe String(cString: key), value: unsafe String(cString: value)))
        place += 2
    }
    builder.begin(unsafe String(cString: name), read)
}

private func endElement(data: UnsafeMutableRawPointer?, name: UnsafePointer<XML_Char>?) {
    unsafe builder(data)?.end()
}

private func addText(data: UnsafeMutableRawPointer?, text: UnsafePointer<XML_Char>?, length: Int32) {
    guard let builder = unsafe builder(data), let text = unsafe text else { return }
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(length))
    builder.add(unsafe String(decoding: bytes, as: UTF8.self))
}
