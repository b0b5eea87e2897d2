"""Fresh servers: alone behind a socket, or two that can replicate from each other."""

from __future__ import annotations

import contextlib
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from schemacheck import knowledge
from schemacheck.errors import InputError
from schemacheck.inputs.endpoint import Endpoint
from schemacheck.model import Server
from schemacheck.scratch import process
from schemacheck.scratch.process import Limits, Work

#: Who may do everything on a server that was started here.
KEEPER = "schemacheck"
_VALUES = ("0", "1", "2", "ON", "OFF")
#: How often a server is started: a port that was free may be another's a moment later.
_TRIES = 5
#: What every server is started with: it is alone, it reads no file and loads no program, and nothing of it
#: is worth a write that waits for the disk.
ALONE = (
    "--skip-name-resolve", "--local-infile=0", "--event-scheduler=OFF", "--loose-symbolic-links=0",
    "--sync-binlog=0", "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=64M",
    "--innodb-doublewrite=0", "--innodb-flush-method=nosync", "--loose-innodb-use-native-aio=0",
    "--loose-innodb-log-writer-threads=OFF", "--loose-sync-frm=0", "--loose-debug-no-sync",
    "--loose-mysqlx=OFF",
)  # fmt: skip
#: A server that is asked alone.
_ASKED = (
    "--skip-networking", "--skip-log-bin", "--performance-schema=OFF", "--max-connections=20",
    "--max-allowed-packet=16M",
)  # fmt: skip
#: One end of a channel. Examples are as long as a MEDIUMTEXT and more.
_CHANNEL = (
    "--bind-address=127.0.0.1", "--character-set-server=utf8mb4", "--max-allowed-packet=128M",
    "--loose-skip-slave-start", "--loose-skip-replica-start", "--log-bin=bin", "--relay-log=relay",
)  # fmt: skip
#: What runs a server with these options in a folder, which holds `init.sql`; its socket is `s` there.
Maker = Callable[[Path, Limits, tuple[str, ...]], Work]


def given(server: Server) -> tuple[str, ...]:
    """The options that give a server those of its settings that it has from its start on."""
    names = (name for name in knowledge.load("questions")["start"] if server.given(name))
    return tuple(f"--{name}={value}" for name in names if (value := server.setting(name)) in _VALUES)


def started(maker: Maker, limits: Limits) -> AbstractContextManager[Endpoint]:
    """A fresh server behind a socket, with an account for everything. Raises InputError."""
    return _server(maker, limits, secrets.token_urlsafe(18), lambda _: _ASKED)


@contextlib.contextmanager
def pair(source: Maker, replica: Maker, limits: Limits | None = None) -> Iterator[tuple[Endpoint, Endpoint]]:
    """Two fresh servers, on ports of 127.0.0.1, that can replicate. Raises InputError."""
    password = secrets.token_urlsafe(18)

    def end(maker: Maker, number: int) -> AbstractContextManager[Endpoint]:
        own = (*_CHANNEL, f"--server-id={number}")
        return _server(maker, limits or Limits(), password, lambda port: (*own, f"--port={port}"))

    with end(source, 1) as first, end(replica, 2) as second:
        yield first, second


@contextlib.contextmanager
def _server(
    maker: Maker, limits: Limits, password: str, options: Callable[[int], tuple[str, ...]]
) -> Iterator[Endpoint]:
    """A server with these options for a port. It is tried again where another has taken the port, and on the
    disk where it does not start in memory (AppArmor keeps Ubuntu's mysqld out of there).
    """
    for tries in reversed(range(_TRIES)):
        with contextlib.ExitStack() as stack:
            first = tries == _TRIES - 1
            folder = stack.enter_context(process.folder(limits, in_memory=first))
            _write_accounts(folder, password)
            port = _free_port()
            try:
                stack.enter_context(process.held(maker(folder, limits, options(port)), folder))
            except InputError as error:
                if tries and (folder.parent == process.IN_MEMORY or "tcp/ip port" in str(error).lower()):
                    continue
                raise
            yield Endpoint("127.0.0.1", port, KEEPER, socket=str(folder / "s"), password=password)
            return


def _write_accounts(folder: Path, password: str) -> None:
    """One, for us through the socket and for the replica: whom MySQL has let in once (caching_sha2_password),
    it lets in over an open line too.
    """
    init = folder / "init.sql"
    init.touch(0o600)
    account = f"{KEEPER}@'%'"
    made = f"CREATE USER {account} IDENTIFIED BY '{password}';\n"
    init.write_text(f"{made}GRANT ALL ON *.* TO {account} WITH GRANT OPTION;\n", "utf-8")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
