"""A server of this machine, started in a folder of its own from its program."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
from collections.abc import Iterator
from pathlib import Path

from schemacheck.errors import InputError
from schemacheck.inputs.endpoint import Endpoint
from schemacheck.scratch import process
from schemacheck.scratch.process import Limits, Work
from schemacheck.scratch.program import Program

#: Who may do everything on a server that was started here.
KEEPER = "schemacheck"
#: How many ports are tried: one that was free may be another's a moment later.
_PORTS = 5
#: What every server is started with: it is alone, it reads no file and loads no program, and nothing of it
#: is worth a write that waits for the disk.
ALONE = (
    "--skip-name-resolve", "--local-infile=0", "--event-scheduler=OFF", "--loose-symbolic-links=0",
    "--sync-binlog=0", "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=64M",
    "--innodb-doublewrite=0", "--loose-innodb-use-native-aio=0", "--loose-sync-frm=0",
    "--loose-debug-no-sync", "--loose-mysqlx=OFF",
)  # fmt: skip
#: A server that is asked alone.
_ASKED = ("--skip-networking", "--skip-log-bin", "--performance-schema=OFF", "--max-connections=20")
#: One end of a channel. Examples are as long as a MEDIUMTEXT and more.
_CHANNEL = (
    "--bind-address=127.0.0.1", "--character-set-server=utf8mb4", "--max-allowed-packet=128M",
    "--loose-skip-slave-start", "--loose-skip-replica-start",
)  # fmt: skip


@contextlib.contextmanager
def started(program: Program, limits: Limits, *, options: tuple[str, ...] = ()) -> Iterator[Endpoint]:
    """A fresh server behind a socket alone, with an account that may do everything. Raises InputError where
    it does not start.
    """
    with process.folder() as folder:
        password = secrets.token_urlsafe(18)
        work = _work(program, folder, limits, password, (*_ASKED, *options))
        with process.held(work, folder):
            yield Endpoint(user=KEEPER, socket=str(folder / "s"), password=password)


@contextlib.contextmanager
def pair(
    source: Program, replica: Program, limits: Limits | None = None
) -> Iterator[tuple[Endpoint, Endpoint]]:
    """Two fresh servers that can replicate from each other: with binary logs, and on ports of 127.0.0.1,
    since no server replicates over a socket. One account may do everything; there is none without a
    password. Raises InputError where one does not start.
    """
    password = secrets.token_urlsafe(18)
    with contextlib.ExitStack() as stack:
        yield (
            stack.enter_context(_end(source, 1, password, limits or Limits())),
            stack.enter_context(_end(replica, 2, password, limits or Limits())),
        )


@contextlib.contextmanager
def _end(program: Program, number: int, password: str, limits: Limits) -> Iterator[Endpoint]:
    for tries in reversed(range(_PORTS)):
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(process.folder())
            port = _free_port()
            options = (
                *_CHANNEL, f"--port={port}", f"--server-id={number}", f"--log-bin={folder / 'data' / 'bin'}",
                f"--relay-log={folder / 'data' / 'relay'}",
            )  # fmt: skip
            try:
                stack.enter_context(process.held(_work(program, folder, limits, password, options), folder))
            except InputError as error:
                if tries and "tcp/ip port" in str(error).lower():
                    continue
                raise
            yield Endpoint("127.0.0.1", port, KEEPER, socket=str(folder / "s"), password=password)
            return


def _work(program: Program, folder: Path, limits: Limits, password: str, options: tuple[str, ...]) -> Work:
    for name in ("data", "tmp", "files", "plugins"):
        (folder / name).mkdir()
    script = program.script()
    own = [f"--datadir={folder / 'data'}", f"--tmpdir={folder / 'tmp'}"]
    unprivileged = program.public()
    if os.geteuid() == 0 and not unprivileged:
        own.append("--user=root")
    if program.share is not None:
        own += [
            f"--basedir={program.base}",
            f"--lc-messages-dir={program.share}",
            f"--character-sets-dir={program.share / 'charsets'}",
        ]
    given = None
    if script is not None:
        (folder / "system.sql").write_bytes(script)
        given = str(folder / "system.sql")
    install = [str(program.path), "--no-defaults", *own, "--bootstrap" if script else "--initialize-insecure"]
    # 'localhost' for us through the socket, where a password is in the clear for nobody; the address for the
    # replica.
    accounts = (f"{KEEPER}@'localhost'", f"{KEEPER}@'127.0.0.1'")
    init = folder / "init.sql"
    init.touch(0o600)
    init.write_text(
        "".join(
            f"CREATE USER {account} IDENTIFIED BY '{password}';\n"
            f"GRANT ALL ON *.* TO {account} WITH GRANT OPTION;\n"
            for account in accounts
        ),
        "utf-8",
    )
    server = [
        str(program.path), "--no-defaults", *own, f"--socket={folder / 's'}", f"--pid-file={folder / 'pid'}",
        f"--init-file={init}", f"--secure-file-priv={folder / 'files'}", f"--plugin-dir={folder / 'plugins'}",
        *ALONE, *options,
    ]  # fmt: skip
    environment = {"PATH": os.defpath, "TZ": "UTC"}
    if program.libraries:
        environment["LD_LIBRARY_PATH"] = program.libraries
    return Work(((install, given),), server, limits, unprivileged, environment)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
