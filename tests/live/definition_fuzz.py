"""Scripts of CREATE TABLE and ALTER TABLE, drawn from the grammars, given to a real server; what it made of
them.

    python -m tests.live.definition_fuzz ask --server mysql-9.7.4 --port 34071 --seed 1 --count 10000 --out
    a.jsonl.xz
    python -m tests.live.definition_fuzz judge a.jsonl.xz [--show 5]

    python -m tests.live.definition_fuzz sample a.jsonl.xz b.jsonl.xz --out tests/ddl/data/generated.jsonl.xz

`ask` writes one script a line, behind a header, in the format that `tests.facts.ddl` judges: statements
before the
last one (`pre`), the last one that the server was given (`ddl`), whether it was `accepted`, and the table as
SHOW
CREATE TABLE, information_schema and its PARTITIONS tell it. The server is one of the tester's own, on
loopback, with
an account without a password. `judge` says how many agree.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from schemacheck.model import Server
from tests.facts.ddl import COUNTERS, DATABASE, Counts, judge
from tests.live.definitions import DIALECTS, script
from tests.live.script_fuzz import Lab

#: sql_modes of the scripts; None is the server's own.
MODES = (None, None, None, "", "STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION", "NO_ENGINE_SUBSTITUTION")
_BATCH = 100
_CHARSET = ("utf8mb4", "utf8mb4_general_ci")
#: Fields of rows that differ from run to run.
_VOLATILE = ("CARDINALITY", "CREATE_TIME", "UPDATE_TIME", "PRIVILEGES", "TABLE_CATALOG", "INDEX_SCHEMA")
_PARTITIONS = (
    "SELECT TABLE_NAME, PARTITION_NAME, SUBPARTITION_NAME, PARTITION_METHOD, SUBPARTITION_METHOD, "
    "PARTITION_EXPRESSION,"
    " SUBPARTITION_EXPRESSION, PARTITION_DESCRIPTION, PARTITION_COMMENT, PARTITION_ORDINAL_POSITION,"
    " SUBPARTITION_ORDINAL_POSITION FROM information_schema.PARTITIONS WHERE TABLE_SCHEMA = '{0}' "
    "AND PARTITION_NAME"
    " IS NOT NULL ORDER BY TABLE_NAME, PARTITION_ORDINAL_POSITION, SUBPARTITION_ORDINAL_POSITION"
)


def ask(lab: Lab, name: str, seed: int, count: int) -> Iterator[dict[str, Any]]:
    """The header, then what the server made of each script."""
    import pymysql

    rng = random.Random(f"{name} {seed}")
    dialect = DIALECTS[name]
    with lab.connection() as connection, connection.cursor() as cursor:
        yield _header(cursor, name, seed)
    for first in range(0, count, _BATCH):
        mode = rng.choice(MODES)
        cases = []
        with lab.connection() as connection, connection.cursor() as cursor:
            connection.use_unicode = False
            # With the server's own collation, as its client does.
            cursor.execute("SET NAMES utf8mb4")
            cursor.execute(
                "SET SESSION sql_log_bin = 0, foreign_key_checks = 0, innodb_lock_wait_timeout = 3"
            )
            with suppress(pymysql.err.OperationalError):
                # A file that a failed ALTER left behind keeps the directory; no table is in it.
                cursor.execute(f"DROP DATABASE IF EXISTS {DATABASE}")
            charset, collation = _CHARSET
            cursor.execute(f"CREATE DATABASE IF NOT EXISTS {DATABASE}")
            cursor.execute(f"ALTER DATABASE {DATABASE} CHARACTER SET {charset} COLLATE {collation}")
            cursor.execute(f"USE {DATABASE}")
            cursor.execute("SET SESSION foreign_key_checks = 1")
            if mode is not None:
                cursor.execute(f"SET SESSION sql_mode = '{mode}'")
            cursor.execute("SELECT @@sql_mode")
            settings = {
                "sql_mode": _text(cursor.fetchone()[0]), "db_charset": charset, "db_collation": collation,
                "explicit_defaults_for_timestamp": 1,
            }  # fmt: skip
            for number in range(first, min(first + _BATCH, count)):
                cases += _run(
                    cursor, script(rng, dialect, number), f"{seed}-{number}", settings, f"t{number}"
                )
            try:
                _catalogue(cursor, name, cases)
            except pymysql.err.Error:
                # The server cannot read one of its own tables: nothing is known of this batch.
                continue
        yield from cases


def _run(
    cursor: Any, texts: Sequence[str], name: str, settings: Any, table: str
) -> list[dict[str, Any]]:  # fmt: skip
    """A case for each statement that was refused, and one for what the others made: none where a server
    changed the table all the same (MariaDB, whose ALTER TABLE ends with an error of a default's value).
    """
    import pymysql

    cases: list[dict[str, Any]] = []
    done: list[str] = []
    before = ""
    for text in texts:
        case = {
            "id": f"{name}.{len(cases)}",
            "settings": settings,
            "pre": list(done),
            "ddl": text,
            "table": table,
        }
        try:
            cursor.execute(text)
        except pymysql.err.Error as error:
            if error.args[0] in (2006, 2013):
                raise
            case.update(
                accepted=False, refused_at="ddl", errno=error.args[0], message=str(error.args[1])[:200]
            )
            cases.append(case)
            if f"CREATE TABLE {table} " in text or before != _shown(cursor, table):
                return cases
        else:
            done.append(text)
            before = _shown(cursor, table)
    last = {
        "id": f"{name}.{len(cases)}",
        "settings": settings,
        "pre": done[:-1],
        "ddl": done[-1],
        "table": table,
    }
    return [*cases, last | {"accepted": True}]


def _shown(cursor: Any, table: str) -> str:
    """The table as the server prints it; '' where there is none."""
    import pymysql

    try:
        cursor.execute(f"SHOW CREATE TABLE `{table}`")
    except pymysql.err.Error:
        return ""
    return str(_text(cursor.fetchone()[1]))


def _header(cursor: Any, name: str, seed: int) -> dict[str, Any]:
    names = ("version", "sql_mode", "character_set_server", "collation_server", "lower_case_table_names")
    cursor.execute("SELECT " + ", ".join(f"@@GLOBAL.{one}" for one in names))
    head = dict(zip(names, cursor.fetchone(), strict=True))
    return {"server": name, "default_sql_mode": head["sql_mode"], "seed": seed} | head


def _text(value: Any) -> Any:
    """Text as text, and as hex what is not valid."""
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        return "0x" + value.hex()


def _rows(cursor: Any, query: str) -> list[dict[str, Any]]:
    cursor.execute(query)
    heads = [one[0].upper() for one in cursor.description]
    return [
        {head: _text(value) for head, value in zip(heads, row, strict=True) if head not in _VOLATILE}
        for row in cursor.fetchall()
    ]


def _catalogue(cursor: Any, name: str, cases: Sequence[dict[str, Any]]) -> None:
    """What the server tells of the tables of accepted scripts."""
    where = f"WHERE TABLE_SCHEMA = '{DATABASE}'"
    schema = "information_schema"
    views = {
        "columns": f"SELECT * FROM {schema}.COLUMNS {where} ORDER BY TABLE_NAME, ORDINAL_POSITION",
        "statistics": f"SELECT * FROM {schema}.STATISTICS {where} ORDER BY TABLE_NAME, INDEX_NAME, "
        f"SEQ_IN_INDEX",
        "table_row": "SELECT TABLE_NAME, TABLE_TYPE, ENGINE, ROW_FORMAT, TABLE_COLLATION, "
        "CREATE_OPTIONS, TABLE_COMMENT "
        f"FROM {schema}.TABLES {where}",
        "partitions": _PARTITIONS.format(DATABASE),
        "foreign_keys": "SELECT TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, ORDINAL_POSITION, "
        "REFERENCED_TABLE_NAME, "
        f"REFERENCED_COLUMN_NAME FROM {schema}.KEY_COLUMN_USAGE {where} AND REFERENCED_TABLE_NAME "
        f"IS NOT NULL "
        "ORDER BY TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION",
    }
    if name == "mysql-9.7":
        views["check_constraints"] = (
            f"SELECT t.TABLE_NAME, c.* FROM {schema}.CHECK_CONSTRAINTS c JOIN "
            f"{schema}.TABLE_CONSTRAINTS t USING "
            f"(CONSTRAINT_SCHEMA, CONSTRAINT_NAME) WHERE CONSTRAINT_SCHEMA = '{DATABASE}' ORDER BY "
            f"CONSTRAINT_NAME"
        )
    elif name != "mysql-5.6":
        views["check_constraints"] = (
            f"SELECT * FROM {schema}.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = '{DATABASE}' ORDER "
            f"BY CONSTRAINT_NAME"
        )
    shown = {}
    for case in cases:
        if case["accepted"]:
            cursor.execute(f"SHOW CREATE TABLE `{case['table']}`")
            shown[case["table"]] = _text(cursor.fetchone()[1])
    cursor.execute("SET SESSION sql_mode = ''")
    found: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for view, query in views.items():
        for row in _rows(cursor, query):
            found.setdefault(row.get("TABLE_NAME") or "", {}).setdefault(view, []).append(row)
    for case in cases:
        if case["accepted"]:
            told = found.get(case["table"], {})
            case["show_create"] = shown[case["table"]]
            case["columns"], case["statistics"] = told.get("columns", []), told.get("statistics", [])
            case["table_row"] = told.get("table_row", [{}])[0]
            case.update(
                {
                    view: told[view]
                    for view in ("partitions", "foreign_keys", "check_constraints")
                    if view in told
                }
            )
    cursor.execute("SET SESSION foreign_key_checks = 0")
    for case in cases:
        if case["accepted"] and name.startswith("mysql"):
            case["stored"] = _stored(cursor, case)


def _stored(cursor: Any, case: Mapping[str, Any]) -> dict[str, str]:
    """The bytes of binary defaults as a row of defaults has them, in hex: MySQL's information_schema cuts
    them off, 8.0 and later at the first NUL, 5.6 at the first byte that is no text. None where the table has
    no such row.
    """
    import pymysql

    columns = [
        row["COLUMN_NAME"]
        for row in case["columns"]
        if row["DATA_TYPE"] in ("binary", "varbinary") and row["COLUMN_DEFAULT"] is not None
    ]
    if not columns:
        return {}
    quoted = ["`" + name.replace("`", "``") + "`" for name in columns]
    try:
        # A copy has the columns' defaults, and no keys, CHECKs and partitions that keep a row out.
        cursor.execute("DROP TEMPORARY TABLE IF EXISTS of_defaults")
        cursor.execute(
            f"CREATE TEMPORARY TABLE of_defaults ENGINE=MyISAM SELECT {', '.join(quoted)} "
            f"FROM `{case['table']}` LIMIT 0"
        )
        cursor.execute("INSERT IGNORE INTO of_defaults () VALUES ()")
        cursor.execute("SELECT " + ", ".join(f"HEX({name})" for name in quoted) + " FROM of_defaults")
    except pymysql.err.Error:
        return {}
    row = cursor.fetchone()
    return {} if row is None else {name: _text(one) for name, one in zip(columns, row, strict=True)}


def lacking(case: Mapping[str, Any]) -> bool:
    """Whether the answer is about what the instance has and the script does not tell: the referenced table, a
    directory that it knows, an engine that is a plug-in; or the recorder could not write it down.
    """
    number, text = case.get("errno"), case["ddl"]
    if number == 1824 or (number in (1005, 1215) and "REFERENCES nosuch" in text):
        return True
    if number == 3121 or case.get("show_create", "").startswith("0x"):
        return True
    plugin = any(f"ENGINE={name}" in one for name in ("ARCHIVE", "BLACKHOLE") for one in (*case["pre"], text))
    return plugin and (number == 1286 or "ENGINE=InnoDB" in case.get("show_create", ""))


def judge_all(lines: Iterator[Mapping[str, Any]], show: int, only: Callable[[str], bool]) -> Counter[str]:
    """Print each kind of disagreement, and the counts."""
    head = next(lines)
    counts, accepted = Counts(), Counter[str]()
    for case in lines:
        if lacking(case):
            accepted["the instance lacks it"] += 1
            continue
        before = counts["agreed"]
        judge(case, head, counts, ("show", "rows"))
        accepted[
            ("accepted " if case["accepted"] else "refused ")
            + ("agree" if counts["agreed"] > before else counts.shown[-1][0])
        ] += 1
    seen: Counter[str] = Counter()
    for kind, number in counts.kinds.most_common(60):
        print(f"  {number:5} {kind[:200]}")
    for counter, case_id, why in counts.shown:
        kind = f"{counter}: {why.split(' | ', maxsplit=1)[0]}"
        seen[kind] += 1
        if seen[kind] <= show and only(kind):
            print(f"    {counter} {case_id}: {why}")
    print({name: counts[name] for name in COUNTERS}, dict(accepted))
    return accepted


def sample(paths: Sequence[Path], every: int) -> Iterator[dict[str, Any]]:
    """Every n-th case of each file behind its header; `open` says how it does not agree today."""
    for path in paths:
        lines = read(path)
        head = next(lines)
        yield head
        for number, case in enumerate(lines):
            if number % every or lacking(case):
                continue
            counts = Counts()
            judge(case, head, counts, ("show", "rows"))
            kind = counts.shown[-1][0] if counts.shown else ""
            yield {name: value for name, value in case.items() if name != "message"} | {
                name: value for name, value in (("message", ""), ("open", kind)) if name != "open" or value
            }


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a file of answers."""
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def main(arguments: Sequence[str]) -> int:
    """Run by hand."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    asking = commands.add_parser("ask")
    asking.add_argument("--server", required=True)
    asking.add_argument("--port", type=int, required=True)
    asking.add_argument("--count", type=int, default=1000)
    asking.add_argument("--seed", type=int, default=1)
    asking.add_argument("--out", type=Path, required=True)
    judging = commands.add_parser("judge")
    judging.add_argument("files", nargs="+", type=Path)
    judging.add_argument("--show", type=int, default=0)
    judging.add_argument("--only", default="")
    sampling = commands.add_parser("sample")
    sampling.add_argument("files", nargs="+", type=Path)
    sampling.add_argument("--every", type=int, default=12)
    sampling.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    if given.command == "sample":
        with lzma.open(given.out, "wt", encoding="utf-8", preset=9) as stream:
            for line in sample(given.files, given.every):
                stream.write(json.dumps(line, ensure_ascii=False, default=str) + "\n")
        return 0
    if given.command == "ask":
        lab = Lab(Server.parse(given.server), given.port, ())
        name = given.server.rsplit(".", 1)[0]
        with lzma.open(given.out, "wt", encoding="utf-8", preset=1) as stream:
            for line in ask(lab, name, given.seed, given.count):
                stream.write(json.dumps(line, ensure_ascii=False, default=str) + "\n")
        return 0
    for path in given.files:
        print(path.name)
        judge_all(read(path), given.show, lambda kind: given.only in kind)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
