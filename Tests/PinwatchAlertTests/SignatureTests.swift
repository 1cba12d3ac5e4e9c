import PinwatchAlert
import PinwatchCore
import Testing

@Suite struct SigningKeyTests {
    @Test func `The specification's example gives the specification's signature`() throws {
        let key = try #require(SigningKey(Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")))
        let signature = key.signature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8))
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test(
        "What is no whsec_ secret is no key",
        arguments: [
            "", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_not base64", "WHSEC_MfKQ9r8GKYqr", "whsec_a",
        ])
    func malformed(secret: String) {
        #expect(SigningKey(Secret(secret)) == nil)
    }
}

@Suite struct MessageIDTests {
    @Test func `An id is msg_ and 27 characters without dots`() {
        let low = MessageID.make(from: [UInt8](repeating: 0, count: 27))
        let high = MessageID.make(from: [UInt8](repeating: 255, count: 27))
        #expect(low == "msg_" + String(repeating: "a", count: 27))
        #expect(high == "msg_" + String(repeating: "7", count: 27))
    }
}
