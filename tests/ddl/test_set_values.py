"""SET of variables, asked of four servers: nothing that one of them refuses is taken to run."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from schemacheck.catalog import read
from schemacheck.catalog.session import settable
from schemacheck.model import Server

RECORDED = Path(__file__).parent / "data" / "set_values.jsonl.xz"
SERVERS = ("mysql-5.6.24", "mysql-9.7.4", "mariadb-10.11.19", "mariadb-11.8.6")
#: Statements about these variables that run, and of these those that are known to, by server.
RUN = {
    "mysql-5.6.24": (1_837, 1_558),
    "mysql-9.7.4": (2_445, 2_095),
    "mariadb-10.11.19": (2_931, 2_491),
    "mariadb-11.8.6": (3_213, 2_729),
}


def runs(statement: str, server: Server) -> bool:
    """Whether the definition behind a statement is taken to be there."""
    return not read(f"{statement};\nCREATE TABLE t (a INT);", server, database="d").problems


@pytest.mark.recorded
@pytest.mark.parametrize("name", SERVERS)
def test_what_servers_refuse_does_not_run(name):
    server = Server.parse(name)
    with lzma.open(RECORDED, "rt") as lines:
        values = json.loads(next(lines))["values"]
        groups = [group for group in map(json.loads, lines) if group["server"] == name]
    taken = known = 0
    wrong = []
    for group in groups:
        for variable in settable(server).keys() & set(group["names"]):
            for value in values:
                statement = f"SET {group['scope']} {variable} = {value}"
                found = runs(statement, server)
                taken += value in group["taken"]
                known += found
                if found and value not in group["taken"]:
                    wrong.append(statement)
    assert not wrong
    assert (taken, known) == RUN[name]


@pytest.mark.parametrize(
    ("statement", "name", "known"),
    [
        ("SET timestamp = UNIX_TIMESTAMP('2001-02-03 10:20:30')", "mysql-8.0.36", True),
        ("SET timestamp = UNIX_TIMESTAMP()", "mariadb-11.4", True),
        ("SET timestamp = 1.5", "mysql-8.0.36", True),
        ("SET timestamp = 2147483648", "mysql-8.0.36", False),
        ("SET timestamp = '2001-02-03 10:20:30'", "mysql-8.0.36", False),
        ("SET timestamp = NOW()", "mysql-8.0.36", False),
        ("SET GLOBAL timestamp = 1", "mysql-8.0.36", False),
        ("SET sort_buffer_size = 64 * 1024", "mysql-8.0.36", True),
        ("SET sort_buffer_size = 64 * 1024 * 1024 / 2", "mysql-8.0.36", False),
        ("SET join_buffer_size = -1", "mysql-8.0.36", True),
        ("SET sql_mode = TRADITIONAL, join_buffer_size = 1", "mysql-8.0.36", True),
        ("SET sql_mode = TRADITIONAL; SET join_buffer_size = 1", "mysql-8.0.36", False),
        ("SET sql_mode = STRICT_ALL_TABLES; SET join_buffer_size = DEFAULT", "mysql-8.0.36", True),
        ("SET join_buffer_size = '4096'", "mysql-8.0.36", False),
        ("SET @a = '4096'; SET foreign_key_checks = @a", "mysql-8.0.36", False),
        ("SET foreign_key_checks = '0'", "mysql-8.0.36", False),
        ("SET foreign_key_checks = 'OFF'", "mysql-8.0.36", True),
        ("SET SESSION flush_time = 0", "mysql-8.0.36", False),
        ("SET GLOBAL flush_time = 0", "mysql-8.0.36", True),
        ("SET last_insert_id = DEFAULT", "mysql-8.0.36", False),
        ("SET max_execution_time = 1000", "mysql-5.6.51", False),
        ("SET max_execution_time = 1000", "mysql-9.7.4", True),
        ("SET join_cache_level = 4", "mariadb-10.11.19", True),
        ("SET join_cache_level = 4", "mysql-9.7.4", False),
        # What a later statement may fail at: a limit, a number that is there already, its time.
        ("SET GLOBAL max_prepared_stmt_count = 0", "mysql-8.0.36", False),
        ("SET insert_id = 5", "mysql-8.0.36", False),
        ("SET max_statement_time = 0", "mariadb-10.11.19", True),
        ("SET max_statement_time = 1", "mariadb-10.11.19", False),
        ("SET join_buffer_size = @nowhere", "mysql-8.0.36", False),
        ("SET GLOBAL gtid_purged = @nowhere", "mysql-8.0.36", False),
        ("SET default_week_format = 0", "mysql-8.0.36", True),
        # It becomes part of WEEK(..) without a mode.
        ("SET default_week_format = 1", "mysql-8.0.36", False),
        ("SET restrict_fk_on_non_standard_key = OFF", "mysql-8.4.0", True),
        ("SET restrict_fk_on_non_standard_key = OFF", "mysql-8.0.36", False),
        ("SET old_mode = 'UTF8_IS_UTF8MB3,ZERO_DATE_TIME_CAST'", "mariadb-11.4", True),
        ("SET old_mode = 'NO_SUCH'", "mariadb-11.4", False),
        ("SET old_mode = LOCK_ALTER_TABLE_COPY", "mariadb-11.8.6", True),
        ("SET old_mode = 'UTF8_IS_UTF8MB3,LOCK_ALTER_TABLE_COPY'", "mariadb-11.8.6", True),
        ("SET old_mode = LOCK_ALTER_TABLE_COPY", "mariadb-10.11.19", False),
        ("SET default_week_format = 2", "mariadb-10.11.19", True),
        ("SET default_week_format = '2'", "mariadb-10.11.19", False),
        # MariaDB takes the nearest moment that there is, but in one mode.
        ("SET timestamp = UNIX_TIMESTAMP('2011-01-01 01:01:01') + 0.123456", "mariadb-10.11.19", True),
        ("SET timestamp = UNIX_TIMESTAMP('2011-01-01') - 99999999999", "mariadb-11.8.6", True),
        ("SET timestamp = UNIX_TIMESTAMP('2011-01-01') + 1e400", "mariadb-11.8.6", False),
        ("SET timestamp = UNIX_TIMESTAMP('2011-01-01') + 1", "mysql-9.7.4", False),
        ("SET sql_mode = STRICT_ALL_TABLES; SET timestamp = UNIX_TIMESTAMP() + 1", "mariadb-11.8.6", False),
        ("SET timestamp = -1", "mariadb-10.11.19", True),
        ("SET sql_mode = STRICT_ALL_TABLES; SET timestamp = -1", "mariadb-10.11.19", False),
    ],
)
def test_values_of_their_own(statement, name, known):
    assert runs(statement, Server.parse(name)) is known


@pytest.mark.parametrize(
    ("mode", "text", "said"),
    [
        ("DEFAULT", "VARCHAR(5) CHARACTER SET utf8", False),
        ("''", "VARCHAR(5) CHARACTER SET utf8", True),
        ("'ZERO_DATE_TIME_CAST'", "VARCHAR(5) COLLATE utf8_bin", True),
        ("''", "VARCHAR(5) CHARACTER SET utf8mb3", False),
        ("''", "VARCHAR(5) CHARACTER SET utf8mb4", False),
    ],
)
def test_utf8_is_utf8mb4_under_an_old_mode_without_its_word(mode, text, said):
    for name in ("mariadb-10.11.19", "mariadb-11.8.6"):
        found = read(f"SET old_mode = {mode};\nCREATE TABLE t (a {text});", Server.parse(name), database="d")
        assert (
            [p.message for p in found.problems if "utf8 is utf8mb4" in p.message] != []
            if said
            else (not found.problems)
        )
