"""Whatever the conversion of one column does, the report of the table says: no outcome falls between the
rules.
"""

from __future__ import annotations

import itertools

import pytest

from schemacheck import engine
from schemacheck.conversion.setting import column_effect
from schemacheck.dataclass import replace
from schemacheck.engine import check_pair
from schemacheck.model import Column, ColumnType, Effect, Link, Server, Table

TYPES = (
    "tinyint", "int", "int unsigned", "int zerofill", "bigint unsigned", "decimal(5,2)", "decimal(10,4)",
    "decimal(5,2) unsigned",
    "float", "float unsigned", "float zerofill", "float(5,0)", "float(7,2)", "double", "double unsigned",
    "double zerofill", "double(12,2)",
    "bit(1)", "bit(9)", "year", "date", "time", "time(2)", "time(6)", "datetime", "datetime(3)", "timestamp",
    "timestamp(6)",
    "char(0)", "char(10)", "varchar(0)", "varchar(10)", "varchar(300)", "tinytext", "text", "longtext",
    "binary(4)", "binary(16)", "varbinary(0)", "varbinary(10)", "varbinary(300)", "tinyblob", "blob",
    "enum('a','b')", "enum('b','a')", "set('a','b')", "set('a')", "geometry", "point", "linestring",
)  # fmt: skip
MORE = {
    "mysql-9.7.4": ("json", "vector(3)"),
    "mariadb-11.8.6": ("json", "vector(3)", "uuid", "inet4", "inet6", "varchar(10) compressed"),
}
LINKS = [
    ("mysql-9.7.4", "mysql-9.7.4"),
    ("mariadb-11.8.6", "mariadb-11.8.6"),
    ("mysql-9.7.4", "mariadb-11.8.6"),
    ("mysql-5.6.24", "mysql-9.7.4"),
]


def columns(server: str) -> list[ColumnType]:
    """Each type, the texts in character sets of one to four bytes."""
    found = []
    for text in (*TYPES, *MORE.get(server, ())):
        sets = (
            ("latin1", "utf8mb4", "ucs2")
            if text.startswith(("char", "varchar", "tinytext", "text"))
            else ("utf8mb4",)
        )
        found += [ColumnType.parse(text, charset=name) for name in sets]
    return found


@pytest.mark.parametrize("modes", ["", "ALL_LOSSY,ALL_NON_LOSSY"])
@pytest.mark.parametrize(("source", "replica"), LINKS)
def test_every_effect_of_a_column_is_in_the_report(source: str, replica: str, modes: str) -> None:
    link = Link(
        Server.parse(source, {"binlog_format": "ROW"}),
        Server.parse(replica, {"slave_type_conversions": modes}),
    )
    silent = []
    for here, there in itertools.product(columns(source), columns(replica)):
        effect = column_effect(here, there, link)[0]
        ends = [Table("t", (Column("c", kind, nullable=True),)) for kind in (here, there)]
        if check_pair(ends[0], ends[1], link).verdict < effect:
            silent.append(f"{here.sql()} to {there.sql()}: {effect.value}")
    assert not silent


@pytest.mark.parametrize("modes", ["", "ALL_LOSSY"])
def test_a_conversion_that_no_rule_tells_is_unknown(modes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also beside a column that a rule tells: somebody may suppress that finding."""
    server = Server.parse("mysql-9.7", {"binlog_format": "ROW", "slave_type_conversions": modes})
    ends = [
        Table(
            "t", tuple(Column(name, ColumnType.parse(text)) for name, text in zip("ab", types, strict=True))
        )
        for types in (("int", "decimal(9,2)"), ("tinyint", "decimal(5,2)"))
    ]
    asked = engine.rules_for

    def about_b(pair: engine.Pair) -> list[object]:
        return [
            replace(rule, check=lambda p, rule=rule: (f for f in rule.check(p) if f.column == "b"))
            for rule in asked(pair)
        ]

    monkeypatch.setattr(engine, "rules_for", about_b)
    report = check_pair(*ends, Link(server, server))
    assert [(f.column, f.code) for f in report.findings if f.effect is Effect.UNKNOWN] == [(None, "SC004")]
    assert "column a" in report.findings[0].message
    assert [f.column for f in report.findings[1:]] == ["b"]
