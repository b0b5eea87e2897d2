"""Tables of all types and keys with random rows, and their profile worked out in Python from the rows."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from schemacheck.model import Table
from schemacheck.profile.combined import order
from schemacheck.profile.document import ColumnProfile

#: Runs a statement; the rows of its answer.
Query = Callable[[str], Sequence[Sequence[Any]]]
TEXTS = ["", " ", "a", "a ", "é", "é ", "€", "ł", "漢字", "😀", "x" * 30, "abc  ", "Ünïcode", "\t", "0"]
NUMBERS = {
    "tinyint": (-128, 127), "smallint": (-32768, 32767), "mediumint": (-(1 << 23), (1 << 23) - 1),
    "int": (-(1 << 31), (1 << 31) - 1), "bigint": (-(1 << 63), (1 << 63) - 1),
}  # fmt: skip


def number(low: int, high: int) -> Callable[[random.Random], str]:
    return lambda r: str(
        r.choice([r.randint(low, high), low, high, max(low, 0), min(high, 7), r.randint(0, 9)])
    )


def moment(r: random.Random, digits: int) -> str:
    fraction = "".join(r.choice("0012345678") for _ in range(r.randint(0, digits)))
    day = f"{r.randint(1000, 9999)}-{r.randint(1, 12):02}-{r.randint(1, 28):02}"
    text = f"{day} {r.randint(0, 23):02}:11:5{r.randint(0, 9)}"
    return f"'{r.choice([text, '0000-00-00 00:00:00', text])}{'.' + fraction if fraction else ''}'"


def text(r: random.Random, most: int) -> str:
    made = "".join(r.choice(TEXTS) for _ in range(r.randint(0, 3)))[:most]
    return "'" + made + "'"


def columns(r: random.Random) -> list[tuple[str, Callable[[random.Random], str]]]:
    """(type, how a value of it is made)."""
    kinds: list[tuple[str, Callable[[random.Random], str]]] = []
    for name, (low, high) in NUMBERS.items():
        kinds += [(name, number(low, high)), (f"{name} unsigned", number(0, high - low))]
    members = "','".join(f"m{n}" for n in range(r.choice([1, 3, 9, 255])))
    bits = "','".join(f"b{n}" for n in range(r.choice([1, 8, 33, 64])))
    size = r.randint(1, 40)
    count, size_of = len(bits.split(",")), len(members.split(","))
    kinds += [
        ("decimal(30,10)", lambda r: f"{r.randint(-(10**9), 10**9)}.{r.choice(['', '5', '12345678', '1'])}"),
        ("decimal(5,0) unsigned", lambda r: str(r.randint(0, 99999))),
        ("decimal(65,30)", lambda r: f"{r.randint(-9, 9)}.{r.randint(0, 10**30):030}"),
        ("float", lambda r: r.choice(["0", "-0.5", "16777217", "1e-30", "3.4e38", str(r.uniform(-5, 5))])),
        ("double", lambda r: r.choice(["0", "1.5", "-1e300", "1.25e-200", str(r.uniform(-5, 5))])),
        ("float(7,3)", lambda r: str(round(r.uniform(-900, 900), r.randint(0, 3)))),
        ("year", lambda r: str(r.choice([0, 1901, 2155, 2024]))),
        ("bit(1)", lambda r: str(r.randint(0, 1))),
        ("bit(64)", lambda r: str(r.choice([0, 1, (1 << 64) - 1, r.getrandbits(64)]))),
        ("date", lambda r: moment(r, 0)[:11] + "'"),
        ("datetime", lambda r: moment(r, 0)),
        ("datetime(6)", lambda r: moment(r, 6)),
        ("timestamp(2) NULL", lambda r: f"'20{r.randint(10, 37)}-01-01 00:00:05.{r.randint(0, 99):02}'"),
        ("time(3)", lambda r: f"'{r.choice(['-', ''])}{r.randint(0, 838):02}:09:59.{r.randint(0, 998):03}'"),
        ("time", lambda r: f"'{r.choice(['-', ''])}{r.randint(0, 838)}:00:01'"),
        (f"varchar({size}) CHARACTER SET utf8mb4", lambda r: text(r, size)),
        (f"varchar({size}) CHARACTER SET utf8", lambda r: text(r, size)),
        (f"varchar({size}) CHARACTER SET latin1", lambda r: text(r, size)),
        (f"varchar({size}) CHARACTER SET ascii", lambda r: text(r, size)),
        (f"varchar({size}) CHARACTER SET utf16", lambda r: text(r, size)),
        (f"varchar({size}) CHARACTER SET cp1251", lambda r: text(r, size)),
        (f"char({size}) CHARACTER SET utf8mb4", lambda r: text(r, size)),
        ("longtext CHARACTER SET utf8mb4", lambda r: text(r, 99)),
        ("tinytext CHARACTER SET latin2", lambda r: text(r, 99)),
        ("varbinary(50)", lambda r: f"x'{r.randbytes(r.randint(0, 50)).hex()}'"),
        ("binary(3)", lambda r: f"x'{r.randbytes(r.randint(0, 3)).hex()}'"),
        ("blob", lambda r: f"x'{r.randbytes(r.choice([0, 1, 300])).hex()}'"),
        (f"enum('{members}')", lambda r: r.choice(["'m0'", "'none'", str(1 + r.randrange(size_of))])),
        (f"set('{bits}')", lambda r: str(r.choice([0, 1, (1 << count) - 1, r.getrandbits(count)]))),
        ("point", lambda r: f"ST_GeomFromText('POINT({r.randint(0, 9)} 1)')"),
    ]  # fmt: skip
    return kinds


PARTITIONS = (
    "PARTITION BY RANGE (id) (PARTITION a VALUES LESS THAN (50), PARTITION b VALUES LESS THAN MAXVALUE)"
)
#: The id's definition and the table's options; how the id of row n is made.
KEYS: list[tuple[str, str, Callable[[random.Random, int], object]]] = [
    ("id int unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY", "", lambda *_: "NULL"),
    ("id bigint NOT NULL PRIMARY KEY", "", lambda r, _: r.randint(-(1 << 63), (1 << 63) - 1)),
    ("id bigint unsigned NOT NULL PRIMARY KEY", "", lambda _, n: (n % 3 << 62) + n),
    ("id smallint NOT NULL, PRIMARY KEY (id, k)", "", lambda r, _: r.randint(0, 2)),
    ("id varchar(40) NOT NULL PRIMARY KEY", "", lambda _, n: f"'{n}'"),
    ("id int", "", lambda r, n: r.choice(["NULL", n])),
    ("id int NOT NULL PRIMARY KEY", "ENGINE=MyISAM", lambda _, n: 7 * n),
    ("id int NOT NULL PRIMARY KEY", PARTITIONS, lambda _, n: n),
]


def make(query: Query, name: str, r: random.Random, rows: int) -> None:
    """A table `name` in the default database, of random columns and rows."""
    key, options, value_of = KEYS[r.randrange(len(KEYS))]
    chosen = r.sample([kind for kind in columns(r) if not options or kind[0] != "point"], 14)
    listed = [f"c{n} {kind}" for n, (kind, _) in enumerate(chosen)]
    query(f"CREATE TABLE {name} (k int NOT NULL, {', '.join([*listed, key])}) CHARSET=utf8mb4 {options}")
    for begin in range(0, rows, 100):
        values = [
            "(" + ", ".join([
                str(n),
                *("NULL" if r.random() < 0.2 else of(r) for _, of in chosen),
                str(value_of(r, n)),
            ]) + ")"
            for n in range(begin, min(begin + 100, rows))
        ]  # fmt: skip
        query(f"INSERT IGNORE INTO {name} VALUES {', '.join(values)}")


def expected(query: Query, table: Table) -> tuple[int, dict[str, ColumnProfile]]:
    """Rows and columns as plain SELECTs of the rows tell."""
    name = f"`{table.database}`.`{table.name}`"
    made = {}
    for column in table.columns:
        kind, base = column.type, column.type.base
        c = f"`{column.name}`"
        how = f"CAST({c} AS UNSIGNED)" if base in ("bit", "enum", "set") else c
        how = f"{c} + 0e0" if base in ("float", "double") else how
        how = f"CONCAT({c})" if base in ("date", "datetime", "timestamp", "time") else how
        how = f"HEX({c})" if kind.is_character and base not in ("enum", "set") else how
        also = f"HEX(CONVERT({c} USING utf8mb4))" if how.startswith("HEX") else "NULL"
        both = query(f"SELECT {how}, {also} FROM {name}")
        values = [value for value, _ in both if value is not None]
        fields: dict[str, Any] = {"nulls": len(both) - len(values)}
        if base in ("float", "double", "decimal", "bit", "year") or kind.is_integer:
            numbers = [Decimal(repr(v) if isinstance(v, float) else str(v)) for v in values]
            fields |= {"minimum": min(numbers, default=None), "maximum": max(numbers, default=None)}
            fields["zero"] = sum(v == 0 for v in numbers)
            if base == "decimal":
                digits = [format(v, "f").partition(".")[2].rstrip("0") for v in numbers]
                fields["fraction"] = max(map(len, digits), default=0)
        elif base in ("date", "datetime", "timestamp", "time"):
            fields |= {
                "minimum": min(values, default=None, key=order),
                "maximum": max(values, default=None, key=order),
            }  # fmt: skip
            if base != "time":
                fields["zero"] = sum(not set(v) - set("0-: .") for v in values)
            if base != "date":
                fields["fraction"] = max((len(v.partition(".")[2].rstrip("0")) for v in values), default=0)
        elif base == "enum":
            fields["members"] = {n: values.count(n) for n in range(len(kind.members) + 1)}
            fields["empty"] = values.count(0)
        elif base == "set":
            fields["members"] = {n: sum(v >> n & 1 for v in values) for n in range(len(kind.members))}
            fields["empty"] = values.count(0)
        elif base in ("varbinary", "binary", "blob"):
            fields |= sizes([bytes(v) for v in values])
        elif kind.is_character:
            raw = [bytes.fromhex(v) for v in values]
            texts = [bytes.fromhex(v).decode() for _, v in both if v is not None]
            fields |= sizes(raw)
            fields["longest_characters"] = max(map(len, texts), default=0)
            fields["blanks"] = sum(t.endswith(" ") for t in texts)
            fields["outside"] = {
                "ascii": sum(not t.isascii() for t in texts),
                "latin1": sum(not all(ord(x) < 256 or x == "€" for x in t) for t in texts),
                "utf8mb3": sum(any(ord(x) > 0xFFFF for x in t) for t in texts),
            }
        made[column.name] = ColumnProfile(kind.sql(), **fields)
    return len(both), made


def sizes(values: list[bytes]) -> dict[str, Any]:
    return {
        "longest_bytes": max(map(len, values), default=0),
        "empty": sum(not v for v in values),
    }  # fmt: skip
