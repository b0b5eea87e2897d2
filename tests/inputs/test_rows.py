"""information_schema rows to Tables: headings, NULL traps, EXTRA, keys, and what a broken row does."""

from __future__ import annotations

import decimal
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacheck.errors import InputError
from schemacheck.inputs.heading import Rows
from schemacheck.model import Default, DefaultKind, KeyKind, Server, TableKind
from tests.tables_from_rows import tables_from_rows

MYSQL = Server.parse("mysql-8.4")
OLD = Server.parse("mysql-5.6")
MARIADB = Server.parse("mariadb-10.11")
NULL = Default(DefaultKind.NULL)
NOW = Default(DefaultKind.CURRENT_TIMESTAMP)


def literal(text: str) -> Default:
    return Default(DefaultKind.LITERAL, text)


def expression(text: str) -> Default:
    return Default(DefaultKind.EXPRESSION, text)


def row(name="a", ordinal=1, type_="int", **more):
    return {
        "TABLE_SCHEMA": "shop", "TABLE_NAME": "t", "COLUMN_NAME": name, "ORDINAL_POSITION": ordinal,
        "COLUMN_TYPE": type_, "IS_NULLABLE": "YES",
        "COLUMN_DEFAULT": None, "EXTRA": "", "CHARACTER_SET_NAME": None, "COLLATION_NAME": None, **more,
    }  # fmt: skip


def one(rows, server=MYSQL, **views):
    schema = tables_from_rows(rows, server=server, **views)
    assert [p for p in schema.problems if not p.skipped] == []
    assert len(schema.tables) == 1
    return schema.tables[0]


DEFAULTS = [
    # server, type, nullable, COLUMN_DEFAULT, EXTRA, default
    (MYSQL, "int", "YES", None, "", NULL),
    (MYSQL, "int", "NO", None, "", None),
    (MYSQL, "int", "NO", "0", "", literal("0")),
    (MYSQL, "varchar(9)", "NO", "CURRENT_TIMESTAMP", "", literal("CURRENT_TIMESTAMP")),
    (MYSQL, "varchar(9)", "YES", "NULL", "", literal("NULL")),
    (MYSQL, "datetime(3)", "YES", "CURRENT_TIMESTAMP(3)", "DEFAULT_GENERATED", NOW),
    (MYSQL, "datetime", "YES", "now()", "DEFAULT_GENERATED", expression("now()")),
    (MYSQL, "bit(3)", "YES", "b'101'", "", literal("b'101'")),
    (MYSQL, "json", "YES", "json_object(_utf8mb4\\'a\\',1)", "DEFAULT_GENERATED",
    expression("json_object('a',1)")),
    # 8.0.13 to 8.0.22 leave the text out: there is a default, its text is unknown.
    (MYSQL, "text", "NO", None, "DEFAULT_GENERATED", expression("")),
    (MYSQL, "binary(5)", "YES", "0x6162000000", "", literal("ab")),
    (MYSQL, "binary(2)", "YES", "0xFF00", "", literal("0xff")),
    (MYSQL, "int", "NO", None, "auto_increment", None),
    (OLD, "timestamp", "NO", "CURRENT_TIMESTAMP", "on update CURRENT_TIMESTAMP", NOW),
    (OLD, "binary(5)", "YES", "abc\0\0", "", literal("abc")),
    (OLD, "timestamp", "NO", "0000-00-00 00:00:00", "", literal("0000-00-00 00:00:00")),
    (MARIADB, "int", "YES", "NULL", "", NULL),
    (MARIADB, "int", "YES", None, "", None),
    (MARIADB, "int", "NO", "NULL", "", None),
    (MARIADB, "varchar(9)", "NO", "'NULL'", "", literal("NULL")),
    (MARIADB, "varchar(9)", "NO", "'it''s\\\\'", "", literal("it's\\")),
    (MARIADB, "varchar(9)", "NO", "''", "", literal("")),
    (MARIADB, "decimal(9,2)", "NO", "-0.50", "", literal("-0.50")),
    (MARIADB, "bit(3)", "YES", "b'101'", "", literal("b'101'")),
    (MARIADB, "binary(5)", "YES", "x'6162000000'", "", literal("ab")),
    (MARIADB, "timestamp", "NO", "current_timestamp()", "on update current_timestamp()", NOW),
    (MARIADB, "datetime(6)", "NO", "current_timestamp(6)", "", NOW),
    (MARIADB, "int", "YES", "uuid_short()", "", expression("uuid_short()")),
]  # fmt: skip


