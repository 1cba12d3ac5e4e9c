import PinwatchCore
import Testing

@Suite struct RetryPolicyTests {
    private static let created = Instant(unixSeconds: 1_796_040_000)

    private func result(
        status: Int? = 500, retryAfter: String? = nil, tries: Int = 1, at offset: Int64 = 0, jitter: Double = 0.5
    ) -> AttemptResult {
        let now = Self.created + offset
        return RetryPolicy.result(
            status: status, retryAfter: retryAfter.flatMap { RetryAfter($0, now: now) }, tries: tries,
            createdAt: Self.created, now: now, jitter: jitter)
    }

    @Test(
        "The waits are 5 s, 30 s, 2 min, 10 min, 1 h and then hourly, give or take a fifth",
        arguments: [
            (1, 4, 5, 6), (2, 24, 30, 36), (3, 96, 120, 144), (4, 480, 600, 720), (5, 2_880, 3_600, 4_320),
            (6, 2_880, 3_600, 4_320), (51, 2_880, 3_600, 4_320),
        ] as [(Int, Int64, Int64, Int64)])
    func waits(tries: Int, least: Int64, middle: Int64, most: Int64) {
        #expect(RetryPolicy.delay(afterTries: tries, jitter: 0) == least)
        #expect(RetryPolicy.delay(afterTries: tries, jitter: 0.5) == middle)
        #expect(RetryPolicy.delay(afterTries: tries, jitter: 0.999_999) == most)
        #expect(RetryPolicy.delay(afterTries: tries, jitter: 7) == most)
        #expect(RetryPolicy.delay(afterTries: tries, jitter: -7) == least)
    }

    @Test("Every 2xx delivers", arguments: [200, 201, 202, 204, 299])
    func delivers(status: Int) {
        #expect(result(status: status) == .delivered)
        #expect(result(status: status, at: 4 * 86_400) == .delivered)
    }

    @Test(
        "Everything but 2xx and 410 is tried again, redirects included",
        arguments: [nil, 199, 300, 301, 302, 307, 400, 401, 404, 408, 411, 429, 500, 503, 999])
    func retries(status: Int?) {
        #expect(result(status: status) == .retry(at: Self.created + 5))
    }

    @Test func `410 means that the channel is gone, even when the time is over`() {
        #expect(result(status: 410) == .channelGone)
        #expect(result(status: 410, at: 4 * 86_400) == .channelGone)
    }

    @Test func `The last try falls on the end of the three days, and after it the message is dead`() {
        let end = RetryPolicy.lifetimeSeconds
        #expect(result(tries: 70, at: end - 3_601) == .retry(at: Self.created + end - 1))
        #expect(result(tries: 70, at: end - 60) == .retry(at: Self.created + end))
        #expect(result(tries: 70, at: end - 1) == .retry(at: Self.created + end))
        #expect(result(tries: 70, at: end) == .dead)
        #expect(result(tries: 1, at: end + 1) == .dead)
    }

    @Test func `Retry-After lengthens a wait, never shortens it, and counts for a day at most`() {
        #expect(result(retryAfter: "120") == .retry(at: Self.created + 120))
        #expect(result(retryAfter: "0") == .retry(at: Self.created + 5))
        #expect(result(retryAfter: "3", tries: 3) == .retry(at: Self.created + 120))
        #expect(result(retryAfter: "86400") == .retry(at: Self.created + 86_400))
        #expect(result(retryAfter: "86401") == .retry(at: Self.created + 86_400))
        #expect(result(retryAfter: "soon") == .retry(at: Self.created + 5))
        let end = RetryPolicy.lifetimeSeconds
        #expect(result(retryAfter: "600", tries: 9, at: end - 60) == .retry(at: Self.created + end + 540))
        #expect(result(retryAfter: "600", tries: 9, at: end) == .dead)
    }

    @Test func `Without luck a message is tried for three days and about eighty times`() {
        var (now, tries) = (Self.created, 0)
        while tries < 1_000 {
            tries += 1
            let result = RetryPolicy.result(
                status: nil, retryAfter: nil, tries: tries, createdAt: Self.created, now: now, jitter: 0.5)
            guard case .retry(let next) = result else {
                #expect(result == .dead)
                break
            }
            #expect(next > now)
            now = next
        }
        #expect(now == Self.created + RetryPolicy.lifetimeSeconds)
        #expect(tries == 77)
    }
}
