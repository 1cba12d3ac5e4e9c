"""Servers that accept a connection and then do what no TLS server should, each for every connection anew."""

import contextlib
import os
import socket
import struct
import threading
import time

# Longer than any test waits.
FOREVER = 30


def hear(client):
    """Takes the hello, as far as it has come."""
    return client.recv(16384)


def record(kind, content):
    return bytes([kind, 3, 3]) + len(content).to_bytes(2, "big") + content


def message(kind, content):
    return bytes([kind]) + len(content).to_bytes(3, "big") + content


def server_hello(cipher=0xC02F):
    """One of TLS 1.2 without extensions, so without the secure renegotiation of RFC 5746."""
    return message(2, b"\x03\x03" + b"\x07" * 32 + b"\0" + cipher.to_bytes(2, "big") + b"\0")


def certificates(*der):
    listed = b"".join(len(one).to_bytes(3, "big") + one for one in der)
    return message(11, len(listed).to_bytes(3, "big") + listed)


def says(*parts, first=hear, last=None):
    """Sends each part after the hello; then hangs up, or does what `last` does."""
    def act(client):
        first(client)
        for part in parts:
            client.sendall(part)
        if last:
            last(client)
    return act


def wait(_):
    time.sleep(FOREVER)


def at_once(_):
    pass


def reset(client):
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def drips(content, pause=0.1, first=hear):
    """Sends one byte at a time, each before anybody's patience with a silent peer ends."""
    def act(client):
        first(client)
        for byte in content:
            client.sendall(bytes([byte]))
            time.sleep(pause)
    return act


def floods(part, first=hear):
    """Sends the same again and again for as long as it is taken."""
    def act(client):
        first(client)
        end = time.monotonic() + FOREVER
        while time.monotonic() < end:
            client.sendall(part)
    return act


# A record of the greatest length that never comes to its end.
UNENDING = b"\x16\x03\x03\x40\x00" + b"\x02" * 16384


def noise(client):
    hear(client)
    # The first byte must not be that of a record.
    client.sendall(b"\xde" + os.urandom(2000))


class Misbehaving:
    """A server on loopback that does the same with every connection."""

    def __init__(self, act, addresses=("127.0.0.1",)):
        self.act = act
        self.connections = 0
        self._sockets = [socket.create_server((addresses[0], 0))]
        self.port = self._sockets[0].getsockname()[1]
        self._sockets += [socket.create_server((address, self.port)) for address in addresses[1:]]
        for one in self._sockets:
            threading.Thread(target=self._accept, args=(one,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        for one in self._sockets:
            one.close()

    def _accept(self, listening):
        while True:
            try:
                client, _ = listening.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with contextlib.suppress(OSError), client:
            self.act(client)