@pytest.mark.parametrize(("server", "type_", "nullable", "text", "extra", "default"), DEFAULTS)
def test_default(server, type_, nullable, text, extra, default):
    column = one([row(type_=type_, IS_NULLABLE=nullable, COLUMN_DEFAULT=text, EXTRA=extra)], server).columns[
        0
    ]
    assert column.default == default
    assert column.nullable is (nullable == "YES")
    assert column.auto_increment is ("auto_increment" in extra)
    assert column.on_update is ("on update" in extra)


@pytest.mark.parametrize(
    ("extra", "generated", "invisible"),
    [
        ("VIRTUAL GENERATED", "virtual", False), ("STORED GENERATED INVISIBLE", "stored", True),
        ("STORED GENERATED, INVISIBLE", "stored", True),
        ("PERSISTENT", "stored", False), ("DEFAULT_GENERATED INVISIBLE", None, True),
        ("on update current_timestamp(6), INVISIBLE", None, True), ("", None, False),
    ],
)  # fmt: skip
def test_extra_is_tokens(extra, generated, invisible):
    made = "(`b` + 1)" if generated else ""
    column = one([row(EXTRA=extra, GENERATION_EXPRESSION=made)]).columns[0]
    assert (column.generated, column.invisible) == (generated, invisible)
    assert column.expression == ("b+1" if generated else None)


def test_names_encoded_twice_in_expressions():
    """The dictionary's views of MySQL show names in expressions as latin1 of UTF-8."""
    column = one([row(EXTRA="VIRTUAL GENERATED", GENERATION_EXPRESSION="(`\u00c3\u00a9tat` + 1)")]).columns[0]
    assert column.expression == "`état`+1"


def test_headings_in_any_case_and_order_unknown_ones_ignored():
    plain = one([row(), row("b", 2, "varchar(3)", CHARACTER_SET_NAME="latin1", COLLATION_NAME="latin1_bin")])
    folded = [
        {k.lower(): v for k, v in reversed(list({**row(), "NEW_IN_10_0": 1}.items()))},
        {
            k.lower(): v
            for k, v in row(
                "b", 2, "varchar(3)", CHARACTER_SET_NAME="latin1", COLLATION_NAME="latin1_bin"
            ).items()
        },
    ]
    assert one(folded) == plain
    assert (
        one(
            [
                row(),
                {
                    k.lower(): v
                    for k, v in row(
                        "b", 2, "varchar(3)", CHARACTER_SET_NAME="latin1", COLLATION_NAME="latin1_bin"
                    ).items()
                },
            ]
        )
        == plain
    )
    heading = list(row())
    assert (
        one(
            Rows(
                heading,
                [
                    (7, list(row().values())),
                    (
                        8,
                        list(
                            row(
                                "b", 2, "varchar(3)", CHARACTER_SET_NAME="latin1", COLLATION_NAME="latin1_bin"
                            ).values()
                        ),
                    ),
                ],
            )
        )
        == plain
    )


def test_a_table_without_a_name_is_said_to_be_missing():
    schema = tables_from_rows([row(TABLE_NAME=None), row()], server=MYSQL)
    assert len(schema.tables) == 1
    (found,) = [problem for problem in schema.problems if not problem.skipped]
    assert "that of a table called NULL" in found.message


def test_missing_headings_are_named():
    with pytest.raises(
        InputError, match="COLUMNS rows need the columns ORDINAL_POSITION, COLUMN_TYPE; found"
    ):
        tables_from_rows(
            [{"TABLE_SCHEMA": "a", "TABLE_NAME": "b", "COLUMN_NAME": "c"}], server=MYSQL, file="x.csv"
        )


@pytest.mark.parametrize(
    ("absent", "said"),
    [
        (["EXTRA"], "EXTRA"),
        (["COLUMN_DEFAULT", "IS_NULLABLE"], "IS_NULLABLE, COLUMN_DEFAULT"),
        (["COLLATION_NAME"], "COLLATION_NAME"),
        (["CHARACTER_SET_NAME", "COLLATION_NAME"], "CHARACTER_SET_NAME, COLLATION_NAME"),
        (["CHARACTER_SET_NAME"], ""),
    ],
)
def test_columns_that_were_not_dumped_are_unknown(absent, said):
    """What was not read is no pass; a collation tells its character set."""
    text = row("c", type_="varchar(9)", CHARACTER_SET_NAME="latin1", COLLATION_NAME="latin1_bin")
    schema = tables_from_rows([{k: v for k, v in text.items() if k not in absent}], server=MYSQL)
    told = [one.message for one in schema.problems if not one.skipped]
    assert [f"COLUMNS has no {said}:" in one for one in told] == [True] * bool(said)
    if not said:
        assert schema.tables[0].columns[0].type.charset == "latin1"


