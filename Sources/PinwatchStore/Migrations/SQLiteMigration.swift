/// One step of the schema. The list is append-only: a step that was released is never edited.
struct SQLiteMigration {
    let name: String
    let sql: String

    /// In order; the number of a step is its place, from 1, and `user_version` says which was the last.
    static let all = [
        SQLiteMigration(name: "first schema", sql: firstSchema),
        SQLiteMigration(name: "what is managed by the API", sql: managedSchema),
        SQLiteMigration(name: "counts of pin sets, lines of reloads, URLs", sql: countedSchema),
        SQLiteMigration(name: "lists of verdicts and of what ends", sql: listedSchema),
        SQLiteMigration(name: "the files that pin sets were read from", sql: originalsSchema),
        SQLiteMigration(name: "rollouts under way", sql: rolloutSchema),
        SQLiteMigration(name: "primes of key exchanges", sql: exchangedSchema),
        SQLiteMigration(name: "revocation of leaves", sql: revocationSchema),
        SQLiteMigration(name: "authorities that no trust store vouches for", sql: vantageSchema),
    ]
}
