"""Two nodes of a cluster on loopback: MariaDB with Galera, or MySQL with Group Replication.

Used by `record.py` only; the tests read what it recorded. Needs root where `root` names a chroot.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import pymysql

GROUP = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"


@dataclass
class Node:
    """One server. `root` is the chroot it runs in ('' for none), `number` 1 or 2, `base` the first port."""

    kind: str
    root: str
    folder: str
    number: int
    base: int
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def port(self) -> int:
        return self.base + self.number

    def peer(self, number: int) -> int:
        """The port on which the nodes of the cluster talk to each other."""
        return self.base + 10 * number

    @property
    def user(self) -> str:
        """Whom it runs as: rsync, which brings a Galera node its state, writes nothing for root."""
        return "mysql" if self.kind == "galera" else "root"

    @property
    def inner(self) -> str:
        return f"{self.folder}/n{self.number}"

    @property
    def outer(self) -> Path:
        return Path(f"{self.root}{self.inner}")

    @property
    def log(self) -> Path:
        return self.outer / "error.log"

    def command(self, *words: str) -> list[str]:
        return [*(["chroot", self.root] if self.root else []), *words]

    def options(self) -> list[str]:
        common = [
            "--no-defaults", f"--datadir={self.inner}/d", f"--socket={self.inner}/s", f"--port={self.port}",
            f"--log-error={self.inner}/error.log", f"--pid-file={self.inner}/pid", "--bind-address=127.0.0.1",
            f"--server-id={self.number}", f"--user={self.user}", "--skip-name-resolve",
            "--performance-schema=OFF",
            "--innodb-buffer-pool-size=64M", "--innodb-flush-log-at-trx-commit=0", "--sync-binlog=0",
            "--binlog-format=ROW", f"--log-bin={self.inner}/d/bin",
        ]  # fmt: skip
        ours = self.peer(self.number)
        if self.kind == "galera":
            other = self.peer(3 - self.number)
            provider = f"gmcast.listen_addr=tcp://127.0.0.1:{ours};ist.recv_addr=127.0.0.1:{ours + 1};gcache.size=16M"  # noqa: E501
            return [
                *common, "--wsrep-on=ON", "--wsrep-provider=/usr/lib/galera/libgalera_smm.so",
                f"--wsrep-provider-options={provider}", f"--wsrep-node-address=127.0.0.1:{ours}",
                f"--wsrep-cluster-address=gcomm://127.0.0.1:{ours},127.0.0.1:{other}",
                f"--wsrep-sst-receive-address=127.0.0.1:{ours + 2}", "--wsrep-sst-method=rsync",
                "--innodb-autoinc-lock-mode=2", "--innodb-log-file-size=16M", "--log-slave-updates=ON",
            ]  # fmt: skip
        return [
            *common, "--secure-file-priv=", "--performance-schema=ON", "--gtid-mode=ON",
            "--enforce-gtid-consistency=ON",
            "--mysqlx=OFF", "--innodb-redo-log-capacity=67108864", "--log-error-verbosity=3",
            "--plugin-load-add=group_replication.so", f"--loose-group-replication-group-name={GROUP}",
            "--loose-group-replication-start-on-boot=OFF", "--loose-group-replication-bootstrap-group=OFF",
            f"--loose-group-replication-local-address=127.0.0.1:{ours}",
            f"--loose-group-replication-group-seeds=127.0.0.1:{self.peer(1)},127.0.0.1:{self.peer(2)}",
            "--loose-group-replication-recovery-get-public-key=ON", "--report-host=127.0.0.1",
            "--loose-group-replication-exit-state-action=READ_ONLY", "--relay-log=relay",
            "--loose-group-replication-ip-allowlist=127.0.0.1/32",
        ]  # fmt: skip

    def make(self) -> None:
        """A new data directory."""
        shutil.rmtree(self.outer, ignore_errors=True)
        (self.outer / "d").mkdir(parents=True)
        subprocess.run(self.command("chown", "-R", self.user, self.inner), check=True)
        if self.kind == "galera":
            words = ["mariadb-install-db", "--no-defaults", f"--user={self.user}", "--skip-test-db",
            "--force", f"--datadir={self.inner}/d",
                     "--auth-root-authentication-method=normal"]  # fmt: skip
        else:
            words = [
                "mysqld",
                "--no-defaults",
                "--initialize-insecure",
                f"--user={self.user}",
                f"--datadir={self.inner}/d",
            ]
        done = subprocess.run(self.command(*words), capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])

    def start(self, *more: str) -> None:
        """Start it and wait until it answers (a Galera node: until it is synced)."""
        server = "mariadbd" if self.kind == "galera" else "mysqld"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(server, *self.options(), *more), stdout=log, stderr=log, start_new_session=True
            )
        for _ in range(300):
            try:
                self.sql("SELECT 1")
            except pymysql.err.MySQLError:
                if self.process.poll() is not None:
                    raise RuntimeError(self.log.read_text("utf-8", "replace")[-3000:]) from None
                time.sleep(0.2)
                continue
            if self.kind != "galera" or self.state() == "Synced":
                return
            time.sleep(0.2)
        raise RuntimeError(
            f"node {self.number} is not ready: {self.log.read_text('utf-8', 'replace')[-3000:]}"
        )

    def connect(self) -> pymysql.Connection:  # type: ignore[type-arg]
        return pymysql.connect(
            unix_socket=str(self.outer / "s"), host="localhost", user="root", autocommit=True, conv={},
            connect_timeout=5, read_timeout=60,
        )  # fmt: skip

    def sql(self, *statements: str) -> list[tuple[str | None, ...]]:
        """Run statements in one session; the rows of the last."""
        rows: list[tuple[str | None, ...]] = []
        connection = self.connect()
        try:
            with connection.cursor() as cursor:
                for statement in statements:
                    cursor.execute(statement)
                    rows = [tuple(row) for row in cursor.fetchall()]
        finally:
            connection.close()
        return rows

    def state(self) -> str:
        """What the node says it is: Galera's local state, or Group Replication's member state."""
        if self.kind == "galera":
            found = self.sql("SHOW STATUS LIKE 'wsrep_local_state_comment'")
            return str(found[0][1]) if found else ""
        found = self.sql(
            "SELECT member_state FROM performance_schema.replication_group_members WHERE member_id = "
            "@@server_uuid"
        )
        return str(found[0][0]) if found else ""

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            time.sleep(1)  # the ports of its state transfer are free a moment later
        self.process = None
