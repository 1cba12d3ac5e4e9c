import Testing

@testable import pinwatch

@Suite struct ArgumentsTests {
    let syntax = ArgumentSyntax(
        options: ["--config", "--address"], flags: ["--json"], repeatable: ["--address"], words: 1...2)

    @Test func `options take a value after a blank or an equals sign`() throws {
        let arguments = try Arguments(["--config", "a.yaml", "host", "--address=::1", "--json"], syntax: syntax)
        #expect(arguments["--config"] == "a.yaml")
        #expect(arguments.all("--address") == ["::1"])
        #expect(arguments.has("--json"))
        #expect(arguments.words == ["host"])
    }

    @Test func `repeatable options keep their order`() throws {
        let arguments = try Arguments(["h", "--address", "127.0.0.2", "--address", "127.0.0.1"], syntax: syntax)
        #expect(arguments.all("--address") == ["127.0.0.2", "127.0.0.1"])
    }

    @Test func `two dashes end the options`() throws {
        #expect(try Arguments(["--", "--json"], syntax: syntax).words == ["--json"])
    }

    @Test(arguments: [
        (["h", "--what"], "unknown option --what; this command takes --address, --config, --json"),
        (["h", "--config"], "--config needs a value"),
        (["h", "--config", "a", "--config", "b"], "--config is given twice; give it once"),
        (["h", "--json=yes"], "--json takes no value"),
        ([], "something is missing after the command; see --help"),
        (["a", "b", "c"], "\"c\" is one word too many; see --help"),
    ])
    func `faults are told in words`(line: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try Arguments(line, syntax: syntax) }
        #expect(error?.description == message)
    }

    @Test func `numbers are bounded`() throws {
        let arguments = try Arguments(["h", "--config", "99"], syntax: syntax)
        #expect(try arguments.number("--config", in: 1...99) == 99)
        #expect(throws: UsageError.self) { try arguments.number("--config", in: 1...98) }
    }
}
