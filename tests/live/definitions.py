"""Random scripts of CREATE TABLE and ALTER TABLE, drawn from the servers' grammars: most are accepted, some
are
refused for one reason.

`script(rng, dialect, number)` gives the statements of one script about the table `t<number>`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.live import expressions


@dataclass(frozen=True)
class Dialect:
    """What a server's grammar has."""

    mariadb: bool
    #: MySQL 5.6: no generated columns, no expressions as DEFAULT, no CHECK.
    old: bool = False
    vector: bool = False


DIALECTS = {
    "mysql-5.6": Dialect(mariadb=False, old=True),
    "mysql-9.7": Dialect(mariadb=False, vector=True),
    "mariadb-10.11": Dialect(mariadb=True),
    "mariadb-11.8": Dialect(mariadb=True, vector=True),
}

_INTEGERS = ("tinyint", "smallint", "mediumint", "int", "bigint", "integer", "int4", "bool")
_TEXTS = ("tinytext", "text", "mediumtext", "longtext", "text(100)", "text(70000)", "long varchar")
_BLOBS = ("tinyblob", "blob", "mediumblob", "longblob", "blob(300)", "long varbinary")
_LENGTHS = (
    1,
    2,
    10,
    20,
    64,
    100,
    191,
    192,
    255,
    256,
    333,
    500,
    767,
    768,
    1000,
    3072,
    5000,
    16383,
    21844,
    65535,
)
_SHAPES = ("geometry", "point", "linestring", "polygon", "multipoint", "geometrycollection")
_CHARSETS = (
    "latin1", "utf8mb4", "utf8mb3", "utf8", "ascii", "binary", "ucs2", "utf16", "utf32", "cp1251", "gbk",
    "latin2",
    "big5",
)  # fmt: skip
_COLLATIONS = (
    "latin1_bin", "latin1_general_ci", "utf8mb4_bin", "utf8mb4_general_ci", "utf8mb4_unicode_ci", "utf8_bin",
    "utf8mb3_general_ci", "ascii_bin", "utf8mb4_0900_ai_ci", "uca1400_ai_ci", "utf8mb4_uca1400_ai_ci",
    "binary",
    "utf8mb4_unicode_520_ci", "cp1251_general_ci", "ucs2_bin",
)  # fmt: skip
_NAMES = (
    "`order`", "`a b`", "`a``b`", "`select`", "0b2", "1a", "`12`", "ключ", "`日本`", "`a.b`", "`A'x`", "_x",
    "$d", "x$",
    "`key`", "date", "text", "status", "`row`", "`rank`", "`system`", "offset", "value", "`json`", "enum_",
    "`%`",
)  # fmt: skip
_BAD_NAMES = (
    "order",
    "select",
    "rank",
    "system",
    "row",
    "groups",
    "lead",
    "over",
    "of",
    "window",
    "key",
    "except",
)
_ENGINES = ("InnoDB", "MyISAM", "MEMORY", "ARCHIVE", "CSV", "BLACKHOLE", "MERGE", "HEAP", "nosuch")


@dataclass
class Col:
    """A column as it was written."""

    name: str
    kind: str
    family: str
    text: str
    nullable: bool = True
    generated: bool = False
    length: int = 0


