internal import CCurl
internal import Glibc
internal import PinwatchCore

/// One easy handle with one request on it, and what came back.
@safe final class CurlTransfer {
    /// Header and body bytes beyond those kept after which the answer is cut off; the status is known by then.
    private static let surplus = 61_440
    private static let longestRetryAfter = 100

    let easy: UnsafeMutableRawPointer
    private let addresses: AddressRule
    private let timeoutMilliseconds: Int
    private let keptBytes: Int
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>

    private var refusal: AttemptFailure?
    private var connected = false
    private var headersComplete = false
    private var received = 0
    private var bodyBytes = 0
    private var body: [UInt8] = []
    private var retryAfter: [UInt8]?

    /// `nil` if the library is out of memory, or was built without an option that must not be missing.
    init?(_ request: HTTPRequest, userAgent: String, timeoutMilliseconds: Int) {
        guard let easy = unsafe curl_easy_init() else { return nil }
        unsafe self.easy = unsafe easy
        addresses = request.addresses
        self.timeoutMilliseconds = timeoutMilliseconds
        keptBytes = request.keptBytes
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        unsafe headers = nil
        guard setHeaders(request.headers), set(request, userAgent: userAgent) else { return nil }
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        unsafe curl_slist_free_all(headers)
        unsafe errorText.deallocate()
    }

    private func setHeaders(_ fields: [HTTPHeader]) -> Bool {
        // Without the empty Expect, curl waits for a 100 that few receivers send.
        let lines = fields.map { "\($0.name): \($0.value)" } + ["Expect:"]
        for line in lines {
            guard let longer = unsafe curl_slist_append(headers, line) else { return false }
            unsafe headers = longer
        }
        return true
    }

