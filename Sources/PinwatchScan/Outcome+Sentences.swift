internal import Glibc
internal import PinwatchCore
internal import PinwatchTLS

/// Outcomes as sentences: what was tried, with what, and where to look.
extension Outcome {
    static func connectFailure(_ number: Int32, _ job: AddressJob) -> Outcome {
        let place = job.place
        switch number {
        case _ where job.proxy != nil && !StreamSocket.isOurShortage(number):
            return .proxyUnreachable(SystemError.text(number), job)
        case ECONNREFUSED:
            return .connectRefused(
                message: "\(place) refused the connection: nothing listens there, or a firewall says so.")
        case ECONNRESET: return .reset(message: "\(place) reset the connection while it was being made.")
        case ETIMEDOUT: return .connectTimeout(message: "\(place) did not answer the connection in the system's time.")
        case _ where StreamSocket.isOurShortage(number): return .shortage(.system(number), job)
        default: return .unreachable(message: "\(place) cannot be reached: \(SystemError.text(number)).")
        }
    }

    static func shortage(_ shortage: Visit.Shortage, _ job: AddressJob) -> Outcome {
        switch shortage {
        case .system(let number):
            .unreachable(
                message:
                    "\(job.place) was not tried, which says nothing about it: this machine lacked the means all the while "
                    + "(\(SystemError.text(number))). Lower scan.in_flight, or raise the limit of open files.")
        case .longMessages:
            .unreachable(
                message:
                    "\(job.place) sends a message of more than \(HandshakeContext.ordinaryMessageLimit >> 10) KiB and was "
                    + "not read, which says nothing about it: other servers that send so much took all the memory that "
                    + "there is for it.")
        }
    }

    static func connectTimeout(_ job: AddressJob, _ milliseconds: Int64) -> Outcome {
        let place = job.proxy.map { "The proxy \($0.place)" } ?? job.place
        return .connectTimeout(message: "\(place) did not answer the connection within \(seconds(milliseconds)).")
    }

    static func handshakeTimeout(_ visit: Visit, _ milliseconds: Int64) -> Outcome {
        let far: String
        switch visit.phase {
        case .askingProxy: return proxyTimeout(visit.job, milliseconds)
        case .inClear: return inClearTimeout(visit.job, milliseconds)
        case .awaitingMeans, .connecting, .awaitingFirstBytes: far = "and then did not answer the hello"
        case .awaitingVerdict: far = "and asked for a client certificate, but its chain could not be judged"
        case .handshaking, .awaitingServer: far = "and began to answer, but did not finish the handshake"
        }
        return .handshakeTimeout(message: "The server took the connection \(far) within \(seconds(milliseconds)).")
    }

    private static func inClearTimeout(_ job: AddressJob, _ milliseconds: Int64) -> Outcome {
        .handshakeTimeout(
            message:
                "The server took the connection, but did not come to TLS by \(job.startTLS?.rawValue ?? "its protocol") "
                + "within \(seconds(milliseconds)).")
    }

    /// A connection that ended while a protocol was spoken in clear.
    ///
    /// - Parameter number: An errno; `nil` where the server closed it in order.
    static func brokenInClear(_ number: Int32?, _ visit: Visit) -> Outcome {
        if case .askingProxy = visit.phase { return proxyBroke(number, visit.job) }
        let when = "before it agreed to TLS by \(visit.job.startTLS?.rawValue ?? "its protocol")"
        switch number {
        case nil: return .closed(message: "The server closed the connection \(when).")
        case ECONNRESET, EPIPE: return .reset(message: "The server reset the connection \(when).")
        case let number?: return .unreachable(message: "The connection broke \(when): \(SystemError.text(number)).")
        }
    }

    static func failure(_ failure: TLSFailure, _ visit: Visit) -> Outcome {
        let when: String
        switch visit.phase {
        case .awaitingMeans, .connecting, .askingProxy, .inClear, .awaitingFirstBytes:
            when = "without an answer to the hello"
        case .handshaking, .awaitingVerdict: when = "in the middle of the handshake"
        case .awaitingServer:
            when = "after it had asked for a client certificate and got \(visit.showedCertificate ? "one" : "none")"
        }
        switch failure {
        case .closed: return .closed(message: "The server closed the connection \(when).")
        case .reset, .system(ECONNRESET), .system(EPIPE):
            return .reset(message: "The server reset the connection \(when).")
        case .system(ETIMEDOUT): return .handshakeTimeout(message: "The connection went dead \(when).")
        case .system(let number):
            return .unreachable(message: "The connection broke \(when): \(SystemError.text(number)).")
        case .alert(TLSAlert.protocolVersion):
            return .protocolUnsupported(
                message: "The server speaks none of the versions offered (alert 70, protocol_version).")
        case .alert(let number): return .alert(number: number, name: TLSAlert.name(number))
        case .clientCertificateRequired(let alert):
            return clientCertificateRefused(by: "alert \(alert) (\(TLSAlert.name(alert)))", visit)
        case .protocolUnsupported(let reason):
            return .protocolUnsupported(message: "The server's TLS cannot be followed by this hello: \(reason).")
        case .needsRoom: return .shortage(.longMessages, visit.job)
        case .certificateTooLarge(let limit): return .certificateTooLarge(limit: limit)
        case .certificateMalformed(let reason):
            return .certificateMalformed(message: "The Certificate message cannot be read whole: \(reason).")
        case .noCertificate: return .noCertificate(message: "The server completed TLS without a certificate.")
        }
    }

    private static func clientCertificateRefused(by alert: String, _ visit: Visit) -> Outcome {
        let refused = "The server asked for a client certificate and refused without one by \(alert)."
        switch visit.clientCertificate {
        case .none: return .clientCertificateRequired(message: refused)
        case .withheld(let why):
            return .clientCertificateRequired(message: "\(refused) The target's was not shown: \(why)")
        case .shown where visit.showedCertificate:
            return .clientCertificateRequired(
                message: "The server refused the target's client certificate by \(alert).")
        case .shown:
            return .clientCertificateRequired(
                message: "\(refused) The target's was not shown: the server takes no signature that its key can make.")
        }
    }

    static func seconds(_ milliseconds: Int64) -> String {
        milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}
