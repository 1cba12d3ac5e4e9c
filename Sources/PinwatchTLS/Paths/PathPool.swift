internal import COpenSSL
internal import PinwatchCore

/// What the first certificate of a chain is to be used for.
package enum PathPurpose: Sendable {
    /// A server's certificate in a handshake.
    case server
    /// An authority's, which may not be fit for a server: what it issues is still to come.
    case authority
}

/// What paths of one chain are made from: the certificates sent, and a trust store's.
struct PathPool {
    /// A certificate by where it came from.
    enum Member: Hashable {
        case sent(Int)
        case anchor(Int)

        var isAnchor: Bool { if case .anchor = self { true } else { false } }
    }

    /// By their place in the chain; those that OpenSSL cannot load are missing. The leaf's is 0, and it is there.
    let sent: [(index: Int, handle: X509Handle)]
    let leaf: X509Handle
    let trustStore: TrustStore
    let purpose: PathPurpose

    func handle(_ member: Member) -> X509Handle? {
        switch member {
        case .anchor(let index): trustStore.handles[index]
        case .sent(let index): sent.first { $0.index == index }?.handle
        }
    }

    /// OpenSSL hands back the very objects it was given, so that they are recognised by address.
    func member(_ pointer: OpaquePointer?) -> Member? {
        if let index = trustStore.handles.firstIndex(where: { unsafe $0.pointer == pointer }) { return .anchor(index) }
        return sent.first { unsafe $0.handle.pointer == pointer }.map { .sent($0.index) }
    }

    /// Whether two ways are of the same certificates, wherever each is from.
    func isSame(_ left: [Member], _ right: [Member]) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy { one, other in
                guard one != other else { return true }
                guard let one = handle(one), let other = handle(other) else { return false }
                return one.isSame(as: other)
            }
    }

    /// Whether a way meets the same authority twice, by whichever certificates.
    func goesRound(_ way: [Member]) -> Bool {
        let handles = way.compactMap(handle)
        return handles.indices.contains { place in
            handles[..<place].contains { $0.isSameEntity(as: handles[place]) }
        }
    }
}
