"""A MariaDB of the tests' own: Debian's server binary, a data directory and a port of its own, on
loopback.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass
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
    subprocess.run(
        [server, "--no-defaults", "--bootstrap", f"--datadir={data}", "--loose-skip-innodb-doublewrite",
        "--innodb-log-file-size=16M", "--innodb-buffer-pool-size=32M",
         "--innodb-fast-shutdown=0", *user], input=script.encode(), check=True, capture_output=True,
         timeout=120,
    )  # fmt: skip


def start(folder: Path, *options: str, tls: bool = False) -> Instance:
    """A fresh server with root@127.0.0.1 and a password."""
    server = binary("mariadbd", "mysqld")
    data = folder / "data"
    data.mkdir()
    user = ["--user=root"] if os.geteuid() == 0 else []
    bootstrap(server, data, user)
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
             "--table-definition-cache=20000", *user, *options],
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
def mariadb(tmp_path_factory: pytest.TempPathFactory):
    """A server for the whole run."""
    pytest.importorskip("pymysql", reason="PyMySQL is not installed: pip install 'schemacheck[live]'")
    instance = start(tmp_path_factory.mktemp("m"))
    yield instance
    instance.stop()


@pytest.fixture(scope="session")
def start_server():
    """`start`, for a test that needs a server to break."""
    return start
