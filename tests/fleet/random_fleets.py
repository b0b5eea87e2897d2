"""Random fleets with all that dumps hold: keys, foreign keys, CHECKs, generated columns, partitions and
views of servers of several versions; links with filters, rewrites and settings; instances that were dumped
twice, and damaged dumps.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

import itertools

import fleet_generate as generator

SERVERS = (
    "mysql-5.6.51", "mysql-5.7.44", "mysql-8.0.12", "mysql-8.0.36", "mysql-8.4.9", "mysql-9.7.4",
    "mariadb-10.3.39", "mariadb-10.6.22", "mariadb-10.11.19", "mariadb-11.4.7", "mariadb-11.8.6",
)  # fmt: skip
DATABASES = ("app", "log", "crm")
PARTITIONS = (
    "TABLE_CATALOG", "TABLE_SCHEMA", "TABLE_NAME", "PARTITION_NAME", "SUBPARTITION_NAME",
    "PARTITION_ORDINAL_POSITION", "SUBPARTITION_ORDINAL_POSITION", "PARTITION_METHOD", "SUBPARTITION_METHOD",
    "PARTITION_EXPRESSION", "SUBPARTITION_EXPRESSION", "PARTITION_DESCRIPTION", "TABLE_ROWS",
)  # fmt: skip
ACTIONS = ("RESTRICT", "CASCADE", "SET NULL", "NO ACTION")
Views = dict[str, tuple[Sequence[str], list[list[str]]]]


@dataclass
class Table:
    """One table of an instance. `columns` are the generator's, with MySQL 8.0's spelling; `generated` are
    expressions of generated columns and whether they are stored, `keys` whether they are unique and their
    parts, `foreign` column, parent and both actions, `checks` clause and whether it is enforced, `parts`
    method, expression and the partitions' descriptions.
    """

    columns: list[generator.Column]
    generated: dict[str, tuple[str, bool]] = field(default_factory=dict)
    keys: dict[str, tuple[bool, list[tuple[str, str]]]] = field(default_factory=dict)
    foreign: dict[str, tuple[str, tuple[str, str], str, str]] = field(default_factory=dict)
    checks: dict[str, tuple[str, bool]] = field(default_factory=dict)
    parts: tuple[str, str, list[str]] | None = None
    view: bool = False
    engine: str = "InnoDB"


Tables = dict[tuple[str, str], Table]


def write(folder: Path, seed: int, *, tables: int = 12, form: str = "tsv") -> Path:
    """A fleet of three to five instances with about so many tables each; its fleet.yaml."""
    rng = random.Random(seed)
    base = _database(rng, tables)
    names = [f"i{number}" for number in range(rng.randrange(3, 6))]
    instances = []
    for number, name in enumerate(names):
        own = deepcopy(base)
        if number:
            _drift(rng, own)
        server = rng.choice(SERVERS if rng.random() < 0.6 else SERVERS[3:4])
        folds = rng.random() < 0.15
        made = _views(own, server, rng, folds=folds)
        _write(folder / "snapshots" / name, made, form)
        roll = rng.random()
        if roll < 0.2:
            again = deepcopy(own)
            if roll < 0.1:
                _drift(rng, again, SEEN)
            _write(folder / "again" / name, _views(again, server, rng, folds=folds), form)
        elif roll < 0.45 and form == "tsv":
            _damage(rng, folder / "snapshots" / name)
        settings = {"lower_case_table_names": "1"} if folds else {}
        instances.append(f"  {name}: {{server: {server}, settings: {json.dumps(settings)}}}")
    places = "[snapshots, again]" if (folder / "again").is_dir() else "snapshots"
    text = [f"snapshots: {places}", "instances:", *instances, "links:", *_links(rng, names)]
    (folder / "fleet.yaml").write_text("\n".join(text) + "\n", "utf-8")
    return folder / "fleet.yaml"


def _database(rng: random.Random, count: int) -> Tables:
    found: Tables = {}
    for number in range(count):
        name = rng.choice(
            (f"t{number:04d}", f"t{number:04d}", f"T{number:04d}", f"{rng.choice('öüß')}-{number}")
        )
        place = (rng.choice(DATABASES), name)
        columns = generator.any_table(rng)[: rng.randrange(2, 14)]
        made = found[place] = Table(columns)
        if rng.random() < 0.06:
            made.view = True
            continue
        made.engine = rng.choice(("InnoDB",) * 8 + ("MyISAM", "MEMORY", "Aria"))
        if rng.random() < 0.9:
            made.keys["PRIMARY"] = (True, [("id", "NULL")])
        for _ in range(rng.randrange(3)):
            _add_key(rng, made)
        if rng.random() < 0.2:
            _add_generated(rng, made)
        if rng.random() < 0.2:
            _add_check(rng, made, name)
        if rng.random() < 0.3:
            _add_foreign(rng, found, place)
        if rng.random() < 0.08 and not made.foreign:
            made.parts = rng.choice(
                (
                    ("HASH", "`id`", ["", ""]),
                    ("RANGE", "`id`", ["100", "1000", "MAXVALUE"]),
                    ("KEY", "", [""] * 3),
                )
            )
    return found


def _numbers(table: Table) -> list[str]:
    return [name for name, kind, *_ in table.columns if "int" in kind and name not in table.generated]


def _add_key(rng: random.Random, table: Table) -> None:
    usable = [(name, kind) for name, kind, *_ in table.columns if kind != "json"]
    chosen = rng.sample(usable, min(len(usable), rng.randrange(1, 3)))
    parts = [(name, "10" if "text" in kind or "blob" in kind else "NULL") for name, kind in chosen]
    table.keys["k_" + "_".join(name for name, _ in chosen)] = (rng.random() < 0.3, parts)


def _add_generated(rng: random.Random, table: Table) -> None:
    one = rng.choice(_numbers(table) or ["id"])
    text = rng.choice(
        (f"(`{one}` + 1)", f"(`{one}` * 2)", f"concat(`{one}`,'x')", f"(case when `{one}` then 1 else 2 end)")
    )
    kind, charset = ("varchar(30)", "utf8mb4") if "concat" in text else ("bigint", "")
    table.columns.append(("made", kind, "YES", "NULL", charset, ""))
    table.generated["made"] = (text, rng.random() < 0.5)


def _add_check(rng: random.Random, table: Table, name: str) -> None:
    one = rng.choice(_numbers(table) or ["id"])
    text = rng.choice((f"(`{one}` >= 0)", f"(`{one}` <> 7)", f"((`{one}` > 1) or (`{one}` is null))"))
    table.checks[f"{name}_chk_{len(table.checks) + 1}"] = (text, rng.random() < 0.9)


def _add_foreign(rng: random.Random, found: Tables, place: tuple[str, str]) -> None:
    table = found[place]
    parents = [other for other, one in found.items() if not one.view and "PRIMARY" in one.keys]
    if parents:
        delete = rng.choice(ACTIONS[:2] + ACTIONS[3:])
        table.foreign[f"{place[1]}_ibfk_{len(table.foreign) + 1}"] = (
            "id", rng.choice(parents), rng.choice(ACTIONS[:2]), delete,
        )  # fmt: skip


KINDS = (
    "columns", "columns", "columns", "key", "unkey", "check", "uncheck", "foreign", "unforeign", "generated",
    "view", "engine", "parts", "default",
)  # fmt: skip
#: What is seen whatever the server: CHECKs that are not enforced are not, nor is RESTRICT beside NO ACTION.
SEEN = tuple(kind for kind in KINDS if kind not in ("check", "uncheck", "unforeign"))


def _drift(rng: random.Random, tables: Tables, kinds: Sequence[str] = KINDS) -> None:
    """Change a third of the tables, take some away and add some."""
    for place in list(tables):
        roll = rng.random()
        if roll < 0.03 and kinds is KINDS:
            del tables[place]
        elif roll < 0.36:
            for _ in range(rng.randrange(1, 3)):
                _change(rng, tables, place, rng.choice(kinds))
    if rng.random() < 0.5:
        tables[rng.choice(DATABASES), f"extra{rng.randrange(9)}"] = Table(generator.any_table(rng)[:5])


def _change(rng: random.Random, tables: Tables, place: tuple[str, str], kind: str) -> None:
    table = tables[place]
    if table.view or kind == "view":
        table.view = not table.view
    elif kind == "columns":
        plain = [one for one in table.columns if one[0] not in table.generated]
        made = [one for one in table.columns if one[0] in table.generated]
        table.columns = generator.drifted(rng, plain, 0.2, Counter()) + made
    elif kind == "key":
        _add_key(rng, table)
    elif kind == "unkey" and table.keys:
        del table.keys[rng.choice(list(table.keys))]
    elif kind == "check":
        _add_check(rng, table, place[1])
    elif kind == "uncheck" and table.checks:
        name = rng.choice(list(table.checks))
        text, enforced = table.checks.pop(name)
        if rng.random() < 0.5:
            table.checks[name] = (text, not enforced)
    elif kind == "foreign":
        _add_foreign(rng, tables, place)
    elif kind == "unforeign" and table.foreign:
        name = rng.choice(list(table.foreign))
        column, parent, update, _ = table.foreign.pop(name)
        if rng.random() < 0.5:
            table.foreign[name] = (column, parent, update, rng.choice(ACTIONS))
    elif kind == "generated":
        if "made" in table.generated and rng.random() < 0.7:
            text, stored = table.generated["made"]
            table.generated["made"] = (
                (text.replace("1", "3"), stored) if rng.random() < 0.5 else (text, not stored)
            )
        elif "made" in table.generated:
            del table.generated["made"]
        else:
            _add_generated(rng, table)
    elif kind == "engine":
        table.engine = rng.choice(("InnoDB", "MyISAM", "BLACKHOLE"))
    elif kind == "parts":
        table.parts = None if table.parts else ("HASH", "`id`", [""] * rng.randrange(2, 5))
    elif kind == "default":
        at = rng.randrange(len(table.columns))
        name, type_, nullable, default, charset, extra = table.columns[at]
        if name not in table.generated and "int" in type_ and name != "id":
            table.columns[at] = (name, type_, nullable, "1" if default == "NULL" else "NULL", charset, extra)


def _names(table: Table) -> set[str]:
    return {column[0] for column in table.columns}


def _views(tables: Tables, server: str, rng: random.Random, *, folds: bool) -> Views:
    """The rows that such a server has of the tables."""
    maria = server.startswith("mariadb")
    version = tuple(int(part) for part in server.partition("-")[2].split("."))
    old = version < (5, 7) and not maria
    checks = maria or version >= (8, 0, 16)
    found: dict[str, list[list[str]]] = {
        name: [] for name in ("columns", "tables", *generator.VIEWS, "partitions")
    }

    def case(name: str) -> str:
        return name.lower() if folds else name

    for (database, plain), table in sorted(tables.items(), key=lambda one: (one[0][0], case(one[0][1]))):
        name, here = case(plain), _names(table)
        generated = {} if old else {one: made for one, made in table.generated.items() if one in here}
        primary = [] if table.view else [part for part, _ in table.keys.get("PRIMARY", (True, []))[1]]
        for number, column in enumerate(table.columns, 1):
            row = _column(database, name, number, column, generated, server=server, version=version)
            row[generator.COLUMNS.index("COLUMN_KEY")] = "PRI" if column[0] in primary else ""
            found["columns"].append(row)
        engine = table.engine if maria or table.engine != "Aria" else "InnoDB"
        options = "partitioned" if table.parts else ""
        size = str(rng.randrange(10**6))
        collation = "utf8mb4_general_ci"
        found["tables"].append(
            ["def", database, name, "VIEW", *["NULL"] * 5, "", "VIEW"] if table.view else
            ["def", database, name, "BASE TABLE", engine, size, size, size, collation, options, ""]
        )  # fmt: skip
        if table.view:
            continue
        for key, (unique, parts) in table.keys.items():
            if not all(column in here for column, _ in parts):
                continue
            if unique:
                kind = "PRIMARY KEY" if key == "PRIMARY" else "UNIQUE"
                found["table_constraints"].append(["def", database, key, database, name, kind, "YES"])
            for place, (column, prefix) in enumerate(parts, 1):
                found["statistics"].append(
                    ["def", database, name, "01"[not unique], database, key, str(place), column, "A", size,
                     prefix, "NULL", "", "BTREE", "", "", "YES", "NULL"]
                )  # fmt: skip
                if unique:
                    found["key_column_usage"].append(
                        ["def", database, key, "def", database, name, column, str(place), *["NULL"] * 4]
                    )
        for key, (column, (home, parent), update, delete) in table.foreign.items():
            if column not in here or engine != "InnoDB" or table.parts:
                continue  # such a table's clause is forgotten, or refused
            found["table_constraints"].append(["def", database, key, database, name, "FOREIGN KEY", "YES"])
            found["key_column_usage"].append(
                ["def", database, key, "def", database, name, column, "1", "1", home, case(parent), "id"]
            )
            found["referential_constraints"].append(
                ["def", database, key, home, "PRIMARY", "NONE", update, delete, name, case(parent)]
            )
        for key, (text, enforced) in table.checks.items() if checks else ():
            state = "YES" if enforced or maria else "NO"
            found["table_constraints"].append(["def", database, key, database, name, "CHECK", state])
            found["check_constraints"].append(["def", database, key, text, name])
        for number, told in enumerate(table.parts[2] if table.parts else (), 1):
            method, expression, _ = table.parts or ("", "", [])
            found["partitions"].append(
                ["def", database, name, f"p{number}", "NULL", str(number), "NULL", method, "NULL",
                 expression or "NULL", "NULL", told or "NULL", size]
            )  # fmt: skip
    headings = {
        "columns": generator.COLUMNS, "tables": (*generator.TABLES[:9], "CREATE_OPTIONS", "TABLE_COMMENT"),
        **generator.VIEWS, "check_constraints": (*generator.CHECKS, "TABLE_NAME"), "partitions": PARTITIONS,
    }  # fmt: skip
    left_out = {
        "columns": () if not old else ("GENERATION_EXPRESSION", "SRS_ID"),
        "statistics": () if version >= (8, 0, 13) and not maria else ("IS_VISIBLE", "EXPRESSION"),
        "table_constraints": () if checks and not maria else ("ENFORCED",),
        "check_constraints": () if maria else ("TABLE_NAME",),
    }
    out: Views = {}
    for view, rows in found.items():
        if view == "check_constraints" and not checks:
            continue
        kept = [at for at, name in enumerate(headings[view]) if name not in left_out.get(view, ())]
        out[view] = ([headings[view][at] for at in kept], [[row[at] for at in kept] for row in rows])
    return out


def _column(
    database: str,
    table: str,
    number: int,
    column: generator.Column,
    generated: dict[str, tuple[str, bool]],
    *,
    server: str,
    version: tuple[int, ...],
) -> list[str]:
    """The row of COLUMNS as the server prints it."""
    name, kind, nullable, default, charset, extra = column
    maria = server.startswith("mariadb")
    if kind == "json" and (maria or version < (5, 7, 8)):
        kind, charset = "longtext", "utf8mb4"
    row = generator.row(database, table, number, (name, kind, nullable, default, charset, extra))
    at = {title: place for place, title in enumerate(generator.COLUMNS)}
    if maria or version < (8, 0, 19):
        word, _, sign = kind.partition(" ")
        width = {"tinyint": 4, "smallint": 6, "mediumint": 9, "int": 11, "bigint": 20}.get(word)
        if width:
            row[at["COLUMN_TYPE"]] = f"{word}({width - bool(sign) * (word != 'bigint')}) {sign}".strip()
    if charset:
        number_of = "utf8" if charset == "utf8mb3" and (version < (8, 0, 28) and not maria) else charset
        row[at["CHARACTER_SET_NAME"]] = number_of
        row[at["COLLATION_NAME"]] = "ascii_bin" if charset == "ascii" else f"{number_of}_general_ci"
    if maria and default != "NULL":
        row[at["COLUMN_DEFAULT"]] = default if "int" in kind else f"'{default}'"
    if name in generated:
        text, stored = generated[name]
        row[at["EXTRA"]] = "STORED GENERATED" if stored else "VIRTUAL GENERATED"
        row[at["GENERATION_EXPRESSION"]] = text
    elif maria:
        row[at["GENERATION_EXPRESSION"]] = "NULL"
    return row


def _write(folder: Path, views: Views, form: str) -> None:
    folder.mkdir(parents=True)
    for view, (heading, rows) in views.items():
        if form == "tsv":
            text = "".join("\t".join(row) + "\n" for row in (heading, *rows))
            (folder / f"{view}.tsv").write_text(text if rows else "", "utf-8")
            continue
        import pyarrow as pa
        import pyarrow.parquet as pq

        columns = list(zip(*rows, strict=True)) or [()] * len(heading)
        data = {
            name: pa.array([None if value == "NULL" else value for value in values], pa.string())
            for name, values in zip(heading, columns, strict=True)
        }
        pq.write_table(pa.table(data), folder / f"{view}.parquet")


def _damage(rng: random.Random, folder: Path) -> None:
    """A row that comes twice, one that is cut, one that is not there, a view that was not dumped, or an end
    that is missing.
    """
    view = rng.choice(("columns", "columns", "statistics", "table_constraints", "tables", "partitions"))
    path = folder / f"{view}.tsv"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    if len(lines) < 3:
        return
    at, kind = rng.randrange(1, len(lines)), rng.randrange(5)
    if kind == 0:
        lines.insert(rng.choice((at, len(lines))), lines[at])
    elif kind == 1:
        lines[at] = lines[at].rpartition("\t")[0] + "\n"
    elif kind == 2:
        del lines[at]
    elif kind == 3 and view != "columns":
        path.unlink()
        return
    else:
        lines[-1] = lines[-1][: rng.randrange(1, len(lines[-1]))]
    path.write_text("".join(lines), "utf-8")


_FILTERS = (
    {"replicate-do-db": ["app", "crm"]}, {"replicate-ignore-db": ["log"]},
    {"replicate-do-table": ["app.t0001"]}, {"replicate-ignore-table": ["app.t0002", "log.T0003"]},
    {"replicate-wild-do-table": ["app.%", "crm.t%"]},
    {"replicate-wild-ignore-table": ["%.t000%"]}, {"binlog-ignore-db": ["crm"]},
)  # fmt: skip
_REWRITES = ({"log": "app"}, {"app": "shop"}, {"crm": "log", "log": "crm"})
_SETTINGS = (
    {"slave_type_conversions": ["", "ALL_LOSSY", "ALL_NON_LOSSY", "ALL_LOSSY,ALL_NON_LOSSY"]},
    {"binlog_format": ["ROW", "ROW", "MIXED", "STATEMENT"]},
    {"binlog_row_image": ["FULL", "MINIMAL", "NOBLOB"]},
    {"sql_mode": ["", "STRICT_TRANS_TABLES", "ANSI_QUOTES,STRICT_ALL_TABLES"]},
    {"foreign_key_checks": ["ON", "OFF"]},
)  # fmt: skip


def _links(rng: random.Random, names: Sequence[str]) -> list[str]:
    """A chain through all instances, and some links more, each with what it may have."""
    ends = [(one, other, "") for one, other in itertools.pairwise(names)]
    for number in range(rng.randrange(1, 4)):
        source, replica = rng.sample(names, 2)
        ends.append((source, replica, f"c{number}"))
    found = []
    for source, replica, channel in ends:
        link: dict[str, object] = {"source": source, "replica": replica}
        if channel:
            link["channel"] = channel
        if rng.random() < 0.4:
            link["filters"] = dict(rng.choice(_FILTERS))
        if rng.random() < 0.2:
            link["rewrite"] = rng.choice(_REWRITES)
        settings = {
            name: rng.choice(values)
            for one in _SETTINGS
            for name, values in one.items()
            if rng.random() < (0.6 if name == "slave_type_conversions" else 0.25)
        }
        if settings:
            link["settings"] = settings
        found.append(f"  - {json.dumps(link)}")
    return found