@pytest.mark.parametrize("value", [3, "3", 3.0, decimal.Decimal(3)])
def test_ordinals_of_every_kind(value):
    assert [c.name for c in one([row("b", 2), row("c", value), row("a", 1)]).columns] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (row("b", 2, "frobnicate(3)"), "frobnicate"), (row("b", 2, None), "COLUMN_TYPE is NULL"), (row("b", 2,
        ""), "COLUMN_TYPE is empty"),
        (row("b", "two"), "ORDINAL_POSITION is 'two'"), (row("b", 0), "ORDINAL_POSITION is 0"), (row("b",
        2.5), "2.5"), (row("", 2), "COLUMN_NAME is empty"),
        (row("b", 2, IS_NULLABLE="MAYBE"), "IS_NULLABLE is 'MAYBE'"),
        (row("b", 2, IS_NULLABLE=""), "IS_NULLABLE is '', not YES or NO"),
        (row("b", 2, IS_NULLABLE=None), "IS_NULLABLE is NULL, not YES or NO"),
        (row("b", 2, COLUMN_DEFAULT={"x": 1}), "unhashable"), (row("b", float("inf")), "inf"),
        (row("b", 4), "ordinal position 2, 3"), (row("A", 2), "two of its columns have one name"),
        (row("b", 1), "position 1 comes twice"),
    ],
)  # fmt: skip
def test_a_broken_row_takes_only_its_own_table(bad, says):
    rows = [row(), bad, {**row(), "TABLE_NAME": "other"}]
    schema = tables_from_rows(rows, server=MYSQL, file="dump.jsonl")
    assert [t.name for t in schema.tables] == ["other"]
    (problem,) = schema.problems
    assert (problem.database, problem.table, problem.skipped) == ("shop", "t", False)
    assert says in problem.message
    assert problem.location is not None
    assert problem.location.file == "dump.jsonl"


def test_a_short_row_is_told_with_its_line():
    heading = list(row())
    schema = tables_from_rows(
        Rows(heading, [(2, list(row().values())), (3, ["shop", "t"])]), server=MYSQL, file="x.tsv"
    )
    assert [str(p.location) for p in schema.problems] == ["x.tsv:3"]


STATISTICS = {
    "TABLE_SCHEMA": "shop",
    "TABLE_NAME": "t",
    "NON_UNIQUE": 0,
    "INDEX_NAME": "PRIMARY",
    "SEQ_IN_INDEX": 1,
    "COLUMN_NAME": "a",
    "COLLATION": "A",
    "SUB_PART": None,
    "INDEX_TYPE": "BTREE",
    "IS_VISIBLE": "YES",
    "EXPRESSION": None,
}


def test_keys_of_statistics():
    statistics = [
        {
            **STATISTICS,
            "INDEX_NAME": "k",
            "NON_UNIQUE": "1",
            "SEQ_IN_INDEX": "2",
            "COLUMN_NAME": "a",
            "COLLATION": "D",
        },
        {
            **STATISTICS,
            "INDEX_NAME": "k",
            "NON_UNIQUE": "1",
            "SEQ_IN_INDEX": "1",
            "COLUMN_NAME": "b",
            "SUB_PART": "10",
            "IS_VISIBLE": "NO",
        },
        {**STATISTICS, "INDEX_NAME": "f", "COLUMN_NAME": None, "EXPRESSION": "(`a` + 1)"},
        {**STATISTICS, "INDEX_NAME": "sp", "NON_UNIQUE": 1, "INDEX_TYPE": "SPATIAL", "SUB_PART": 32},
        {**STATISTICS},
    ]
    keys = one([row(), row("b", 2)], statistics=statistics).keys
    assert [(k.kind, k.name, k.visible) for k in keys] == [
        (KeyKind.PRIMARY, "PRIMARY", True), (KeyKind.UNIQUE, "f", True), (KeyKind.INDEX, "k", False),
        (KeyKind.SPATIAL, "sp", True),
    ]  # fmt: skip
    assert [(p.column, p.length, p.descending) for p in keys[2].parts] == [
        ("b", 10, False),
        ("a", None, True),
    ]
    assert keys[1].parts[0].expression == "a+1"
    assert keys[3].parts[0].length is None


def test_hash_key_has_a_hidden_column_on_mariadb_only():
    statistics = [{**STATISTICS, "INDEX_NAME": "u", "INDEX_TYPE": "HASH"}]
    tables = [
        {
            "TABLE_SCHEMA": "shop",
            "TABLE_NAME": "t",
            "TABLE_TYPE": "BASE TABLE",
            "ENGINE": "InnoDB",
            "TABLE_COLLATION": "utf8mb4_bin",
        }
    ]
    assert [c.name for c in one([row()], MARIADB, statistics=statistics, tables=tables).columns] == [
        "a",
        "DB_ROW_HASH_1",
    ]
    assert [
        c.name
        for c in one(
            [row()], MARIADB, statistics=statistics, tables=[{**tables[0], "ENGINE": "MEMORY"}]
        ).columns
    ] == ["a"]
    assert [c.name for c in one([row()], MYSQL, statistics=statistics, tables=tables).columns] == ["a"]


