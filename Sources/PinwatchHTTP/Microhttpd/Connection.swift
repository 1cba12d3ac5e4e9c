internal import CMicrohttpd
internal import Glibc
internal import PinwatchCore

/// The library's handle of one connection, good from its opened to its closed notification.
///
/// Suspending, answering and reading headers belong to the library's thread, inside its callback; resuming may come from
/// any: "It is safe to resume a suspended connection at any time" (microhttpd.h, `MHD_resume_connection`).
@safe struct Connection: Hashable, @unchecked Sendable {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    private var bits: UInt { unsafe UInt(bitPattern: pointer) }

    static func == (left: Connection, right: Connection) -> Bool { left.bits == right.bits }
    func hash(into hasher: inout Hasher) { hasher.combine(bits) }

    var descriptor: Int32 { unsafe CMicrohttpd_connection_socket(pointer) }

    /// The other end's address; `nil` where it has none.
    var peer: IPAddress? {
        guard let address = unsafe CMicrohttpd_peer(pointer) else { return nil }
        switch Int32(unsafe address.load(as: sockaddr.self).sa_family) {
        case AF_INET:
            let name = unsafe address.load(as: sockaddr_in.self)
            return unsafe withUnsafeBytes(of: name.sin_addr) { unsafe IPAddress(bytes: $0) }
        case AF_INET6:
            let name = unsafe address.load(as: sockaddr_in6.self)
            return unsafe withUnsafeBytes(of: name.sin6_addr) { unsafe IPAddress(bytes: $0) }
        default: return nil
        }
    }

    /// Bytes of the request line and all headers.
    var headerSize: Int { unsafe CMicrohttpd_request_header_size(pointer) }

    /// The request's headers in the order sent. Their number is bounded by the library's memory for a connection.
    var headers: [Request.Header] {
        var headers: [Request.Header] = []
        unsafe withUnsafeMutablePointer(to: &headers) { list in
            _ = unsafe CMicrohttpd_each_header(pointer, collectHeader, UnsafeMutableRawPointer(list))
        }
        return headers
    }

    func suspend() {
        unsafe MHD_suspend_connection(pointer)
    }

    /// Undefined for a connection that is not suspended.
    func resume() {
        unsafe MHD_resume_connection(pointer)
    }

    /// Hands the answer over; the library copies the body, and leaves it out for HEAD.
    ///
    /// - Returns: `.NO` if the library refuses it or is out of memory, after which only a reset is left.
    func queue(_ response: Response) -> MHD_Result {
        let made = unsafe response.body.withUnsafeBytes { bytes in
            unsafe CMicrohttpd_create_copied_response(bytes.count, bytes.baseAddress)
        }
        return unsafe queue(made, response)
    }

    /// Hands over an answer whose body comes from a pump, piece by piece; the library keeps the pump until the end.
    func queue(_ response: Response, from pump: Pump) -> MHD_Result {
        let held = unsafe Unmanaged.passRetained(pump)
        let made = unsafe CMicrohttpd_create_streamed_response(
            Self.streamBlock, pumpAsked, held.toOpaque(), pumpReleased)
        if unsafe made == nil {
            pump.closed()
            unsafe held.release()
        }
        return unsafe queue(made, response)
    }

    /// What a peer of HTTP/1.0 is given at once; chunks are as large as the connection's memory allows.
    private static let streamBlock = 2_048

    private func queue(_ made: OpaquePointer?, _ response: Response) -> MHD_Result {
        guard let made = unsafe made else { return .NO }
        defer { unsafe MHD_destroy_response(made) }
        for header in response.headers {
            guard unsafe MHD_add_response_header(made, header.name, header.value) == .YES else { return .NO }
        }
        return unsafe MHD_queue_response(pointer, UInt32(response.status), made)
    }
}

/// The library's question for a body's next bytes.
private func pumpAsked(
    context: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, count: Int
) -> Int {
    guard let context = unsafe context else { return CMicrohttpd_end_of_stream() }
    let pump = unsafe Unmanaged<Pump>.fromOpaque(context).takeUnretainedValue()
    return unsafe pump.fill(UnsafeMutableRawBufferPointer(start: buffer, count: count))
}

private func pumpReleased(context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<Pump>.fromOpaque(context).takeRetainedValue().closed()
}

/// Appends one header to the array that `context` points to; names and values may hold any byte.
private func collectHeader(
    context: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?, nameSize: Int,
    value: UnsafePointer<CChar>?, valueSize: Int
) -> MHD_Result {
    guard let headers = unsafe context?.assumingMemoryBound(to: [Request.Header].self), let name = unsafe name else {
        return .NO
    }
    let content = if let value = unsafe value { unsafe text(value, valueSize) } else { "" }
    unsafe headers.pointee.append(Request.Header(text(name, nameSize), content))
    return .YES
}

private func text(_ start: UnsafePointer<CChar>, _ count: Int) -> String {
    unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
}
