internal import PinwatchCore

extension Recording {
    /// Keeps a row for each channel of the configuration file, without what is secret, and puts them and those that came
    /// by the API in force. A channel that came by the API and stands in the file too is the file's from then on.
    mutating func synchronize(
        channels wanted: [(channel: StoredChannel, urlHash: [UInt8])]
    ) throws(StoreError) {
        var (stored, hashes) = try storedChannels()
        for (channel, urlHash) in wanted {
            let hash = hashes.removeValue(forKey: channel.name)
            let known = stored.removeValue(forKey: channel.name)
            if known == channel, hash == urlHash { continue }
            if known == channel, hash == [] {
                try mark(urlHash, of: channel.name)
                continue
            }
            try keep(channel, urlHash: urlHash, enables: false)
        }
        // The first schema knew of a channel only how it fared.
        for (name, known) in stored where known.managedBy == .api { hashes[name] = nil }
        for name in Set(hashes.keys).union(stored.values.filter { $0.managedBy == .config }.map(\.name)).sorted() {
            try remove(channel: name)
        }
        let own = stored.values.filter { $0.managedBy == .api }.map(\.name).sorted()
        policy.channels = wanted.map(\.channel.name) + own
    }

    private func storedChannels() throws(StoreError) -> ([String: StoredChannel], hashes: [String: [UInt8]]) {
        var stored: [String: StoredChannel] = [:]
        for row in try database.rows("SELECT \(StoredChannel.columns) FROM channel") {
            let channel = try StoredChannel(row: row)
            stored[channel.name] = channel
        }
        var hashes: [String: [UInt8]] = [:]
        for row in try database.rows("SELECT name, url_hash FROM channel_state") {
            hashes[try row.text(0)] = try row.blob(1)
        }
        return (stored, hashes)
    }
}
