"""The TLS servers that people run: OpenSSL's own and nginx, each a child of the test on a free loopback port."""

import contextlib
import pathlib
import socket
import subprocess
import time


class Server:
    def __init__(self, port):
        self.port = port


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def listening(process, port, seconds=10):
    """Whether the child came to accept connections; false once it has ended by itself."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            return False
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
        time.sleep(0.02)
    raise AssertionError(f"{process.args[0]} does not listen on port {port}")


@contextlib.contextmanager
def child(arguments, port):
    process = subprocess.Popen([str(one) for one in arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield Server(port) if listening(process, port) else None
    finally:
        process.terminate()
        process.wait(timeout=10)


def openssl(*arguments):
    """`openssl s_server`; gives `None` where it refuses to start with these arguments."""
    port = free_port()
    return child(["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-www", *arguments], port)


def nginx(folder, *lines):
    """nginx with these directives in its only server, which speaks TLS if there are any; its files stay below `folder`."""
    port = free_port()
    folder = pathlib.Path(folder)
    temporary = "".join(f"    {kind}_temp_path {folder};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    directives = "".join(f"        {line};\n" for line in lines)
    (folder / "nginx.conf").write_text(
        f"daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\n    access_log off;\n{temporary}    server {{\n        listen 127.0.0.1:{port}{' ssl' if lines else ''};\n{directives}"
        f"        return 200;\n    }}\n}}\n")
    return child(["/usr/sbin/nginx", "-p", folder, "-e", folder / "error.log", "-c", folder / "nginx.conf"], port)
