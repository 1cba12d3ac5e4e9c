internal import PinwatchCore

extension Database {
    /// Stores the files that a pin set was read from in place of those that are there.
    func replaceOriginals(of pinSet: PinSetID, by files: [HandedFile]) throws(StoreError) {
        try removeOriginals(of: pinSet)
        for (number, file) in zip(Int64(1)..., files) {
            try run(
                "INSERT INTO pin_set_original (pin_set_id, number, name, body) VALUES (:id, :number, :name, :body)",
                [
                    ("id", .integer(pinSet.rawValue)), ("number", .integer(number)), ("name", .text(file.name)),
                    ("body", .blob(file.bytes)),
                ])
        }
    }

    func removeOriginals(of pinSet: PinSetID) throws(StoreError) {
        try run("DELETE FROM pin_set_original WHERE pin_set_id = :id", [("id", .integer(pinSet.rawValue))])
    }

    /// In the order handed over.
    func originals(of pinSet: PinSetID) throws(StoreError) -> [HandedFile] {
        var files: [HandedFile] = []
        for row in try rows(
            "SELECT name, body FROM pin_set_original WHERE pin_set_id = :id ORDER BY number",
            [("id", .integer(pinSet.rawValue))])
        {
            files.append(HandedFile(name: try row.text(0), bytes: try row.blob(1)))
        }
        return files
    }
}
