"""The servers, certificates and programs that the benchmarks need, on loopback and in a temporary folder."""
import base64
import contextlib
import hashlib
import json
import pathlib
import socket
import subprocess
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = HERE.parent / ".build/release/PinwatchBenchmarks"
IN_FLIGHT = 512  # the service's default


def call(*command, timeout=60, **options):
    done = subprocess.run(
        [str(part) for part in command], timeout=timeout, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def build(folder, products):
    for product in products:
        call("swift", "build", "-c", "release", "--static-swift-stdlib", "--product", product, timeout=1_800,
             cwd=HERE.parent)
    yardstick = folder / "handshake"
    call("cc", "-O2", HERE / "handshake.c", "-o", yardstick, "-lssl", "-lcrypto")
    return yardstick


def certificates(folder):
    """A root, an intermediate and a leaf for *.bench.test, all ECDSA P-256; returns the leaf's SPKI pin."""
    def issue(name, subject, extensions, issuer=None):
        config = folder / f"{name}.cnf"
        config.write_text("[v3]\n" + extensions)
        call("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out",
             folder / f"{name}.key")
        call("openssl", "req", "-new", "-key", folder / f"{name}.key", "-subj", subject, "-out", folder / f"{name}.csr")
        signer = ["-CA", folder / f"{issuer}.pem", "-CAkey", folder / f"{issuer}.key", "-CAcreateserial"] if issuer \
            else ["-signkey", folder / f"{name}.key"]
        call("openssl", "x509", "-req", "-in", folder / f"{name}.csr", "-days", "90", "-extfile", config,
             "-extensions", "v3", "-out", folder / f"{name}.pem", *signer)
    authority = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\n"
    issue("root", "/CN=Bench root", authority)
    issue("middle", "/CN=Bench intermediate", authority + "authorityKeyIdentifier=keyid\n", "root")
    issue("leaf", "/CN=*.bench.test",
          "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\n"
          "subjectAltName=DNS:*.bench.test,DNS:*.bench.example.com\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n", "middle")
    (folder / "chain.pem").write_text((folder / "leaf.pem").read_text() + (folder / "middle.pem").read_text())
    der = subprocess.run(
        ["openssl", "pkey", "-in", str(folder / "leaf.key"), "-pubout", "-outform", "DER"], timeout=60, check=True,
        stdout=subprocess.PIPE).stdout
    return base64.b64encode(hashlib.sha256(der).digest()).decode()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def nginx(folder):
    """One worker that completes handshakes; the port is its own."""
    port = free_port()
    (folder / "nginx.conf").write_text(f"""
daemon off; worker_processes 1; worker_rlimit_nofile 8192; pid {folder}/nginx.pid; error_log stderr crit;
events {{ worker_connections 4096; }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} ssl backlog=4096; ssl_protocols TLSv1.2 TLSv1.3;
    ssl_certificate {folder}/chain.pem; ssl_certificate_key {folder}/leaf.key;
  }}
}}
""")
    server = subprocess.Popen(["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")], stdin=subprocess.DEVNULL)
    try:
        limit = time.monotonic() + 10
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            if server.poll() is not None or time.monotonic() > limit:
                raise RuntimeError("nginx did not start")
            time.sleep(0.05)
        yield port
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


@contextlib.contextmanager
def silence():
    """Accepts and never speaks."""
    with socket.create_server(("127.0.0.1", 0), backlog=4096) as listener:
        held = []

        def accept():
            with contextlib.suppress(OSError):
                while True:
                    held.append(listener.accept()[0])
        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1]
        for connection in held:
            connection.close()


@contextlib.contextmanager
def listening(each):
    """Calls `each` in a thread of its own with every connection, which is closed when that returns."""
    with socket.create_server(("127.0.0.1", 0), backlog=512) as listener:
        def serve(connection):
            with contextlib.suppress(OSError), connection:
                each(connection)

        def accept():
            with contextlib.suppress(OSError):
                while True:
                    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1]


def dripping():
    """Answers a hello with one byte every 50 ms of a record that never ends."""
    def drip(connection):
        connection.recv(4096)
        connection.settimeout(0.05)
        for byte in b"\x16\x03\x03\x40\x00\x02\x00\x3f\xf0" + b"\x03" * 16_000:
            connection.sendall(bytes([byte]))
            with contextlib.suppress(TimeoutError):
                if not connection.recv(4096):
                    return
    return listening(drip)


def long_message(folder, size=(4 << 20) - 64):
    """Answers a hello with a Certificate message of TLS 1.2, of as many certificates as `size` bytes take, and hangs up.

    Certificates as short as can be cost the reader the most: each is parsed by itself.
    """
    key = folder / "short.key"
    call("openssl", "genpkey", "-algorithm", "ED25519", "-out", key)
    config = folder / "short.cnf"
    config.write_text("[req]\ndistinguished_name=name\n[name]\n")
    call("openssl", "req", "-x509", "-new", "-key", key, "-subj", "/CN=a", "-config", config, "-outform", "DER",
         "-out", folder / "short.cer")
    der = (folder / "short.cer").read_bytes()
    entry = len(der).to_bytes(3, "big") + der
    entries = entry * ((size - 7) // len(entry))
    message = b"\x0b" + (len(entries) + 3).to_bytes(3, "big") + len(entries).to_bytes(3, "big") + entries
    hello = b"\x02\x00\x00\x26\x03\x03" + b"\x07" * 32 + b"\x00\xc0\x2f\x00"
    parts = [hello, *(message[at:at + 16_384] for at in range(0, len(message), 16_384))]
    answer = b"".join(b"\x16\x03\x03" + len(part).to_bytes(2, "big") + part for part in parts)

    def send(connection):
        connection.recv(4096)
        connection.sendall(answer)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(4096):
            pass
    return listening(send)


class Bench:
    def __init__(self, folder, yardstick, pin, port):
        self.folder, self.yardstick, self.pin, self.port, self.runs = folder, yardstick, pin, port, 0

    def service(self, mode, targets, **more):
        """The command of one run, with a database of its own."""
        self.runs += 1
        self.database = self.folder / f"{self.runs}.db"
        values = {"port": self.port, "root": self.folder / "root.pem", "database": self.database, "pin": self.pin,
                  "targets": targets, "in-flight": IN_FLIGHT, **{k.replace("_", "-"): v for k, v in more.items()}}
        return [PROGRAM, mode, *(str(part) for name, value in values.items() for part in (f"--{name}", value))]

    def handshakes(self, targets, passes, verify=False):
        root = [self.folder / "root.pem"] if verify else []
        return [self.yardstick, self.port, targets, 1, passes, IN_FLIGHT, *root]


def result(done):
    measured = json.loads(done.stdout.splitlines()[-1])
    if measured["failed"]:
        raise RuntimeError(f"{measured['failed']} of {measured['scans']} scans failed")
    return measured
