"""The real OkHttp beside `pinwatch check`: random policies over true chains, the same answer.

A disagreement is a fault of ours or news about the client; the seed is fixed, so that it can be had again.
"""

import base64
import collections
import json
import pathlib
import random
import shutil
import subprocess

import peers
import pki
import pytest
from service import run

# Chains that are met under a name, and policies that are tried on each.
MEETINGS, POLICIES = 90, 4
SOURCE = pathlib.Path(__file__).parent / "okhttp" / "Differential.java"
# One short life: what pays off later is left out.
QUICK = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"]
JARS = [pathlib.Path("/usr/share/java") / name for name in ("okhttp.jar", "okio.jar")]
API = "api.example.test"
HOSTS = [API, "example.test", "a.b.example.test", "xn--bcher-kva.example.test", "localhost", "127.0.0.1", "::1"]


class Service:
    """A chain that a host serves, the anchors that its client trusts, and the authorities whose keys may be pinned."""

    def __init__(self, folder, name, identity, above, anchors, keys):
        certificate, key = identity
        self.host = peers.Host(b"".join([certificate, *above]))
        self.keys = [key, *keys]
        self.chain = folder / f"{name}.pem"
        self.chain.write_bytes(b"".join([public(identity), *above]))
        self.anchors = folder / f"{name}.anchors.pem"
        self.anchors.write_bytes(b"".join(anchors))


def public(identity):
    """The certificate of an identity, without its key."""
    return identity[0].split(b"-----BEGIN PRIVATE")[0]


def services(folder):
    root, other = pki.Authority("OkHttp Root"), pki.Authority("OkHttp Other Root")
    issuer, stranger = root.subordinate("OkHttp Issuing"), pki.Authority("OkHttp Stranger")
    # The other root's key and name once more, under the first root.
    crossed = pki.Authority("OkHttp Other Root", issuer=root, key=other.key)
    under = other.subordinate("OkHttp Crossed Issuing")
    stale = pki.Authority("OkHttp Stale Issuing", issuer=root, days=-1)
    own = pki.Authority(API)

    def leaf(authority, **options):
        return authority.issue(HOSTS[0], others=HOSTS[1:], **options)

    alone, ended = leaf(own, key=own.key), leaf(own, key=own.key, days=-1, started=60)
    trusted = leaf(issuer)

    keys = [issuer.key, root.key]
    crossing = [under.key, other.key, root.key]
    for name, identity, above, anchors, pinned in [
        ("plain", leaf(issuer), [issuer.pem], [root.pem], keys),
        ("with-root", leaf(issuer), [issuer.pem, root.pem], [root.pem, other.pem], keys),
        ("alone", leaf(issuer), [], [root.pem], keys),
        ("stray", leaf(issuer), [stranger.pem, issuer.pem, other.pem], [root.pem], [*keys, stranger.key, other.key]),
        ("crossed-old", leaf(under), [under.pem, crossed.pem], [root.pem], crossing),
        ("crossed-new", leaf(under), [under.pem, crossed.pem], [other.pem], crossing),
        ("crossed-both", leaf(under), [under.pem, crossed.pem], [root.pem, other.pem], crossing),
        ("anchored-issuer", leaf(issuer), [issuer.pem], [issuer.pem], keys),
        ("anchored-issuer-above", leaf(issuer), [issuer.pem, root.pem], [issuer.pem], keys),
        ("anchored-both", leaf(issuer), [issuer.pem], [issuer.pem, root.pem], keys),
        ("expired", leaf(issuer, days=-1, started=60), [issuer.pem], [root.pem], keys),
        ("stale", leaf(stale), [stale.pem], [root.pem], [stale.key, root.key]),
        ("untrusted", leaf(issuer), [issuer.pem], [other.pem], keys),
        ("own", alone, [], [public(alone)], []),
        ("own-ended", ended, [], [public(ended)], []),
        ("trusted-leaf-alone", trusted, [], [public(trusted)], keys),
        ("trusted-leaf", trusted, [issuer.pem], [public(trusted)], keys),
        ("rsa", leaf(issuer, key=pki.rsa_key()), [issuer.pem], [root.pem], keys),
    ]:
        yield Service(folder, name, identity, above, anchors, pinned)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    made = list(services(tmp_path_factory.mktemp("okhttp")))
    yield made
    for one in made:
        one.host.stop()


def pattern(chance, host):
    """A pattern as people write and miswrite it for this host."""
    parent = host.partition(".")[2] or host
    usual = [host] * 4 + ["*." + parent] * 3 + ["**." + parent] * 2
    odd = [
        "*." + host, "**." + host, host.upper(), host + ".", "*." + parent + ".", "a.*." + parent, "example.*", "*", "**", "*.", "",
        ".", "..", f"https://{host}", f"{host}:443", f"{host}:0", f"{host}/v1", f"user@{host}", f" {host} ", f"[{host}]", "*.*." + parent,
        "x" * 64 + ".test", "other.test", "bücher.example.test", "*.EXAMPLE.test", "%61pi.example.test", "api_v1.example.test",
        "０.example.test", "api。example.test", "0:0:0:0:0:0:0:1", "[::1]", "127.1", "ä" * 60 + ".test", f"{host}?q", f"{host}#f",
        f"\\{host}", f"*.{host}/",
    ]
    return chance.choice(usual if chance.random() < 0.75 else odd)


