internal import CMicrohttpd

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
    return unsafe Unmanaged.passRetained(Exchange(target: target, limit: server.limits.target)).toOpaque()
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
