internal import Glibc

/// What a database file is, learned by reading its header alone (fileformat2.html section 1.3).
///
/// SQLite itself is not asked: opening a database in WAL mode makes files beside it, and nothing may be made beside a
/// file that is not ours.
struct SQLiteFile {
    enum Content: Equatable {
        /// No file, an empty one, or one whose creation was cut off before its first page.
        case empty
        case ours(version: Int64)
        case foreign(what: String)
    }

    /// `application_id` in the header: "PinW".
    static let applicationID: Int64 = 0x5069_6E57

    let path: String

    func content() throws(StoreError) -> Content {
        let header = try header()
        if header.isEmpty { return .empty }
        if header.allSatisfy({ $0 == 0 }), unsafe access(path + "-journal", F_OK) == 0 { return .empty }
        guard header.count == 100, header.starts(with: Array("SQLite format 3\u{0}".utf8)) else {
            return .foreign(what: "not an SQLite database")
        }
        guard Self.number(header, at: 68) == Self.applicationID else {
            return .foreign(what: "an SQLite database of another program")
        }
        return .ours(version: Self.number(header, at: 60))
    }

    /// Makes an empty file that only the owner may read; SQLite gives its WAL the same mode. An existing file is kept.
    func create() throws(StoreError) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, why: Self.reason()) }
        close(descriptor)
    }

    private func header() throws(StoreError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 {
            if errno == ENOENT { return [] }
            throw .cannotOpen(path: path, why: Self.reason())
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw .cannotOpen(path: path, why: Self.reason()) }
        return Array(bytes.prefix(count))
    }

    private static func number(_ header: [UInt8], at offset: Int) -> Int64 {
        header[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) }
    }

    static func reason() -> String { unsafe String(cString: strerror(errno)) }
}
