/// Parameters of well-known Diffie-Hellman groups as `openssl s_server -dhparam` reads them.
enum OakleyGroup {
    /// 1,024 bits: RFC 2409 section 6.2.
    static let second = """
        -----BEGIN DH PARAMETERS-----
        MIGHAoGBAP//////////yQ/aoiFowjTExmKLgNwc0SkCTgiKZ8x0Agu+pjsTmyJR
        Sgh5jjQE3e+VGbPNOkMbMCsKbfJfFDdP4TVtbVHCReSFtXZiXn7G9ExC6aY37WsL
        /1y29Aa37e44a/taiZ+lrp8kEXxLH+ZJKGZR7OZTgf//////////AgEC
        -----END DH PARAMETERS-----

        """
    /// 2,048 bits: RFC 3526 section 3.
    static let fourteenth = """
        -----BEGIN DH PARAMETERS-----
        MIIBCAKCAQEA///////////JD9qiIWjCNMTGYouA3BzRKQJOCIpnzHQCC76mOxOb
        IlFKCHmONATd75UZs806QxswKwpt8l8UN0/hNW1tUcJF5IW1dmJefsb0TELppjft
        awv/XLb0Brft7jhr+1qJn6WunyQRfEsf5kkoZlHs5Fs9wgB8uKFjvwWY2kg2HFXT
        mmkWP6j9JM9fg2VdI9yjrZYcYvNWIIVSu57VKQdwlpZtZww1Tkq8mATxdGwIyhgh
        fDKQXkYuNs474553LBgOhgObJ4Oi7Aeij7XFXfBvTFLJ3ivL9pVYFxg5lUl86pVq
        5RXSJhiY+gUQFXKOWoqsqmj//////////wIBAg==
        -----END DH PARAMETERS-----

        """
}
