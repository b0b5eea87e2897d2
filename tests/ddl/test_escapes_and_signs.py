"""ESCAPE, COMPRESSED and zeros with a sign, as MariaDB 10.11.19 and 11.8.6 answered."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.inputs.column_row import _quoted_default
from schemacheck.model import Server
from schemacheck.model.column_type import ColumnType
from schemacheck.model.table import Default, DefaultKind

BOTH = ("mariadb-10.11.19", "mariadb-11.8.6")


def found(text: str, name: str):
    return read(f"CREATE TABLE t ({text});", Server.parse(name), database="d")


def number(text: str, name: str) -> int | str | None:
    """The number of the refusal, "unknown" for another problem; None where the table is read."""
    problems = found(text, name).problems
    if not problems:
        return None
    return problems[0].refusal.number if problems[0].refusal else "unknown"


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize(
    ("escape", "said"),
    [
        ("'a'", None), ("'\\\\'", None),
        # Not modelled: servers take some, and refuse others (1210).
        ("'é'", "unknown"), ("1", "unknown"), ("NULL", "unknown"), ("'ab'", "unknown"), ("a", "unknown"),
        ("concat('a','b')", "unknown"), ("_utf8mb4'é'", "unknown"), ("0x41", "unknown"),
    ],
)  # fmt: skip
def test_escape_is_one_character(escape, said, name):
    assert number(f"a VARCHAR(10), CHECK (a LIKE 'x%' ESCAPE {escape})", name) == said
    assert number(f"a VARCHAR(10), c INT AS (a NOT LIKE 'x%' ESCAPE {escape})", name) == said


@pytest.mark.parametrize(
    ("type_", "late"),
    [
        ("VARCHAR(10) COMPRESSED", True),
        ("TEXT COMPRESSED CHARACTER SET latin1", True),
        ("TEXT COMPRESSED BINARY", True),
        ("TEXT CHARACTER SET latin1 COMPRESSED", False),
        ("TEXT BINARY COMPRESSED", False),
        ("TEXT ASCII COMPRESSED", False),
    ],
)
def test_compressed_stands_in_front_of_the_character_set(type_, late):
    assert number(f"a {type_}", "mariadb-10.11.19") is None
    assert (number(f"a {type_}", "mariadb-11.8.6") is None) is late


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("type_", ["FLOAT", "DOUBLE", "FLOAT UNSIGNED", "FLOAT(30)"])
@pytest.mark.parametrize("written", ["-0", "-0.0", "-.0"])
def test_a_zero_has_no_sign(written, type_, name):
    (table,) = found(f"a {type_} DEFAULT {written}", name).tables
    assert table.columns[0].default == Default(DefaultKind.LITERAL, "0")


def test_a_zero_has_no_sign_in_rows():
    made = _quoted_default("-0", ColumnType.parse("float"), nullable=True)
    assert made == Default(DefaultKind.LITERAL, "0")
