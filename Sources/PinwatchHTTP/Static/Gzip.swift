internal import CZlib

/// The gzip coding of whole bodies (RFC 1952).
enum Gzip {
    /// `nil` where the coding makes it no smaller, or zlib is out of memory: then the body goes as it is.
    ///
    /// - Parameter level: 1, fast, to 9, small.
    static func smaller(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
        guard bytes.count < Int(UInt32.max) else { return nil }
        var stream = unsafe z_stream()
        guard unsafe CZlib_start_gzip(&stream, level) == Z_OK else { return nil }
        defer { unsafe deflateEnd(&stream) }
        // One byte less than the body: what does not fit is of no use.
        var coded = [UInt8](repeating: 0, count: max(bytes.count - 1, 0))
        var source = bytes
        let isWhole = unsafe source.withUnsafeMutableBufferPointer { source in
            unsafe coded.withUnsafeMutableBufferPointer { coded in
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = coded.baseAddress
                unsafe stream.avail_out = UInt32(coded.count)
                return unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
        }
        guard isWhole else { return nil }
        coded.removeLast(unsafe Int(stream.avail_out))
        return coded
    }
}
