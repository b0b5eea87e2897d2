"""Ask a cluster of two nodes and write its answers: `record.py KIND ROOT FOLDER OUT [PORT]`.

Cases that OUT has already are not asked again. KIND is `galera` (MariaDB with Galera), `group` or
`group-multi` (MySQL's Group Replication with one primary or several); ROOT the chroot that holds the server
('' for none); FOLDER a folder in it that is made and overwritten. One answer a line: the case, `outcome`
(applied, leaves, refused), the second node's `state`, `errno`, `message` and both nodes' rows. A node that
left is started again from an empty folder where it cannot come back.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path
from typing import Any

import pymysql

sys.path.insert(0, str(Path(__file__).parent))
from cases import Case, all_cases
from nodes import Node

_SETTLE = 6.0


class Cluster:
    """Two nodes, the first of which is written to."""

    def __init__(self, kind: str, root: str, folder: str, base: int) -> None:
        self.kind = kind.removesuffix("-multi")
        self.multi = kind.endswith("-multi")
        self.nodes = [Node(self.kind, root, folder, number, base) for number in (1, 2)]

    @property
    def first(self) -> Node:
        return self.nodes[0]

    @property
    def second(self) -> Node:
        return self.nodes[1]

    def make(self) -> None:
        """Both nodes anew; once more where the ports of the last ones are not free yet."""
        for _ in range(3):
            try:
                self.begin()
            except RuntimeError as error:
                failed = error
                time.sleep(5)
            else:
                return
        raise failed

    def begin(self) -> None:
        for node in self.nodes:
            node.stop()
        for node in self.nodes:
            node.make()
        if self.kind == "galera":
            self.first.start("--wsrep-new-cluster")
            self.second.start()
            return
        for node in self.nodes:
            node.start()
            node.sql(
                "SET SQL_LOG_BIN=0", "CREATE USER repl@'%' IDENTIFIED BY 'secret'",
                "GRANT REPLICATION SLAVE, CONNECTION_ADMIN, BACKUP_ADMIN, GROUP_REPLICATION_STREAM "
                "ON *.* TO repl@'%'",
                "SET SQL_LOG_BIN=1", "RESET BINARY LOGS AND GTIDS",
                "CHANGE REPLICATION SOURCE TO SOURCE_USER='repl', SOURCE_PASSWORD='secret' FOR "
                "CHANNEL 'group_replication_recovery'",
                f"SET GLOBAL group_replication_single_primary_mode={'OFF' if self.multi else 'ON'}",
                f"SET GLOBAL group_replication_enforce_update_everywhere_checks={'ON' if self.multi else 'OFF'}",  # noqa: E501
            )  # fmt: skip
        self.first.sql(
            "SET GLOBAL group_replication_bootstrap_group=ON", "START GROUP_REPLICATION",
            "SET GLOBAL group_replication_bootstrap_group=OFF",
        )  # fmt: skip
        self.second.sql("START GROUP_REPLICATION")
        self.wait_for(self.second, "ONLINE")

    def wait_for(self, node: Node, state: str, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if node.state() == state:
                return
            time.sleep(0.2)
        raise RuntimeError(f"node {node.number} is {node.state()!r}, not {state}")

    def rejoin(self) -> None:
        """The second node comes back to the group with the first one's state, or both begin anew."""
        self.second.stop()
        if self.kind == "galera" and self.up(self.first) and self.first.state() == "Synced":
            (self.second.outer / "d" / "grastate.dat").unlink(missing_ok=True)
            self.second.start()
            return
        if self.kind == "group" and self.up(self.first) and self.first.state() == "ONLINE":
            if not self.up(self.second):
                self.second.start()
            done = self.first.sql("SELECT @@global.gtid_executed")[0][0]
            self.second.sql(
                "STOP GROUP_REPLICATION", "SET GLOBAL super_read_only=OFF", "SET GLOBAL read_only=OFF",
                "SET SESSION sql_log_bin=0", "SET SESSION foreign_key_checks=0", "DROP DATABASE IF EXISTS d",
                "CREATE DATABASE d", "RESET BINARY LOGS AND GTIDS", f"SET GLOBAL gtid_purged='{done}'",
                "START GROUP_REPLICATION",
            )  # fmt: skip
            self.wait_for(self.second, "ONLINE")
            return
        self.make()

    def healthy(self) -> bool:
        want = "Synced" if self.kind == "galera" else "ONLINE"
        try:
            return all(node.state() == want for node in self.nodes)
        except pymysql.err.MySQLError:
            return False

    def local(self, node: Node, *statements: str) -> None:
        """Statements that stay on one node."""
        if self.kind == "galera":
            node.sql("SET SESSION wsrep_on=OFF", *statements)
            return
        was = node.sql("SELECT @@global.super_read_only")[0][0]
        node.sql("SET GLOBAL super_read_only=OFF", "SET SESSION sql_log_bin=0", *statements)
        if was == "1":
            node.sql("SET GLOBAL super_read_only=ON")

    def variable(self) -> str:
        return "slave_type_conversions" if self.kind == "galera" else "replica_type_conversions"

    def ask(self, case: Case) -> dict[str, Any]:
        """One case's answer."""
        if not self.healthy():
            self.rejoin()
        for node, ddl in zip(self.nodes, (case.first, case.second), strict=True):
            self.local(node, "SET SESSION foreign_key_checks=0", "DROP DATABASE IF EXISTS d",
            "CREATE DATABASE d CHARACTER SET utf8mb4",
                       "USE d", *ddl)  # fmt: skip
        settings = [(self.variable(), case.modes), *case.settings]
        for name, value in settings:
            self.second.sql(f"SET GLOBAL {name}={value if value.isdigit() else repr(value)}")
        self.restart_appliers()
        start = self.second.log.stat().st_size
        answer = self.run(case, start)
        for name, _ in case.settings:
            if self.up(self.second):
                self.second.sql(f"SET GLOBAL {name}=DEFAULT")
        return answer

    def restart_appliers(self) -> None:
        """Settings that an applier reads when it starts: Galera's appliers read them for each event."""
        if self.kind == "group":
            self.second.sql("STOP GROUP_REPLICATION", "START GROUP_REPLICATION")
            self.wait_for(self.second, "ONLINE")

    @staticmethod
    def up(node: Node) -> bool:
        try:
            node.sql("SELECT 1")
        except pymysql.err.MySQLError:
            return False
        return True

    def run(self, case: Case, start: int) -> dict[str, Any]:
        ready = self.mark()
        if "-- second" in case.statements:
            refused = self.both(case.statements)
            return self.after(start, ready, refused)
        mine: list[str] = ["USE d"]
        for statement in case.statements:
            if statement == "-- local":
                mine += ["SET SESSION wsrep_on=OFF" if self.kind == "galera" else "SET SESSION sql_log_bin=0"]
            elif statement == "-- shared":
                mine += ["SET SESSION wsrep_on=ON" if self.kind == "galera" else "SET SESSION sql_log_bin=1"]
            else:
                mine.append(statement)
        try:
            self.first.sql(*mine)
        except pymysql.err.MySQLError as error:
            return {"outcome": "refused", "errno": error.args[0], "message": str(error.args[1])}
        return self.after(start, ready, [])

    def both(self, statements: tuple[str, ...]) -> list[str]:
        """Statements of two sessions, one on each node; what was refused, with the node's number."""
        sessions = [node.connect() for node in self.nodes]
        refused: list[str] = []
        at = 0
        for session in sessions:
            session.cursor().execute("USE d")
        for statement in statements:
            if statement in ("-- first", "-- second"):
                at = int(statement == "-- second")
                time.sleep(0.8)
                continue
            try:
                sessions[at].cursor().execute(statement)
            except pymysql.err.MySQLError as error:
                refused.append(f"{at + 1}: {statement}: {error.args[0]}")
        for session in sessions:
            session.close()
        return refused

    def after(self, start: int, ready: int, refused: list[str]) -> dict[str, Any]:
        """What the second node comes to, once it has what was committed."""
        end = time.monotonic() + _SETTLE
        state = ""
        while time.monotonic() < end:
            try:
                state = self.second.state()
            except pymysql.err.MySQLError:
                state = "gone"
            if state not in ("Synced", "ONLINE") or self.reached(ready):
                break
            time.sleep(0.1)
        time.sleep(0.4)
        try:
            state = self.second.state()
        except pymysql.err.MySQLError:
            state = "gone"
        log = self.second.log.read_bytes()[start:].decode("utf-8", "replace")
        errors = [line for line in log.splitlines() if re.search(r"\[ERROR\]|\[Warning\].*Error_code", line)]
        wrong = [
            line
            for line in errors
            if re.search(
                r"Error_code: \d|MY-01[013]\d{3}.*(Column|Worker|error)|Slave SQL|Replica SQL|Error executing row event|Event \d",  # noqa: E501
                line,
            )
        ]
        text = wrong[0] if wrong else ""
        numbers = re.findall(r"error[_ ]code: (?:MY-0*)?(\d+)", text, re.IGNORECASE)
        answer: dict[str, Any] = {
            "outcome": "applied" if state in ("Synced", "ONLINE") else "leaves", "state": state,
            "errno": int(numbers[-1]) if numbers else 0,
            "message": re.sub(r"^\S+ +(?:\d+|\d+:\S+ \d+) (?=\[)", "", text)[:600],
        }  # fmt: skip
        if refused:
            answer["statements_refused"] = refused
        answer["first_rows"], answer["second_rows"] = (self.content(node) for node in self.nodes)
        return answer

    def mark(self) -> int:
        if self.kind == "galera":
            return int(str(self.first.sql("SHOW STATUS LIKE 'wsrep_last_committed'")[0][1]))
        return 0

    def reached(self, before: int) -> bool:
        """Whether the second node has applied all that the first committed."""
        if self.kind == "galera":
            both = [int(str(n.sql("SHOW STATUS LIKE 'wsrep_last_committed'")[0][1])) for n in self.nodes]
            return both[0] > before and both[0] == both[1]
        done = self.first.sql("SELECT @@global.gtid_executed")[0][0]
        return self.second.sql(f"SELECT GTID_SUBSET('{done}', @@global.gtid_executed)")[0][0] == "1"

    def content(self, node: Node) -> dict[str, Any] | None:
        """Columns and rows of every base table of the database."""
        if not self.up(node):
            return None
        prepare = (
            ["SET SESSION wsrep_sync_wait=0", "SET SESSION wsrep_on=OFF"] if self.kind == "galera" else []
        )
        names = node.sql(
            *prepare,
            "SELECT table_name FROM information_schema.tables WHERE table_schema='d' AND table_type='BASE "
            "TABLE' ORDER BY 1",
        )
        found = {}
        for (name,) in names:
            columns = [row[0] for row in node.sql(*prepare, f"SHOW COLUMNS FROM d.`{name}`")]
            found[str(name)] = [
                columns,
                [list(row) for row in node.sql(*prepare, f"SELECT * FROM d.`{name}` ORDER BY 1")],
            ]
        return found


def main() -> None:
    kind, root, folder, out = sys.argv[1:5]
    cluster = Cluster(kind, root, folder, int(sys.argv[5]) if len(sys.argv) > 5 else 48000)
    cluster.make()
    version = str(cluster.first.sql("SELECT VERSION()")[0][0])
    try:
        have = (
            {json.loads(line)["id"] for line in Path(out).read_text("utf-8").splitlines()}
            if Path(out).exists()
            else set()
        )
        with Path(out).open("a", encoding="utf-8") as target:
            for case in all_cases(cluster.kind, multi=cluster.multi):
                if case.id in have:
                    continue
                try:
                    answer = cluster.ask(case)
                except (pymysql.err.MySQLError, RuntimeError) as error:
                    print(case.id, "not asked:", str(error)[-300:], flush=True)
                    cluster.make()
                    continue
                line = {"kind": kind, "version": version, **case._asdict(), **answer}
                target.write(json.dumps(line, ensure_ascii=False, default=repr) + "\n")
                target.flush()
                print(case.id, answer["outcome"], answer.get("errno"), flush=True)
    finally:
        for node in cluster.nodes:
            node.stop()


if __name__ == "__main__":
    main()
