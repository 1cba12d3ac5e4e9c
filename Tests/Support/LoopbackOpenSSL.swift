import Foundation
import Glibc

/// A real `openssl s_server` on a free port of 127.0.0.1, ended by its own process id.
package final class LoopbackOpenSSL {
    package let port: UInt16
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// - Parameter arguments: Those of `openssl s_server` besides the address; the port is read from its first line.
    package init(_ arguments: [String]) throws {
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = ["s_server", "-accept", "127.0.0.1:0", "-naccept", "200"] + arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        var found: UInt16?
        while found == nil {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw CocoaError(.executableLoad) }
            text += String(decoding: data, as: UTF8.self)
            let line = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .first { $0.hasPrefix("ACCEPT") }
            found = line.flatMap { $0.split(separator: ":").last.flatMap { UInt16($0) } }
        }
        port = found ?? 0
        // Drained, so that the server never waits for a reader.
        output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    }

    deinit {
        output.fileHandleForReading.readabilityHandler = nil
        // SIGKILL: a child of a Dispatch thread inherits its mask, in which SIGTERM is blocked.
        kill(process.processIdentifier, SIGKILL)
    }
}
