"""A statement that is known at one door is known at the others: what a new one needs, told by name."""

from __future__ import annotations

import sys
from typing import get_args

import pytest

from schemacheck.catalog import alter, definitions, read
from schemacheck.catalog.steps import steps
from schemacheck.model import Server
from schemacheck.plan import statement_reader
from schemacheck.replay.tables import DDL
from schemacheck.sql.ddl import actions
from schemacheck.sql.ddl import parse as ddl_parse
from schemacheck.sql.ddl.draft import TableDraft
from schemacheck.sql.lexer import Refused
from schemacheck.sql.statements import parse

SERVER = Server.parse("mysql-9.7")
#: Words that begin statements in bodies of programs alone, and those of which one server alone knows what
#: they do: a script that has one of them is not understood.
NOT_IN_SCRIPTS = {
    "BACKUP", "CLOSE", "DECLARE", "DIAGNOSTICS", "FETCH", "ITERATE", "LEAVE", "OPEN", "TABLE",
}  # fmt: skip


def read_heads() -> list[str]:
    """The first words of all statements that `sql.statements` reads."""
    module = sys.modules[parse.__module__]
    return sorted({*module._READERS, *module._NOT_LOGGED, *module._DML} - {"("})


@pytest.mark.parametrize("kind", sorted(set(get_args(ddl_parse.Definition)) - {TableDraft}, key=str))
def test_a_kind_of_definition_runs_on_tables(kind: type) -> None:
    why = "catalog/definitions.py, `_RUN`: what it does to tables"
    assert kind in definitions._RUN, why


#: One statement of each kind; a sequence's numbers are rows, which `replay` does not follow.
SAMPLES = (
    "CREATE TABLE t (a INT)", "ALTER TABLE t ADD b INT", "CREATE INDEX i ON t (a)",
    "CREATE VIEW v AS SELECT 1", "CREATE DATABASE d", "ALTER DATABASE d CHARSET latin1",
    "DROP DATABASE d", "DROP INDEX i ON t",
    "DROP TABLE t", "DROP VIEW v", "RENAME TABLE t TO u", "TRUNCATE t",
)  # fmt: skip


def test_a_definition_of_a_log_is_run_on_both_ends() -> None:
    of = {type(parse(text, SERVER).definition): parse(text, SERVER).verb for text in SAMPLES}
    assert set(get_args(ddl_parse.Definition)) <= of.keys(), "a sample of the new kind above"
    assert set(of.values()) - DDL == {"truncate"}, "replay/tables.py, `DDL`, or a branch of replay/end.py"


@pytest.mark.parametrize("head", read_heads())
def test_a_statement_of_logs_is_known_in_scripts(head: str) -> None:
    unknown = any("begins no statement" in one.message for one in read(f"{head} x", SERVER).problems)
    assert unknown == (head in NOT_IN_SCRIPTS), (
        "sql/words.py, `PASSED`: where it leaves tables as they are; else catalog/script.py says what it does"
    )


@pytest.mark.parametrize("head", ["BINLOG", "HANDLER", "KILL", "NOTHING"])
def test_a_change_that_has_another_word_is_not_known(head: str) -> None:
    """`plan` and `check --change` have lists of their own (plan/statement_reader.py, applier/change.py):
    a word that is in none of them is never taken for harmless.
    """
    assert next(statement_reader.read(one).unknown for one in steps(f"{head} x", SERVER))


@pytest.mark.parametrize("part", [actions.Other(0, ("SHRINK", "SPACE")), actions.Action(0)])
def test_a_part_of_alter_table_that_is_not_run_is_not_taken_for_harmless(part: actions.Action) -> None:
    with pytest.raises(Refused, match="not followed") as refused:
        alter._run(part, None, None)
    assert refused.value.errno is None
