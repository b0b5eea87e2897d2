"""Values as DEFAULT, dates with zeros first, asked of four servers: both of MySQL (5.6.24 and 9.7.4) gave
the same answers, and both of MariaDB (10.11.19 and 11.8.6) too.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server

RECORDED = Path(__file__).parent / "data" / "zero_dates.jsonl.xz"
SERVERS = {"mysql": ("mysql-5.6.24", "mysql-9.7.4"), "mariadb": ("mariadb-10.11.19", "mariadb-11.8.6")}


def kept(value: str, type_: str, name: str, mode: str) -> str | int:
    """The default that a column keeps, in quotes; the error's number."""
    server = Server.parse(name, {"sql_mode": mode, "explicit_defaults_for_timestamp": "ON"})
    found = read(f"CREATE TABLE t (a {type_} DEFAULT {value})", server, database="d")
    if found.problems:
        refusal = found.problems[0].refusal
        assert refusal is not None
        return refusal.number
    default = found.tables[0].columns[0].default
    assert default is not None
    return f"'{default.text}'"


@pytest.mark.recorded
@pytest.mark.parametrize("flavor", SERVERS)
def test_what_is_kept(flavor):
    with lzma.open(RECORDED, "rt") as lines:
        groups = [group for group in map(json.loads, lines) if group["flavor"] == flavor]
    assert sum(len(group["kept"]) for group in groups) == 1430
    for group in groups:
        for value, answer in group["kept"].items():
            for name in SERVERS[flavor]:
                assert kept(value, group["type"], name, group["sql_mode"]) == answer, (value, group, name)


@pytest.mark.parametrize(
    ("value", "type_", "name", "answer"),
    [
        # Numbers with short years (asked of four servers).
        ("10030", "DATETIME", "mysql-8.0.36", "'2001-00-30 00:00:00'"),
        ("215000000", "DATE", "mariadb-10.11", "'2000-02-15'"),
        ("10130101112", "TIMESTAMP NULL", "mysql-8.0.36", "'2001-01-30 10:11:12'"),
        ("1101112", "TIMESTAMP NULL", "mysql-8.0.36", 1067),
        ("700031", "DATE", "mariadb-11.8.6", 1067),
        ("100", "DATE", "mysql-8.0.36", 1067),
        ("101", "DATE", "mysql-8.0.36", "'2000-01-01'"),
        # A TIMESTAMP ends in 2038, on MariaDB 11.5 and later in 2106.
        ("'2038-12-15'", "TIMESTAMP NULL", "mysql-9.7.4", 1067),
        ("'2038-12-15'", "TIMESTAMP NULL", "mariadb-10.11.19", 1067),
        ("'2038-12-15'", "TIMESTAMP NULL", "mariadb-11.8.6", "'2038-12-15 00:00:00'"),
        ("'2107-01-01'", "TIMESTAMP NULL", "mariadb-11.8.6", 1067),
    ],
)
def test_numbers_and_bounds(value, type_, name, answer):
    assert kept(value, type_, name, "") == answer


@pytest.mark.parametrize(
    ("value", "type_", "name", "answer"),
    [
        *(("-0", type_, "mysql-9.7.4", "'0'") for type_ in ("VARCHAR(5)", "BINARY(3)", "DOUBLE")),
        ("-0", "TIME(2)", "mariadb-10.11.19", "'00:00:00.00'"),
        ("'-0'", "TIME", "mysql-5.6.24", "'00:00:00'"),
        ("-0.0", "CHAR(5)", "mariadb-11.8.6", "'0.0'"),
        ("-00.50", "CHAR(5)", "mysql-9.7.4", "'-0.50'"),
        ("1.", "VARCHAR(5)", "mysql-9.7.4", "'1'"),
        ("'1e2'", "TIME", "mysql-9.7.4", 1067),
        *(
            ("b''", type_, "mysql-9.7.4", 1067)
            for type_ in ("INT", "FLOAT", "DECIMAL(5,2)", "YEAR", "BIT(8)")
        ),
        ("b''", "CHAR(2)", "mysql-9.7.4", "''"),
        ("b''", "INT", "mariadb-11.8.6", "'0'"),
        ("'1 '", "DOUBLE", "mysql-5.6.24", 1067),
        ("'1 '", "DOUBLE", "mysql-9.7.4", "'1'"),
    ],
)
def test_values_of_other_types(value, type_, name, answer):
    assert kept(value, type_, name, "") == answer
