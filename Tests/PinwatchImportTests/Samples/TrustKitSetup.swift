import TrustKit

let first = "yh1VxfHihB9ClpoJZeq8HnJMHYx3K0vChiEZ2YfdGsI="
let configuration = [
    kTSKSwizzleNetworkDelegates: false,
    kTSKPinnedDomains: [
        "example.com": [
            kTSKIncludeSubdomains: true,
            kTSKExpirationDate: "2027-06-30",
            kTSKPublicKeyHashes: [
                first,
                "zLHjmhziH/4oRpQYPTXDwFzCvNzjZ1s1lq4RzUycONI=",
            ],
            kTSKReportUris: ["https://\(reportHost)/pins"],
        ] as [String: Any],
        "files.example.com": [kTSKExcludeSubdomainFromParentPolicy: true],
    ],
] as [String: Any]
TrustKit.initSharedInstance(withConfiguration: configuration)
