"""Servers that speak a protocol in clear and then switch to TLS, and those that do it badly."""

import re
import socket
import ssl
import struct
import threading


def lines(greeting, *exchanges):
    """Says a greeting, then answers each line that matches in turn."""
    def talk(client):
        client.sendall(greeting)
        for asked, answer in exchanges:
            line = b""
            while not line.endswith(b"\n"):
                byte = client.recv(1)
                if not byte:
                    return False
                line += byte
            if not re.match(asked, line):
                client.sendall(b"500 what?\r\n")
                return False
            client.sendall(answer)
        return True
    return talk


def exactly(asked, answer):
    """Takes these bytes and answers them."""
    def talk(client):
        heard = b""
        while len(heard) < len(asked):
            heard += client.recv(len(asked) - len(heard)) or b"\0" * len(asked)
        client.sendall(answer)
        return heard == asked
    return talk


def xmpp(client):
    heard = b""
    while b"<stream:stream" not in heard or not heard.rstrip().endswith(b">"):
        heard += client.recv(4096)
    client.sendall(
        b"<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' id='1' "
        b"version='1.0'><stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:features>")
    if b"<starttls" not in client.recv(4096):
        return False
    client.sendall(b"<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
    return True


def mysql(client):
    body = b"\x0a8.0.36\0" + b"\0" * 4 + b"challeng\0" + struct.pack("<H", 0xFFFF) + b"\x2d\x02\x00"
    client.sendall(struct.pack("<I", len(body))[:3] + b"\0" + body)
    request = b""
    while len(request) < 36:
        request += client.recv(36 - len(request)) or b"\0" * 36
    return request[:4] == b"\x20\0\0\1" and struct.unpack("<I", request[4:8])[0] & 0x800


MAIL = (rb"(EHLO|LHLO) \S+\r\n", b"250-mail.test\r\n250-SIZE 1000\r\n250 STARTTLS\r\n")
AGREEING = {
    "smtp": lines(b"220-mail.test\r\n220 ready\r\n", MAIL, (rb"STARTTLS\r\n", b"220 go ahead\r\n")),
    "lmtp": lines(b"220 ready\r\n", MAIL, (rb"STARTTLS\r\n", b"220 go ahead\r\n")),
    "imap": lines(b"* OK [CAPABILITY IMAP4rev1 STARTTLS] ready\r\n", (rb"\w+ STARTTLS\r\n", b"p1 OK begin\r\n")),
    "pop3": lines(b"+OK ready\r\n", (rb"STLS\r\n", b"+OK begin\r\n")),
    "ftp": lines(b"220-hello\r\n220 ready\r\n", (rb"AUTH TLS\r\n", b"234 go\r\n")),
    "ldap": exactly(bytes.fromhex("301d02010177188016") + b"1.3.6.1.4.1.1466.20037", bytes.fromhex("300c02010178070a010004000400")),
    "xmpp-client": xmpp,
    "postgres": exactly(struct.pack(">II", 8, 80877103), b"S"),
    "mysql": mysql,
}


class SwitchingHost:
    """A server on loopback that talks and then shakes hands with a certificate."""

    def __init__(self, talk, certificate, key):
        self.talk = talk
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        client.settimeout(5)
        try:
            if self.talk(client):
                with self.context.wrap_socket(client, server_side=True) as session:
                    session.recv(1)
        except OSError:
            pass
        finally:
            client.close()
