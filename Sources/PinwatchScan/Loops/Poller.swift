internal import CLinux
internal import Glibc

/// An epoll instance (epoll(7)) with an eventfd, by which other threads end its wait.
final class Poller: Sendable {
    /// What became ready.
    struct Ready {
        /// The number given when the descriptor was added.
        let token: UInt64
        /// EPOLL… bits.
        let events: UInt32
    }

    private static let wakeToken = UInt64.max
    private let epoll: FileDescriptor
    private let wakeUp: FileDescriptor

    init() throws(ScanError) {
        epoll = try FileDescriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), call: "epoll_create1")
        wakeUp = try FileDescriptor(
            eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)), call: "eventfd")
        guard watch(wakeUp.number, events: EPOLLIN.rawValue, token: Self.wakeToken, isNew: true) else {
            throw .system(call: "epoll_ctl", number: errno)
        }
    }

    /// Watches a descriptor until it is closed; edge-triggered if asked by EPOLLET. False with errno on failure.
    func watch(_ descriptor: Int32, events: UInt32, token: UInt64, isNew: Bool) -> Bool {
        var event = unsafe epoll_event()
        unsafe event.events = events
        unsafe event.data.u64 = token
        return unsafe epoll_ctl(epoll.number, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event) == 0
    }

    func forget(_ descriptor: Int32) {
        _ = epoll_ctl(epoll.number, EPOLL_CTL_DEL, descriptor, nil)
    }

    /// Ends the present or the next wait. For any thread: eventfd(2) writes are atomic.
    func wake() {
        var one: UInt64 = 1
        _ = unsafe write(wakeUp.number, &one, 8)
    }

    /// Waits at most `milliseconds` (-1: for ever) and appends what is ready to `ready`.
    func wait(milliseconds: Int32, into ready: inout [Ready]) {
        unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 256) { events in
            let count = unsafe epoll_wait(epoll.number, events.baseAddress, 256, milliseconds)
            for index in 0..<max(0, Int(count)) {
                let (token, bits) = unsafe (events[index].data.u64, events[index].events)
                guard token == Self.wakeToken else {
                    ready.append(Ready(token: token, events: bits))
                    continue
                }
                var counter: UInt64 = 0
                _ = unsafe read(wakeUp.number, &counter, 8)
            }
        }
    }
}
