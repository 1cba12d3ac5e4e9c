"""What `pinwatch scan --starttls` makes of the daemons that people run, with and without TLS."""

import json
import pathlib
import shutil
import tempfile

import daemons
import pki
import pytest
import service
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa

NAME = "mail.shop.test"
OF_ALL = pytest.mark.parametrize("name", daemons.ALL)


@pytest.fixture
def folder():
    """One that other users can reach, which pytest's own are not."""
    made = pathlib.Path(tempfile.mkdtemp(prefix="pinwatch-peer-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


def scan(name, folder, key=None, offers=True):
    """The exit status and observations of one daemon, and the chain that it was given."""
    protocol, start = daemons.ALL[name]
    root = pki.Authority()
    below = root.subordinate("Test Issuing")
    certificate, mark, secret = below.issue(NAME, key=key)[0].partition(b"-----BEGIN PRIVATE KEY-----")
    (folder / "chain.pem").write_bytes(certificate + below.pem)
    (folder / "key.pem").write_bytes(mark + secret)
    (folder / "key.pem").chmod(0o600)
    given = [pki.fingerprint(each) for each in x509.load_pem_x509_certificates(certificate + below.pem)]
    with tempfile.NamedTemporaryFile() as anchors:
        anchors.write(root.pem)
        anchors.flush()
        try:
            daemon = start(folder, folder / "chain.pem", folder / "key.pem", offers)
        except daemons.Missing as missing:
            pytest.skip(str(missing))
        with daemon as port:
            status, out, err = service.run("scan", f"{NAME}:{port}", "--address", "127.0.0.1", "--starttls", protocol,
                                           "--ca-file", anchors.name, "--json")
    assert err == ""
    return status, json.loads(out), given


@pytest.mark.parametrize("key", [pki.new_key, pki.rsa_key], ids=["ec", "rsa"])
@OF_ALL
def test_the_chain_that_it_was_given_is_seen_and_verified(name, folder, key):
    key = key()
    status, observations, given = scan(name, folder, key)
    seen = {one["profile"]: one for one in observations}
    assert status == 0, observations
    own, other = ("rsa", "ecdsa") if isinstance(key, rsa.RSAPrivateKey) else ("ecdsa", "rsa")
    for profile in ("phone", own):
        assert (seen[profile]["outcome"], seen[profile]["chain"]) == ("ok", given)
        assert seen[profile]["verification"]["valid"] and seen[profile]["tls_version"] in ("TLSv1.2", "TLSv1.3")
    assert (seen[other]["outcome"], seen[other]["chain"]) == ("no_such_key_family", [])


@OF_ALL
def test_one_that_does_not_offer_tls_is_told_to_refuse(name, folder):
    status, observations, _ = scan(name, folder, offers=False)
    assert status == 3 and [one["outcome"] for one in observations] == ["starttls_refused"], observations
    # It answered that it does not, rather than that something of it is broken.
    assert observations[0]["chain"] == [] and "BYE" not in observations[0]["detail"]["message"]