def test_keys_without_statistics():
    keys = one(
        [
            row("b", 1, COLUMN_KEY="PRI"),
            row("a", 2, COLUMN_KEY="PRI"),
            row("c", 3, COLUMN_KEY="UNI"),
            row("d", 4, COLUMN_KEY="MUL"),
        ]
    ).keys
    assert [(k.kind, [p.column for p in k.parts]) for k in keys] == [
        (KeyKind.PRIMARY, ["b", "a"]),
        (KeyKind.UNIQUE, ["c"]),
    ]


def test_statistics_of_other_databases_only():
    keys = one([row(COLUMN_KEY="PRI")], statistics=[{**STATISTICS, "TABLE_SCHEMA": "elsewhere"}]).keys
    assert [k.kind for k in keys] == [KeyKind.PRIMARY]


def test_checks_find_their_table_through_table_constraints():
    check = {
        "CONSTRAINT_SCHEMA": "shop",
        "CONSTRAINT_NAME": "c1",
        "CHECK_CLAUSE": "(`a` <> _utf8mb4\\'it\\\\\\'s\\')",
    }
    owner = {
        "CONSTRAINT_SCHEMA": "shop",
        "CONSTRAINT_NAME": "c1",
        "TABLE_NAME": "t",
        "CONSTRAINT_TYPE": "CHECK",
        "ENFORCED": "NO",
    }
    (found,) = one([row()], checks=[check], constraints=[owner]).checks
    assert (found.name, found.enforced) == ("c1", False)
    assert "'it''s'" in found.expression
    schema = tables_from_rows([row()], server=MYSQL, checks=[check])
    assert "dump TABLE_CONSTRAINTS too" in schema.problems[0].message
    (found,) = one([row()], MARIADB, checks=[{**check, "TABLE_NAME": "t", "CHECK_CLAUSE": "`a` > 0"}]).checks
    assert found.expression == "a>0"


def test_foreign_keys():
    usage = {
        "TABLE_SCHEMA": "shop", "TABLE_NAME": "t", "CONSTRAINT_NAME": "f", "COLUMN_NAME": "b",
        "ORDINAL_POSITION": 2, "REFERENCED_TABLE_SCHEMA": "other",
        "REFERENCED_TABLE_NAME": "p", "REFERENCED_COLUMN_NAME": "y",
    }  # fmt: skip
    references = [
        {
            "CONSTRAINT_SCHEMA": "shop",
            "CONSTRAINT_NAME": "f",
            "TABLE_NAME": "t",
            "UPDATE_RULE": "NO ACTION",
            "DELETE_RULE": "CASCADE",
        }
    ]
    usages = [usage, {**usage, "COLUMN_NAME": "a", "ORDINAL_POSITION": 1, "REFERENCED_COLUMN_NAME": "x"}]
    (found,) = one([row(), row("b", 2)], key_usage=usages, references=references).foreign_keys
    assert (found.columns, found.ref_columns, found.ref_database, found.ref_table) == (
        ("a", "b"),
        ("x", "y"),
        "other",
        "p",
    )
    assert (found.on_delete, found.on_update) == ("CASCADE", "RESTRICT")
    schema = tables_from_rows([row(), row("b", 2)], server=MYSQL, key_usage=usages)
    assert [(p.table, p.skipped) for p in schema.problems] == [("t", False)]
    assert "dump REFERENTIAL_CONSTRAINTS too" in schema.problems[0].message


def _constrained():
    """Rows of a table (a, b) with a primary key, a UNIQUE key, a CHECK and a foreign key, by parameter."""
    owner = {"CONSTRAINT_SCHEMA": "shop", "TABLE_NAME": "t"}
    named = (("PRIMARY", "PRIMARY KEY"), ("kab", "UNIQUE"), ("c", "CHECK"), ("f", "FOREIGN KEY"))
    index = {**STATISTICS, "TABLE_NAME": "t", "NON_UNIQUE": 0}
    parts = (("PRIMARY", 1, "a"), ("kab", 1, "a"), ("kab", 2, "b"))
    usage = {
        "TABLE_SCHEMA": "shop", "TABLE_NAME": "t", "CONSTRAINT_NAME": "f", "COLUMN_NAME": "b",
        "ORDINAL_POSITION": 1, "REFERENCED_TABLE_SCHEMA": "shop",
        "REFERENCED_TABLE_NAME": "p", "REFERENCED_COLUMN_NAME": "x",
    }  # fmt: skip
    return {
        "constraints": [{**owner, "CONSTRAINT_NAME": name, "CONSTRAINT_TYPE": kind} for name, kind in named],
        "statistics": [
            {**index, "INDEX_NAME": name, "SEQ_IN_INDEX": number, "COLUMN_NAME": column}
            for name, number, column in parts
        ],
        "checks": [{"CONSTRAINT_SCHEMA": "shop", "CONSTRAINT_NAME": "c", "CHECK_CLAUSE": "(`a` > 0)"}],
        "key_usage": [usage],
        "references": [
            {**owner, "CONSTRAINT_NAME": "f", "UPDATE_RULE": "RESTRICT", "DELETE_RULE": "CASCADE"}
        ],
    }


