"""A channel between two servers of any flavour and version, in their own words."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pymysql

from tests.journeys.transcript import SECONDS, End, Journey


@dataclass
class AnyChannel:
    """By GTIDs where both ends have them switched on (MariaDB always has), by file and position elsewhere."""

    source: End
    replica: End

    @cached_property
    def mariadb(self) -> bool:
        return "MariaDB" in str(self.replica.sql("SELECT VERSION() AS v")[0]["v"])

    @cached_property
    def new_words(self) -> bool:
        """MySQL 8.4 and later know no others."""
        return (
            not self.mariadb
            and int(str(self.replica.sql("SELECT VERSION() AS v")[0]["v"]).split(".")[0]) >= 8
        )

    @cached_property
    def gtids(self) -> bool:
        try:
            return self.mariadb or self.replica.sql("SELECT @@GLOBAL.gtid_mode AS mode")[0]["mode"] == "ON"
        except pymysql.MySQLError:
            return False

    def words(self, statement: str) -> str:
        """A statement with REPLICA and SOURCE in the server's words."""
        return (
            statement if self.new_words else statement.replace("REPLICA", "SLAVE").replace("SOURCE", "MASTER")
        )

    def begin(self) -> None:
        """Both ends empty, the channel started."""
        self.close()
        for end in (self.source, self.replica):
            if self.mariadb:
                end.sql("SET GLOBAL gtid_slave_pos = ''", "SET GLOBAL binlog_format = ROW")
            end.sql("RESET BINARY LOGS AND GTIDS" if self.new_words else "RESET MASTER")
            end.sql("SET GLOBAL sql_mode = 'STRICT_TRANS_TABLES'")
        where = self.source.endpoint
        to = (
            f"SOURCE_HOST='127.0.0.1', SOURCE_PORT={where.port}, SOURCE_USER='{where.user}', "
            f"SOURCE_PASSWORD='{where.password or ''}', SOURCE_CONNECT_RETRY=1"
        )
        if self.mariadb:
            # 11.4 and later ask for TLS, which the other end may not have.
            to += ", MASTER_USE_GTID=slave_pos, MASTER_SSL=0"
        elif self.gtids:
            to += ", SOURCE_AUTO_POSITION=1"
        if self.new_words:
            to += ", GET_SOURCE_PUBLIC_KEY=1"
        change = "CHANGE REPLICATION SOURCE TO " if self.new_words else "CHANGE MASTER TO "
        self.replica.sql(self.words(change + to), self.words("START REPLICA"))

    def close(self) -> None:
        """No channel, no databases."""
        self.replica.sql(self.words("STOP REPLICA"), self.words("RESET REPLICA ALL"))
        for end in (self.source, self.replica):
            for row in end.sql("SHOW DATABASES"):
                name = row["Database"]
                if name not in ("mysql", "sys", "information_schema", "performance_schema"):
                    end.sql(
                        "SET SESSION sql_log_bin = 0",
                        "SET SESSION foreign_key_checks = 0",
                        f"DROP DATABASE `{name}`",
                    )

    def status(self) -> dict[str, Any]:
        row = self.replica.sql(self.words("SHOW REPLICA STATUS"))[0]
        return {
            name.replace("Source", "Master").replace("Replica", "Slave"): value for name, value in row.items()
        }

    def wait(self) -> int:
        """Until all that the source has logged is applied (0), or the applier has stopped (its error)."""
        log = self.source.sql("SHOW BINARY LOG STATUS" if self.new_words else "SHOW MASTER STATUS")[0]
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            status = self.status()
            if int(status["Last_SQL_Errno"]) and status["Slave_SQL_Running"] == "No":
                return int(status["Last_SQL_Errno"])
            place = (status["Relay_Master_Log_File"], int(status["Exec_Master_Log_Pos"]))
            if place == (log["File"], int(log["Position"])):
                return 0
            time.sleep(0.1)
        raise AssertionError(f"the replica does not reach {log}: {status}")

    def hide_places(self, journey: Journey) -> None:
        """The source's UUID is another in every run."""
        if uuid := self.status().get("Master_UUID"):
            journey.hide(uuid, "SOURCE_UUID")

    def assert_equal(self, database: str) -> None:
        """Rows of the source's columns are alike on both ends."""
        for row in self.source.sql(f"SHOW TABLES FROM {database}"):
            (table,) = row.values()
            columns = [c["Field"] for c in self.source.sql(f"SHOW COLUMNS FROM {database}.{table}")]
            select = f"SELECT {', '.join(columns)} FROM {database}.{table} ORDER BY 1"
            assert self.source.sql(select) == self.replica.sql(select)

    def assert_nothing_errant(self) -> None:
        """The replica has no transaction that its source does not have."""
        if self.mariadb:
            position = self.source.sql("SELECT @@gtid_binlog_pos AS position")[0]["position"]
            row = self.replica.sql("SELECT @@gtid_slave_pos AS applied, @@gtid_binlog_pos AS logged")[0]
            assert row["applied"] == position
            assert row["logged"] in ("", position)
        elif self.gtids:
            both = [
                end.sql("SELECT @@GLOBAL.gtid_executed AS gtids")[0]["gtids"]
                for end in (self.source, self.replica)
            ]
            assert both[0] == both[1]
        else:
            assert int(self.replica.sql("SELECT @@log_slave_updates AS logs")[0]["logs"]) == 1
            names = [row["Log_name"] for row in self.replica.sql("SHOW BINARY LOGS")]
            servers = {
                row["Server_id"]
                for name in names
                for row in self.replica.sql(f"SHOW BINLOG EVENTS IN '{name}'")
                if row["Event_type"] in ("Query", "Xid", "Write_rows")
            }
            assert servers == {self.source.sql("SELECT @@server_id AS id")[0]["id"]}
