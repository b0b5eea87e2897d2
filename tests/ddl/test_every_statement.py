"""A statement that is known at one door is known at the others: what a new one needs, told by name."""

from __future__ import annotations

import sys
from typing import get_args

import pytest

from schemacheck.catalog import definitions, read
from schemacheck.catalog.steps import steps
from schemacheck.model import Server
from schemacheck.plan import statement_reader
from schemacheck.sql.ddl import parse as ddl_parse
from schemacheck.sql.ddl.draft import TableDraft
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
