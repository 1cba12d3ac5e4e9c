internal import CLinux

extension [UInt8] {
    /// Whether a word's bytes stand anywhere in these: memmem(3), for they may be megabytes.
    package func holds(_ word: String) -> Bool {
        let word = Array(word.utf8)
        return unsafe withUnsafeBytes { bytes in
            unsafe word.withUnsafeBytes { word in
                unsafe pinwatch_holds(bytes.baseAddress, bytes.count, word.baseAddress, word.count)
            }
        }
    }
}
