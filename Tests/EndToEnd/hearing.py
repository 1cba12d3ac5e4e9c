"""A TLS host that keeps what it was told in each hello."""

import socket
import ssl
import struct

import peers

SERVER_NAME, SESSION_TICKET, PRE_SHARED_KEY = 0, 35, 41


class Hello:
    """The parts of a ClientHello (RFC 8446 section 4.1.2) that tell of names and of earlier sessions."""

    def __init__(self, content):
        at = 4 + 2 + 32
        self.session, at = self._vector(content, at, 1)
        _, at = self._vector(content, at, 2)
        _, at = self._vector(content, at, 1)
        listed, _ = self._vector(content, at, 2) if at < len(content) else (b"", at)
        self.extensions, at = {}, 0
        while at < len(listed):
            number, = struct.unpack_from(">H", listed, at)
            self.extensions[number], at = self._vector(listed, at + 2, 2)

    @staticmethod
    def _vector(content, at, size):
        start = at + size
        end = start + int.from_bytes(content[at:start], "big")
        return content[start:end], end

    @property
    def name(self):
        """The server name as sent, or nothing."""
        value = self.extensions.get(SERVER_NAME)
        return value and value[5:].decode()

    @property
    def resumes(self):
        """Whether it offers a session of before."""
        return PRE_SHARED_KEY in self.extensions or bool(self.extensions.get(SESSION_TICKET))


class HearingHost(peers.Host):
    """Knows one name if there is one, and then ends every other hello as a strict server does."""

    def __init__(self, identity, address=("127.0.0.1", 0), knows=None, version=None):
        self.hellos = []
        self.reused = []
        self._knows, self._version = knows, version
        super().__init__(identity, address)

    def serve(self, *identities):
        super().serve(*identities)
        if self._version:
            self._context.minimum_version = self._context.maximum_version = self._version
        if self._knows:
            self._context.sni_callback = lambda _, name, __: None if name == self._knows else ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME

    def _shake(self, client, context, pause):
        client.settimeout(5)
        try:
            self.hellos.append(Hello(self._peek(client)))
            with context.wrap_socket(client, server_side=True) as session:
                self.reused.append(session.session_reused)
                session.recv(1)
        except OSError:
            pass
        finally:
            client.close()

    @staticmethod
    def _peek(client):
        head = client.recv(5, socket.MSG_PEEK | socket.MSG_WAITALL)
        size = int.from_bytes(head[3:5], "big")
        return client.recv(5 + size, socket.MSG_PEEK | socket.MSG_WAITALL)[5:]
