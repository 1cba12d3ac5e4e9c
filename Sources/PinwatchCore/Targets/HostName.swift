/// A DNS name as a target carries it: A-labels, lower case, no trailing dot, 1 to 253 characters.
///
/// Made by ``HostInput`` only, so that a `HostName` in hand needs no second look.
package struct HostName: Hashable, Sendable, Comparable {
    package let ascii: String

    /// For names that were checked already: rows of the store, and ``HostInput``.
    package init(checked ascii: String) {
        self.ascii = ascii
    }

    package static func < (left: HostName, right: HostName) -> Bool { left.ascii < right.ascii }
}

/// What a target is reached by: a name to resolve, or an address.
package enum TargetHost: Hashable, Sendable {
    case name(HostName)
    case address(IPAddress)

    /// The name's A-label form, or the address in canonical text without brackets.
    package var text: String {
        switch self {
        case .name(let name): name.ascii
        case .address(let address): address.description
        }
    }
}

/// Conversion of labels between Unicode and ASCII (IDNA 2008 with TR46 mapping), kept behind a seam because the library
/// that does it belongs to another room.
package protocol IDNA: Sendable {
    /// The A-label form of a name, lower-cased; throws a reason in words for a name that IDNA refuses.
    func ascii(_ name: String) throws(HostProblem) -> String
    /// The Unicode form for people, or the name itself where it has none.
    func unicode(_ name: HostName) -> String
}

/// Why a host was refused, in words that say what would be right.
package struct HostProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
