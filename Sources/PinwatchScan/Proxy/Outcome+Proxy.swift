internal import Glibc
internal import PinwatchCore

/// What a proxy did, which says little or nothing about the target.
extension Outcome {
    /// - Parameter why: Completes "The proxy … cannot be reached: …".
    static func proxyUnreachable(_ why: String, _ job: AddressJob) -> Outcome {
        .proxyUnreachable(why, place: job.proxy?.place ?? "", to: job.place)
    }

    static func proxyUnreachable(_ why: String, place: String, to target: String) -> Outcome {
        .proxyRefused(
            message: "The proxy \(place) cannot be reached, which says nothing about \(target): \(why).")
    }

    static func proxyTimeout(_ job: AddressJob, _ milliseconds: Int64) -> Outcome {
        .connectTimeout(
            message:
                "The proxy \(job.proxy?.place ?? "") took the connection, but neither opened a way to \(job.place) nor "
                + "refused one within \(seconds(milliseconds)).")
    }

    /// - Parameter number: An errno; `nil` where the proxy closed the connection in order.
    static func proxyBroke(_ number: Int32?, _ job: AddressJob) -> Outcome {
        let how =
            switch number {
            case nil: "closed the connection"
            case ECONNRESET, EPIPE: "reset the connection"
            case let number?: "was lost (\(SystemError.text(number)))"
            }
        return .proxyRefused(
            message: "The proxy \(job.proxy?.place ?? "") \(how) before it opened a way to \(job.place).")
    }

    /// Bytes that came with the proxy's answer and before any hello. A server that speaks first says what it is by them;
    /// an answer to a hello that was not sent is none.
    static func heardBeforeHello(_ bytes: [UInt8], _ job: AddressJob) -> Outcome {
        guard bytes.mayBeTLS else { return .notTLS(firstBytes: Array(bytes.prefix(64))) }
        return .proxyRefused(
            message: "The proxy \(job.proxy?.place ?? "") sent \(bytes.count) bytes as if of TLS before any hello was "
                + "sent. Whoever stands between could have put them there.")
    }
}
