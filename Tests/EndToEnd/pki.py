"""Keys and certificates for a test's own hosts, made in memory."""

import base64
import datetime
import hashlib
import ipaddress

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import AuthorityInformationAccessOID, ExtendedKeyUsageOID, NameOID


def new_key():
    return ec.generate_private_key(ec.SECP256R1())


def rsa_key():
    return rsa.generate_private_key(65537, 2048)


def fingerprint(certificate):
    return certificate.fingerprint(hashes.SHA256()).hex()


def self_signed(host):
    """A server certificate that is its own issuer, with its key."""
    made = Authority(host)
    made.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    return made.issue(host, key=made.key)[0]


def pin(key):
    """The key's SPKI pin, as pin files and the API write it."""
    return pin_of_public(key.public_key())


def pin_of(certificate):
    """The SPKI pin of a certificate's key."""
    return pin_of_public(certificate.public_key())


def pin_of_public(key):
    spki = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return "sha256/" + base64.b64encode(hashlib.sha256(spki).digest()).decode()


def sha1_of_public(key):
    """The base64 of the SHA-1 of a public key's SPKI, as OkHttp's older pins have it."""
    spki = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(hashlib.sha1(spki).digest()).decode()


def general_name(host):
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


class Authority:
    def __init__(self, name="Test Root", issuer=None, key=None, days=3650):
        self.key = key or new_key()
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        now = datetime.datetime.now(datetime.timezone.utc)
        self.certificate = (
            x509.CertificateBuilder()
            .subject_name(self.name)
            .issuer_name(issuer.name if issuer else self.name)
            .public_key(self.key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=30))
            .not_valid_after(now + datetime.timedelta(days=days))
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(issuer.key if issuer else self.key, hashes.SHA256())
        )

    def subordinate(self, name):
        """An authority whose certificate this one issued."""
        return Authority(name, issuer=self)

    @property
    def pem(self):
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    def issue(self, host, key=None, days=90, started=1, subject=None, organization=None, issuer_at=None, others=(), extensions=(),
              purpose=ExtendedKeyUsageOID.SERVER_AUTH):
        """A server certificate over `key`, with the URL of its issuer's and more extensions: (certificate and key as one PEM, the key)."""
        key = key or new_key()
        now = datetime.datetime.now(datetime.timezone.utc)
        subject = [x509.NameAttribute(NameOID.COMMON_NAME, subject or host)]
        subject += [x509.NameAttribute(NameOID.ORGANIZATION_NAME, organization, _validate=False)] if organization else []
        builder = (
            x509.CertificateBuilder()
            .subject_name(x509.Name(subject))
            .issuer_name(self.name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=started))
            .not_valid_after(now + datetime.timedelta(days=days))
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([general_name(each) for each in (host, *others)]), critical=False)
            .add_extension(x509.ExtendedKeyUsage([purpose]), critical=False)
        )
        if issuer_at:
            access = x509.AccessDescription(AuthorityInformationAccessOID.CA_ISSUERS, x509.UniformResourceIdentifier(issuer_at))
            builder = builder.add_extension(x509.AuthorityInformationAccess([access]), critical=False)
        for extension in extensions:
            builder = builder.add_extension(extension, critical=False)
        certificate = builder.sign(self.key, hashes.SHA256())
        return certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ), key