@pytest.mark.parametrize(
    ("view", "constraint", "parts", "says"),
    [
        (
            "checks",
            "c",
            (None,),
            "TABLE_CONSTRAINTS names the constraint c, and CHECK_CONSTRAINTS has no row",
        ),
        ("key_usage", "f", (None,), "TABLE_CONSTRAINTS names the constraint f, and KEY_COLUMN_USAGE has no"),
        ("references", "f", (None,), "foreign key f: no row of REFERENTIAL_CONSTRAINTS"),
        (
            "statistics",
            "kab",
            (1, 2),
            "TABLE_CONSTRAINTS names the constraint kab, and STATISTICS has no row",
        ),
        ("statistics", "PRIMARY", (1,), "TABLE_CONSTRAINTS names the constraint PRIMARY, and STATISTICS has"),
        ("statistics", "kab", (1,), "key kab in STATISTICS: SEQ_IN_INDEX does not count from 1"),
    ],
)
def test_a_constraint_whose_own_row_is_lost_is_told(view, constraint, parts, says):
    rows = [row(IS_NULLABLE="NO"), row("b", 2), row(TABLE_NAME="whole")]
    views = _constrained()
    assert tables_from_rows(rows, server=MYSQL, **views).problems == ()
    views[view] = [
        line
        for line in views[view]
        if constraint not in (line.get("INDEX_NAME"), line.get("CONSTRAINT_NAME"))
        or line.get("SEQ_IN_INDEX") not in parts
    ]
    schema = tables_from_rows(rows, server=MYSQL, **views)
    assert [(p.table, p.skipped, p.message[: len(says)]) for p in schema.problems] == [("t", False, says)]
    assert "whole" in [table.name for table in schema.tables]


def test_a_lost_row_that_other_rows_speak_of_makes_its_table_unknown():
    columns = [row(COLUMN_KEY="PRI"), row("b", 2, COLUMN_KEY="MUL"), row(TABLE_NAME="other")]
    index = {**STATISTICS, "TABLE_NAME": "t", "SEQ_IN_INDEX": 1}
    statistics = [
        {**index, "INDEX_NAME": "PRIMARY", "NON_UNIQUE": 0, "COLUMN_NAME": "a"},
        {**index, "INDEX_NAME": "k", "NON_UNIQUE": 1, "COLUMN_NAME": "b"},
    ]
    tables = [{"TABLE_SCHEMA": "shop", "TABLE_NAME": name} for name in ("t", "other")]
    key = _constrained()["key_usage"][0]
    usage = [key, {**key, "COLUMN_NAME": "a", "ORDINAL_POSITION": 2, "REFERENCED_COLUMN_NAME": "y"}]
    views = {"tables": tables, "statistics": statistics, "key_usage": usage}
    views["references"] = _constrained()["references"]
    assert tables_from_rows(columns, server=MYSQL, **views).problems == ()
    lost = {
        ("tables", 0): "TABLES has no row of this table",
        ("statistics", 0): "COLUMN_KEY tells a key of a",
        ("statistics", 1): "COLUMN_KEY tells a key of b",
        ("key_usage", 0): "foreign key f in KEY_COLUMN_USAGE: ORDINAL_POSITION does not count from 1",
    }
    for (view, at), says in lost.items():
        less = views | {view: views[view][:at] + views[view][at + 1 :]}
        (problem,) = tables_from_rows(columns, server=MYSQL, **less).problems
        assert (problem.table, problem.skipped, problem.message[: len(says)]) == ("t", False, says)


def test_what_every_row_has_is_told_where_a_row_lacks_it():
    made = row(GENERATION_EXPRESSION="(`b` + 1)")
    assert "does not call the column generated" in tables_from_rows([made], server=MYSQL).problems[0].message
    rows = [row(), row("b", 2, TABLE_SCHEMA=None)]
    assert any("no TABLE_SCHEMA" in p.message for p in tables_from_rows(rows, server=MYSQL).problems)
    for view, at, name in (("constraints", 2, "TABLE_NAME"), ("references", 0, "UPDATE_RULE")):
        views = _constrained()
        views[view][at][name] = None
        messages = [p.message for p in tables_from_rows([row(), row("b", 2)], server=MYSQL, **views).problems]
        assert any(f"has no {name}" in message for message in messages)
    tables = [{"TABLE_SCHEMA": "shop", "TABLE_NAME": "t", "TABLE_TYPE": "BASE TABLE", "ENGINE": None}]
    (problem,) = tables_from_rows([row()], server=MYSQL, tables=tables).problems
    assert "no ENGINE" in problem.message


