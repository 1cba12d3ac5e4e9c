internal import Glibc

/// Says that a process serves a database: flock(2) on the file `<database>.lock`. Whoever opens the database beside the
/// service, to make a token, does not ask for it.
///
/// The kernel drops it with the process, however that ends. It has a file of its own since closing any descriptor of the
/// database would drop SQLite's locks on it (sqlite.org/howtocorrupt.html section 2.2). The file is never removed:
/// otherwise two processes could each hold the lock of a file of that name.
final class ServiceLock {
    private let descriptor: Int32

    /// - Parameter path: The database, which must exist: links are followed, so that every name of it has one lock.
    /// - Throws: ``StoreError/served(path:)`` while another holds it, ``StoreError/cannotOpen(path:why:)``.
    init(database path: String) throws(StoreError) {
        guard let resolved = unsafe realpath(path, nil) else {
            throw .cannotOpen(path: path, why: SQLiteFile.reason())
        }
        defer { unsafe free(resolved) }
        let file = unsafe String(cString: resolved) + ".lock"
        let opened = unsafe open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { throw .cannotOpen(path: file, why: SQLiteFile.reason()) }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            let why = SQLiteFile.reason()
            close(opened)
            throw code == EWOULDBLOCK ? .served(path: path) : .cannotOpen(path: file, why: why)
        }
        descriptor = opened
    }

    deinit { close(descriptor) }
}
