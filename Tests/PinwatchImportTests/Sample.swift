import FoundationEssentials
import PinwatchConfig
import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

@testable import PinwatchImport

/// The files in `Samples/`, and what most tests ask of an importer.
enum Sample {
    static let first = "yh1VxfHihB9ClpoJZeq8HnJMHYx3K0vChiEZ2YfdGsI="
    static let second = "zLHjmhziH/4oRpQYPTXDwFzCvNzjZ1s1lq4RzUycONI="

    static func file(_ name: String) throws -> HandedFile {
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return HandedFile(name: name, bytes: Array(try Data(contentsOf: URL(filePath: folder + "/Samples/" + name))))
    }

    static func file(_ name: String, _ text: String) -> HandedFile { HandedFile(name: name, bytes: Array(text.utf8)) }

    static func imported(
        _ names: [String], _ context: ImportContext = ImportContext()
    ) throws -> Imported {
        try Importer.release(try names.map { try file($0) }, context: context)
    }

    /// What a text in a file called `it` comes to.
    static func imported(_ text: String, _ context: ImportContext = ImportContext()) throws -> Imported {
        try Importer.release([file("it", text)], context: context)
    }

    static func context(_ client: Client? = nil, host: String? = nil) -> ImportContext {
        var context = ImportContext()
        context.client = client
        context.host = host
        return context
    }

    /// The problems' text, or what was read instead.
    static func refusal(_ files: [HandedFile], _ context: ImportContext = ImportContext()) -> String {
        do {
            return "read as \(try Importer.read(files, context: context).map(\.format))"
        } catch {
            return error.description
        }
    }
}

extension Imported {
    /// The only layer's policy, or the layer of a client.
    func policy(_ client: Client) throws -> Node {
        let layers = files.flatMap { NativePinFile.layers(of: $0) }
        return try #require(layers.first { $0.client == client }?.policy, "\(layers)")
    }

    /// Policies as native text, for comparison with what a person would write.
    func policyText(_ client: Client) throws -> String { NativePinFile.text(of: try policy(client)) }

    var remarkTexts: [String] { remarks.map(\.description) }
    var questionIDs: [String] { questions.map(\.id) }
    var mustAnswer: [String] { questions.filter(\.mustAnswer).map(\.id) }
}
