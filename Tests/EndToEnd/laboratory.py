"""An authority of a laboratory, certificates of its own making, and what a scan says of a server that has them."""

import base64
import json

import odd
import pki
import servers
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from service import run

NAME = "api.shop.test"


class Lab:
    """An authority, what it issues, and servers of OpenSSL's that serve it."""

    def __init__(self, folder):
        self.folder = folder
        self.root = pki.Authority("Cases Root")
        self.below = self.root.subordinate("Cases Issuing")
        self.anchors = self.write("root.pem", self.root.pem)

    def write(self, name, content):
        (self.folder / name).write_bytes(content)
        return self.folder / name

    def serve(self, identity, *issuers, options=()):
        """A server of this certificate and key (PEM), with these issuers (PEM)."""
        self.write("server.pem", identity)
        issuers = ["-cert_chain", self.write("issuers.pem", b"".join(issuers))] if issuers else []
        return servers.openssl("-cert", self.folder / "server.pem", *issuers, *options)

    def sign(self, change, names, subject=None):
        """A leaf with its to-be-signed fields changed and signed again: PEM of certificate and key."""
        identity, key = self.root.issue("placeholder.test", others=names)
        plain = x509.load_pem_x509_certificate(identity).public_bytes(serialization.Encoding.DER)
        return pem(signed(odd.altered(plain, change), self.root.key), key)


def signed(der, key):
    """The certificate with a signature by this key over what it says."""
    fields = odd.parts(odd.read(der)[1])
    body = odd.write(*fields[0])
    return odd.write(0x30, odd.join([fields[0], fields[1], (0x03, b"\0" + key.sign(body, ec.ECDSA(hashes.SHA256())))]))


def pem(der, key=None):
    text = b"-----BEGIN CERTIFICATE-----\n" + base64.encodebytes(der) + b"-----END CERTIFICATE-----\n"
    return text + (key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()) if key else b"")


def der_of(certificate):
    return certificate.public_bytes(serialization.Encoding.DER)


def scan(server, *more, host=NAME, address="127.0.0.1", anchors=None):
    status, out, err = run("scan", f"{host}:{server.port}", *(["--address", address] if address else []),
                           *(["--ca-file", anchors] if anchors else []), *more, "--json")
    assert err == ""
    return status, json.loads(out)
