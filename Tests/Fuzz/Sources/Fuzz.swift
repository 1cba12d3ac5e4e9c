internal import CFuzzer
internal import Glibc

/// Bytes that libFuzzer makes up, given to one reader of what comes from outside:
/// `PinwatchFuzz TARGET [libFuzzer's options] [folders of samples…]`, in the repository's root.
@main
enum Fuzz {
    static let target = Target(rawValue: CommandLine.arguments.dropFirst().first ?? "")

    static func main() {
        guard target != nil else {
            print("targets: \(Target.allCases.map(\.rawValue).joined(separator: " "))")
            exit(2)
        }
        // The target's name stands where libFuzzer looks for the program's.
        var count = CommandLine.argc - 1
        var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv + 1
        exit(unsafe LLVMFuzzerRunDriver(&count, &words, takeInput))
    }
}

/// By this name libFuzzer's library asks for what takes its inputs.
@c(LLVMFuzzerTestOneInput)
func takeInput(_ bytes: UnsafePointer<UInt8>?, _ length: Int) -> Int32 {
    let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: length))
    switch Fuzz.target {
    case .imports: Imports.read(input)
    case .pinFiles: PinFiles.read(input)
    case .certificates: Certificates.read(input)
    case nil: break
    }
    return 0
}

/// What may be read.
enum Target: String, CaseIterable {
    /// Every format that is imported, told apart by content; what comes of it is written, read again and judged.
    case imports
    /// Native pin files as the API takes them, judged.
    case pinFiles = "pin-files"
    /// Certificates and keys, PEM or DER: read, built into paths, verified.
    case certificates
}