    private func set(_ request: HTTPRequest, userAgent: String) -> Bool {
        // The loop removes a transfer from the multi handle before it lets go of it, so `self` outlives every callback.
        let this = unsafe Unmanaged.passUnretained(self).toOpaque()
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_SSL_VERIFYPEER, 1),
            (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_TIMEOUT_MS, timeoutMilliseconds),
            (CURLOPT_CONNECTTIMEOUT_MS, timeoutMilliseconds), (CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1),
            // A connection kept from another channel would escape this channel's address rule.
            (CURLOPT_FRESH_CONNECT, 1), (CURLOPT_FORBID_REUSE, 1),
            // Without this, giving up on a name waits for the resolver's thread, and so holds up every other transfer.
            (CURLOPT_QUICK_EXIT, 1),
        ]
        let texts: [(CURLoption, String)] = [
            (CURLOPT_URL, request.url.revealed), (CURLOPT_PROXY, ""), (CURLOPT_USERAGENT, userAgent),
            (CURLOPT_PROTOCOLS_STR, "http,https"), (CURLOPT_REDIR_PROTOCOLS_STR, "http,https"),
        ]
        let codes = unsafe [
            CCurl_set_list(easy, CURLOPT_HTTPHEADER, headers),
            CCurl_set_buffer(easy, CURLOPT_ERRORBUFFER, errorText),
            request.method == .get ? CURLE_OK : CCurl_set_body(easy, request.body, request.body.count),
            CCurl_set_write(easy, receiveBody, this),
            CCurl_set_header(easy, receiveHeader, this),
            CCurl_set_opensocket(easy, openSocket, this),
        ]
        return numbers.allSatisfy { unsafe CCurl_set_long(easy, $0.0, $0.1) == CURLE_OK }
            && texts.allSatisfy { unsafe CCurl_set_text(easy, $0.0, $0.1) == CURLE_OK }
            && codes.allSatisfy { $0 == CURLE_OK }
    }

    fileprivate func receive(body bytes: UnsafeRawBufferPointer) -> Int {
        received += bytes.count
        bodyBytes += bytes.count
        unsafe body.append(contentsOf: bytes.prefix(keptBytes - body.count))
        return received <= keptBytes + Self.surplus ? bytes.count : 0
    }

    fileprivate func receive(header line: UnsafeRawBufferPointer) -> Int {
        received += line.count
        let name = Array("retry-after:".utf8)
        if unsafe line.elementsEqual([0x0D, 0x0A]) || line.elementsEqual([0x0A]) {
            headersComplete = true
        } else if unsafe line.starts(with: Array("HTTP/".utf8)) {
            // A final answer may follow an interim one (RFC 9110 section 15.2).
            (headersComplete, retryAfter) = (false, nil)
        } else if line.count > name.count,
            unsafe zip(line, name).allSatisfy({ $0 == $1 || ((0x41...0x5A).contains($0) && $0 | 0x20 == $1) })
        {
            unsafe retryAfter = Array(
                line.dropFirst(name.count).filter { $0 != 0x0D && $0 != 0x0A }.prefix(Self.longestRetryAfter))
        }
        return received <= keptBytes + Self.surplus ? line.count : 0
    }

    fileprivate func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        guard let peer = unsafe IPAddress(address) else { return CURL_SOCKET_BAD }
        if let refused = addresses.refusal(of: peer) {
            refusal = refused
            return CURL_SOCKET_BAD
        }
        let type = unsafe address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = unsafe socket(address.pointee.family, type, address.pointee.protocol)
        connected = connected || descriptor >= 0
        return descriptor
    }

    /// What came of it, once libcurl is done with the handle.
    func exchange(_ code: CURLcode) -> HTTPExchange {
        var microseconds: curl_off_t = 0
        _ = unsafe CCurl_get_offset(easy, CURLINFO_TOTAL_TIME_T, &microseconds)
        return HTTPExchange(outcome: outcome(code), milliseconds: Int64(microseconds) / 1_000)
    }

    private func outcome(_ code: CURLcode) -> Result<HTTPAnswer, AttemptFailure> {
        var status = 0
        _ = unsafe CCurl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        // The receiver has spoken once its header ended, whatever becomes of the body that nobody reads.
        if headersComplete, status >= 200 {
            return .success(
                HTTPAnswer(
                    status: status, retryAfter: retryAfter.map { String(decoding: $0, as: UTF8.self) },
                    location: location, body: body, isWhole: code == CURLE_OK && bodyBytes <= keptBytes))
        }
        if let refusal, !connected { return .failure(refusal) }
        switch code {
        // The second also means a peer that does not speak HTTP at all.
        case CURLE_URL_MALFORMAT where !connected, CURLE_UNSUPPORTED_PROTOCOL where !connected:
            return .failure(.urlMalformed)
        case CURLE_OPERATION_TIMEDOUT: return .failure(.timedOut(milliseconds: timeoutMilliseconds))
        default: return .failure(.transport(words(code)))
        }
    }

    private var location: String? {
        var text: UnsafePointer<CChar>?
        guard unsafe CCurl_get_text(easy, CURLINFO_REDIRECT_URL, &text) == CURLE_OK, let text = unsafe text else {
            return nil
        }
        return unsafe String(cString: text)
    }

    private func words(_ code: CURLcode) -> String {
        if code == CURLE_OK { return "the answer ended before its header did" }
        let detailed = unsafe String(cString: errorText)
        return detailed.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : detailed
    }
}

extension IPAddress {
    /// The address in a socket address of family `AF_INET` or `AF_INET6` (netinet/in.h); `nil` for other families.
    fileprivate init?(_ address: UnsafeMutablePointer<curl_sockaddr>) {
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return nil }
        let start = unsafe UnsafeRawPointer(address) + offset
        let place: Range<Int>
        switch unsafe address.pointee.family {
        case AF_INET: place = 4..<8
        case AF_INET6: place = 8..<24
        default: return nil
        }
        guard unsafe Int(address.pointee.addrlen) >= place.upperBound else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: start + place.lowerBound, count: place.count)
        unsafe self.init(bytes: bytes)
    }
}

// C functions: libcurl calls them on the loop's thread with the transfer, borrowed, as their last argument.

private func transfer(_ data: UnsafeMutableRawPointer?) -> CurlTransfer? {
    unsafe data.map { unsafe Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ data: UnsafeMutableRawPointer?
) -> Int {
    unsafe transfer(data)?.receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ data: UnsafeMutableRawPointer?
) -> Int {
    unsafe transfer(data)?.receive(header: UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

private func openSocket(
    _ data: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address = unsafe address else { return CURL_SOCKET_BAD }
    return unsafe transfer(data)?.open(address) ?? CURL_SOCKET_BAD
}
