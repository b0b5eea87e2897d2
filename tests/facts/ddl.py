"""Recorded DDL facts (`ddl-<server>.jsonl.gz`) against schemacheck: four ways to the table, and what the
server refused.

`judge_file(path)` reads a file whose first line describes the run and whose other lines are one
CREATE TABLE each: as written, as SHOW CREATE TABLE prints it, as information_schema rows, and as
the bytes of its table map event. It reads statements and settings; what the server answered is
looked at only to judge.
"""

from __future__ import annotations

import gzip
import json
import lzma
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from schemacheck.catalog import read
from schemacheck.conversion.wire import Real, image
from schemacheck.model import Column, Schema, Server, Table, normal
from schemacheck.model.charset import codec
from schemacheck.model.normal import binary_literal
from schemacheck.model.table import DEFAULT_NULL, Default, DefaultKind
from tests.tables_from_rows import tables_from_rows

DATABASE = "ddl_c"
#: Modes under which SHOW CREATE TABLE leaves out options.
_FORGETFUL = {"NO_TABLE_OPTIONS", "NO_FIELD_OPTIONS", "NO_KEY_OPTIONS", "MYSQL323", "MYSQL40"}
#: Settings of a case that are no server variables.
_NO_VARIABLE = ("db_clause", "db_charset", "db_collation")
#: Settings of a session or an engine that this program takes no notice of: the cases stay, as what they show
#: of the statement.
_NOT_READ = ("innodb_force_primary_key", "collation_connection")

#: How a table is told beside its statement.
WAYS = ("show", "rows", "wire")
COUNTERS = ("facts", "agreed", "false_safe", "false_alarm", "unknown", "wrong", "skipped")


@dataclass
class Counts:
    """`facts` = `agreed` + `false_safe` + `false_alarm` + `unknown` + `wrong`; `skipped` stands apart.
    `kinds` counts each disagreement.
    """

    counters: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    shown: list[tuple[str, str, str]] = field(default_factory=list)

    def __getitem__(self, name: str) -> int:
        return self.counters[name]

    def add(self, counter: str, case: str, why: str = "") -> None:
        self.counters[counter] += 1
        if counter != "skipped":
            self.counters["facts"] += 1
        if counter != "agreed":
            self.kinds[f"{counter}: {why.split(' | ', maxsplit=1)[0]}"] += 1
            self.shown.append((counter, case, why))


