"""Seeded fleets for the benchmarks: `python benchmarks/fleet_generate.py OUT --pairs 10000 --kind diverse
--format tsv`.

`sharded`: instances repeat one of a few schemas, under 1 % of the tables drift. `diverse`: every table
is its own, 2 % of all columns drift.
`realistic`: 50 links repeat one schema, every tenth table drifts. `keyed`: `diverse`, and the views about
keys, constraints and foreign keys, a CHECK in every fifth table, and filters on every link. Tables have about
20 columns; 500 tables (fewer in a small fleet) on each of pairs/500 links. Written as people have it: one
folder per instance with `columns.tsv` (`mysql --batch` of information_schema.COLUMNS, MySQL 8.0's columns)
and `tables.tsv`, or the same rows as Parquet, and `fleet.yaml`. `drift.json` counts what was changed.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

COLUMNS = [
    "TABLE_CATALOG",
    "TABLE_SCHEMA",
    "TABLE_NAME",
    "COLUMN_NAME",
    "ORDINAL_POSITION",
    "COLUMN_DEFAULT",
    "IS_NULLABLE",
    "DATA_TYPE",
    "CHARACTER_MAXIMUM_LENGTH",
    "CHARACTER_OCTET_LENGTH",
    "NUMERIC_PRECISION",
    "NUMERIC_SCALE",
    "DATETIME_PRECISION",
    "CHARACTER_SET_NAME",
    "COLLATION_NAME",
    "COLUMN_TYPE",
    "COLUMN_KEY",
    "EXTRA",
    "PRIVILEGES",
    "COLUMN_COMMENT",
    "GENERATION_EXPRESSION",
    "SRS_ID",
]
TABLES = [
    "TABLE_CATALOG",
    "TABLE_SCHEMA",
    "TABLE_NAME",
    "TABLE_TYPE",
    "ENGINE",
    "TABLE_ROWS",
    "DATA_LENGTH",
    "INDEX_LENGTH",
    "TABLE_COLLATION",
    "TABLE_COMMENT",
]
NAMES = [
    "account",
    "address",
    "amount",
    "balance",
    "batch",
    "body",
    "category",
    "channel",
    "city",
    "code",
    "color",
    "comment",
    "company",
    "count",
    "country",
    "created",
    "currency",
    "customer",
    "day",
    "depth",
    "device",
    "discount",
    "due",
    "email",
    "end",
    "error",
    "event",
    "expires",
    "external",
    "flag",
    "gateway",
    "group",
    "hash",
    "height",
    "host",
    "image",
    "invoice",
    "item",
    "key",
    "kind",
    "label",
    "lang",
    "latitude",
    "level",
    "limit",
    "locale",
    "longitude",
    "method",
    "mode",
    "month",
    "name",
    "note",
    "number",
    "offset",
    "option",
    "order",
    "origin",
    "owner",
    "parent",
    "partner",
    "path",
    "payload",
    "payment",
    "phone",
    "position",
    "price",
    "priority",
    "product",
    "project",
    "quantity",
    "rank",
    "rate",
    "reason",
    "ref",
    "region",
    "retry",
    "role",
    "scope",
    "score",
    "session",
    "shop",
    "size",
    "slug",
    "source",
    "stage",
    "start",
    "state",
    "status",
    "step",
    "stock",
    "store",
    "street",
    "sum",
    "supplier",
    "tag",
    "tax",
    "team",
    "term",
    "theme",
    "ticket",
    "title",
    "token",
    "total",
    "type",
    "unit",
    "updated",
    "user",
    "value",
    "vendor",
    "version",
    "view",
    "volume",
    "weight",
    "width",
    "year",
    "zip",
    "zone",
]
CHARSETS = {
    "utf8mb4": (4, "utf8mb4_0900_ai_ci"),
    "utf8mb3": (3, "utf8mb3_general_ci"),
    "latin1": (1, "latin1_swedish_ci"),
    "ascii": (1, "ascii_bin"),
}
WORDS = [
    "new",
    "open",
    "paid",
    "sent",
    "done",
    "void",
    "hold",
    "draft",
    "live",
    "off",
    "red",
    "blue",
    "low",
    "mid",
    "high",
]

STATISTICS = (
    "TABLE_CATALOG", "TABLE_SCHEMA", "TABLE_NAME", "NON_UNIQUE", "INDEX_SCHEMA", "INDEX_NAME", "SEQ_IN_INDEX",
    "COLUMN_NAME", "COLLATION", "CARDINALITY", "SUB_PART", "PACKED", "NULLABLE", "INDEX_TYPE", "COMMENT",
    "INDEX_COMMENT", "IS_VISIBLE", "EXPRESSION",
)  # fmt: skip
CONSTRAINTS = (
    "CONSTRAINT_CATALOG", "CONSTRAINT_SCHEMA", "CONSTRAINT_NAME", "TABLE_SCHEMA", "TABLE_NAME",
    "CONSTRAINT_TYPE", "ENFORCED",
)  # fmt: skip
CHECKS = ("CONSTRAINT_CATALOG", "CONSTRAINT_SCHEMA", "CONSTRAINT_NAME", "CHECK_CLAUSE")
USAGE = (
    "CONSTRAINT_CATALOG", "CONSTRAINT_SCHEMA", "CONSTRAINT_NAME", "TABLE_CATALOG", "TABLE_SCHEMA",
    "TABLE_NAME", "COLUMN_NAME", "ORDINAL_POSITION", "POSITION_IN_UNIQUE_CONSTRAINT",
    "REFERENCED_TABLE_SCHEMA", "REFERENCED_TABLE_NAME", "REFERENCED_COLUMN_NAME",
)  # fmt: skip
REFERENCES = (
    "CONSTRAINT_CATALOG", "CONSTRAINT_SCHEMA", "CONSTRAINT_NAME", "UNIQUE_CONSTRAINT_SCHEMA",
    "UNIQUE_CONSTRAINT_NAME", "MATCH_OPTION", "UPDATE_RULE", "DELETE_RULE", "TABLE_NAME",
    "REFERENCED_TABLE_NAME",
)  # fmt: skip

Column = tuple[str, str, str, str, str, str]  # name, type, nullable, default, charset, extra


def any_type(rng: random.Random) -> tuple[str, str]:
    """A type as COLUMN_TYPE prints it and its character set ('' for none), in proportions of real schemas."""
    roll = rng.random()
    if roll < 0.36:
        return rng.choice(
            ("int", "int", "int", "bigint", "bigint", "smallint", "mediumint", "tinyint", "tinyint(1)")
        ) + rng.choice(("", "", " unsigned")), ""
    if roll < 0.66:
        return (
            f"varchar({rng.choice((8, 16, 20, 32, 40, 50, 64, 80, 100, 120, 128, 150, 160, 191, 200, 255, 255, 255, 500, 512, 1000, 1024, 2000))})",  # noqa: E501
            "c",
        )
    if roll < 0.72:
        return f"char({rng.choice((1, 2, 3, 8, 16, 32, 36, 40, 64))})", "c"
    if roll < 0.80:
        return rng.choice(
            (
                "datetime",
                "datetime",
                "timestamp",
                "date",
                "datetime(6)",
                "datetime(3)",
                "timestamp(3)",
                "time",
            )
        ), ""
    if roll < 0.87:
        digits = rng.randrange(6, 31)
        return f"decimal({digits},{rng.randrange(0, min(digits, 9))})", ""
    if roll < 0.92:
        return rng.choice(("text", "text", "mediumtext", "longtext", "tinytext")), "c"
    if roll < 0.95:
        members = rng.sample(WORDS, rng.randrange(2, 7))
        return "enum(" + ",".join(f"'{m}'" for m in members) + ")", "c"
    return rng.choice(
        (
            f"varbinary({rng.choice((16, 32, 64, 255))})",
            "binary(16)",
            "blob",
            "mediumblob",
            "json",
            "double",
            "float",
            "bit(1)",
        )
    ), ""


def any_column(rng: random.Random, name: str) -> Column:
    kind, character = any_type(rng)
    charset = rng.choices(tuple(CHARSETS), (80, 12, 6, 2))[0] if character else ""
    nullable = rng.choice(("YES", "NO"))
    default = "NULL"
    if (
        nullable == "NO"
        and rng.random() < 0.5
        and not kind.startswith(("text", "medium", "long", "tiny", "blob", "json", "enum"))
    ):
        default = {"c": "", "": "0"}[character]
        if kind.startswith(("date", "timestamp", "binary", "varbinary", "bit", "time")):
            default = "NULL"
    return name, kind, nullable, default, charset, ""


def any_table(rng: random.Random) -> list[Column]:
    names = rng.sample(NAMES, rng.randrange(13, 26))
    columns = [
        (
            "id",
            rng.choice(("bigint unsigned", "bigint", "int unsigned", "int")),
            "NO",
            "NULL",
            "",
            "auto_increment",
        )
    ]
    return columns + [any_column(rng, name) for name in names]


def drift(rng: random.Random, column: Column) -> tuple[Column, str]:
    """The same column as a replica that nobody watched has it, and the kind of drift."""
    name, kind, nullable, default, charset, extra = column
    if charset and rng.random() < 0.25:
        other = rng.choice([c for c in CHARSETS if c != charset])
        return (name, kind, nullable, default, other, extra), "charset"
    if rng.random() < 0.15 and name != "id":
        return (name, kind, "YES" if nullable == "NO" else "NO", "NULL", charset, extra), "nullability"
    plain, unsigned, _ = kind.partition(" unsigned")
    order = ["tinyint", "smallint", "mediumint", "int", "bigint"]
    if plain in order:
        if rng.random() < 0.3:
            return (
                name,
                plain + ("" if unsigned else " unsigned"),
                nullable,
                default,
                charset,
                extra,
            ), "sign"
        at = order.index(plain)
        to = at - 1 if at == 4 or (at and rng.random() < 0.3) else at + 1
        return (name, order[to] + unsigned, nullable, default, charset, extra), "integer width"
    word, _, rest = kind.partition("(")
    if word in ("varchar", "char", "varbinary", "binary"):
        length = int(rest.rstrip(")"))
        longer = max(1, length + rng.choice((-length // 2, length, 1, 64)))
        return (name, f"{word}({longer})", nullable, default, charset, extra), "length"
    if word == "decimal":
        digits, scale = map(int, rest.rstrip(")").split(","))
        return (
            name,
            f"decimal({min(65, digits + rng.randrange(1, 5))},{max(0, scale + rng.choice((-1, 0, 2)))})",
            nullable,
            default,
            charset,
            extra,
        ), "decimal"
    if word == "enum":
        return (name, kind[:-1] + ",'other')", nullable, default, charset, extra), "enum"
    new = {
        "datetime": "datetime(6)",
        "timestamp": "datetime",
        "date": "datetime",
        "text": "mediumtext",
        "float": "double",
        "json": "longtext",
    }.get(kind, "text")
    return (name, new, nullable, "NULL", charset or ("utf8mb4" if "text" in new else ""), extra), "type"


def drifted(rng: random.Random, table: list[Column], share: float, counts: Counter[str]) -> list[Column]:
    """A copy with each column drifted with probability `share`; one in twenty of those moves, is added or is
    missing.
    """
    out: list[Column] = []
    for column in table:
        if rng.random() >= share:
            out.append(column)
        elif rng.random() >= 0.05 or column[0] == "id":
            changed, kind = drift(rng, column)
            out.append(changed)
            counts[kind] += 1
        else:
            kind = rng.choice(("missing column", "extra column", "order"))
            counts[kind] += 1
            if kind != "missing column":
                out.append(column)
            if kind == "extra column":
                out.append(("extra_" + column[0], "int", "YES", "NULL", "", ""))
            elif kind == "order" and len(out) > 2:
                out[-1], out[-2] = out[-2], out[-1]
    return out


def row(database: str, table: str, ordinal: int, column: Column) -> list[str]:
    name, kind, nullable, default, charset, extra = column
    word, _, rest = kind.partition("(")
    word = word.partition(" ")[0]
    length = rest.partition(")")[0]
    characters = octets = precision = scale = fraction = collation = "NULL"
    if charset:
        width, collation = CHARSETS[charset]
        characters = length if length.isdigit() else "65535"
        octets = str(int(characters) * width)
    elif word == "decimal":
        precision, scale = length.split(",")
    elif "int" in word:
        precision, scale = "10", "0"
    elif word in ("datetime", "timestamp", "time"):
        fraction = length or "0"
    return ["def", database, table, name, str(ordinal), default, nullable, word, characters, octets,
        precision, scale, fraction,
            charset or "NULL", collation, kind, "PRI" if name == "id" else "", extra,
            "select,insert,update,references", "", "", "NULL"]  # fmt: skip


def keys(database: str, tables: list[list[Column]], rng: random.Random) -> dict[str, list[list[str]]]:
    """Rows of the views about keys and constraints: a primary key, a key over one or two columns of
    numbers, in every fifth table a CHECK and a foreign key to the table before it (of equal types). What they
    are depends on the names of columns alone, so that both ends have the same as far as columns are the same.
    """
    found: dict[str, list[list[str]]] = {name: [] for name in VIEWS}
    before = ""
    for number, columns in enumerate(tables):
        table = f"t{number:04d}"
        types = {name: kind for name, kind, *_ in columns}
        numbers = [name for name, kind, *_ in columns if "int" in kind and name != "id"][:2]
        every = [("PRIMARY", "0", ["id"]), *((("k_" + numbers[0]), "1", numbers) for _ in numbers[:1])]
        for name, loose, parts in every:
            for place, part in enumerate(parts, 1):
                found["statistics"].append(
                    ["def", database, table, loose, database, name, str(place), part, "A",
                     str(rng.randrange(10**6)), "NULL", "NULL", "", "BTREE", "", "", "YES", "NULL"]
                )  # fmt: skip
        found["table_constraints"].append(["def", database, "PRIMARY", database, table, "PRIMARY KEY", "YES"])
        found["key_column_usage"].append(
            ["def", database, "PRIMARY", "def", database, table, "id", "1", "NULL", "NULL", "NULL", "NULL"]
        )
        if number % 5 == 0 and numbers:
            name = f"{table}_chk_1"
            found["table_constraints"].append(["def", database, name, database, table, "CHECK", "YES"])
            found["check_constraints"].append(["def", database, name, f"(`{numbers[0]}` >= 0)"])
        if number % 5 == 1 and types["id"] == before:
            name, parent = f"{table}_ibfk_1", f"t{number - 1:04d}"
            found["table_constraints"].append(["def", database, name, database, table, "FOREIGN KEY", "YES"])
            found["key_column_usage"].append(
                ["def", database, name, "def", database, table, "id", "1", "1", database, parent, "id"]
            )
            found["referential_constraints"].append(
                ["def", database, name, database, "PRIMARY", "NONE", "NO ACTION", "NO ACTION", table, parent]
            )
        before = types["id"]
    return found


VIEWS = {
    "statistics": STATISTICS,
    "table_constraints": CONSTRAINTS,
    "check_constraints": CHECKS,
    "key_column_usage": USAGE,
    "referential_constraints": REFERENCES,
}


class Writer:
    """One folder per instance, as TSV or Parquet."""

    def __init__(self, root: Path, kind: str, *, keyed: bool = False) -> None:
        self.root, self.kind, self.keyed = root, kind, keyed

    def write(self, instance: str, database: str, tables: list[list[Column]], rng: random.Random) -> None:
        folder = self.root / "snapshots" / instance
        folder.mkdir(parents=True, exist_ok=True)
        columns = [
            row(database, f"t{number:04d}", ordinal, c)
            for number, table in enumerate(tables)
            for ordinal, c in enumerate(table, 1)
        ]
        sizes = [
            [
                "def",
                database,
                f"t{number:04d}",
                "BASE TABLE",
                "InnoDB",
                str(rows := int(10 ** rng.uniform(0, 8))),
                str(rows * 180),
                str(rows * 60),
                "utf8mb4_0900_ai_ci",
                "",
            ]
            for number in range(len(tables))
        ]
        views: list[tuple[str, Sequence[str], list[list[str]]]] = [
            ("columns", COLUMNS, columns),
            ("tables", TABLES, sizes),
        ]
        if self.keyed:
            views += [(name, VIEWS[name], rows) for name, rows in keys(database, tables, rng).items()]
        for name, heading, rows_ in views:
            if self.kind == "tsv":
                text = "\t".join(heading) + "\n" + "".join("\t".join(r) + "\n" for r in rows_)
                (folder / f"{name}.tsv").write_text(text, "utf-8")
            else:
                import pyarrow as pa
                import pyarrow.parquet as pq

                data = {
                    h: [None if v == "NULL" else v for v in c]
                    for h, c in zip(heading, zip(*rows_, strict=True), strict=True)
                }
                numbers = {
                    "ORDINAL_POSITION",
                    "CHARACTER_MAXIMUM_LENGTH",
                    "CHARACTER_OCTET_LENGTH",
                    "NUMERIC_PRECISION",
                    "NUMERIC_SCALE",
                    "DATETIME_PRECISION",
                    "SRS_ID",
                    "TABLE_ROWS",
                    "DATA_LENGTH",
                    "INDEX_LENGTH",
                }
                arrays = {
                    h: pa.array([None if v is None else int(v) for v in c], pa.int64())
                    if h in numbers
                    else pa.array(c, pa.string())
                    for h, c in data.items()
                }
                pq.write_table(pa.table(arrays), folder / f"{name}.parquet")


def generate(out: Path, pairs: int, kind: str, form: str, seed: int = 1) -> None:
    rng = random.Random(seed)
    per_link = min(500, max(1, pairs // 10 if pairs < 1000 else 500))
    counts: Counter[str] = Counter()
    writer = Writer(out, form, keyed=kind == "keyed")
    of_link = (
        ", filters: {replicate-ignore-table: [app.t0003], replicate-wild-ignore-table: ['app.t049%']}"
        if kind == "keyed"
        else ""
    )
    n_links = -(-pairs // per_link)
    n_schemas = {"sharded": 5, "realistic": -(-n_links // 50)}.get(kind, 0)
    schemas = [[any_table(rng) for _ in range(per_link)] for _ in range(n_schemas)]
    share = 0.1 if kind == "realistic" else 0.008
    links, instances = [], []
    for number in range(n_links):
        cluster = f"c{number // 10:04d}"
        source, replica = f"{cluster}-db{number:05d}a", f"{cluster}-db{number:05d}b"
        count = min(per_link, pairs - number * per_link)
        if schemas:
            tables = schemas[number % len(schemas)][:count]
            copies = [drifted(rng, t, 0.05, counts) if rng.random() < share else t for t in tables]
            while (
                kind == "realistic"
                and (same := [n for n, t in enumerate(copies) if t == tables[n]])
                and (len(same) > (1 - share) * count)
            ):
                n = rng.choice(same)
                copies[n] = drifted(rng, tables[n], 0.05, counts)
        else:
            tables = [any_table(rng) for _ in range(count)]
            copies = [drifted(rng, t, 0.02, counts) for t in tables]
        writer.write(source, "app", tables, rng)
        writer.write(replica, "app", copies, rng)
        instances += [f"  {name}: {{cluster: {cluster}}}" for name in (source, replica)]
        links.append(f"  - {{source: {source}, replica: {replica}{of_link}}}")
    head = (
        "snapshots: snapshots\ndefaults: {server: mysql-8.0.36, settings: {slave_type_conversions: "
        "'ALL_NON_LOSSY'}}\n"
    )
    (out / "fleet.yaml").write_text(
        head + "instances:\n" + "\n".join(instances) + "\nlinks:\n" + "\n".join(links) + "\n", "utf-8"
    )
    (out / "drift.json").write_text(
        json.dumps({"pairs": pairs, "kind": kind, "seed": seed, "drift": dict(counts)}, indent=1) + "\n",
        "utf-8",
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--kind", choices=("sharded", "diverse", "keyed", "realistic"), default="diverse")
    parser.add_argument("--format", choices=("tsv", "parquet"), default="tsv")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    generate(chosen.out, chosen.pairs, chosen.kind, chosen.format, chosen.seed)


if __name__ == "__main__":
    main()
