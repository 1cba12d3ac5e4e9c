internal import COpenSSL

/// The calling thread's OpenSSL error queue (ERR_get_error(3)): cleared before a call, drained after a failure, on the
/// same thread.
enum OpenSSLErrors {
    /// One entry of the queue.
    struct Entry {
        let library: Int32
        let reason: Int32
        let text: String
    }

    static func clear() { ERR_clear_error() }

    static var isEmpty: Bool { ERR_peek_error() == 0 }

    /// All entries, the oldest and most specific first, at most 16 by OpenSSL's own bound.
    static func drain() -> [Entry] {
        var entries: [Entry] = []
        while true {
            let code = ERR_get_error()
            if code == 0 { return entries }
            let reason = ERR_GET_REASON(code)
            let text = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
            entries.append(.init(library: ERR_GET_LIB(code), reason: reason, text: text ?? "error \(reason)"))
        }
    }
}
