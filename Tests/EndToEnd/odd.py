"""Certificates that no careful authority would issue, as they are met in the wild: DER with the key that signed it."""

import datetime
import ipaddress

import pki
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed448, ed25519, rsa
from cryptography.x509.oid import NameOID

NAME = "odd.shop.test"
SUBJECT = x509.Name([x509.NameAttribute(NameOID.COUNTRY_NAME, "NL"), x509.NameAttribute(NameOID.ORGANIZATION_NAME, "OOOOOO"),
                     x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
UTC = datetime.timezone.utc


def issue(key, names=(NAME,), subject=SUBJECT, end=None, serial=4711):
    """A certificate that signs itself, in DER."""
    now = datetime.datetime.now(UTC).replace(microsecond=0)
    names = [x509.IPAddress(name) if not isinstance(name, str) else x509.DNSName(name) for name in names]
    builder = (x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key()).serial_number(serial)
               .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(end or now + datetime.timedelta(days=60)))
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=not list(subject))
    algorithm = None if isinstance(key, (ed25519.Ed25519PrivateKey, ed448.Ed448PrivateKey)) else hashes.SHA256()
    return builder.sign(key, algorithm).public_bytes(serialization.Encoding.DER)


def read(data):
    """The first element of DER data: (tag, content, what follows)."""
    size, start = data[1], 2
    if size & 0x80:
        start += size & 0x7F
        size = int.from_bytes(data[2:start], "big")
    return data[0], data[start:start + size], data[start + size:]


def parts(content):
    found = []
    while content:
        tag, inner, content = read(content)
        found.append((tag, inner))
    return found


def write(tag, content):
    size = len(content)
    if size < 128:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def join(found):
    return b"".join(write(tag, inner) for tag, inner in found)


def altered(der, change):
    """The certificate with its to-be-signed fields changed, its signature left as it was."""
    top = parts(read(der)[1])
    fields = parts(top[0][1])
    return write(0x30, join([(0x30, join(change(fields)))] + top[1:]))


def spki(der):
    """The SubjectPublicKeyInfo, which is the sixth field after the version."""
    fields = [field for field in parts(parts(read(der)[1])[0][1]) if field[0] != 0xA0]
    return write(*fields[5])


def with_serial(serial):
    return lambda fields: [fields[0], (0x02, serial)] + fields[2:]


def with_validity(start, end):
    return lambda fields: fields[:4] + [(0x30, write(*start) + write(*end))] + fields[5:]


def with_extensions(change):
    return lambda fields: [(tag, write(0x30, change(read(inner)[1])) if tag == 0xA3 else inner) for tag, inner in fields]


def version_1(fields):
    return [field for field in fields if field[0] not in (0xA0, 0xA3)]


def all_of_them():
    """Name, DER and key of each."""
    key = pki.new_key()
    plain = issue(key)
    san = NAME.encode()
    keys = {
        "ed25519": ed25519.Ed25519PrivateKey.generate(), "ed448": ed448.Ed448PrivateKey.generate(), "rsa 1024": rsa.generate_private_key(65537, 1024),
        "p521": ec.generate_private_key(ec.SECP521R1()), "secp256k1": ec.generate_private_key(ec.SECP256K1()),
        "brainpool": ec.generate_private_key(ec.BrainpoolP256R1()), "dsa": dsa.generate_private_key(2048),
    }
    found = [(name, issue(own), own) for name, own in keys.items()]
    found += [(name, der, key) for name, der in {
        "plain": plain,
        "no names": issue(key, names=()),
        "addresses": issue(key, names=(ipaddress.ip_address("127.0.0.1"), ipaddress.ip_address("::1"))),
        "empty subject": issue(key, subject=x509.Name([])),
        "thousand names": issue(key, names=[f"h{number}.shop.test" for number in range(1000)]),
        "ends in 9999": issue(key, end=datetime.datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
        "longest serial": issue(key, serial=(1 << 159) - 1),
        "negative serial": altered(plain, with_serial(b"\xfb")), "zero serial": altered(plain, with_serial(b"\x00")),
        "empty serial": altered(plain, with_serial(b"")), "padded serial": altered(plain, with_serial(b"\x00\x01\x02")),
        "overlong serial": altered(plain, with_serial(b"\x01" * 40)),
        "bytes that are not UTF-8": plain.replace(b"OOOOOO", b"OO\xff\xfeOO"), "NUL in the common name": plain.replace(b"OOOOOO", b"OO\0\0OO"),
        "terminal commands": plain.replace(b"OOOOOO", b"\x1b[31mO"), "turned text": plain.replace(b"OOOOOO", "\u202e".encode() * 2),
        "wildcard in PrintableString": plain.replace(b"\x13\x02NL", b"\x13\x02N*"),
        "NUL in a name": plain.replace(b"\x82" + bytes([len(san)]) + san, b"\x82" + bytes([len(san)]) + san.replace(b".shop", b"\0shop")),
        "UTF-8 in a name": plain.replace(b"\x82" + bytes([len(san)]) + san, b"\x82" + bytes([len(san)]) + san.replace(b"od", "\u00fc".encode())),
        "fractions of seconds": altered(plain, with_validity((0x17, b"250101000000Z"), (0x18, b"99991231225959.357Z"))),
        "long time before 2050": altered(plain, with_validity((0x18, b"20250101000000Z"), (0x18, b"20400101000000Z"))),
        "no seconds": altered(plain, with_validity((0x17, b"2501010000Z"), (0x17, b"4001010000Z"))),
        "a zone": altered(plain, with_validity((0x17, b"250101000000+0100"), (0x17, b"400101000000-0130"))),
        "two digits of a year": altered(plain, with_validity((0x17, b"491231235959Z"), (0x17, b"500101000000Z"))),
        "nonsense for a time": altered(plain, with_validity((0x17, b"99999999999Z\x00"), (0x18, b"never"))),
        "version 1": altered(plain, version_1), "extensions twice": altered(plain, with_extensions(lambda inner: inner + inner)),
        "broken extensions": altered(plain, with_extensions(lambda inner: inner[:-4])),
        "bytes after the end": plain + b"\x00\x01",
    }.items()]
    return found
