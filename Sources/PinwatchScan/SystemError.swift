internal import CLinux

/// Texts of errno values.
enum SystemError {
    static func text(_ number: Int32) -> String { unsafe String(cString: pinwatch_error_text(number)) }
}
