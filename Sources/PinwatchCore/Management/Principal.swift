/// Who asks for something, as far as the service knows.
package struct Principal: Sendable, Hashable {
    /// By what they are known.
    package enum Via: String, Sendable, CaseIterable {
        /// A bearer token.
        case token
        /// A session cookie, made with a token.
        case session
        /// No token was ever made, and the request came by loopback.
        case loopback
        /// The command line, on the machine that holds the database.
        case command
        /// A signal to the process.
        case signal
        /// The configuration file.
        case config
    }

    /// The token's name; fixed words where there is no token.
    package let name: String
    package let via: Via
    package let role: Role
    /// The token that stands behind it; `nil` where there is none.
    package let tokenID: Int64?

    package init(name: String, via: Via, role: Role, tokenID: Int64? = nil) {
        self.name = name
        self.via = via
        self.role = role
        self.tokenID = tokenID
    }

    /// Whoever reaches the service by loopback while no token exists: all is theirs.
    package static let loopback = Principal(name: "loopback", via: .loopback, role: .admin)
    package static let command = Principal(name: "command line", via: .command, role: .admin)
    package static let signal = Principal(name: "SIGHUP", via: .signal, role: .admin)
    package static let config = Principal(name: "configuration file", via: .config, role: .admin)
}

/// One change that somebody asks for: who, from where, when, and of which state of the thing.
package struct Change: Sendable, Hashable {
    package let principal: Principal
    /// Where the request came from, behind trusted proxies; `nil` for what did not come by the network.
    package let address: IPAddress?
    package let at: Instant
    /// The revision that the thing must have still (`If-Match`); `nil` changes whatever is there.
    package let expecting: Int64?

    package init(by principal: Principal, from address: IPAddress? = nil, at: Instant, expecting: Int64? = nil) {
        self.principal = principal
        self.address = address
        self.at = at
        self.expecting = expecting
    }
}

/// Why a change was not made. Nothing of it was stored.
package enum ChangeRefusal: Error, Sendable, Hashable {
    /// One of several things that were asked for, which exists.
    package struct Existing: Sendable, Hashable {
        /// Its place among them, from 0.
        package let index: Int
        package let label: String
        package let id: String
        package init(index: Int, label: String, id: String) {
            self.index = index
            self.label = label
            self.id = id
        }
    }

    /// There is no such thing, or it was deleted.
    case unknown
    /// It is set in the configuration file, and is changed there.
    case managedByConfig
    /// Something with this identity exists already, under this id.
    case exists(id: String)
    /// Of several things that were to be made together, these exist already. In the order asked for; at least one.
    case someExist([Existing])
    /// It has another revision than the change expects.
    case revised(current: Int64)
    /// Its state does not allow the change; a sentence says why and what to do.
    case conflict(String)
    /// A field of the change cannot be taken; the message says what it may be.
    case invalid(field: String, message: String)
}
