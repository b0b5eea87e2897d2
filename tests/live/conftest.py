"""A MariaDB of the tests' own: Debian's server binary, a data directory and a port of its own, on
loopback.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

PASSWORD = "s3cret/p%40ss"


@dataclass
class Instance:
    """One running server; with `tls` it takes no other connections."""

    port: int
    folder: Path
    process: subprocess.Popen[bytes]
    tls: bool = False
    password: str = PASSWORD

    def stop(self, *, hard: bool = False) -> None:
        if self.process.poll() is None:
            (self.process.kill if hard else self.process.terminate)()
            self.process.wait(60)

    def run(self, *statements: str, database: str | None = None) -> None:
        import pymysql

        tls = {"ssl": {"verify_mode": "none"}} if self.tls else {}
        connection = pymysql.connect(
            host="127.0.0.1",
            port=self.port,
            user="root",
            password=PASSWORD,
            database=database,
            charset="utf8mb4",
            autocommit=True,
            **tls,
        )
        with contextlib.closing(connection), connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)


def binary(*names: str) -> str:
    for name in names:
        for place in (None, "/usr/sbin", "/usr/local/sbin", "/usr/libexec"):
            found = shutil.which(name, path=place)
            if found:
                return found
    pytest.skip(f"no {names[0]} here: apt-get install mariadb-server-core")


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def bootstrap(server: str, data: Path, user: list[str]) -> None:
    """What mariadb-install-db does, without the client package's programs that it needs."""
    share = next(
        (
            p
            for p in map(Path, ("/usr/share/mysql", "/usr/share/mariadb", "/usr/local/share/mysql"))
            if (p / "mysql_system_tables.sql").is_file()
        ),
        None,
    )
    if share is None:
        pytest.skip("no mysql_system_tables.sql here: apt-get install mariadb-server-core")
    script = "CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n"
    for name in ("mysql_system_tables.sql", "mysql_performance_tables.sql", "mysql_system_tables_data.sql"):
        if (share / name).is_file():
            script += (share / name).read_text("utf-8") + "\n"
    ended = subprocess.run(
        [server, "--no-defaults", "--bootstrap", f"--datadir={data}", "--loose-skip-innodb-doublewrite",
         "--innodb-log-file-size=16M", "--innodb-buffer-pool-size=32M", "--innodb-fast-shutdown=0", *user],
        input=script.encode(), capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    if ended.returncode:
        pytest.fail(f"no system tables: {ended.stderr.decode('utf-8', 'replace')[-3000:]}")


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with system tables alone: made by one worker of a run, copied by all."""
    server, shared = binary("mariadbd", "mysqld"), tmp_path_factory.getbasetemp()
    shared = (shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared) / "empty"
    with shared.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not shared.exists():
            new = shared.with_suffix(".new")
            shutil.rmtree(new, ignore_errors=True)  # of a worker that failed
            new.mkdir()
            bootstrap(server, new, root())
            new.rename(shared)
    return shared


def root() -> list[str]:
    return ["--user=root"] if os.geteuid() == 0 else []


def start(empty: Path, folder: Path, *options: str, tls: bool = False) -> Instance:
    """A fresh server with root@127.0.0.1 and a password."""
    server = binary("mariadbd", "mysqld")
    data = folder / "data"
    shutil.copytree(empty, data)
    port = free_port()
    init = folder / "init.sql"
    init.write_text(
        f"CREATE OR REPLACE USER root@'127.0.0.1' IDENTIFIED BY '{PASSWORD}';\nGRANT ALL ON *.* TO "
        "root@'127.0.0.1' WITH GRANT OPTION;\n",
        "utf-8",
    )
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [server, "--no-defaults", f"--datadir={data}", f"--socket={folder / 's'}", f"--port={port}",
            f"--tmpdir={folder}",
            "--bind-address=127.0.0.1", f"--init-file={init}",
             "--innodb-buffer-pool-size=64M", "--innodb-log-file-size=16M",
             "--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0", "--skip-log-bin",
             "--skip-name-resolve", "--character-set-server=utf8mb4", "--table-open-cache=20000",
             "--sync-frm=0", "--innodb-file-per-table=0", "--innodb-flush-method=nosync",
             "--table-definition-cache=20000", *root(), *options],
            stdout=log, stderr=log,
        )  # fmt: skip
    instance = Instance(port, folder, process, tls)
    import pymysql

    for _ in range(600):
        if process.poll() is not None:
            pytest.fail(f"the server did not start: {(folder / 'log').read_text('utf-8', 'replace')[-2000:]}")
        with contextlib.suppress(pymysql.MySQLError):
            instance.run("SELECT 1")
            return instance
        time.sleep(0.1)
    instance.stop(hard=True)
    pytest.fail("the server did not answer in 60 s")


@pytest.fixture(scope="session")
def mariadb(tmp_path_factory: pytest.TempPathFactory, start_server):
    """A server for the whole run."""
    pytest.importorskip("pymysql", reason="PyMySQL is not installed: pip install 'schemacheck[live]'")
    instance = start_server(tmp_path_factory.mktemp("m"))
    yield instance
    instance.stop(hard=True)  # its data is thrown away


@pytest.fixture(scope="session")
def start_server(empty):
    """`start`, for a test that needs a server to break."""
    return partial(start, empty)
