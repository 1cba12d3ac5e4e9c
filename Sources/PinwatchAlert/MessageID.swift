/// Ids of messages: the `webhook-id` of the Standard Webhooks specification.
package enum MessageID {
    /// Random bytes that an id is made of.
    package static let byteCount = 27

    /// `msg_` and 27 characters of 5 bits each, of lower-case letters and digits: no dots, since the signed text is
    /// divided by them.
    ///
    /// - Parameter bytes: ``byteCount`` bytes of a secure random source.
    package static func make(from bytes: [UInt8]) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
        return "msg_" + String(bytes.prefix(byteCount).map { alphabet[Int($0 & 31)] })
    }
}
