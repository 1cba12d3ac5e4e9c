/// The public suffix list (publicsuffix.org), private section included.
package protocol PublicSuffixes: Sendable {
    /// The bytes of the public suffix that `host` ends in, without a dot before it: 3 for `www.example.com`, 5 for
    /// `example.co.uk`. `nil` for a host without one that is listed: a single label, an address, an unknown TLD.
    ///
    /// - Parameter host: A-labels in lower case, without a trailing dot.
    func suffixLength(of host: String) -> Int?
}

/// An XML element as far as policies need it: no processing instructions, no comments, entities already replaced.
package struct XMLElement: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        case element(XMLElement)
        /// Neighbouring pieces are joined.
        case text(String)
    }

    /// The name as written, prefix included.
    package let name: String
    /// In document order; the parser has refused repeated ones.
    package let attributes: [Attribute]
    package let content: [Content]
    /// Where its start tag begins.
    package let mark: Mark

    package struct Attribute: Sendable, Hashable {
        package let name: String
        package let value: String
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(name: String, attributes: [Attribute], content: [Content], mark: Mark) {
        self.name = name
        self.attributes = attributes
        self.content = content
        self.mark = mark
    }

    package subscript(attribute name: String) -> String? { attributes.first { $0.name == name }?.value }

    package var elements: [XMLElement] {
        content.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The text directly within, pieces joined.
    package var text: String {
        content.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
    }
}

/// What policies are read with beside their text: this room knows no file, no XML and no list of names.
package struct PolicyResources: Sendable {
    /// The bytes of a file that a policy names; throws why they cannot be had.
    package var loadFile: @Sendable (_ path: String) throws(HostProblem) -> [UInt8]
    /// What a certificate's or key's file holds; throws why it is neither.
    package let readPinFile: @Sendable (_ bytes: [UInt8]) throws(HostProblem) -> PinFile
    /// The root of an XML document; throws why it is none, with line and column.
    package let readXML: @Sendable (_ text: String) throws(HostProblem) -> XMLElement
    package let publicSuffixes: any PublicSuffixes
    package let idna: any IDNA

    package init(
        loadFile: @escaping @Sendable (_ path: String) throws(HostProblem) -> [UInt8],
        readPinFile: @escaping @Sendable (_ bytes: [UInt8]) throws(HostProblem) -> PinFile,
        readXML: @escaping @Sendable (_ text: String) throws(HostProblem) -> XMLElement,
        publicSuffixes: any PublicSuffixes, idna: any IDNA
    ) {
        self.loadFile = loadFile
        self.readPinFile = readPinFile
        self.readXML = readXML
        self.publicSuffixes = publicSuffixes
        self.idna = idna
    }

    /// The same, with files from elsewhere.
    package func loading(
        by loadFile: @escaping @Sendable (_ path: String) throws(HostProblem) -> [UInt8]
    ) -> PolicyResources {
        var resources = self
        resources.loadFile = loadFile
        return resources
    }

    /// For texts that hold no policy: whatever is asked for is refused with `reason`.
    package static func none(_ reason: String) -> PolicyResources {
        PolicyResources(
            loadFile: { (_: String) throws(HostProblem) -> [UInt8] in throw HostProblem(reason) },
            readPinFile: { (_: [UInt8]) throws(HostProblem) -> PinFile in throw HostProblem(reason) },
            readXML: { (_: String) throws(HostProblem) -> XMLElement in throw HostProblem(reason) },
            publicSuffixes: Nothing(reason: reason), idna: Nothing(reason: reason))
    }

    private struct Nothing: PublicSuffixes, IDNA {
        let reason: String
        func suffixLength(of host: String) -> Int? { nil }
        func ascii(_ name: String) throws(HostProblem) -> String { throw HostProblem(reason) }
        func unicode(_ name: HostName) -> String { name.ascii }
    }
}