def lines(path: str | Path) -> Iterator[dict[str, Any]]:
    """The header of a server, then its cases; another server's may follow."""
    opener = lzma.open if str(path).endswith(".xz") else gzip.open
    with opener(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


@lru_cache(maxsize=4096)
def _server(text: str, settings: tuple[tuple[str, str], ...]) -> Server:
    # What the server told is not checked.
    return Server.parse(text).with_told(dict(settings))


def server_of(header: Mapping[str, Any], settings: Mapping[str, Any]) -> Server:
    """The server of a case with its settings."""
    flavor = header["server"].rsplit("-", 1)[0]
    given = {
        "character_set_server": header["character_set_server"],
        "collation_server": header["collation_server"],
        "lower_case_table_names": str(header["lower_case_table_names"]),
    }  # fmt: skip
    given |= {name: str(value) for name, value in settings.items() if name not in (*_NO_VARIABLE, *_NOT_READ)}
    return _server(f"{flavor}-{header['version'].split('-')[0]}", tuple(sorted(given.items())))


def judge_file(path: str | Path, *, show: int = 0) -> dict[str, int]:
    """Judge every case of a file of recorded DDL; prints each kind of disagreement, and `show`
    cases of each.
    """
    counts = Counts()
    header: Mapping[str, Any] = {}
    for case in lines(path):
        if "id" in case:
            judge(case, header, counts, WAYS)
        else:
            header = case
    seen: Counter[str] = Counter()
    for kind, number in counts.kinds.most_common():
        print(f"  {number:5} {kind}")
    for counter, case, why in counts.shown:
        seen[counter] += 1
        if seen[counter] <= show:
            print(f"    {counter} {case}: {why}")
    return {name: counts[name] for name in COUNTERS}


def judge_cases(
    header: Mapping[str, Any], cases: Iterable[Mapping[str, Any]], *, ways: tuple[str, ...] = WAYS
) -> Counts:
    """Judge cases of one server."""
    counts = Counts()
    for case in cases:
        judge(case, header, counts, ways)
    return counts


def judge(case: Mapping[str, Any], header: Mapping[str, Any], counts: Counts, ways: tuple[str, ...]) -> None:
    """One case into the counts."""
    name = f"{header['server']} {case['id']}"
    if "accepted" not in case:
        counts.add("skipped", name, "the lab has no answer")
        return
    server = server_of(header, case["settings"])
    if not case["accepted"] and case["refused_at"] != "ddl":
        counts.add("skipped", name, f"setting refused ({case['refused_at']})")
        return
    schema = _read([*case.get("pre", ()), case["ddl"]], server, case)
    if not case["accepted"]:
        before = _read(case.get("pre", ()), server, case)
        # A problem that names no table would leave a pair that nobody looks at.
        made = len(schema.tables) > len(before.tables)
        if made:
            counts.add("false_safe", name, f"{case['errno']} | {case['message'][:150]} | {case['ddl'][:300]}")
        elif not schema.problems:
            counts.add("false_safe", name, f"{case['errno']} nothing said | {case['ddl'][:300]}")
        else:
            counts.add("agreed", name)
        return
    if (
        "table" not in case
        or case.get("show_create", "").startswith("CREATE TEMPORARY")
        or case.get("note") == "temporary table"
    ):
        # A temporary table is never replicated as rows.
        counts.add(
            "agreed" if not schema.tables and not schema.problems else "false_alarm",
            name,
            "a temporary table",
        )
        return
    table = next((t for t in schema.tables if t.name == case["table"]), None)
    if table is None or schema.problems:
        why = schema.problems[0].message if schema.problems else "no table"
        counts.add("unknown" if schema.problems else "false_alarm", name, f"{why} | {case['ddl'][:400]}")
        return
    wrong = differences(table, case, header, server, ways)
    if wrong and wrong[0].startswith("not read: "):
        counts.add("unknown", name, wrong[0])
    elif wrong:
        counts.add("wrong", name, f"{wrong[0]} | {case['ddl'][:600]} | {case['show_create'][:600]}")
    else:
        counts.add("agreed", name)


def _read(statements: Any, server: Server, case: Mapping[str, Any]) -> Schema:
    settings = case["settings"]
    charsets = {DATABASE: (settings["db_charset"], settings["db_collation"])}
    return read(";\n".join(statements), server, file=case["id"], database=DATABASE, charsets=charsets)


def differences(
    table: Table, case: Mapping[str, Any], header: Mapping[str, Any], server: Server, ways: tuple[str, ...]
) -> list[str]:
    """Where the other ways to the table give another value."""
    out = []
    if "show" in ways:
        out += _show(table, case, header, server)
    if "rows" in ways:
        out += _rows(table, case, server)
    if "wire" in ways and case.get("wire"):
        out += _wire(table, case["wire"], server)
    return out


def _show(table: Table, case: Mapping[str, Any], header: Mapping[str, Any], server: Server) -> list[str]:
    text, under = case["show_create"], server
    out = []
    if "show_create_default_mode" in case:
        # Modes such as ORACLE print no table options: only the columns can be compared.
        shown = _read([*_others(case), text], server, case)
        if shown.problems:
            out.append(f"show (mode): {shown.problems[0].message}")
        text, under = (
            case["show_create_default_mode"],
            server.with_settings({"sql_mode": header["default_sql_mode"]}),
        )
    elif server.sql_mode & _FORGETFUL:
        return out
    # What SHOW CREATE TABLE prints is complete: no setting may add a key to it.
    shown = _read(
        [*_others(case), text],
        under.with_settings({"sql_generate_invisible_primary_key": "OFF", "foreign_key_checks": "0"}),
        case,
    )
    found = next((t for t in shown.tables if t.name == case["table"]), None)
    if any(one.refusal is None for one in shown.problems):
        return [f"not read: {shown.problems[0].message}"]
    if shown.problems or found is None:
        return [*out, f"show: {shown.problems[0].message if shown.problems else 'no table'}"]
    expected = table
    if table.gipk and not found.gipk:
        expected = without_gipk(table)
    # What ALTER COLUMN .. SET DEFAULT (expression) gives a column of the primary key works, and MySQL prints
    # it nowhere: information_schema says that there is one.
    hidden = {
        row["COLUMN_NAME"]
        for row in case.get("columns") or ()
        if row.get("COLUMN_DEFAULT") is None and "DEFAULT_GENERATED" in (row.get("EXTRA") or "")
    }
    shown_columns = {one.name for one in found.columns if one.default is None} & hidden
    columns = [replace(one, default=None) if one.name in shown_columns else one for one in expected.columns]
    if server.mariadb:
        told = {row["COLUMN_NAME"]: row for row in case.get("columns") or ()}
        printed = {
            line[3 : line.index("`", 3)]: line
            for line in text.split("\n")
            if line.startswith("  `") and "`" in line[3:]
        }
        found = replace(
            found,
            columns=tuple(
                _without_default(printed.get(one.name), told.get(one.name), one) for one in found.columns
            ),
        )
    found = (
        replace(found, columns=tuple(map(_with_null, columns, found.columns)))
        if len(columns) == len(found.columns)
        else found
    )
    return out + compare(replace(expected, columns=tuple(columns)), found, "show")


def _with_null(ours: Column, found: Column) -> Column:
    """A column of SHOW CREATE TABLE, where a nullable AUTO_INCREMENT column has neither NULL nor DEFAULT: who
    runs that definition gives it NOT NULL.
    """
    if not (ours.auto_increment and ours.nullable):
        return found
    return replace(found, nullable=ours.nullable, default=ours.default)


def _others(case: Mapping[str, Any]) -> list[str]:
    """The statements before that are not about the table itself."""
    own = f"TABLE {case['table']} "
    return [text for text in case.get("pre", ()) if own not in text]


def without_gipk(table: Table) -> Table:
    """The table as a server shows it that hides generated invisible primary keys."""
    return replace(table, columns=table.columns[1:], keys=table.keys[1:], gipk=False)


def _without_bytes(column: Column) -> Column:
    """A column as SHOW CREATE TABLE prints it that loses the bytes of its binary default."""
    default = column.default
    if default is None or default.text is None or not default.text.startswith("0x"):
        return column
    octets = bytes.fromhex(default.text[2:])
    shown = "".join(chr(one) if one < 0x80 else "?" for one in octets)
    return replace(column, default=replace(default, text=shown))


def _without_default(line: str | None, told: Mapping[str, Any] | None, found: Column) -> Column:
    """A column of MariaDB's SHOW CREATE TABLE that prints no DEFAULT, where information_schema has none
    either: who reads the definition gives it NULL, or a TIMESTAMP zeros.
    """
    has = told is None or told.get("COLUMN_DEFAULT") is not None or line is None or " DEFAULT " in line
    return found if has or found.default is None else replace(found, default=None)


def _with_default(column: Column, found: Column, octets: str | None) -> Column:
    """A column of information_schema with the default that MySQL's catalogue does not tell: of a binary one
    it has the beginning (`octets`: what a stored row has, in hex), and none of the expressions
    that ALTER COLUMN gave a BLOB or a column of the primary key.
    """
    ours = column.default
    if ours is None or found.default is None:
        return found
    if octets is not None and bytes.fromhex(octets).startswith((found.default.text or "").encode()):
        return replace(found, default=Default(DefaultKind.LITERAL, binary_literal(bytes.fromhex(octets))))
    if found.default == Default(DefaultKind.EXPRESSION) and ours.kind is DefaultKind.EXPRESSION:
        return replace(found, default=ours)
    return found


def as_printed(table: Table) -> Table:
    """The table with DEFAULT NULL where MySQL has no default: what is printed is read so."""
    columns = (
        replace(c, default=DEFAULT_NULL) if c.nullable and not c.has_default else c for c in table.columns
    )
    return replace(table, columns=tuple(columns))


def compare(ours: Table, other: Table, way: str) -> list[str]:
    """The fields that differ, in words."""
    ours = as_printed(ours)
    if ours == other and (way == "rows" or ours.partitioning == other.partitioning):
        return []
    out = []
    if way != "rows" and ours.partitioning != other.partitioning:
        out.append(f"{way} partitioning | {ours.partitioning} / {other.partitioning}")
    if len(ours.columns) != len(other.columns):
        out.append(f"{way} columns | {[c.name for c in ours.columns]} {[c.name for c in other.columns]}")
    for a, b in zip(ours.columns, other.columns, strict=False):
        if way == "show" and a != b and _without_bytes(a) == b:
            # SHOW CREATE TABLE of 5.6 prints a question mark for each byte that is no text.
            continue
        if a != b:
            names = [
                n
                for n in (
                    "name",
                    "type",
                    "nullable",
                    "default",
                    "on_update",
                    "auto_increment",
                    "generated",
                    "expression",
                    "invisible",
                )
                if getattr(a, n) != getattr(b, n)
            ]
            out += [f"{way} column {n} | {a.name}: {getattr(a, n)!r} / {getattr(b, n)!r}" for n in names]
    names = (
        "name",
        "database",
        "keys",
        "checks",
        "foreign_keys",
        "kind",
        "engine",
        "charset",
        "collation",
        "gipk",
        "system_versioned",
    )
    out += [
        f"{way} {n} | {getattr(ours, n)!r} / {getattr(other, n)!r}"
        for n in names
        if getattr(ours, n) != getattr(other, n)
    ]
    return out


def _rows(table: Table, case: Mapping[str, Any], server: Server) -> list[str]:
    named = {"TABLE_SCHEMA": DATABASE, "TABLE_NAME": case["table"], "CONSTRAINT_SCHEMA": DATABASE}
    checks = case.get("check_constraints") or ()
    owners = [dict(row, **named, CONSTRAINT_TYPE="CHECK") for row in checks]
    keys = case.get("foreign_keys") or ()
    actions = [{**row, **named, "UPDATE_RULE": "RESTRICT", "DELETE_RULE": "RESTRICT"} for row in keys]
    stored = case.get("stored", {})
    columns = [
        row | {"COLUMN_DEFAULT": "0x" + stored[row["COLUMN_NAME"]]}
        if row["COLUMN_DEFAULT"] == "0x" and row["COLUMN_NAME"] in stored
        else row
        for row in case["columns"]
    ]
    schema = tables_from_rows(
        columns, server=server, tables=[dict(case["table_row"], **named)],
        statistics=case["statistics"], constraints=owners, references=actions,
        checks=checks, key_usage=[dict(row, **named,
        REFERENCED_TABLE_SCHEMA=DATABASE) for row in keys],
    )  # fmt: skip
    if schema.problems or len(schema.tables) != 1:
        return [f"rows: {schema.problems[0].message if schema.problems else 'no table'}"]
    found = schema.tables[0]
    expected = table
    if table.gipk and not found.gipk:
        expected = without_gipk(table)
    found = replace(
        found,
        columns=tuple(
            _with_default(one, other, stored.get(other.name))
            for one, other in zip(expected.columns, found.columns, strict=True)
        )
        if len(expected.columns) == len(found.columns)
        else found.columns,
    )
    # The recorded rows have no REFERENTIAL_CONSTRAINTS: the actions above are made up.
    expected = replace(
        expected,
        foreign_keys=tuple(
            replace(f, on_delete="RESTRICT", on_update="RESTRICT") for f in expected.foreign_keys
        ),
    )
    if not case["statistics"] and not found.gipk:
        found = replace(found, keys=())
    if server.mariadb:
        # The catalogue keeps the old name of a renamed column's CHECK, SHOW CREATE TABLE has the new one.
        columns = {one.name for one in table.columns}
        spelled = {one.expression: one.name for one in table.checks if one.name in columns}
        own = {one.name for one in table.checks if one.name not in columns}
        ours = {(one.expression, one.name) for one in table.checks}
        checks_ = [
            one
            if one.name in own or (one.expression, one.name) in ours
            else replace(one, name=spelled.get(one.expression, one.name))
            for one in found.checks
        ]
        found = replace(found, checks=normal.by_name(checks_))
    # ENFORCED stands in TABLE_CONSTRAINTS, which is not recorded.
    expected = replace(expected, checks=tuple(replace(c, enforced=True) for c in expected.checks))
    return compare(expected, found, "rows")


def _wire(table: Table, wire: Mapping[str, Any], server: Server) -> list[str]:
    columns = wire["columns"]
    if len(columns) != len(table.columns):
        return [
            (
                f"wire columns | {[c.name for c in table.columns]} "
                f"{[c.get('full', {}).get('name') for c in columns]}"
            )
        ]
    out = []
    for ours, seen in zip(table.columns, columns, strict=True):
        out += [f"wire {why} | {ours.name}: {ours.type!r}" for why in _wire_column(ours, seen, server)]
    return out


def _wire_column(column: Column, seen: Mapping[str, Any], server: Server) -> Iterator[str]:
    ours = image(column.type, server)
    kind = 254 if ours.real in (Real.ENUM, Real.SET) else ours.real.value
    meta = (
        int.from_bytes(bytes.fromhex(seen["meta"]), "big")
        if kind in (254, 246)
        else int.from_bytes(bytes.fromhex(seen["meta"]), "little")
    )
    if kind != seen["type"] or ours.metadata != meta:
        yield f"type {kind} {ours.metadata:#x} recorded {seen['type']} {seen['meta']}"
    if column.nullable != seen["null"]:
        yield f"null {column.nullable}"
    told = seen.get("minimal", {})
    full = seen.get("full", {})
    if "unsigned" in told and column.type.base != "year" and told["unsigned"] != column.type.unsigned:
        yield f"unsigned {told['unsigned']}"
    if full.get("name") is not None and full["name"] != column.name:
        yield f"name {full['name']!r}"
    if full.get("members") is not None and [_member(m) for m in full["members"]] != [
        m.encode(codec(column.type.charset or "") or "utf-8") for m in column.type.members
    ]:
        yield f"members {full['members']!r}"
    if "visible" in full and full["visible"] == column.invisible:
        yield f"visible {full['visible']}"
    if "vector" in full and full["vector"] != column.type.length:
        yield f"vector {full['vector']}"


def _member(text: str) -> bytes:
    """A member's recorded bytes: text, or hex where it is not UTF-8."""
    return bytes.fromhex(text[2:]) if text.startswith("0x") else text.encode()


__all__ = ["Counts", "compare", "judge_cases", "judge_file", "lines", "server_of"]
