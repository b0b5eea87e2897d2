"""Of a report's SQL only our own conditions go to a server."""

from __future__ import annotations

import json

import pytest

from schemacheck.errors import InputError
from schemacheck.model import ColumnType, Link, Server
from schemacheck.profile.wanted import WantedKey, from_report, where

OURS = [
    "`a` > 2147483647",
    "`a` < -2147483648 OR `a` > 2147483647",
    "`a` + 0 IN (2, 3)",
    "`a` <> ROUND(`a`, 2) OR ABS(`a`) > 99.99",
    "NOT (CAST(CONVERT(`a` USING latin1) AS BINARY) <=> CAST(`a` AS BINARY)) OR CHAR_LENGTH(`a`) > 5",
    "LENGTH(TRIM(TRAILING ' ' FROM `a`)) < LENGTH(`a`)",
    "MICROSECOND(`a`) % 1000 <> 0",
    "`a` + 0 & 4 <> 0",
]
OTHERS = [
    "`a` > (SELECT 1)",
    "`b` > 1",
    "SLEEP(10)",
    "`a` > 1; DROP TABLE t",
    "`a` = 'x'",
    "`a` > @@version",
    "`a` > 1 -- ",
    "`a` > 1 /* x */",
    "LOAD_FILE(`a`)",
    "`a` > 0x31",
    "`a` IN (1) UNION SELECT 1",
    "`a`.`b` > 1",
    "",
]


@pytest.mark.parametrize("condition", OURS)
def test_our_own_conditions_pass(condition):
    assert where("a", f"SELECT * FROM `s`.`t` WHERE {condition};") == condition


@pytest.mark.parametrize("condition", OTHERS)
def test_nothing_else_does(condition):
    assert where("a", f"SELECT * FROM `s`.`t` WHERE {condition};") is None


@pytest.mark.parametrize(
    ("source", "replica"),
    [
        ("int unsigned", "int"), ("bigint", "tinyint"), ("decimal(10,4)", "decimal(5,2) unsigned"),
        ("bit(8)", "bit(3)"), ("enum('a','b')", "enum('a')"), ("set('a','b')", "set('b')"),
        ("varchar(20)", "varchar(3)"),
        ("text", "tinytext"), ("varchar(9)", "char(9)"), ("varbinary(9)", "binary(9)"),
    ],
)  # fmt: skip
def test_every_condition_that_a_finding_has_passes(source, replica):
    from schemacheck.conversion import conversion
    from schemacheck.conversion.affected import condition

    server = Server.parse("mysql-8.4", {"replica_type_conversions": "ALL_LOSSY,ALL_NON_LOSSY"})
    link = Link(server, server)
    here, there = (ColumnType.parse(text, charset="utf8mb4") for text in (source, replica))
    kind, outcome = conversion(here, there, link)
    made = condition("`a``b`", here, there, kind, outcome, link)
    assert made is not None
    assert where("a`b", f"SELECT * FROM `s`.`t` WHERE {made};") == made


def finding(**fields: object) -> dict[str, object]:
    return {"effect": "diverges", "rule": "signedness", "column": "a", **fields}


def test_columns_conditions_and_keys_of_a_report(tmp_path):
    file = tmp_path / "r.json"
    key = finding(rule="stricter-unique-key", column="Email", replica={"text": "unique key (Email, b(10))"})
    text = "varchar(9) character set utf8mb4 collate utf8mb4_general_ci"
    collated = finding(effect="compatible", column="Email", replica={"text": text})
    tables = [
        {"database": "S", "table": "T", "findings": [finding(), key, collated]},
        {"database": "s", "table": "whole", "findings": [finding(column=None)]},
        {"database": "s", "table": "alike", "findings": []},
    ]
    file.write_text(json.dumps({"tables": tables}))
    wanted = from_report(str(file))
    assert set(wanted) == {("s", "t"), ("s", "whole")}
    assert wanted["s", "t"].columns == {"a", "email"}
    assert wanted["s", "t"].keys == [WantedKey((("Email", None), ("b", 10)), {"Email": "utf8mb4_general_ci"})]
    assert wanted["s", "whole"].columns is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"tables": 1}', '{"tables": [1]}', "[" * 100_000, "\xff"])
def test_a_file_that_is_no_report(text, tmp_path):
    file = tmp_path / "r.json"
    file.write_text(text, "latin-1")
    with pytest.raises(InputError, match="not a report of schemacheck check --format json"):
        from_report(str(file))
