internal import FoundationEssentials
package import PinwatchCore

/// The dashboard's files, read once at the start and kept in memory: nothing changes under way, and no path of a
/// request ever reaches the file system.
package struct StaticFiles: Sendable {
    /// A file as it is, and as gzip where that is smaller. Each has a tag of its own, for the bytes differ.
    struct File: Sendable {
        private let tag: String
        private let plain: Response
        private let gzip: Response?

        init(type: String, body: [UInt8], sha256: ([UInt8]) -> SHA256Digest) {
            tag = EntityTag.of(body, sha256: sha256)
            var response = Response(type: type, body: body)
                .adding([.init("Cache-Control", "no-cache"), .init("Vary", "Accept-Encoding")])
            plain = response
            gzip = Gzip.smaller(body, level: 9).map { coded in
                response.body = coded
                return response.adding([.init("Content-Encoding", "gzip")])
            }
        }

        /// The file in the coding that a request would rather have; 304 where the request has it already.
        func response(to request: Request) -> Response {
            guard let gzip, AcceptEncoding.prefersGzip(request) else {
                return EntityTag.apply(to: plain, request, tag: tag)
            }
            return EntityTag.apply(to: gzip, request, tag: tag.dropLast() + "-gzip\"")
        }
    }

    /// Bytes of all files together.
    package static let maximumTotal = 8 << 20
    private static let maximumDepth = 8

    private let files: [[String]: File]

    /// Nothing to serve: the API alone.
    package init() {
        files = [:]
    }

    /// Reads every file below `folder` whose extension is known. Hidden files, symbolic links and files of other
    /// kinds are left out.
    ///
    /// - Throws: ``HTTPFailure/publicFolder(path:reason:)`` if something cannot be read, or is too much.
    package init(folder: String, sha256: @escaping ([UInt8]) -> SHA256Digest) throws(HTTPFailure) {
        var reader = Reader(sha256: sha256)
        try reader.read(folder, at: [])
        guard let index = reader.files[["index.html"]] else {
            throw .publicFolder(path: folder, reason: "has no index.html; give the dashboard's folder with --public")
        }
        reader.files[[""]] = index
        files = reader.files
    }

    /// The file at exactly these path segments; `/` is `index.html`.
    func file(at segments: [String]) -> File? { files[segments] }

    /// Media types by extension: what is not here is not served.
    static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
        "webmanifest": "application/manifest+json", "txt": "text/plain; charset=utf-8", "woff2": "font/woff2",
    ]

    private struct Reader {
        let sha256: ([UInt8]) -> SHA256Digest
        var files: [[String]: File] = [:]
        var total = 0

        mutating func read(_ path: String, at segments: [String]) throws(HTTPFailure) {
            guard segments.count <= StaticFiles.maximumDepth else {
                throw .publicFolder(path: path, reason: "lies more than \(StaticFiles.maximumDepth) folders deep")
            }
            for name in try names(in: path) where !name.hasPrefix(".") {
                let (child, place) = (path + "/" + name, segments + [name])
                let attributes = try? FileManager.default.attributesOfItem(atPath: child)
                switch attributes?[.type] as? FileAttributeType {
                case .typeDirectory: try read(child, at: place)
                case .typeRegular: try add(child, at: place, size: attributes?[.size] as? Int ?? 0)
                default: continue
                }
            }
        }

        private func names(in path: String) throws(HTTPFailure) -> [String] {
            do { return try FileManager.default.contentsOfDirectory(atPath: path).sorted() } catch {
                throw .publicFolder(path: path, reason: "cannot be listed; see that it exists and can be read")
            }
        }

        private mutating func add(_ path: String, at segments: [String], size: Int) throws(HTTPFailure) {
            guard let name = segments.last, let dot = name.lastIndex(of: "."),
                let type = StaticFiles.types[String(name[name.index(after: dot)...])]
            else { return }
            guard total + size <= StaticFiles.maximumTotal, let bytes = FileManager.default.contents(atPath: path),
                total + bytes.count <= StaticFiles.maximumTotal
            else {
                throw .publicFolder(path: path, reason: "cannot be read, or makes more than 8 MiB with the others")
            }
            total += bytes.count
            let body = Array(bytes)
            files[segments] = File(type: type, body: body, sha256: sha256)
        }
    }
}