@pytest.mark.parametrize(
    ("absent", "lost"),
    [("checks", "CHECK_CONSTRAINTS"), ("statistics", "STATISTICS"), ("key_usage", "KEY_COLUMN_USAGE")],
)
def test_a_view_that_was_not_dumped_is_lost_where_only_it_describes_a_constraint(absent, lost):
    views = {name: lines for name, lines in _constrained().items() if name != absent}
    messages = [p.message for p in tables_from_rows([row(), row("b", 2)], server=MYSQL, **views).problems]
    assert [f"and {lost} has no row" in message for message in messages] == [True] * bool(lost)


def test_a_constraint_that_another_view_has_as_an_index_is_told():
    """Real rows of MySQL 9.7.4, with another NON_UNIQUE."""
    views = _constrained()
    for line in views["statistics"]:
        line["NON_UNIQUE"] = "1"
    (problem,) = tables_from_rows([row(), row("b", 2)], server=MYSQL, **views).problems
    assert "and STATISTICS has no row of it that fits" in problem.message


def test_statistics_of_other_databases_are_no_lost_rows():
    views = _constrained() | {"statistics": [{**STATISTICS, "TABLE_SCHEMA": "elsewhere"}]}
    views["constraints"] = [line for line in views["constraints"] if line["CONSTRAINT_TYPE"] != "UNIQUE"]
    assert one([row(), row("b", 2)], **views).name == "t"


@pytest.mark.parametrize("number", ["customer_id", "1e999", "nan"])
def test_keys_with_a_broken_ordinal_are_told(number):
    """Found by fuzzing: shifted fields in KEY_COLUMN_USAGE and STATISTICS."""
    usage = {
        "TABLE_SCHEMA": "shop", "TABLE_NAME": "t", "CONSTRAINT_NAME": "f", "COLUMN_NAME": "a",
        "ORDINAL_POSITION": number, "REFERENCED_TABLE_SCHEMA": "shop",
        "REFERENCED_TABLE_NAME": "p", "REFERENCED_COLUMN_NAME": "x",
    }  # fmt: skip
    schema = tables_from_rows(
        [row()], server=MYSQL, key_usage=[usage], statistics=[{**STATISTICS, "SEQ_IN_INDEX": number}]
    )
    assert [(p.table, p.skipped) for p in schema.problems] == [("t", False)] * 2


def test_views_sequences_and_the_servers_own_databases():
    tables = [
        {"TABLE_SCHEMA": "shop", "TABLE_NAME": "v", "TABLE_TYPE": "VIEW"}, {"TABLE_SCHEMA": "shop",
        "TABLE_NAME": "s", "TABLE_TYPE": "SEQUENCE"}, {"TABLE_SCHEMA": "shop", "TABLE_NAME": "t"},
    ]  # fmt: skip
    rows = [{**row(), "TABLE_NAME": n} for n in ("v", "s", "t")] + [{**row(), "TABLE_SCHEMA": "mysql"}]
    schema = tables_from_rows(rows, server=MARIADB, tables=tables)
    assert [p.skipped for p in schema.problems] == [True]
    assert [(t.name, t.kind, len(t.columns)) for t in schema.tables] == [
        ("v", TableKind.VIEW, 0),
        ("s", TableKind.SEQUENCE, 8),
        ("t", TableKind.TABLE, 1),
    ]


@pytest.mark.parametrize("order", [1, -1])
def test_a_sequence_has_the_type_of_its_next_value_in_any_order_of_rows(order):
    types = {"next_not_cached_value": "bigint(21)", "cache_size": "bigint(21) unsigned"}
    rows = [
        row(name, number, written, IS_NULLABLE="NO")
        for number, (name, written) in enumerate(types.items(), 1)
    ]
    tables = [{"TABLE_SCHEMA": "shop", "TABLE_NAME": "t", "TABLE_TYPE": "SEQUENCE"}]
    schema = tables_from_rows(rows[::order], server=Server.parse("mariadb-11.8"), tables=tables)
    assert not schema.tables[0].columns[0].type.unsigned


