internal import CLinux
internal import PinwatchCore

extension EventLoop {
    /// Asks a proxy for a way to the visit's address.
    func ask(_ route: ProxyRoute, _ visit: Visit, slot: Int) {
        let dialogue = ProxyDialogue(route.proxy, to: visit.job.place)
        deadlines.set(slot, to: visit.deadline)
        visit.proxyDialogue = dialogue
        visit.phase = .askingProxy
        visit.unsent = (dialogue.request[...], false)
        hearProxy(visit, slot: slot)
    }

    /// Hears what a proxy says until the way is open or the socket has no more.
    func hearProxy(_ visit: Visit, slot: Int) {
        guard say(visit, slot: slot) else { return }
        while var dialogue = visit.proxyDialogue {
            let step: ProxyStep
            switch StreamSocket.read(visit.descriptor, limit: ProxyDialogue.limit) {
            case .bytes(let bytes): step = dialogue.receive(bytes)
            case .nothingYet: return
            case .end: return conclude(visit, slot: slot, .brokenInClear(nil, visit))
            case .failed(let number): return conclude(visit, slot: slot, .brokenInClear(number, visit))
            }
            visit.proxyDialogue = dialogue
            switch step {
            case .read: break
            case .refused(let why): return conclude(visit, slot: slot, .proxyRefused(message: why))
            case .open(let rest): return throughProxy(visit, slot: slot, heard: rest)
            }
        }
    }

    private func throughProxy(_ visit: Visit, slot: Int, heard: [UInt8]) {
        visit.proxyDialogue = nil
        if let startTLS = visit.job.startTLS {
            begin(startTLS, visit, slot: slot, heard: heard)
        } else if heard.isEmpty {
            greet(visit, slot: slot, events: 0)
        } else {
            conclude(visit, slot: slot, .heardBeforeHello(heard, visit.job))
        }
    }

    /// Tries the proxy's next address after one that could not be reached.
    ///
    /// - Returns: False where there is none, or no time.
    func tryNextProxyAddress(_ visit: Visit, slot: Int) -> Bool {
        guard let route = visit.job.proxy, visit.proxyAddress + 1 < route.addresses.count,
            MonotonicTime.now() < visit.deadline
        else { return false }
        visit.proxyAddress += 1
        disconnect(visit, slot: slot)
        connect(visit, slot: slot)
        return true
    }

    /// An address of a proxy that has others gets half of the time that is left.
    func boundConnecting(_ visit: Visit, slot: Int) {
        guard let route = visit.job.proxy, visit.proxyAddress + 1 < route.addresses.count else {
            return deadlines.set(slot, to: visit.deadline)
        }
        let now = MonotonicTime.now()
        deadlines.set(slot, to: now.adding(milliseconds: visit.deadline.milliseconds(since: now) / 2))
    }
}
