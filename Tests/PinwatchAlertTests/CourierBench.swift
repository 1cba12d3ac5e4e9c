import PinwatchCore
import Synchronization
import TestSupport

@testable import PinwatchAlert

/// One channel's courier over an outbox in memory, a clock that is moved by hand, and answers from a script.
final class CourierBench: Sendable {
    let clock = ManualClock(AlertSamples.now)
    let outbox = InMemoryOutbox()
    let sent = Mutex<[HTTPRequest]>([])
    let log = Mutex<[String]>([])
    let steps = Mutex<[String]>([])
    private let answer: @Sendable (Int, HTTPRequest) -> Result<HTTPAnswer, AttemptFailure>

    static let secret = Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")

    /// - Parameter answer: Called with the number of tries before this one.
    convenience init(_ answer: @escaping @Sendable (Int) -> Result<HTTPAnswer, AttemptFailure>) {
        self.init { number, _ in answer(number) }
    }

    /// - Parameter answer: Called with the number of tries before this one, and with what is sent.
    init(_ answer: @escaping @Sendable (Int, HTTPRequest) -> Result<HTTPAnswer, AttemptFailure>) {
        self.answer = answer
    }

    static func channel(_ name: String = "ops", url: String = "https://hooks.example.com/secret-path") -> Channel {
        Channel(name: name, kind: .webhook, url: Secret(url), secrets: [secret], allowPrivate: true)
    }

    func channelCourier() throws -> ChannelCourier {
        ChannelCourier(try Assignment(Self.channel()), surroundings)
    }

    private var surroundings: Surroundings {
        let random = Mutex<UInt8>(0)
        return Surroundings(
            store: outbox, links: MessageLinks(base: "https://pins.example.com"), clock: { self.clock.now },
            pause: { _ in },
            random: { count in
                let value = random.withLock { value in
                    value = (value + 1) % 32
                    return value
                }
                return [UInt8](repeating: value, count: count)
            },
            unicode: { $0.ascii }, http: { self.send($0) },
            checkpoint: { step in self.steps.withLock { $0.append("\(step)") } },
            log: { line in self.log.withLock { $0.append(line) } })
    }

    private func send(_ request: HTTPRequest) -> HTTPExchange {
        let before = sent.withLock { all in
            all.append(request)
            return all.count - 1
        }
        return HTTPExchange(outcome: answer(before, request), milliseconds: 3)
    }

    /// Looks, waits as long as the courier wants to, and looks again, until the clock has moved so far.
    func run(_ courier: ChannelCourier, forSeconds seconds: Int64) async {
        let end = clock.now + seconds
        while clock.now < end { clock.advance(by: await courier.lookOnce()) }
    }
}
