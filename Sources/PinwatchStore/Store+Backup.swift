internal import Glibc

extension Store {
    /// Copies the database into a file of its own while the service goes on: one state of it, complete, checked, and
    /// readable by its owner only; or, if anything fails or the task is cancelled, no file at all.
    ///
    /// Secrets that came by the API are in the copy as they are in the database: sealed. To restore, stop the service,
    /// put the file in the database's place, and start. Deliveries are made at least once, so what was pending when the
    /// copy was made is sent again after a restore though it may have arrived meanwhile: under the same id where it was
    /// composed already. What had arrived is not.
    ///
    /// - Parameters:
    ///   - path: Must not exist, unless it is to be replaced; its folder must.
    ///   - replacing: Whether a file there gives way, in one step, to the finished copy.
    /// - Throws: ``StoreError/cannotBackUp(path:why:)`` among others.
    package func backup(to path: String, replacing: Bool = false) async throws(StoreError) {
        try await Backup().run(
            from: writer.path, to: path, replacing: replacing, busyMilliseconds: writer.options.busyMilliseconds)
    }
}

/// One backup, on connections and a thread of its own.
private actor Backup {
    private nonisolated let executor = ThreadExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Pages copied at once: about 2 MiB.
    private static let pagesAtOnce: Int32 = 512
    /// Between them, so that the disk is left to the service half of the time.
    private static let pause = Duration.milliseconds(5)

    func run(
        from database: String, to path: String, replacing: Bool, busyMilliseconds: Int32
    ) async throws(StoreError) {
        try refuse(path, over: database, replacing: replacing)
        let partial = try PartialFile(beside: path)
        try await copy(database, to: partial.path, named: path, busyMilliseconds: busyMilliseconds)
        try partial.publish(replacing: replacing)
    }

    private func refuse(_ path: String, over database: String, replacing: Bool) throws(StoreError) {
        if unsafe access(path, F_OK) == 0, !replacing {
            throw .cannotBackUp(path: path, why: "there is a file of that name; choose another, or remove it")
        }
        if let own = Self.real(database), Self.real(path) == own {
            throw .cannotBackUp(path: path, why: "it is the database itself")
        }
    }

    private func copy(
        _ database: String, to partial: String, named path: String, busyMilliseconds: Int32
    ) async throws(StoreError) {
        let source = try SQLiteConnection.reader(path: database, busyMilliseconds: busyMilliseconds)
        let copy = try SQLiteConnection(path: partial, mode: .write, busyMilliseconds: busyMilliseconds)
        // The file is nothing until it is complete, and is synchronised then.
        try copy.script("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
        try await step(SQLiteBackup(from: source, to: copy), named: path)
        try check(copy, named: path)
    }

    /// The copy lets go of both connections with the return.
    private func step(_ backup: consuming SQLiteBackup, named path: String) async throws(StoreError) {
        while try backup.step(pages: Self.pagesAtOnce) {
            do { try await Task.sleep(for: Self.pause) } catch {
                throw .cannotBackUp(path: path, why: "it was cut off before its end")
            }
        }
    }

    /// A copy in WAL mode would want files beside it to be read at all.
    private func check(_ copy: SQLiteConnection, named path: String) throws(StoreError) {
        try copy.script("PRAGMA journal_mode = DELETE;")
        let answer = try copy.rows("PRAGMA integrity_check").map { row throws(StoreError) in try row.text(0) }
        guard answer == ["ok"] else {
            throw .cannotBackUp(path: path, why: "the copy is damaged: \(answer.first ?? "no answer")")
        }
    }

    private static func real(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}

/// A file that bears its name only when it is complete; removed if it never is.
private final class PartialFile {
    let path: String
    private let target: String
    private let descriptor: Int32

    /// Makes a file of a name of its own in the same folder, which its owner alone may read (mkstemp(3)).
    init(beside target: String) throws(StoreError) {
        var template = Array((target + ".XXXXXX").utf8CString)
        let opened = unsafe template.withUnsafeMutableBufferPointer { name in
            unsafe name.baseAddress.map { unsafe mkstemp($0) } ?? -1
        }
        guard opened >= 0, fcntl(opened, F_SETFD, FD_CLOEXEC) == 0 else {
            throw .cannotBackUp(path: target, why: SQLiteFile.reason())
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.target = target
        descriptor = opened
    }

    deinit {
        close(descriptor)
        unsafe unlink(path)
    }

    /// Everything is on the disk before the name is there, and the name before this returns.
    func publish(replacing: Bool) throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw .cannotBackUp(path: target, why: SQLiteFile.reason()) }
        // link(2) never replaces, whoever made a file of that name meanwhile.
        let named = replacing ? unsafe rename(path, target) : unsafe link(path, target)
        guard named == 0 else { throw .cannotBackUp(path: target, why: SQLiteFile.reason()) }
        let folder = target.lastIndex(of: "/").map { String(target[..<$0]) } ?? "."
        let directory = unsafe open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .cannotBackUp(path: target, why: SQLiteFile.reason()) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw .cannotBackUp(path: target, why: SQLiteFile.reason()) }
    }
}
