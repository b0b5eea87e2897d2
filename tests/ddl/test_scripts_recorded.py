"""Whole scripts, and the tables that four real servers had behind them."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server, TableKind
from tests.ddl.recorded import read as recorded

pytestmark = pytest.mark.recorded

SERVERS = {
    "mysql-5.6": "mysql-5.6.24",
    "mysql-9.7": "mysql-9.7.4",
    "mariadb-10.11": "mariadb-10.11.19",
    "mariadb-11.8": "mariadb-11.8.6",
}
#: What a prepared text does is not followed.
SCRIPTS = [one for one in recorded("scripts.jsonl.xz") if not any("EXECUTE" in text for text in one["run"])]


@pytest.mark.parametrize("server", SERVERS)
def test_tables_behind_a_script(server: str) -> None:
    wrong, silent = [], 0
    for line in SCRIPTS:
        ((_, errors, tables, *keys),) = [answer for answer in line["answers"] if server in answer[0]]
        # Every statement as a whole, as it was sent.
        schema = read(
            "DELIMITER //\n" + "//\n".join(line["run"]), Server.parse(SERVERS[server]), database="fx"
        )
        ours = {
            t.name: [t.kind.name[0], *(c.name for c in t.columns if t.kind is TableKind.TABLE)]
            for t in schema.tables
            if t.database == "fx"
        }
        theirs = {
            name: found if found[0] == TableKind.TABLE.name[0] else found[:1]
            for name, found in tables.items()
        }
        problems = [problem.message for problem in schema.problems if not problem.skipped]
        if keys and not problems and keys != [sorted(key.name for t in schema.tables for key in t.keys)]:
            wrong.append((line["run"], errors, keys, schema.tables, problems))
        if keys and problems and not any(errors):
            wrong.append((line["run"], errors, keys, problems))
        # What is told stands; what a server refuses, or what is not known here, may be missing with a
        # problem.
        if not (ours == theirs or (problems and ours.items() <= theirs.items())):
            wrong.append((line["run"], errors, theirs, ours, problems))
        silent += not problems and ours == theirs and not any(errors)
    assert wrong == []
    assert silent > 25