def test_generated_invisible_primary_key():
    shown = one(
        [
            row(
                "my_row_id",
                1,
                "bigint unsigned",
                IS_NULLABLE="NO",
                EXTRA="auto_increment INVISIBLE",
                COLUMN_KEY="PRI",
            ),
            row("a", 2),
        ]
    )
    hidden = one([row("a", 2)])
    assert shown.gipk
    assert shown.columns == hidden.columns
    assert shown == hidden
    # MySQL 5.6 has none: there a first ordinal of 2 is a row that is missing.
    assert "ordinal position 1" in tables_from_rows([row("a", 2)], server=OLD).problems[0].message


@pytest.mark.parametrize(
    ("more", "statistics"),
    [
        ({}, [{"COLUMN_NAME": "id"}]),
        ({"COLUMN_KEY": "PRI"}, []),
        ({}, [{"COLUMN_NAME": "id", "INDEX_NAME": "k", "NON_UNIQUE": 1}]),
        ({"IS_NULLABLE": "NO"}, [{"COLUMN_NAME": "b", "INDEX_NAME": "u"}]),
    ],
    ids=["another primary key", "PRI", "a key on what is not there", "UNIQUE NOT NULL makes none"],
)
def test_a_lost_first_row_is_no_generated_primary_key(more, statistics):
    schema = tables_from_rows(
        [row("b", 2, **more)], server=MYSQL, statistics=[STATISTICS | one for one in statistics]
    )
    assert schema.tables == ()
    assert [
        (p.database, p.table, p.skipped, "no row for ordinal position 1" in p.message)
        for p in schema.problems
    ] == [("shop", "t", False, True)]


def test_a_hidden_generated_primary_key_beside_other_keys():
    """As MySQL 9.7.4 shows them with show_gipk_in_create_table_and_information_schema off."""
    table = one(
        [row("a", 2, COLUMN_KEY=""), row("b", 3, COLUMN_KEY="UNI")],
        statistics=[STATISTICS | {"INDEX_NAME": "b", "COLUMN_NAME": "b"}],
    )
    assert table.gipk
    assert [(key.kind, [part.column for part in key.parts]) for key in table.keys] == [
        (KeyKind.PRIMARY, ["my_row_id"]),
        (KeyKind.UNIQUE, ["b"]),
    ]


def test_a_key_on_a_column_that_is_not_there():
    schema = tables_from_rows(
        [row()],
        server=MYSQL,
        statistics=[STATISTICS, STATISTICS | {"INDEX_NAME": "k", "COLUMN_NAME": "lost"}],
    )
    assert schema.tables == ()
    assert [(p.table, "names column lost" in p.message) for p in schema.problems] == [("t", True)]


def test_tables_without_columns_are_told():
    tables = [
        {"TABLE_SCHEMA": d, "TABLE_NAME": n, "TABLE_TYPE": k}
        for d, n, k in (
            ("shop", "t", "BASE TABLE"),
            ("shop", "u", "BASE TABLE"),
            ("shop", "v", "VIEW"),
            ("mysql", "x", "BASE TABLE"),
        )
    ]
    statistics = [STATISTICS, STATISTICS | {"TABLE_NAME": "w"}, STATISTICS | {"TABLE_SCHEMA": "elsewhere"}]
    usage = {
        "TABLE_SCHEMA": "shop", "TABLE_NAME": "x", "CONSTRAINT_NAME": "f", "COLUMN_NAME": "b",
        "ORDINAL_POSITION": 1, "REFERENCED_TABLE_SCHEMA": "shop",
        "REFERENCED_TABLE_NAME": "t", "REFERENCED_COLUMN_NAME": "a",
    }  # fmt: skip
    references = [dict.fromkeys(("UPDATE_RULE", "DELETE_RULE"), "RESTRICT")]
    references[0] |= {"CONSTRAINT_SCHEMA": "shop", "TABLE_NAME": "x", "CONSTRAINT_NAME": "f"}
    schema = tables_from_rows(
        [row()],
        server=MYSQL, tables=tables, statistics=statistics, key_usage=[usage], references=references,
    )  # fmt: skip
    assert [t.name for t in schema.tables] == ["t"]
    assert [(p.table, p.message.split()[0]) for p in schema.problems if not p.skipped] == [
        ("u", "TABLES"),
        ("w", "STATISTICS"),
        ("x", "KEY_COLUMN_USAGE"),
    ]
    assert ["elsewhere" in p.message for p in schema.problems if p.skipped] == [True]


