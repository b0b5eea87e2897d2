"""SC510: which events of a replica's script are enabled there, and what they reach."""

from __future__ import annotations

import pytest

from schemacheck import check
from schemacheck.model import Link, Server

TABLE = "CREATE TABLE t (a INT PRIMARY KEY, b INT);"
DELETES = "ON SCHEDULE EVERY 1 DAY DO DELETE FROM t"
U = "CREATE TABLE u (a INT PRIMARY KEY);"
FILLS = "CREATE EVENT ev ON SCHEDULE EVERY 1 DAY DO INSERT INTO u VALUES (1);"
PAUSED = "ON SCHEDULE EVERY 1 DAY DISABLE DO DELETE FROM t"


def _effects(replica: str, *, fold: bool = False, source: str = TABLE) -> set[str]:
    server = Server.parse("mysql-8.0.36")
    if fold:
        server = server.with_settings({"lower_case_table_names": "1"})
    report = check(source, replica, link=Link(server, server))
    findings = [one for pair in report.pairs for one in pair.findings]
    return {one.effect.value for one in findings if one.code == "SC510"} | {
        "unread" for one in report.problems if not one.skipped
    }


@pytest.mark.parametrize(
    ("script", "effects"),
    [
        (f"CREATE EVENT ev {PAUSED}; ALTER EVENT ev ENABLE;", {"diverges", "stops"}),
        (f"CREATE EVENT ev {PAUSED}; ALTER EVENT EV RENAME TO w ENABLE;", {"diverges", "stops"}),
        ("CREATE EVENT ev ON SCHEDULE EVERY 1 DAY DO SELECT 1; ALTER EVENT ev DO DELETE FROM t;",
         {"diverges", "stops"}),
        (f"CREATE EVENT ev {DELETES}; ALTER EVENT ev ON SCHEDULE EVERY 2 DAY;", {"diverges", "stops"}),
        (f"CREATE EVENT ev {DELETES}; CREATE EVENT IF NOT EXISTS ev {PAUSED};", {"diverges", "stops"}),
        (f"CREATE EVENT ev {DELETES}; ALTER EVENT ev DISABLE ON SLAVE;", set()),
        (f"CREATE EVENT ev {DELETES}; DROP EVENT EV;", set()),
        ("ALTER EVENT ev ENABLE;", {"unknown"}),
        ("ALTER EVENT ev DISABLE;", set()),
        ("CREATE VIEW v AS SELECT * FROM t; CREATE EVENT ev ON SCHEDULE EVERY 1 DAY DO DELETE FROM v;",
         {"unknown"}),
        (f"{U} CREATE TRIGGER tr AFTER INSERT ON u FOR EACH ROW DELETE FROM t; {FILLS}", {"unknown"}),
        (f"{U} {FILLS}", set()),
        ("CREATE EVENT ev ON SCHEDULE EVERY 1 DAY DELETE FROM t;", {"unread"}),
    ],
)  # fmt: skip
def test_which_events_run_and_what_they_change(script: str, effects: set[str]) -> None:
    assert _effects(TABLE + script) == effects


def test_databases_fold_as_tables_do() -> None:
    home = f"CREATE DATABASE db1; USE db1; {TABLE}"
    event = "CREATE EVENT ev ON SCHEDULE EVERY 1 DAY DO DELETE FROM DB1.T;"
    assert _effects(home + event, fold=True, source=home) == {"diverges", "stops"}
    assert _effects(home + event, source=home) == set()


def test_events_go_with_their_database() -> None:
    home = f"CREATE DATABASE d; USE d; {TABLE}"
    gone = f"CREATE DATABASE d; USE d; CREATE EVENT ev {DELETES}; DROP DATABASE d;"
    assert _effects(gone + home, source=home) == set()