@dataclass
class Writer:
    """One script under way."""

    r: random.Random
    d: Dialect
    number: int
    columns: list[Col] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    auto: bool = False
    primary: bool = False
    engine: str = "InnoDB"
    partitioned: bool = False
    made: int = 0
    fresh: int = 0

    # -- helpers --------------------------------------------------------------------------------

    def maybe(self, chance: float) -> bool:
        return self.r.random() < chance

    def one(self, values: Sequence[str]) -> str:
        return self.r.choice(values)

    def new_name(self, letter: str) -> str:
        self.fresh += 1
        return f"{letter}{self.fresh}"

    def column_name(self) -> str:
        taken = {column.name for column in self.columns}
        if self.maybe(0.06):
            name = self.one(_NAMES)
            if name not in taken:
                return name
        if self.maybe(0.003):
            return self.one(_BAD_NAMES)
        return self.new_name("c")

    # -- types ----------------------------------------------------------------------------------

    def type(self) -> tuple[str, str, int]:
        """(type text, family, length)."""
        r = self.r
        pick = r.random()
        if pick < 0.27:
            base = self.one(_INTEGERS)
            text = base
            if base != "bool":
                if self.maybe(0.15):
                    text += f"({r.choice((1, 2, 5, 11, 20, 255))})"
                if self.maybe(0.25):
                    text += " unsigned"
                if self.maybe(0.05):
                    text += " zerofill"
            return text, "int", 0
        if pick < 0.5:
            return self.string()
        if pick < 0.6:
            base = self.one(("date", "datetime", "timestamp", "time", "year", "datetime", "timestamp"))
            text = base
            if base in ("datetime", "timestamp", "time") and self.maybe(0.3):
                text += f"({r.choice((0, 1, 3, 6))})"
            elif base == "year" and self.maybe(0.2):
                text += "(4)"
            return text, base, 0
        if pick < 0.68:
            base = self.one(("decimal", "numeric", "dec", "fixed"))
            m = r.choice((1, 5, 8, 10, 20, 65))
            text = base + self.one(("", f"({m})", f"({m},{r.choice((0, 1, 2, m // 2))})", f"({m},0)"))
            return text + self.one(("", "", "", " unsigned", " zerofill")), "decimal", 0
        if pick < 0.75:
            base = self.one(
                ("float", "double", "real", "double precision", "float(7,3)", "double(10,2)", "float(30)")
            )
            return base + self.one(("", "", "", " unsigned", " zerofill")), "float", 0
        if pick < 0.8:
            members = r.choice(
                (
                    "'a','b'",
                    "'x'",
                    "'one','two','three'",
                    "'a','b','c','d','e','f','g','h','i'",
                    "'é','ü'",
                    "'a b','c''d'",
                )
            )
            base = self.one(("enum", "set"))
            return f"{base}({members})" + self.charset(0.15), base, 0
        if pick < 0.87:
            return (
                (self.one(_TEXTS) + self.charset(0.2), "text", 0)
                if self.maybe(0.6)
                else (self.one(_BLOBS), "blob", 0)
            )
        if pick < 0.91:
            n = r.choice((1, 3, 16, 20, 100, 255))
            return (
                self.one((f"binary({n})", f"varbinary({n})", f"varbinary({r.choice(_LENGTHS)})")),
                "binary",
                n,
            )
        if pick < 0.93:
            return self.one(("bit", "bit(1)", "bit(8)", "bit(64)", "bit(20)")), "bit", 0
        if pick < 0.955:
            return (
                ("year" if self.d.old and self.maybe(0.9) else "json"),
                ("year" if self.d.old else "json"),
                0,
            )
        if pick < 0.985:
            return self.one(_SHAPES), "geometry", 0
        if self.d.mariadb:
            return self.one(("uuid", "inet6", "inet4", "uuid")), "uuid", 0
        return "vector(3)" if self.d.vector else "year", "vector" if self.d.vector else "year", 0

    def string(self) -> tuple[str, str, int]:
        n = self.r.choice(_LENGTHS) if self.maybe(0.35) else self.r.choice((1, 10, 20, 50, 100, 255))
        if self.maybe(0.25):
            n = min(n, 255)
            base = self.one(
                (f"char({n})", f"character({n})", f"nchar({n})", f"national char({n})", f"char({n}) binary")
            )
        else:
            base = self.one((f"varchar({n})", f"varchar({n})", f"varchar({n})", f"character varying({n})"))
        return base + self.charset(0.2), "char", n

    def charset(self, chance: float) -> str:
        if not self.maybe(chance):
            return ""
        if self.maybe(0.5):
            return f" character set {self.one(_CHARSETS)}"
        if self.maybe(0.5):
            return f" collate {self.one(_COLLATIONS)}"
        charset = self.one(("latin1", "utf8mb4", "ascii", "utf8mb3", "ucs2"))
        return f" character set {charset} collate {charset}_{self.one(('bin', 'general_ci'))}"

    # -- values and expressions -----------------------------------------------------------------

    def literal(self, family: str) -> str:
        if self.maybe(0.02):
            family = self.one(("int", "char", "date", "decimal"))
        values: dict[str, Sequence[str]] = {
            "int": (
                "0",
                "1",
                "-1",
                "100",
                "'5'",
                "TRUE",
                "FALSE",
                "0x1F",
                "b'101'",
                "1.5",
                "300",
                "99999999999",
                "''",
                "'a'",
            ),
            "decimal": ("0", "1.25", "'2.5'", "-3.999", "1e2", ".5", "0.00", "TRUE", "99999"),
            "float": (
                "0",
                "1.5",
                "1e10",
                "'2.25'",
                "2020.2333",
                "-0.1",
                "1e-20",
                "0.30000001",
                "3.14159265358979",
            ),
            "char": (
                "''",
                "'a'",
                "'it''s'",
                "'é'",
                "x'41'",
                "0x4142",
                "_utf8mb4'x'",
                "1",
                "1.50",
                "'a\\\\b'",
                "TRUE",
                "N'x'",
                "'  '",
            ),
            "binary": ("''", "'a'", "0x00FF", "x'00FF00'", "'abc'", "b'1'"),
            "text": ("''", "'a'", "'some text'"),
            "blob": ("''", "'a'", "0xFF"),
            "date": (
                "'2020-01-01'",
                "20200101",
                "'0000-00-00'",
                "'2020-02-30'",
                "DATE'2020-01-01'",
                "'2020-1-5'",
                "CURRENT_DATE",
            ),
            "datetime": (
                "CURRENT_TIMESTAMP",
                "'2020-01-01 10:00:00'",
                "'2020-01-01'",
                "NOW()",
                "'2020-01-01 10:00:00.5'",
                "0",
            ),
            "timestamp": (
                "CURRENT_TIMESTAMP",
                "'2020-01-01 10:00:00'",
                "NOW()",
                "0",
                "'1969-01-01'",
                "LOCALTIMESTAMP",
            ),
            "time": ("'10:00:00'", "'10:00'", "100000", "'-10:00:00.123'", "0", "CURRENT_TIME"),
            "year": ("2020", "'2020'", "0", "70", "'0'", "1900"),
            "enum": ("NULL", "NULL", "'a'", "'x'", "'one'", "1", "'é'"),
            "set": ("''", "''", "'a'", "'a,b'", "'one,two'", "3"),
            "bit": ("b'1'", "1", "b'101'", "0x1", "'1'"),
            "json": ("'{}'", "'[]'", "JSON_OBJECT()", "'x'"),
            "geometry": ("''", "POINT(1,2)"),
            "uuid": (
                "NULL",
                "NULL",
                "UUID()",
                "''",
                "'::1'",
                "'1.2.3.4'",
                "'00000000-0000-0000-0000-000000000000'",
            ),
            "vector": ("'a'",),
        }
        # The first ones are always taken.
        return self.one(values[family] if self.maybe(0.25) else values[family][:2])

    def default(self, family: str) -> str:
        if self.maybe(0.1):
            return "NULL"
        if not self.d.old and self.maybe(0.25 if family not in ("text", "blob", "json", "geometry") else 0.7):
            return f"({self.expression(0, family)})"
        return self.literal(family)

    def reference(self, family: str) -> str | None:
        """A column of a family, sometimes of any."""
        found = [c.name for c in self.columns if c.family == family or self.maybe(0.05)]
        return self.one(found) if found else None

    def expression(self, depth: int, family: str) -> str:
        """An expression that gives a value of a family."""
        number = family in ("int", "decimal", "float", "year", "bit", "enum", "set")
        dated = family in ("date", "datetime", "timestamp", "time")
        if depth > 1 or self.maybe(0.15 + 0.35 * depth):
            column = self.reference(family)
            if column is not None and self.maybe(0.8):
                return column
            if number:
                return self.one(("1", "2", "10", "0.5", "1e3", "-1", "NULL", "TRUE"))
            if dated:
                return self.one(
                    ("'2020-01-01'", "DATE'2020-01-01'", "TIMESTAMP'2020-01-01 00:00:00'", "NULL")
                )
            return self.one(("'a'", "''", "'x y'", "_utf8mb4'é'", "x'41'", "NULL"))
        if number:
            kinds = {"a": self.one(("int", "int", "decimal", "float"))}
            return self.fill(self.one(expressions.NUMBERS), depth, kinds | {"b": kinds["a"]})
        if dated:
            return self.fill(self.one(expressions.DATES), depth, {})
        if family in ("json", "geometry"):
            return self.fill(
                self.one(expressions.JSON if family == "json" else expressions.SHAPES), depth, {}
            )
        return self.fill(self.one(expressions.TEXTS), depth, {"a": "char", "b": "char"})

    def fill(self, template: str, depth: int, kinds: dict[str, str]) -> str:
        """The template with an expression for each of its places."""

        def put(found: re.Match[str]) -> str:
            if found[1] == "unit":
                return self.one(("DAY", "MONTH", "HOUR", "SECOND"))
            return self.expression(depth + 1, kinds.get(found[1], found[1]))

        return re.sub(r"\{([a-z]+)\}", put, template)

    # -- columns --------------------------------------------------------------------------------

    def column(self, name: str | None = None) -> Col:
        """A new column's definition; it is not in `columns` yet."""
        kind, family, length = self.type()
        name = name or self.column_name()
        column = Col(name, kind, family, "", length=length)
        words: list[str] = []
        if not self.d.old and self.columns and self.maybe(0.1):
            column.generated = True
            words.append(self.generated(family))
            words += self.some(
                ((0.1, "NOT NULL" if not self.d.mariadb else ""), (0.05, "UNIQUE"), (0.05, "COMMENT 'g'"))
            )
        else:
            if self.maybe(0.35):
                words.append("NOT NULL")
                column.nullable = False
            elif self.maybe(0.15):
                words.append("NULL")
            if family == "int" and not self.auto and self.maybe(0.12):
                self.auto = True
                words.append("AUTO_INCREMENT")
                if not self.primary and self.maybe(0.8):
                    words.append(self.one(("PRIMARY KEY", "UNIQUE", "KEY", "UNIQUE KEY")))
                    self.primary = self.primary or "UNIQUE" not in words[-1]
            elif self.maybe(
                0.3 if self.d.mariadb or family not in ("text", "blob", "json", "geometry") else 0.06
            ):
                words.append(f"DEFAULT {self.default(family)}")
            if family in ("datetime", "timestamp") and self.maybe(0.15):
                digits = kind[kind.find("(") :] if "(" in kind else ""
                words.append(f"ON UPDATE CURRENT_TIMESTAMP{digits}")
            words += self.some((
                (0.02, "UNIQUE"), (0.06, "COMMENT 'it''s'"), (0.015,
                "PRIMARY KEY" if not self.primary else ""),
                (0.02, "INVISIBLE" if not self.d.old else ""), (0.01,
                "COLUMN_FORMAT FIXED" if not self.d.mariadb else ""),
                (0.01, "STORAGE DISK" if not self.d.mariadb else ""), (0.004, "UNIQUE"),
                (0.02, "COLLATE " + self.one(_COLLATIONS) if family in ("char", "text", "enum") else ""),
                (0.01, "WITHOUT SYSTEM VERSIONING" if self.d.mariadb else ""), (0.006,
                "COMPRESSED" if self.d.mariadb else ""),
                (0.15 if family == "geometry" and not self.d.old else 0.0,
                "REF_SYSTEM_ID=4326" if self.d.mariadb else "SRID 4326"),
                (0.003, "SERIAL DEFAULT VALUE"), (0.006, f"REFERENCES p{self.number} (id)"),
            ))  # fmt: skip
            if "PRIMARY KEY" in words:
                self.primary = True
            if self.maybe(0.05):
                self.columns.append(column)
                before, self.columns = self.columns, self.columns if self.d.mariadb else [column]
                words.append(self.check(named=self.maybe(0.2) and not self.d.mariadb))
                self.columns = before
                self.columns.pop()
        column.text = " ".join(word for word in (name, kind, *words) if word)
        return column

    def some(self, chances: Sequence[tuple[float, str]]) -> list[str]:
        return [text for chance, text in chances if self.maybe(chance)]

    def generated(self, family: str) -> str:
        how = self.one(("", "VIRTUAL", "STORED", "STORED", "PERSISTENT" if self.d.mariadb else ""))
        return f"{self.one(('', 'GENERATED ALWAYS '))}AS ({self.expression(0, family)}) {how}".rstrip()

    def check(self, *, named: bool) -> str:
        text = f"CHECK ({self.condition()})"
        if named:
            name = self.new_name(f"k{self.number}_")
            self.checks.append(name)
            text = f"CONSTRAINT {name} {text}"
        if not self.d.mariadb and not self.d.old and self.maybe(0.1):
            text += self.one((" NOT ENFORCED", " ENFORCED"))
        return text

    def condition(self) -> str:
        family = self.one(("int", "char", "decimal"))
        sign = self.one((">", "<", "=", "<>", ">="))
        compared = f"{self.expression(1, family)} {sign} {self.expression(2, family)}"
        number = self.expression(0, "int") if self.d.mariadb or self.maybe(0.1) else "1 > 0"
        return self.one((compared, number, f"{self.expression(1, 'char')} IN ('a', 'b')"))

    # -- keys -----------------------------------------------------------------------------------

    def part(self, kind: str) -> str:
        if not self.columns:
            return "c0"
        fit = {"FULLTEXT": ("char", "text"), "SPATIAL": ("geometry",)}.get(
            kind, ("int", "char", "date", "datetime", "decimal", "enum", "timestamp", "uuid")
        )
        good = [c for c in self.columns if c.family in fit]
        column = self.r.choice(good if good and self.maybe(0.85) else self.columns)
        text = column.name
        if kind in ("FULLTEXT", "SPATIAL"):
            return text
        if (
            (column.family in ("text", "blob") and self.maybe(0.9))
            or (column.family in ("char", "binary") and self.maybe(0.15))
            or self.maybe(0.01)
        ):
            text += f"({self.r.choice((1, 5, 10, 20, 100, 191, 255, 500, 767, 768, 1000, 3072))})"
        if self.maybe(0.1):
            text += self.one((" ASC", " DESC"))
        if not self.d.mariadb and not self.d.old and self.maybe(0.04):
            text = f"({self.expression(1, self.one(('int', 'char', 'date')))})"
        return text

    def key(self, *, primary: bool = True) -> str:
        """A key of the table, as CREATE TABLE writes it."""
        kind = self.one(("PRIMARY", "UNIQUE", "UNIQUE", "", "", "", "", self.special_key()))
        if kind == "PRIMARY" and (self.primary or not primary) and self.maybe(0.95):
            kind = ""
        count = 1 if kind == "SPATIAL" else self.r.choice((1, 1, 1, 2, 2, 3))
        chosen = [self.part(kind) for _ in range(count)]
        parts = list(
            {re.split(r"[ (]", part)[0] if part[0] not in "`(" else part: part for part in chosen}.values()
        )
        if self.maybe(0.01):
            parts.append(self.one(("nosuch", parts[0])))
        using = (
            self.one((" USING BTREE", " USING HASH"))
            if kind not in ("FULLTEXT", "SPATIAL") and self.maybe(0.06)
            else ""
        )
        tail = "".join(self.some((
            (0.04, " COMMENT 'k'"), (0.03, " KEY_BLOCK_SIZE=1024"), (0.02, self.unseen("INVISIBLE",
            "IGNORED")),
            (0.04 if kind == "FULLTEXT" else 0.0, " WITH PARSER ngram"), (0.01, self.unseen("VISIBLE",
            "NOT IGNORED")),
        )))  # fmt: skip
        inside = f"({', '.join(parts)})"
        if kind == "PRIMARY":
            self.primary = True
            named = self.one(("", "", "", f"CONSTRAINT {self.new_name('x')} "))
            return f"{named}PRIMARY KEY{using} {inside}{tail}"
        name = self.new_name("k") if self.maybe(0.7) else ""
        if name:
            self.keys.append(name)
        if kind == "UNIQUE" and name and self.maybe(0.2):
            return f"CONSTRAINT {name} UNIQUE {inside}{tail}"
        head = f"{kind} {self.one(('KEY', 'INDEX'))}".strip()
        return f"{head} {name}{using} {inside}{tail}"

    def special_key(self) -> str:
        families = {c.family for c in self.columns}
        if "geometry" in families and self.maybe(0.5):
            return "SPATIAL"
        return "FULLTEXT" if {"char", "text"} & families or self.maybe(0.1) else ""

    def unseen(self, mysql: str, mariadb: str) -> str:
        return "" if self.d.old else f" {mariadb if self.d.mariadb else mysql}"

    def foreign_key(self) -> str:
        # (child column's family, parent's column)
        r = self.r
        ints = [c.name for c in self.columns if c.family in ("int", "char")]
        child = (
            self.one(ints) if ints and self.maybe(0.9) else (self.columns[0].name if self.columns else "c0")
        )
        parent = self.one(
            (f"p{self.number}", f"p{self.number}", f"p{self.number}", f"t{self.number}", "nosuch")
        )
        target = self.one(
            ("(id)", "(id)", "(id)", "(code)", "(big)", "(id, code)", "(nosuch)", "", "(plain)")
        )
        name = self.new_name(f"f{self.number}_") if self.maybe(0.6) else ""
        if name:
            self.foreign.append(name)
        text = (
            f"CONSTRAINT {name} " if name else ""
        ) + f"FOREIGN KEY {self.one(('', '', f'x{self.fresh}'))} ({child}) REFERENCES {parent} {target}"
        for event in ("DELETE", "UPDATE"):
            if self.maybe(0.3):
                action = self.one(("CASCADE", "SET NULL", "RESTRICT", "NO ACTION"))
                text += f" ON {event} {action if r.random() < 0.95 else 'SET DEFAULT'}"
        return text

    # -- options and partitions -----------------------------------------------------------------

    def options(self, *, engine: bool = True) -> str:
        found = []
        if engine and self.maybe(0.35):
            self.engine = self.one(
                ("InnoDB", "InnoDB", "MyISAM", "MEMORY", "Aria" if self.d.mariadb else "MyISAM")
                if self.maybe(0.93)
                else _ENGINES
            )
            found.append(f"ENGINE={self.engine}")
        charset = self.one(("latin1", "utf8mb4", "utf8mb3", "ascii", "binary", "ucs2"))
        found += self.some((
            (0.15, f"DEFAULT CHARSET={charset}"), (0.08, f"COLLATE={self.one(_COLLATIONS)}"), (0.08,
            "COMMENT='t'"),
            (0.1,
            f"ROW_FORMAT={self.one(('DYNAMIC', 'COMPACT', 'REDUNDANT', 'COMPRESSED', 'DEFAULT', 'FIXED'))}"),
            (0.05, f"KEY_BLOCK_SIZE={self.one(('1', '2', '4', '8', '16', '0', '3'))}"), (0.04,
            "AUTO_INCREMENT=100"),
            (0.02, "STATS_PERSISTENT=1"), (0.02, "CHECKSUM=1"), (0.02, "PACK_KEYS=1"), (0.02,
            "MAX_ROWS=1000"), (0.02, "DELAY_KEY_WRITE=1"),
            (0.01, "COMPRESSION='zlib'" if not self.d.mariadb else "PAGE_COMPRESSED=1"), (0.01, "MIN_ROWS=1"),
            (0.01, "ENCRYPTION='N'" if not self.d.mariadb else "ENCRYPTED=NO"), (0.01,
            "DATA DIRECTORY='/nosuch'"),
            (0.008, "TRANSACTIONAL=1" if self.d.mariadb else "TABLESPACE innodb_file_per_table"), (0.005,
            "STATS_SAMPLE_PAGES=4"),
            (0.005, "AVG_ROW_LENGTH=10"), (0.004, "CONNECTION='x'"), (0.004, "INSERT_METHOD=LAST"), (0.004,
            "nosuch=1"),
        ))  # fmt: skip
        return self.one((" ", " ", ", ")).join(text for text in found if text)

    def function(self) -> str:
        """A partitioning function of an integer."""
        ints = [c.name for c in self.columns if c.family == "int"] or ["c0"]
        dates = [c.name for c in self.columns if c.family in ("date", "datetime")]
        stamps = [c.name for c in self.columns if c.family == "timestamp"]
        i = self.one(ints)
        pool = [
            i,
            i,
            i,
            f"{i} + 1",
            f"{i} % 7",
            f"MOD({i}, 3)",
            f"{i} DIV 10",
            f"abs({i})",
            f"{i} / 2",
            f"rand({i})",
            f"-{i}",
            f"({i})",
        ]
        if dates:
            d = self.one(dates)
            pool += [
                f"YEAR({d})",
                f"TO_DAYS({d})",
                f"month({d})",
                f"to_seconds({d})",
                f"EXTRACT(YEAR FROM {d})",
                f"UNIX_TIMESTAMP({d})",
                d,
            ]
            pool += [f"year({d}) + month({d})", f"DAYOFYEAR({d})", f"DATEDIFF({d}, '2000-01-01')"]
        if stamps:
            pool += [f"UNIX_TIMESTAMP({self.one(stamps)})"] * 3 + [f"YEAR({self.one(stamps)})"]
        if self.maybe(0.05) and self.columns:
            pool = [self.r.choice(self.columns).name, f"length({self.columns[0].name})"]
        return self.one(pool)

    def bounds(self, function: str) -> list[str]:
        """Increasing bounds, mostly."""
        low = function.lower()
        if low.startswith("to_days("):
            found = ["TO_DAYS('2007-03-08')", "733800", "to_days('2020-01-01')"]
        elif low.startswith("unix_timestamp("):
            found = ["UNIX_TIMESTAMP('2008-01-01 00:00:00')", "1300000000", "UNIX_TIMESTAMP('2020-01-01')"]
        elif low.startswith("year("):
            found = ["1990", "2000", "2010 + 5"]
        else:
            found = ["10", "20", "30 + 3", "1000", "0x7FF"]
        if self.maybe(0.05):
            found.insert(1, self.one(("5", "'a'", "-5", "NULL", "1.5", "10")))
        return found

    def partition_options(self, index: int) -> str:
        return "".join(self.some((
            (0.05, " ENGINE=InnoDB"), (0.05, f" COMMENT='p{index}'"), (0.03, " MAX_ROWS=10"), (0.02,
            " MIN_ROWS 2"),
            (0.005, " ENGINE=MyISAM"), (0.003, " NODEGROUP 1"), (0.003, " TABLESPACE=x"),
        )))  # fmt: skip

    def partition_name(self, index: int) -> str:
        return (
            self.one((f"p{index}", f"P{index}", f"`p {index}`", f"pMax{index}"))
            if self.maybe(0.2)
            else f"p{index}"
        )

    def partitions(self) -> str:
        """PARTITION BY ... to its end."""
        r = self.r
        method = self.one(
            (
                "RANGE",
                "RANGE",
                "LIST",
                "HASH",
                "KEY",
                "RANGE COLUMNS",
                "LIST COLUMNS",
                "SYSTEM_TIME" if self.d.mariadb and self.maybe(0.3) else "HASH",
            )
        )
        if method in ("HASH", "KEY"):
            head = f"PARTITION BY {self.one(('', '', 'LINEAR '))}{self.simple_method(method)}"
            if self.maybe(0.7):
                count = r.choice((1, 2, 3, 4, 16, 0, 9000) if self.maybe(0.1) else (2, 3, 4))
                return f"{head} PARTITIONS {count}"
            if self.maybe(0.5):
                return (
                    head
                    + " ("
                    + ", ".join(
                        f"PARTITION {self.partition_name(i)}{self.partition_options(i)}" for i in range(2)
                    )
                    + ")"
                )
            return head
        if method == "SYSTEM_TIME":
            kind = self.one(
                ("LIMIT 1000", "INTERVAL 1 MONTH", "INTERVAL 1 DAY STARTS '2020-01-01 00:00:00'", "")
            )
            parts = "PARTITION p0 HISTORY, PARTITION p1 HISTORY, PARTITION pn CURRENT"
            return f"PARTITION BY SYSTEM_TIME {kind} ({parts})"
        sub, subs = "", ""
        if self.maybe(0.15):
            sub = (
                f" SUBPARTITION BY {self.one(('', 'LINEAR '))}{self.simple_method(self.one(('HASH', 'KEY')))}"
            )
            if self.maybe(0.7):
                sub += " SUBPARTITIONS 2"
        if "COLUMNS" in method:
            columns = [
                c for c in self.columns if c.family in ("int", "char", "date", "datetime") or self.maybe(0.03)
            ] or self.columns
            chosen = r.sample(columns, min(len(columns), r.choice((1, 1, 2)))) if columns else []
            head = f"PARTITION BY {method}({', '.join(c.name for c in chosen) or 'c0'})"
            rows = [self.column_bounds(chosen, i) for i in range(3)]
        else:
            function = self.function()
            head = f"PARTITION BY {method} ({function})"
            rows = self.bounds(function)[: r.choice((1, 2, 3))]
        out = []
        for i, row in enumerate(rows):
            values = f"LESS THAN ({row})" if "RANGE" in method else f"IN ({self.listed(row, i, method)})"
            subs = ""
            if sub and "SUBPARTITIONS" not in sub and self.maybe(0.5):
                subs = f" (SUBPARTITION s{2 * i}{self.partition_options(i)}, SUBPARTITION s{2 * i + 1})"
            out.append(f"PARTITION {self.partition_name(i)} VALUES {values}{self.partition_options(i)}{subs}")
        if "RANGE" in method and self.maybe(0.4):
            most = (
                ", ".join(["MAXVALUE"] * max(1, head.count(",") + 1)) if "COLUMNS" in method else "MAXVALUE"
            )
            out.append(
                f"PARTITION pm VALUES LESS THAN "
                f"{most if self.maybe(0.4) and 'COLUMNS' not in method else f'({most})'}"
            )
        elif "LIST" in method and self.d.mariadb and self.maybe(0.2):
            out.append(f"PARTITION pd {self.one(('DEFAULT', 'VALUES IN (DEFAULT)'))}")
        return f"{head}{sub}{f' PARTITIONS {len(out)}' if self.maybe(0.05) else ''} ({', '.join(out)})"

    def simple_method(self, kind: str) -> str:
        if kind == "HASH":
            return f"HASH({self.function()})"
        columns = [
            c.name
            for c in self.columns
            if c.family not in ("text", "blob", "json", "geometry") or self.maybe(0.1)
        ]
        chosen = self.r.sample(columns, min(len(columns), self.r.choice((0, 1, 1, 2))))
        algorithm = self.one((" ALGORITHM=1", " ALGORITHM=2")) if self.maybe(0.08) else ""
        return f"KEY{algorithm} ({', '.join(chosen)})"

    def column_bounds(self, chosen: Sequence[Col], index: int) -> str:
        values = {
            "int": ("10", "20", "30"),
            "char": ("'a'", "'m'", "'x'"),
            "date": ("'2000-01-01'", "'2010-01-01'", "'2020-01-01'"),
            "datetime": ("'2000-01-01'", "'2010-01-01 10:00:00'", "'2020-01-01'"),
        }
        found = [values.get(c.family, ("1", "2", "3"))[index] for c in chosen]
        if self.maybe(0.02):
            found.append("1")
        if self.maybe(0.02):
            found[0] = "MAXVALUE"
        return ", ".join(found)

    def listed(self, row: str, index: int, method: str) -> str:
        if method == "LIST COLUMNS" and "," in row:
            return f"({row})"
        more = (
            [row]
            if self.maybe(0.6)
            else [row, f"{100 + index}" if not row.startswith(("'", "TO", "UNIX")) else row]
        )
        if self.maybe(0.05):
            more.append("NULL")
        return ", ".join(dict.fromkeys(more))

    # -- statements -----------------------------------------------------------------------------

    def create(self) -> str:
        r = self.r
        for _ in range(r.choice((1, 2, 2, 3, 3, 4, 5, 6, 12))):
            column = self.column()
            self.columns.append(column)
        parts = [column.text for column in self.columns]
        if not self.primary and self.maybe(0.5):
            ints = [c.name for c in self.columns if c.family == "int" and not c.generated]
            if ints:
                self.primary = True
                parts.append(f"PRIMARY KEY ({self.one(ints)})")
        parts += [self.key() for _ in range(r.choice((0, 0, 0, 1, 1, 2)))]
        if self.maybe(0.08):
            parts.append(self.foreign_key())
        if self.maybe(0.08):
            parts.append(self.check(named=self.maybe(0.6)))
        versioned = self.d.mariadb and self.maybe(0.05)
        if self.d.mariadb and self.maybe(0.04):
            parts += self.period(versioned)
        options = self.options()
        if versioned:
            options += " WITH SYSTEM VERSIONING"
        self.partitioned = self.maybe(0.2)
        tail = f" {self.partitions()}" if self.partitioned else ""
        return f"CREATE TABLE t{self.number} ({', '.join(parts)}) {options}{tail}".rstrip()

    def period(self, versioned: bool) -> list[str]:
        if versioned and self.maybe(0.7):
            return [
                "rs TIMESTAMP(6) GENERATED ALWAYS AS ROW START" + self.one(("", " INVISIBLE")),
                "re TIMESTAMP(6) GENERATED ALWAYS AS ROW END",
                "PERIOD FOR SYSTEM_TIME (rs, re)",
            ]
        kind = self.one(("date", "datetime", "timestamp(6)", "int" if self.maybe(0.2) else "date"))
        found = [f"pa {kind}", f"pb {kind}", f"PERIOD FOR {self.one(('p', 'valid'))} (pa, pb)"]
        if self.maybe(0.5) and self.columns:
            found.append(f"UNIQUE ({self.columns[0].name}, {self.one(('p', 'valid'))} WITHOUT OVERLAPS)")
        return found

    def alter(self) -> str:
        parts = [self.change() for _ in range(self.r.choice((1, 1, 1, 2, 2, 3)))]
        text = ", ".join(parts)
        if self.maybe(0.05) and not self.d.old:
            text += self.one(
                (
                    ", ALGORITHM=INPLACE",
                    ", ALGORITHM=COPY",
                    ", ALGORITHM=INSTANT",
                    ", LOCK=NONE",
                    ", LOCK=SHARED",
                    ", ALGORITHM=NOCOPY",
                )
            )
        if self.maybe(0.02):
            text += " " + self.one(("REMOVE PARTITIONING", self.partitions()))
        return f"ALTER TABLE t{self.number} {text}"

    def any_name(self) -> str:
        return self.r.choice(self.columns).name if self.columns and self.maybe(0.97) else "nosuch"

    def position(self) -> str:
        return self.one(("", "", " FIRST", f" AFTER {self.any_name()}"))

    def drop_name(self, name: str) -> None:
        self.columns = [c for c in self.columns if c.name != name]

    def change(self) -> str:
        """One part of ALTER TABLE."""
        pick = self.r.random()
        if pick < 0.2:
            column = self.column()
            text = f"ADD {self.one(('', 'COLUMN '))}{column.text}{self.position()}"
            self.columns.append(column)
            return text
        if pick < 0.31:
            name = self.any_name()
            if len(self.columns) > 1 or self.maybe(0.1):
                self.drop_name(name)
            return f"DROP {self.one(('', 'COLUMN '))}{name}"
        if pick < 0.43:
            old = self.any_name()
            column = self.column(old)
            at = self.position()
            self.columns = [column if c.name == old else c for c in self.columns]
            return f"MODIFY {column.text}{at}"
        if pick < 0.51:
            old = self.any_name()
            column = self.column(self.column_name() if self.maybe(0.7) else None)
            self.columns = [column if c.name == old else c for c in self.columns]
            return f"CHANGE {old} {column.text}{self.position()}"
        if pick < 0.56 and not self.d.old:
            old, new = self.any_name(), self.column_name()
            if self.maybe(0.15) and len(self.columns) > 1:
                new = self.any_name()
                return f"RENAME COLUMN {old} TO {new}, RENAME COLUMN {new} TO {old}"
            for column in self.columns:
                if column.name == old:
                    column.name = new
            return f"RENAME COLUMN {old} TO {new}"
        if pick < 0.66:
            return f"ADD {self.key()}"
        if pick < 0.72:
            if self.keys and self.maybe(0.9):
                name = self.keys.pop(self.r.randrange(len(self.keys)))
                return f"DROP {self.one(('INDEX', 'KEY'))} {name}"
            self.primary = False
            return "DROP PRIMARY KEY"
        if pick < 0.76:
            name = self.any_name()
            family = next((c.family for c in self.columns if c.name == name), "int")
            change = self.one((f"SET DEFAULT {self.default(family)}", "DROP DEFAULT"))
            return f"ALTER {self.one(('', 'COLUMN '))}{name} {change}"
        if pick < 0.81:
            return (
                f"CONVERT TO CHARACTER SET {self.one(('utf8mb4', 'latin1', 'utf8mb3', 'ucs2', 'binary'))}"
                + self.one(("", "", " COLLATE utf8mb4_bin"))
            )
        if pick < 0.86:
            return self.options() or "COMMENT 'x'"
        if pick < 0.88:
            return f"ADD {self.foreign_key()}"
        if pick < 0.9 and self.foreign:
            return f"DROP FOREIGN KEY {self.foreign.pop()}"
        if pick < 0.92:
            return f"ADD {self.check(named=self.maybe(0.5))}"
        if pick < 0.93 and self.checks:
            return f"DROP CONSTRAINT {self.checks.pop()}"
        if pick < 0.95 and self.keys:
            name, new = self.keys.pop(), self.new_name("k")
            self.keys.append(new)
            return f"RENAME {self.one(('INDEX', 'KEY'))} {name} TO {new}"
        if pick < 0.96 and self.keys:
            word = ("VISIBLE", "INVISIBLE") if not self.d.mariadb else ("IGNORED", "NOT IGNORED")
            return f"ALTER INDEX {self.one(self.keys)} {self.one(word)}"
        if pick < 0.97 and self.d.mariadb:
            return self.one(("ADD SYSTEM VERSIONING", "DROP SYSTEM VERSIONING"))
        if pick < 0.985:
            return self.one(("FORCE", "ENABLE KEYS", f"ORDER BY {self.any_name()}", "DISABLE KEYS"))
        old = self.any_name()
        column = self.column(old)
        column.name = self.column_name()
        return f"DROP {old}, ADD {column.text}" if self.maybe(0.5) else f"CHANGE {old} {column.text}"

    def partition_change(self) -> str:
        return f"ALTER TABLE t{self.number} " + self.one((
            "ADD PARTITION (PARTITION px VALUES LESS THAN (100000))", "ADD PARTITION PARTITIONS 2",
            "COALESCE PARTITION 1", "DROP PARTITION p1",
            "TRUNCATE PARTITION p0",
            ("REORGANIZE PARTITION p0 INTO (PARTITION q0 VALUES LESS THAN (3), PARTITION q1 VALUES "
            "LESS THAN (10))"),
            "REMOVE PARTITIONING", self.partitions(), "REBUILD PARTITION ALL",
            "ADD PARTITION (PARTITION px VALUES IN (777))", "DROP PARTITION p0",
            "ANALYZE PARTITION p0", "REORGANIZE PARTITION",
        ))  # fmt: skip


def parent(number: int) -> str:
    """The table that foreign keys of a script reference."""
    return (
        f"CREATE TABLE p{number} (id int NOT NULL, code varchar(20) CHARACTER SET latin1 NOT NULL, "
        f"big bigint unsigned NOT NULL, "
        "plain int, PRIMARY KEY (id), UNIQUE (code), KEY (big), KEY both_ (id, code)) ENGINE=InnoDB"
    )


def script(rng: random.Random, dialect: Dialect, number: int) -> list[str]:
    """A CREATE TABLE, often with ALTER TABLEs behind it, and the table that it references where it does."""
    writer = Writer(rng, dialect, number)
    texts = [writer.create()]
    if rng.random() < 0.5:
        for _ in range(rng.choice((1, 1, 2, 3))):
            of_partitions = writer.partitioned and rng.random() < 0.5
            texts += [writer.partition_change() if of_partitions else writer.alter()]
    elif rng.random() < 0.06:
        texts.append(
            f"CREATE {rng.choice(('UNIQUE ', '', 'FULLTEXT '))}INDEX i1 ON t{number} ({writer.part('')})"
        )
    if any(f"p{number} " in text for text in texts):
        texts.insert(0, parent(number))
    return texts
