"""Two servers of the machine's own `mariadbd` or `mysqld`, on loopback, in a temporary folder."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from schemacheck.errors import InputError, UsageError
from schemacheck.inputs.endpoint import Endpoint
from schemacheck.system import child, leftovers

#: Where a server's binary is looked for beside PATH.
PLACES = ("/usr/sbin", "/usr/local/sbin", "/usr/libexec", "/usr/local/mysql/bin")
_MYSQL = ["--skip-replica-start", "--mysqlx=OFF", "--secure-file-priv=NULL"]
#: Bytes of a Unix socket's name (sun_path has 108 with its end).
_LONGEST_SOCKET = 107
#: Seconds until a server must answer.
PATIENCE = 60
#: How many ports are tried: one that was free may be another's a moment later.
_PORTS = 5
USER = "schemacheck"
#: Where packages install, and where below it a MariaDB server has its share files.
_BASES = ("/usr", "/usr/local")
_SHARES = ("share/mysql", "share/mariadb", "share")


def binary(given: str | None) -> str:
    """The server's binary: the one that is named, else the first that is found. Raises UsageError."""
    if given is not None:
        found = child.program(given)
        if found is None:
            raise UsageError(f"--local-server: there is no program {given}")
        return found
    for name in ("mariadbd", "mysqld"):
        found = child.program(name) or shutil.which(name, path=os.pathsep.join(PLACES))
        if found:
            return found
    raise UsageError(
        "--local: neither mariadbd nor mysqld is on this machine; install one (Debian: mariadb-server-core) "
        "or name it with --local-server PATH"
    )


@contextlib.contextmanager
def pair(program: str, other: str | None = None) -> Iterator[tuple[Endpoint, Endpoint]]:
    """Two fresh servers, source and replica (of the `other` program, where one is given), with an account
    that may do everything; both are gone afterwards. Raises InputError where one does not start, with the
    end of its log.
    """
    with tempfile.TemporaryDirectory(prefix="schemacheck-prove-") as name, leftovers.kept(Path(name)):
        password = secrets.token_urlsafe(18)
        with contextlib.ExitStack() as stack:
            ends = [
                stack.enter_context(_server(one, Path(name, role), number, password))
                for number, role, one in ((1, "source", program), (2, "replica", other or program))
            ]
            yield ends[0], ends[1]


@contextlib.contextmanager
def _server(program: str, folder: Path, number: int, password: str) -> Iterator[Endpoint]:
    folder.mkdir()
    if len(os.fsencode(folder / "s")) > _LONGEST_SOCKET:
        raise InputError(
            f"{folder.parent}: too long a name for a server's socket; set TMPDIR to a shorter folder"
        )
    user = ["--user=root"] if os.geteuid() == 0 else []
    mariadb = _is_mariadb(program)
    data = folder / "data"
    if mariadb:
        base, share = places_of(program)
        user.append(f"--basedir={base}")
        _install_mariadb(program, data, user, share, folder / "install.log")
    else:
        _install_mysql(program, data, user, folder / "install.log")
    init = folder / "init.sql"
    # 'localhost' for us through the socket, where a password is in the clear for nobody; the address for the
    # replica.
    accounts = (f"{USER}@'localhost'", f"{USER}@'127.0.0.1'")
    init.write_text(
        "".join(
            f"CREATE USER {one} IDENTIFIED BY '{password}';\nGRANT ALL ON *.* TO {one} WITH GRANT OPTION;\n"
            for one in accounts
        ),
        "utf-8",
    )
    init.chmod(0o600)
    options = [
        "--no-defaults", f"--datadir={data}", f"--socket={folder / 's'}", f"--pid-file={folder / 'pid'}",
        "--bind-address=127.0.0.1", f"--server-id={number}", f"--log-bin={data / 'bin'}",
        f"--relay-log={data / 'relay'}", f"--init-file={init}", "--skip-name-resolve", "--sync-binlog=0",
        "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=64M",
        # Examples are as long as a MEDIUMTEXT and more.
        "--character-set-server=utf8mb4", "--max-allowed-packet=128M",
        *(["--skip-slave-start"] if mariadb else _MYSQL), *user,
    ]  # fmt: skip
    for tries in reversed(range(_PORTS)):
        port = _free_port()
        log = folder / "log"
        with log.open("wb") as stream:
            process = subprocess.Popen(
                [program, *options, f"--port={port}"], stdin=subprocess.DEVNULL, stdout=stream, stderr=stream
            )
        with leftovers.ended(process), leftovers.ended(_guard(process, folder.parent)):
            if not _answers(process, folder / "s", log, again=tries > 0):
                continue
            try:
                yield Endpoint("127.0.0.1", port, USER, socket=str(folder / "s"), password=password)
            finally:
                process.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(20)
        return


def _guard(process: subprocess.Popen[bytes], folder: Path) -> subprocess.Popen[bytes]:
    """What ends a server and removes its folder where this process is killed: no server knows its parent."""
    return subprocess.Popen(
        ["/bin/sh", "-c", 'read -r _; kill -9 "$1"; rm -rf -- "$2"', "sh", str(process.pid), str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip


def _is_mariadb(program: str) -> bool:
    done = subprocess.run(
        [program, "--no-defaults", "--version"], capture_output=True, text=True, check=False, timeout=30
    )
    return "mariadb" in done.stdout.lower()


def _install_mysql(program: str, data: Path, user: list[str], log: Path) -> None:
    _run([program, "--no-defaults", "--initialize-insecure", f"--datadir={data}", *user], b"", log)


def places_of(program: str) -> tuple[Path, Path]:
    """The folder that a MariaDB server is installed in and the folder of its share files, which are beside it
    or where packages put them. Raises InputError where they are not.
    """
    bases = (Path(program).resolve().parent.parent, *map(Path, _BASES))
    for base, share in product(bases, _SHARES):
        if (base / share / "mysql_system_tables.sql").is_file():
            return base, base / share
    raise InputError(f"{program}: mysql_system_tables.sql is not in {', '.join(_SHARES)} of {bases[0]}")


def _install_mariadb(program: str, data: Path, user: list[str], share: Path, log: Path) -> None:
    """What mariadb-install-db does, without the client package's programs that it needs."""
    data.mkdir()
    script = b"CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n"
    for name in ("mysql_system_tables.sql", "mysql_performance_tables.sql", "mysql_system_tables_data.sql"):
        if (share / name).is_file():
            script += (share / name).read_bytes() + b"\n"
    _run([program, "--no-defaults", "--bootstrap", f"--datadir={data}", *user], script, log)


def _run(command: list[str], given: bytes, log: Path) -> None:
    try:
        with log.open("wb") as stream:
            done = subprocess.run(
                command, input=given, stdout=stream, stderr=stream, check=False, timeout=4 * PATIENCE
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"{command[0]} cannot be run: {error}") from None
    if done.returncode:
        raise InputError(f"{command[0]}: the system tables cannot be made: {_end(log)}")


def _answers(process: subprocess.Popen[bytes], own: Path, log: Path, *, again: bool) -> bool:
    """Wait until the server takes connections on its own socket, which it makes behind its port: another
    server may have taken that since it was looked for. False where that is so and another port may be tried
    (`again`). Raises InputError where the server does not start.
    """
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as one:
            one.settimeout(1)
            one.connect(str(own))
            return True
        time.sleep(0.1)
    said = _end(log)
    if again and process.poll() is not None and "tcp/ip port" in said.lower():
        return False
    raise InputError(f"the server does not start: {said}")


def _end(log: Path) -> str:
    return " ".join(log.read_text("utf-8", "replace").split())[-600:]


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