@pytest.mark.parametrize(
    ("server", "left_out"),
    [
        (OLD, {"mysql"}),
        (MYSQL, {"mysql", "sys"}),
        (MARIADB, {"mysql", "sys"}),
        (Server.parse("mariadb-10.5"), {"mysql"}),
    ],
)
def test_the_servers_own_databases_are_counted(server, left_out):
    databases = ("mysql", "MySQL", "sys", "SYS", "INFORMATION_SCHEMA", "shop")
    schema = tables_from_rows([row() | {"TABLE_SCHEMA": database} for database in databases], server=server)
    assert {t.database for t in schema.tables} == set(databases) - left_out - {"INFORMATION_SCHEMA"}
    (note,) = schema.problems
    assert note.skipped
    assert note.message.startswith(
        f"{len(left_out) + 1} tables of the server's own databases (INFORMATION_SCHEMA, mysql"
    )


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        (["shop", "t", "b", 2, "int"], "t"),
        (["shop", "u", "b"], "u"),
        (["shop", "t"], "t"),
        (["sh"], "t"),
        (["shop", "u", *"123456789", "0"], "u"),
    ],
)
def test_a_row_of_another_width_makes_its_table_unknown(fields, named):
    rows = Rows(list(row()), [(2, list(row().values())), (3, fields)])
    schema = tables_from_rows(rows, server=MYSQL, file="x.tsv")
    assert [(p.database, p.table, str(p.location)) for p in schema.problems] == [("shop", named, "x.tsv:3")]
    assert [t.name for t in schema.tables] == ([] if named == "t" else ["t"])
    keys = Rows(list(STATISTICS), [(2, list(STATISTICS.values())), (3, ["shop", "t", 0, "k"])])
    schema = tables_from_rows([row()], server=MYSQL, statistics=keys)
    assert [(p.database, p.table) for p in schema.problems] == [("shop", "t")]


@pytest.mark.parametrize(
    ("srid", "means"),
    [
        (4326, 4326),
        ("4326", 4326),
        (4326.0, 4326),
        (decimal.Decimal(0), 0),
        (0.0, 0),
        (None, None),
        (float("nan"), None),
        ("", None),
    ],
)
def test_srid(srid, means):
    assert one([row("g", 1, "point", SRS_ID=srid)]).columns[0].type.srid == means


@pytest.mark.parametrize("srid", ["²", "4326.5", "-1", "1e3", "x"])
def test_a_srid_that_is_none(srid):
    assert [
        p.table for p in tables_from_rows([row("g", 1, "point", SRS_ID=srid)], server=MYSQL).problems
    ] == ["t"]


def test_system_versioning_columns_are_in_the_row_image():
    tables = [
        {"TABLE_SCHEMA": "shop", "TABLE_NAME": "t", "TABLE_TYPE": "SYSTEM VERSIONED", "ENGINE": "InnoDB"}
    ]
    table = one([row()], MARIADB, tables=tables)
    assert table.system_versioned
    assert [c.name for c in table.columns] == ["a", "row_start", "row_end"]
    explicit = [
        row(GENERATION_EXPRESSION=None),
        *(
            row(n, i, "timestamp(6)", IS_NULLABLE="NO", EXTRA="STORED GENERATED", GENERATION_EXPRESSION=e)
            for n, i, e in (("s", 2, "ROW START"), ("e", 3, "ROW END"))
        ),
    ]
    assert [c.name for c in one(explicit, MARIADB, tables=tables).columns] == ["a", "s", "e"]


def test_character_set_from_a_collation_alone():
    column = one(
        [
            {
                k: v
                for k, v in row(type_="varchar(3)", COLLATION_NAME="utf8_bin").items()
                if k != "CHARACTER_SET_NAME"
            }
        ]
    ).columns[0]
    assert column.type.charset == "utf8mb3"


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(sorted(row())),
            st.none() | st.text(max_size=8) | st.integers() | st.binary(max_size=4) | st.floats(),
            max_size=10,
        ),
        max_size=6,
    )
)
def test_any_rows_give_tables_or_problems(rows):
    """No input raises anything but InputError, and every named table is somewhere."""
    try:
        schema = tables_from_rows(
            [row() | more for more in rows] or [row()], server=random.choice((MYSQL, MARIADB, OLD))
        )
    except InputError:
        return
    assert schema.tables or schema.problems or rows


def test_tables_of_equal_rows_in_any_order() -> None:
    rows = [
        {"TABLE_SCHEMA": "d", "TABLE_NAME": table, "COLUMN_NAME": name, "ORDINAL_POSITION": ordinal,
         "COLUMN_TYPE": type_, "COLUMN_KEY": key}
        for table in ("one", "two")
        for ordinal, name, type_, key in (
            ("1", "id", "int", "PRI"), (2, b"v", "text", ""), (3.0, "w", "int", ""),
        )
    ]  # fmt: skip
    server = Server.parse("mysql-8.4")
    one, two = tables_from_rows(rows, server=server).tables
    assert one.columns is two.columns
    assert [(c.name, c.location.ordinal) for c in one.columns if c.location] == [
        ("id", 1),
        ("v", 2),
        ("w", 3),
    ]
    mixed = [rows[at] for at in (2, 4, 0, 3, 5, 1)]
    assert set(tables_from_rows(mixed, server=server).tables) == {one, two}
