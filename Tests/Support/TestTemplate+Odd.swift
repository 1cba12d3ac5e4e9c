extension TestTemplate {
    /// A self-issued leaf for `ex.test` that nothing is wrong with, as the start of what is.
    package static func plain(_ subject: [UInt8] = TestDER.name(commonName: "ex.test")) -> TestTemplate {
        var template = TestTemplate(
            subject: subject, issuer: TestDER.name(commonName: "issuer"), notBefore: TestPKI.start,
            notAfter: TestPKI.leafEnd, serial: [0x05])
        template.extensions = [.alternativeNames(dns: [Array("ex.test".utf8)])]
        return template
    }

    /// The plain leaf after a change, signed by its own key.
    package static func odd(key: TestKey = TestKey(), _ change: (inout TestTemplate) -> Void) -> TestCertificate {
        var template = plain()
        change(&template)
        return template.signed(for: key, by: key)
    }
}
