extension InspectionProduct {
    /// Products whose issuers are known by name. Those that sign with an authority of each buyer's own making (Palo
    /// Alto's, Check Point's, Squid) cannot be told by a name and are left out.
    static let all = debugging + gateways + machines

    private static let debugging = [
        InspectionProduct("mitmproxy", .debugging, ["CN": "mitmproxy"]),
        InspectionProduct("Charles Proxy", .debugging, ["O": "XK72 Ltd"], ["CN": "Charles Proxy CA*"]),
        InspectionProduct("Proxyman", .debugging, ["O": "Proxyman LLC"], ["CN": "Proxyman CA*"]),
        InspectionProduct("Burp Suite", .debugging, ["CN": "PortSwigger CA"]),
        InspectionProduct(
            "Fiddler", .debugging, ["CN": "DO_NOT_TRUST_FiddlerRoot"], ["CN": "Fiddler Root Certificate Authority"]),
        InspectionProduct(
            "ZAP", .debugging, ["CN": "OWASP Zed Attack Proxy Root CA"], ["CN": "Zed Attack Proxy Root CA"]),
        InspectionProduct("HTTP Toolkit", .debugging, ["CN": "HTTP Toolkit CA"]),
    ]

    private static let gateways = [
        InspectionProduct(
            "Zscaler", .gateway, ["O": "Zscaler Inc."], ["CN": "Zscaler Root CA"],
            ["CN": "Zscaler Intermediate Root CA*"]),
        InspectionProduct(
            "FortiGate", .gateway, ["O": "Fortinet", "OU": "Certificate Authority"], ["CN": "FortiGate CA"]),
        // The name is the customer's own; the address is Netskope's.
        InspectionProduct("Netskope", .gateway, ["emailAddress": "certadmin@netskope.com"]),
        InspectionProduct(
            "Cisco Umbrella", .gateway, ["CN": "Cisco Umbrella Root CA"], ["CN": "Cisco Umbrella Primary SubCA"]),
        InspectionProduct("Cloudflare Gateway", .gateway, ["CN": "Gateway CA - Cloudflare Managed *"]),
        InspectionProduct("Forcepoint", .gateway, ["CN": "Forcepoint Cloud CA"]),
        InspectionProduct("Sophos", .gateway, ["O": "Sophos", "CN": "Sophos SSL CA_*"]),
    ]

    private static let machines = [
        InspectionProduct("Kaspersky", .machine, ["CN": "Kaspersky Anti-Virus Personal Root Certificate"]),
        InspectionProduct(
            "Avast", .machine, ["CN": "Avast Web/Mail Shield Root"], ["CN": "avast! Web/Mail Shield Root"]),
        InspectionProduct("AVG", .machine, ["CN": "AVG Web/Mail Shield Root"]),
        InspectionProduct("Norton", .machine, ["CN": "Norton Web/Mail Shield Root"]),
        InspectionProduct("ESET", .machine, ["CN": "ESET SSL Filter CA"]),
        InspectionProduct("Bitdefender", .machine, ["CN": "Bitdefender Personal CA.Net-Defender"]),
        InspectionProduct("AdGuard", .machine, ["CN": "Adguard Personal CA"], ["CN": "AdGuard Personal CA"]),
    ]

    private init(_ name: String, _ place: Place, _ marks: [String: String]...) {
        self.init(name: name, place: place, marks: marks)
    }
}
