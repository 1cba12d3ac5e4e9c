internal import PinwatchAlert
internal import PinwatchConfig
internal import PinwatchCore

/// A Pinwatch elsewhere, asked over its API with the token of `PINWATCH_TOKEN` or of a file.
struct ServerClient {
    static let options: Set<String> = ["--server", "--token-file"]

    /// What `--help` says of the options.
    static let help = """
          --server URL         a Pinwatch, such as https://pins.example.com
          --token-file FILE    its token; else PINWATCH_TOKEN
        """

    /// How an answer failed to come: the person's line, or the server's state.
    enum Failure: Error {
        case input(UsageError)
        case unreachable(String)
    }

    /// The most bytes of an answer.
    private static let answerLimit = 16 << 20

    private let base: String
    private let token: String?
    private let client: CurlClient

    /// `nil` where `--server` is not given.
    init?(_ arguments: Arguments) throws(UsageError) {
        guard let url = arguments["--server"] else {
            guard arguments["--token-file"] == nil else { throw UsageError("--token-file goes with --server") }
            return nil
        }
        do {
            let address = try WebAddress(url)
            guard !address.hasUser, !address.hasQueryOrFragment else {
                throw UsageError("--server takes a URL without user, query and fragment")
            }
        } catch let error as UsageError {
            throw error
        } catch let fault as WebAddress.Fault {
            throw UsageError("--server \(fault.words)")
        } catch {
            throw UsageError("--server: \(error)")
        }
        base = (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/api/v1"
        token = try Self.token(file: arguments["--token-file"])
        do { client = try CurlClient(userAgent: "pinwatch/\(Pinwatch.version)", timeoutMilliseconds: 60_000) } catch {
            throw UsageError("\(error)")
        }
    }

    private static func token(file: String?) throws(UsageError) -> String? {
        let text: String?
        if let file {
            text = String(decoding: try InputFile.bytes(file, limit: 4_096), as: UTF8.self)
        } else {
            text = Machine.environment("PINWATCH_TOKEN")
        }
        guard let text else { return nil }
        let token = String(text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
        // A line break in it would begin another header.
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw UsageError("\(file ?? "PINWATCH_TOKEN") holds no token")
        }
        return token
    }

    /// The answer to a `POST` of JSON, or to a `GET` where nothing is posted.
    ///
    /// - Parameter path: After `/api/v1`.
    func ask(_ path: String, posting body: JSON? = nil) async throws(Failure) -> String {
        var headers = [HTTPHeader("Accept", "application/json, text/plain")]
        if body != nil { headers.append(HTTPHeader("Content-Type", "application/json")) }
        if let token { headers.append(HTTPHeader("Authorization", "Bearer \(token)")) }
        let exchange = await client.send(
            HTTPRequest(
                url: Secret(base + path), headers: headers, method: body == nil ? .get : .post,
                body: body?.bytes ?? [],
                addresses: AddressRule(allowPrivate: true), keptBytes: Self.answerLimit))
        switch exchange.outcome {
        case .failure(let failure): throw .unreachable("\(base): \(failure.words)")
        case .success(let answer) where (200..<300).contains(answer.status):
            guard answer.beginning.utf8.count < Self.answerLimit else {
                throw .unreachable("\(base) answers with more than \(Self.answerLimit >> 20) MiB")
            }
            return answer.beginning
        case .success(let answer): throw refusal(answer)
        }
    }

    /// The same, whose answer is JSON.
    func json(_ path: String, posting body: JSON) async throws(Failure) -> JSON {
        let text = try await ask(path, posting: body)
        do { return try JSON(parsing: Array(text.utf8)) } catch {
            throw .unreachable("\(base) answers, but not as a Pinwatch does: no JSON came")
        }
    }

    private func refusal(_ answer: HTTPAnswer) -> Failure {
        let problem = try? JSON(parsing: Array(answer.beginning.utf8))
        let detail = problem?["detail"]?.asText
        switch answer.status {
        case 401:
            return .input(
                UsageError(
                    token == nil
                        ? "\(base) asks for a token: set PINWATCH_TOKEN or give --token-file FILE"
                        : "\(base) does not take the token: it is wrong, revoked or has expired"))
        case 400..<500:
            guard let detail else {
                return .input(UsageError("\(base) answers \(answer.status), and not as a Pinwatch does; see --server"))
            }
            return .input(UsageError(([detail] + faults(problem)).joined(separator: "\n")))
        default: return .unreachable("\(base) answers \(answer.status)" + (detail.map { ": \($0)" } ?? ""))
        }
    }

    private func faults(_ problem: JSON?) -> [String] {
        (problem?["errors"]?.asItems ?? []).map { fault in
            [fault["field"]?.asText, fault["message"]?.asText].compactMap(\.self).joined(separator: ": ")
        }
    }
}

extension JSON {
    /// The text; `nil` for anything else.
    var asText: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The items of an array; none for anything else.
    var asItems: [JSON] {
        guard case .array(let items) = self else { return [] }
        return items
    }
}

extension HandedFile {
    /// As the API takes it: text where it is some, else base64.
    var json: JSON {
        let short = name.split(separator: "/").last.map(String.init) ?? name
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            return .object([("name", .string(short)), ("base64", .string(PinText.canonical(bytes)))])
        }
        return .object([("name", .string(short)), ("text", .string(text))])
    }
}
