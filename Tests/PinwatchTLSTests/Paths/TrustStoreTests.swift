import Glibc
import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

struct TrustStoreTests {
    @Test func `a bundle is loaded, each anchor once`() throws {
        let (first, second) = (TestCA.root("One"), TestCA.root("Two"))
        let text = first.certificatePEM + second.certificatePEM + first.certificatePEM
        let store = try TrustStore(name: "corp", bundle: Array(text.utf8))
        #expect(store.name == "corp")
        #expect(store.anchors.map(\.der) == [first.der, second.der])
    }

    @Test func `a bundle without a usable certificate is refused in words`() throws {
        let root = TestCA.root()
        #expect(throws: CertificateError.noCertificate(origin: "corp.pem")) {
            try TrustStore(name: "corp", bundle: [], origin: "corp.pem")
        }
        let broken = TestPEM.text("CERTIFICATE", Array(root.der.dropLast(9)))
        #expect(throws: CertificateError.unusable(origin: "corp.pem", number: 2)) {
            try TrustStore(name: "corp", bundle: Array((root.certificatePEM + broken).utf8), origin: "corp.pem")
        }
    }

    @Test func `a missing file and a missing system store name the places looked at`() throws {
        let directory = try TestDirectory()
        let missing = directory.path + "/none.pem"
        #expect(throws: CertificateError.fileUnreadable(path: missing, why: "there is no such file")) {
            try TrustStore(name: "corp", file: missing)
        }
        #expect(throws: CertificateError.noSystemStore(places: [missing])) {
            try TrustStore.system(places: [missing])
        }
        let present = try directory.write("roots.pem", TestCA.root().certificatePEM)
        #expect(try TrustStore.system(places: [missing, present]).anchors.count == 1)
    }

    @Test(.timeLimit(.minutes(5))) func `what is no ordinary file of bounded size is refused rather than waited for`()
        throws
    {
        let directory = try TestDirectory()
        let pipe = directory.path + "/pipe"
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        for path in [pipe, directory.path, "/dev/zero"] {
            #expect(throws: CertificateError.fileUnreadable(path: path, why: "it is not a regular file")) {
                try TrustStore(name: "corp", file: path)
            }
        }
        let limit = CertificateFile.sizeLimit
        let large = try directory.write("large.pem", TestCA.root().certificatePEM)
        try #require(unsafe truncate(large, 1 << 40) == 0)
        #expect(throws: CertificateError.tooLarge(origin: large, bytes: 1 << 40, limit: limit)) {
            try TrustStore(name: "corp", file: large)
        }
    }
}
