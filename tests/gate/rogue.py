"""A server of the tests' own on loopback that speaks just enough of the protocol to ask for what it should
not get.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable
from typing import Self

CAPABILITIES = 0x1 | 0x8 | 0x200 | 0x2000 | 0x8000 | 0x80000
TLS = 0x800
OK = b"\x00\x00\x00\x02\x00\x00\x00"
SALT = b"12345678abcdefghijkl"


class Rogue:
    """`behave` gets the accepted connection; `heard` is everything that the client has sent."""

    def __init__(self, behave: Callable[[Rogue], None], context: ssl.SSLContext | None = None) -> None:
        self.heard = b""
        self.error: BaseException | None = None
        self._behave, self._context = behave, context
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._number = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(5)

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            self.peer, _ = self._listener.accept()
            try:
                with contextlib.suppress(EOFError):
                    self._behave(self)
            finally:
                self.peer.close()

    def send(self, payload: bytes) -> None:
        self.peer.sendall(struct.pack("<I", len(payload))[:3] + bytes([self._number & 255]) + payload)
        self._number += 1

    def read(self) -> bytes:
        """The next packet's payload."""
        head = self._exactly(4)
        self._number = head[3] + 1
        return self._exactly(int.from_bytes(head[:3], "little"))

    def _exactly(self, count: int) -> bytes:
        out = b""
        while len(out) < count:
            part = self.peer.recv(count - len(out))
            if not part:
                raise EOFError
            out += part
            self.heard += part
        return out

    def greet(self, method: str = "mysql_native_password") -> bytes:
        """The greeting, TLS where there is a certificate, and the client's answer."""
        self.send(greeting(method, CAPABILITIES | (TLS if self._context else 0)))
        first = self.read()
        if self._context and len(first) == 32:
            self.peer = self._context.wrap_socket(self.peer, server_side=True)
            return self.read()
        return first

    def log_in(self) -> None:
        """Let anybody in, and say yes to statements that set something."""
        self.greet()
        self.send(OK)
        while True:
            asked = self.read()
            if not asked[1:].upper().startswith((b"SET", b"COMMIT")):
                return
            self.send(OK)


def greeting(method: str, capabilities: int) -> bytes:
    low, high = capabilities & 0xFFFF, capabilities >> 16
    return (
        b"\x0a8.0.36\0" + struct.pack("<I", 7) + SALT[:8] + b"\0" + struct.pack("<H", low) + b"\x2d\x02\x00"
        + struct.pack("<H", high) + bytes([21]) + bytes(10) + SALT[8:] + b"\0" + method.encode() + b"\0"
    )  # fmt: skip


def asks(method: str, data: bytes = b"") -> Callable[[Rogue], None]:
    """Switches to a method, and reads whatever comes."""

    def behave(rogue: Rogue) -> None:
        rogue.greet()
        rogue.send(b"\xfe" + method.encode() + b"\0" + data)
        while True:
            rogue.read()

    return behave


def begins_with(method: str) -> Callable[[Rogue], None]:
    """Names a method in its greeting already."""

    def behave(rogue: Rogue) -> None:
        rogue.greet(method)
        if method == "caching_sha2_password":
            rogue.send(b"\x01\x04")
        else:
            rogue.send(b"\xfe" + method.encode() + b"\0" + SALT + b"\0")
        while True:
            rogue.read()

    return behave


def full_authentication(rogue: Rogue) -> None:
    """caching_sha2_password that has never seen the account."""
    rogue.greet()
    rogue.send(b"\xfecaching_sha2_password\0" + SALT + b"\0")
    rogue.read()
    rogue.send(b"\x01\x04")
    while True:
        rogue.read()


def wants_a_file(rogue: Rogue) -> None:
    rogue.log_in()
    rogue.send(b"\xfb/etc/passwd")
    while True:
        rogue.read()


def silent(rogue: Rogue) -> None:
    rogue.read()


def trickles(rogue: Rogue) -> None:
    text = greeting("mysql_native_password", CAPABILITIES)
    for byte in struct.pack("<I", len(text))[:3] + b"\0" + text:
        rogue.peer.sendall(bytes([byte]))
        time.sleep(0.1)
    rogue.read()


def mute_in_login(rogue: Rogue) -> None:
    rogue.greet()
    rogue.read()


def mute_after_login(rogue: Rogue) -> None:
    rogue.log_in()
    rogue.read()


def endless(rogue: Rogue) -> None:
    """Rows without end."""
    rogue.log_in()
    rogue.send(b"\x02")
    for name in (b"Variable_name", b"Value"):
        lengths = b"".join(bytes([len(part)]) + part for part in (b"def", b"", b"", b"", name, name))
        rogue.send(lengths + b"\x0c" + struct.pack("<HIBHB", 45, 64, 253, 0, 0) + b"\0\0")
    rogue.send(b"\xfe\0\0\x02\0")
    row = b"\x01a\xfc" + struct.pack("<H", 1000) + b"x" * 1000
    while True:
        rogue.send(row)
