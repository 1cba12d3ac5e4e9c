internal import CLinux
internal import PinwatchCore

extension EventLoop {
    /// Begins what a protocol says in clear before TLS.
    ///
    /// - Parameter heard: What the server said already, where a proxy's answer came with it.
    func begin(_ startTLS: StartTLS, _ visit: Visit, slot: Int, heard: [UInt8]) {
        let dialogue = BoundedDialogue(startTLS, name: visit.job.hostText, heard: heard)
        visit.dialogue = dialogue
        visit.phase = .inClear
        visit.unsent = (dialogue.opening[...], false)
        converse(visit, slot: slot)
    }

    /// Sends what is to be said and hears what came, until the socket has no more of either, or TLS begins.
    func converse(_ visit: Visit, slot: Int) {
        while true {
            guard say(visit, slot: slot) else { return }
            if visit.unsent.switches {
                visit.dialogue = nil
                return greet(visit, slot: slot, events: 0)
            }
            var step = visit.dialogue?.receive([]) ?? .read
            if case .read = step {
                switch StreamSocket.read(visit.descriptor, limit: BoundedDialogue.limit) {
                case .bytes(let bytes): step = visit.dialogue?.receive(bytes) ?? .read
                case .nothingYet: return
                case .end: return conclude(visit, slot: slot, .brokenInClear(nil, visit))
                case .failed(let number): return conclude(visit, slot: slot, .brokenInClear(number, visit))
                }
            }
            switch step {
            case .read: break
            case .send(let bytes): visit.unsent = (bytes[...], false)
            case .switchToTLS(let bytes): visit.unsent = (bytes[...], true)
            case .refused(let why): return conclude(visit, slot: slot, .startTLSRefused(message: why))
            }
        }
    }

    /// - Returns: Whether all is said; else the socket takes no more now, or the visit is over.
    func say(_ visit: Visit, slot: Int) -> Bool {
        while !visit.unsent.bytes.isEmpty {
            switch StreamSocket.send(visit.unsent.bytes, to: visit.descriptor) {
            case .taken(let count): visit.unsent.bytes = visit.unsent.bytes.dropFirst(count)
            case .fullNow: return false
            case .failed(let number):
                conclude(visit, slot: slot, .brokenInClear(number, visit))
                return false
            }
        }
        return true
    }
}
