internal import CMicrohttpd
internal import Glibc

// What libmicrohttpd calls, on its own threads. `context` is the ``ServerCore`` that the ``Server`` keeps alive until
// its threads are gone.

/// Makes the exchange as soon as the request line is read. Its result becomes the request's context, which
/// `requestCompleted` releases: "the return value of this callback will be used as the context" (microhttpd.h,
/// `MHD_OPTION_URI_LOG_CALLBACK`).
func requestBegan(
    context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context, let target = unsafe target else { return nil }
    let server = unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    let exchange = unsafe Exchange(target: target, limit: server.limits.target)
    unsafe leaveOutQuery(of: target)
    return unsafe Unmanaged.passRetained(exchange).toOpaque()
}

/// Ends the library's copy of a target behind its `?`. It would keep a record of each of the query's fields in the
/// connection's memory, and where a few hundred use that up, 0.9.75 neither answers nor closes. Nobody asks it for them:
/// the exchange has the whole target.
private func leaveOutQuery(of target: UnsafePointer<CChar>) {
    guard let query = unsafe strchr(target, 0x3F), unsafe query[1] != 0 else { return }
    unsafe query[1] = 0
}

func requestAdvanced(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, path: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?,
    uploadSize: UnsafeMutablePointer<Int>?, exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context = unsafe context, let connection = unsafe connection, let method = unsafe method,
        let uploadSize = unsafe uploadSize, let exchange = unsafe exchange?.pointee
    else { return .NO }
    let server = unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    let current = unsafe Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue()
    let piece = unsafe UnsafeRawBufferPointer(start: upload, count: upload == nil ? 0 : uploadSize.pointee)
    unsafe uploadSize.pointee = 0
    return unsafe current.advance(
        Connection(connection), method: String(cString: method), piece: piece, server: server)
}

func requestCompleted(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, reason: MHD_RequestTerminationCode
) {
    guard let context = unsafe context, let connection = unsafe connection else { return }
    unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().connections.receiving(
        on: Connection(connection))
    guard let slot = unsafe exchange, let pointer = unsafe slot.pointee else { return }
    unsafe slot.pointee = nil
    unsafe Unmanaged<Exchange>.fromOpaque(pointer).release()
}

func connectionChanged(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, change: MHD_ConnectionNotificationCode
) {
    guard let context = unsafe context, let connection = unsafe connection else { return }
    let connections = unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().connections
    switch change {
    case .CONNECTION_NOTIFY_STARTED: connections.opened(unsafe Connection(connection))
    case .CONNECTION_NOTIFY_CLOSED: connections.closed(unsafe Connection(connection))
    @unknown default: return
    }
}
