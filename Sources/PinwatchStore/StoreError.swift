/// Why the store could not do what it was asked.
///
/// Every case says what was being done, in words that a person running the service can act on.
package enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file could not be opened or created.
    case cannotOpen(path: String, why: String)
    /// The file is no database of Pinwatch's. It was not written to.
    case foreign(path: String, what: String)
    /// A later version of Pinwatch wrote the file. It was not written to.
    case newer(path: String, version: Int64, known: Int64)
    /// Another process serves the database; this one changed nothing.
    case served(path: String)
    /// Another process held the database for longer than the busy timeout.
    case locked(doing: String)
    /// The disk, a quota, or the database's page limit is full.
    case full(doing: String)
    case readOnly(doing: String)
    /// The disk answered with an error, or memory ran out.
    case failing(doing: String, why: String)
    /// The file is damaged.
    case damaged(doing: String, why: String)
    /// SQLite refused a statement for another reason, with its extended result code.
    case refused(code: Int32, why: String, doing: String)
    /// A stored row does not hold what this version writes.
    case unreadableRow(column: Int, why: String)
    /// A backup was not made.
    case cannotBackUp(path: String, why: String)
    /// The store was closed, or not opened yet.
    case closed

    package var description: String {
        switch self {
        case .cannotOpen(let path, let why): "cannot open the database \(path): \(why)"
        case .foreign(let path, let what):
            "\(path) is not a Pinwatch database (\(what)); it was left untouched: choose another path in `database`"
        case .newer(let path, let version, let known):
            "\(path) was written by a newer Pinwatch (schema \(version), this one knows \(known)); "
                + "it was left untouched: run the newer version, or restore a backup from before the upgrade"
        case .served(let path):
            "\(path) is served by another Pinwatch that is running; nothing was changed: stop that one first, or give "
                + "this one a file of its own in `database`"
        case .locked(let doing): "the database is locked by another process (\(doing))"
        case .full(let doing): "the disk or the database's size limit is full (\(doing)): free space"
        case .readOnly(let doing): "the database cannot be written (\(doing)): check the file's owner and mode"
        case .failing(let doing, let why):
            "the disk answered with an error, or memory ran out (\(doing)): \(why): check limits, quota and disk"
        case .damaged(let doing, let why): "the database cannot be read or written reliably (\(doing)): \(why)"
        case .refused(let code, let why, let doing): "SQLite refused (code \(code), \(doing)): \(why)"
        case .unreadableRow(let column, let why): "a stored row cannot be read (column \(column)): \(why)"
        case .cannotBackUp(let path, let why): "cannot back up the database to \(path): \(why)"
        case .closed: "the store is closed"
        }
    }

    /// Whether the same work may succeed later with nothing changed in the database: the trouble lies around it, and
    /// trying again makes sense. An error that does not pass comes back at every try, until somebody mends what it
    /// names.
    package var isPassing: Bool {
        switch self {
        case .locked, .full, .readOnly, .failing: true
        case .cannotOpen, .foreign, .newer, .served, .damaged, .refused, .unreadableRow, .cannotBackUp, .closed:
            false
        }
    }

    /// The error for anyone who asks, without paths, statements and what rows hold; ``description`` is for the log.
    package var plainWords: String {
        switch self {
        case .cannotOpen, .foreign, .newer: "the database cannot be opened; the log says why"
        case .served: "the database is served by another Pinwatch"
        case .locked: "the database is locked by another process"
        case .full: "the disk or the database's size limit is full: free space"
        case .readOnly: "the database cannot be written: check the file's owner and mode"
        case .failing: "the disk answers with errors, or memory ran out; the log says more"
        case .damaged: "the database is damaged: restore a backup; the log says more"
        case .refused: "the database refuses what should be written, at every try; the log says more"
        case .unreadableRow: "a stored row cannot be read, at every try; the log says more"
        case .cannotBackUp: "the database cannot be backed up; the log says more"
        case .closed: description
        }
    }
}
