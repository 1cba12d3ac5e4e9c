import CLinux
import Glibc
import TestSupport
import Testing

@testable import pinwatch

@Suite struct ServiceNoticeTests {
    @Test func `the manager hears of readiness, life and the end, each in a datagram`() throws {
        let directory = try TestDirectory()
        let path = directory.path + "/notify"
        let manager = try DatagramSocket(path)
        let notice = ServiceNotice { ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "20000000"][$0] }
        notice.ready("serving")
        notice.alive()
        notice.stopping()
        #expect(manager.next() == "READY=1\nSTATUS=serving")
        #expect(manager.next() == "WATCHDOG=1")
        #expect(manager.next() == "STOPPING=1\nSTATUS=stopping")
        notice.reloading()
        #expect(manager.next().hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
        #expect(notice.watchdogSeconds == 20)
    }

    @Test(arguments: [
        [:], ["NOTIFY_SOCKET": "relative"], ["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 200)],
        ["NOTIFY_SOCKET": "/nowhere/at/all"],
    ])
    func `without a manager nothing is told and nothing fails`(_ environment: [String: String]) {
        let notice = ServiceNotice { environment[$0] }
        notice.ready("serving")
        notice.alive()
    }

    @Test func `a watchdog that is meant for another process is not fed`() {
        let environment = ["NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "1"]
        #expect(ServiceNotice { environment[$0] }.watchdogSeconds == nil)
    }
}

/// A bound datagram socket that is read without waiting.
private final class DatagramSocket {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(descriptor, generic, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }

    func next() -> String {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    deinit { close(descriptor) }
}
