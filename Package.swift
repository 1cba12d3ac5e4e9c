// swift-tools-version: 6.3
import PackageDescription

/// One set of rules for every Swift target. Each upcoming feature is named as in its Swift Evolution proposal.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .strictMemorySafety(),  // SE-0458
    .treatAllWarnings(as: .error),
]

/// A C library of Debian's, with the shims that Swift cannot import by itself.
func library(_ name: String, pkgConfig: String? = nil, debian: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([debian])])
}

/// A room of the house: a Swift target that may import what it is given here, and nothing else.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The tests of one room, in a folder of the room's name.
///
/// - Parameter samples: Folders of files that tests read and nobody compiles.
func tests(_ room: String, _ dependencies: [Target.Dependency] = [], samples: [String] = []) -> Target {
    .testTarget(
        name: room + "Tests", dependencies: [.byName(name: room), "TestSupport"] + dependencies,
        path: "Tests/\(room)Tests", exclude: samples, swiftSettings: settings)
}

let package = Package(
    name: "pinwatch",
    products: [.executable(name: "pinwatch", targets: ["pinwatch"])],
    targets: [
        library("CLinux", debian: "libc6-dev"),
        library("COpenSSL", pkgConfig: "openssl", debian: "libssl-dev"),
        library("CCares", pkgConfig: "libcares", debian: "libc-ares-dev"),
        library("CSQLite", pkgConfig: "sqlite3", debian: "libsqlite3-dev"),
        library("CCurl", pkgConfig: "libcurl", debian: "libcurl4-openssl-dev"),
        library("CMicrohttpd", pkgConfig: "libmicrohttpd", debian: "libmicrohttpd-dev"),
        library("CZlib", pkgConfig: "zlib", debian: "zlib1g-dev"),
        library("CYAML", pkgConfig: "yaml-0.1", debian: "libyaml-dev"),
        library("CIDN2", pkgConfig: "libidn2", debian: "libidn2-dev"),
        library("CPSL", pkgConfig: "libpsl", debian: "libpsl-dev"),
        library("CExpat", pkgConfig: "expat", debian: "libexpat1-dev"),

        room("PinwatchCore"),
        room("PinwatchNames", ["PinwatchCore", "CIDN2", "CPSL"]),
        room("PinwatchConfig", ["PinwatchCore", "CYAML", "CLinux"]),
        room("PinwatchTLS", ["PinwatchCore", "COpenSSL", "CLinux"]),
        room("PinwatchImport", ["PinwatchCore", "PinwatchConfig", "PinwatchTLS", "CExpat"]),
        room("PinwatchScan", ["PinwatchCore", "PinwatchTLS", "CCares", "CLinux"]),
        room("PinwatchStore", ["PinwatchCore", "CSQLite"]),
        room("PinwatchAlert", ["PinwatchCore", "PinwatchTLS", "CCurl"]),
        room("PinwatchHTTP", ["PinwatchCore", "CMicrohttpd", "CZlib", "CLinux"]),
        .executableTarget(
            name: "pinwatch",
            dependencies: [
                "PinwatchCore", "PinwatchNames", "PinwatchConfig", "PinwatchImport", "PinwatchTLS", "PinwatchScan",
                "PinwatchStore", "PinwatchAlert", "PinwatchHTTP", "CLinux",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "PinwatchBenchmarks",
            dependencies: [
                "PinwatchCore", "PinwatchNames", "PinwatchConfig", "PinwatchImport", "PinwatchTLS", "PinwatchScan",
                "PinwatchStore",
            ],
            path: "Benchmarks/Sources", swiftSettings: settings),

        .target(
            name: "TestSupport", dependencies: ["PinwatchCore", "COpenSSL", "CLinux"], path: "Tests/Support",
            swiftSettings: settings),
        tests("PinwatchCore"),
        tests("PinwatchNames", ["PinwatchCore"]),
        tests("PinwatchConfig", ["PinwatchCore", "PinwatchNames"]),
        tests("PinwatchTLS", ["PinwatchCore"]),
        tests(
            "PinwatchImport", ["PinwatchCore", "PinwatchConfig", "PinwatchNames", "PinwatchTLS"], samples: ["Samples"]),
        tests("PinwatchScan", ["PinwatchCore", "PinwatchTLS", "CLinux"]),
        tests("PinwatchStore", ["PinwatchCore"]),
        tests("PinwatchAlert", ["PinwatchCore", "PinwatchTLS"]),
        tests("PinwatchHTTP", ["PinwatchCore"]),
        .testTarget(
            name: "PinwatchCommandTests",
            dependencies: [
                "pinwatch", "PinwatchAlert", "PinwatchCore", "PinwatchHTTP", "PinwatchStore", "PinwatchTLS",
                "TestSupport", "CLinux",
            ],
            path: "Tests/pinwatchTests", swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

// .ci/sanitized-build asks for it, and says where libFuzzer's library is: it is of no use without coverage.
if let library = Context.environment["PINWATCH_FUZZ"] {
    package.targets += [
        .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
        .executableTarget(
            name: "PinwatchFuzz",
            dependencies: [
                "PinwatchCore", "PinwatchNames", "PinwatchConfig", "PinwatchTLS", "PinwatchImport", "CFuzzer",
            ],
            path: "Tests/Fuzz/Sources", swiftSettings: settings,
            linkerSettings: [.unsafeFlags([library]), .linkedLibrary("stdc++")]),
    ]
}