def pin(chance, keys):
    """A pin as people write and miswrite it."""
    right = pki.pin(chance.choice(keys)).removeprefix("sha256/")
    wrong = pki.pin(pki.new_key()).removeprefix("sha256/")
    draw = chance.random()
    if draw < 0.4:
        return "sha256/" + right
    if draw < 0.75:
        return "sha256/" + wrong
    spki = chance.choice(keys).public_key()
    return chance.choice([
        "sha1/" + pki.sha1_of_public(spki), "sha1/" + wrong, "sha256/" + pki.sha1_of_public(spki), "sha256/" + right.rstrip("="),
        "sha256/" + right.replace("+", "-").replace("/", "_"), f"sha256/ {right}", f"sha256/{right[:20]}\n{right[20:]}\t", "sha256/" + right + "==",
        "sha256/" + right.lower(), "sha256//" + right, "sha256/", "sha256/a", "sha256/ab", "sha256/abc", "sha256/=", "sha256/" + right[:-2] + "*=",
        "SHA256/" + right,
        "sha512/" + right, "sha1/", "sha256/" + right[:20] + "=" + right[20:], "sha256/" + right + "\u00a0",
    ])


def cases(chance, served):
    asked = HOSTS[:3] * 3 + HOSTS[3:] + ["other.test", API.upper(), API + ".", "example.test."]
    for _ in range(MEETINGS):
        service, host = chance.choice(served), chance.choice(asked)
        for _ in range(POLICIES):
            policy = [
                (pattern(chance, host if chance.random() < 0.7 else chance.choice(HOSTS)),
                 [pin(chance, service.keys) for _ in range(chance.choice([1, 1, 1, 2, 2, 3]))])
                for _ in range(chance.choice([1, 1, 1, 2, 2, 3]))]
            yield service, host, "none" if chance.random() < 0.05 else "platform", policy


def of_the_real_client(made):
    """What one process of Java says of each case: (verdict, words)."""
    lines = []
    for service, host, issuers, policy in made:
        fields = [str(service.host.port), host, str(service.anchors) if issuers == "platform" else ""]
        fields += [text for entry, pins in policy for one in pins for text in (entry, one)]
        lines.append("\t".join(base64.b64encode(field.encode()).decode() for field in fields))
    done = subprocess.run(
        ["java", *QUICK, "-cp", ":".join(map(str, JARS)), str(SOURCE)], input="\n".join(lines) + "\n", capture_output=True, text=True,
        timeout=240)
    assert done.returncode == 0, done.stderr
    return [tuple(line.split("\t", 1)) for line in done.stdout.splitlines()]


def of_the_rules(folder, made):
    """What `pinwatch check` says of each, one run for those that share a chain and a host."""
    groups = collections.defaultdict(list)
    for number, (service, host, issuers, policy) in enumerate(made):
        file = folder / f"{number}.json"
        file.write_text(json.dumps({
            "pinwatch": 1, "app": "shop", "release": str(number), "client": "okhttp3", "client_version": "3.13.1",
            "platform": {"os": "jvm"}, "policy": {
                "accepted_issuers": issuers, "pins": [{"pattern": entry, "pins": pins} for entry, pins in policy]}}))
        groups[service, host].append(file)
    answers = {}
    for (service, host), files in groups.items():
        code, out, error = run(
            "check", "--chain", service.chain, "--host", host, "--ca-file", service.anchors, "--pins", *files, "--json")
        assert code in (0, 1, 3), error
        answers |= {int(answer["release"]): answer for answer in json.loads(out)}
    return [answers[number] for number in range(len(made))]


def test_okhttp_and_its_rules_agree(served, tmp_path):
    if not shutil.which("java") or not all(jar.exists() for jar in JARS):
        pytest.fail("a Java that compiles and OkHttp are needed: .ci/install test")
    made = list(cases(random.Random("okhttp 20261130"), served))
    real, ours = of_the_real_client(made), of_the_rules(tmp_path, made)
    assert len(real) == len(made)
    apart = [
        (service.chain.stem, host, issuers, policy, verdict, said, answer["verdict"], answer["reason"])
        for (service, host, issuers, policy), (verdict, said), answer in zip(made, real, ours)
        if answer["verdict"] != verdict]
    assert not apart, "\n".join(map(str, apart))
    kinds = collections.Counter(verdict for verdict, _ in real)
    assert min(kinds[one] for one in ("accept", "reject_pin", "reject_chain", "unpinned", "config_error")) >= 20, kinds
