"""Pairs of definitions for the statements that a plan writes: tables as a server shows them, changed at
random.

`python -m tests.plan.pairs SERVER PORT OUT TIMES SEED [CORPUS...]` makes them with a running server, which
says what is a definition, and records them; `tests.plan.carried_out` runs what is written for them.
"""

from __future__ import annotations

import json
import lzma
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: Types by what they are good for; (type, a default or '').
_TYPES = (
    ("int(11)", "'7'"), ("int(10) unsigned", "'0'"), ("bigint(20)", "'-1'"), ("smallint(6)", "'3'"),
    ("tinyint(1)", "'1'"), ("decimal(10,2)", "'0.00'"), ("varchar(40)", "'it''s'"), ("varchar(255)", "''"),
    ("char(2)", "'de'"), ("varchar(30) CHARACTER SET latin1", "'x'"), ("text", ""), ("mediumtext", ""),
    ("blob", ""), ("datetime", "'2020-01-01 00:00:00'"), ("timestamp NULL", ""), ("date", "'2020-01-01'"),
    ("double", "'1.5'"), ("enum('a','b','c')", "'a'"), ("set('x','y')", "'x'"), ("varbinary(16)", ""),
    ("bit(4)", "b'101'"), ("datetime(3)", ""), ("time(6)", ""), ("year(4)", "'2020'"), ("float", ""),
    ("int(6) unsigned zerofill", "'000005'"),
)  # fmt: skip
_COMMENTS = ("the customer's number", 'a "note"', "since 2.0; see docs", "naïve café", "a\\b", "")
_WORDER = re.compile(r"(?P<base>int|bigint|smallint|varchar|char|decimal)\((?P<n>\d+)(?P<rest>[^)]*)\)")


@dataclass
class Shown:
    """A CREATE TABLE as SHOW CREATE TABLE prints it, in its parts."""

    name: str
    columns: list[tuple[str, str]]
    items: list[str]
    options: str
    partition: str = ""

    @classmethod
    def read(cls, text: str) -> Shown:
        lines = text.split("\n")
        name = re.match(r"CREATE TABLE `((?:[^`]|``)+)`", lines[0])[1].replace("``", "`")
        columns, items, at = [], [], 1
        while not lines[at].startswith(")"):
            line = lines[at].strip().rstrip(",")
            column = re.match(r"`((?:[^`]|``)+)` (.*)\Z", line, re.DOTALL)
            if column:
                columns.append((column[1], column[2]))
            else:
                items.append(line)
            at += 1
        rest = "\n".join(lines[at + 1 :])
        return cls(name, columns, items, re.sub(r" AUTO_INCREMENT=\d+", "", lines[at][1:].strip()), rest)

    @property
    def sql(self) -> str:
        body = [f"  `{name}` {text}" for name, text in self.columns] + [f"  {item}" for item in self.items]
        return (
            f"CREATE TABLE `{self.name}` (\n"
            + ",\n".join(body)
            + f"\n) {self.options}\n{self.partition}".rstrip()
        )

    def copy(self) -> Shown:
        return Shown(self.name, list(self.columns), list(self.items), self.options, self.partition)


@dataclass
class Maker:
    """Changes tables at random; `features` are what the server has beside MySQL 5.6."""

    draw: random.Random
    features: frozenset[str] = frozenset()
    number: int = field(default=0)

    def change(self, table: Shown, times: int) -> Shown:
        out = table.copy()
        ways = [
            self.add, self.add, self.drop, self.move, self.retype, self.retype, self.comment, self.comment,
            self.default, self.null, self.add_key, self.add_key, self.drop_key, self.table_comment,
            self.row_format, self.change_key, self.partition, self.swap,
        ]  # fmt: skip
        if "generated" in self.features:
            ways += [self.generated]
        if "check" in self.features:
            ways += [self.check]
        if "invisible" in self.features:
            ways += [self.invisible]
        if "hidden-key" in self.features:
            ways += [self.hide_key]
        for _ in range(times):
            self.draw.choice(ways)(out)
        return out

    def fresh(self, prefix: str = "n") -> str:
        self.number += 1
        return f"{prefix}{self.number}"

    def definition(self) -> str:
        kind, default = self.draw.choice(_TYPES)
        text = kind
        if "timestamp" not in kind and self.draw.random() < 0.5:
            text += " NOT NULL"
        if default and self.draw.random() < 0.5:
            text += f" DEFAULT {default}"
        elif kind.startswith("datetime") and self.draw.random() < 0.3:
            digits = "(3)" if "(3)" in kind else ""
            text += f" DEFAULT CURRENT_TIMESTAMP{digits} ON UPDATE CURRENT_TIMESTAMP{digits}"
        if self.draw.random() < 0.4:
            text += f" COMMENT {literal(self.draw.choice(_COMMENTS))}"
        return text

    def free(self, table: Shown) -> list[int]:
        """Columns that nothing names."""
        rest = (
            "\n".join(table.items)
            + table.partition
            + "".join(
                text
                for _, text in table.columns
                if " AS (" in text or "CHECK" in text or "json_valid" in text
            )
        )
        return [
            i
            for i, (name, text) in enumerate(table.columns)
            if f"`{name}`" not in rest
            and name not in re.split(r"\W", table.partition)
            and "AUTO_INCR" not in text
        ]

    def add(self, table: Shown) -> None:
        at = self.draw.choice([len(table.columns)] * 2 + list(range(len(table.columns) + 1)))
        table.columns.insert(at, (self.fresh(), self.definition()))

    def drop(self, table: Shown) -> None:
        free = self.free(table)
        if free and len(table.columns) > 2:
            del table.columns[self.draw.choice(free)]

    def move(self, table: Shown) -> None:
        one = table.columns.pop(self.draw.randrange(len(table.columns)))
        table.columns.insert(self.draw.randrange(len(table.columns) + 1), one)

    def swap(self, table: Shown) -> None:
        if len(table.columns) > 2:
            self.draw.shuffle(table.columns)

    def retype(self, table: Shown) -> None:
        free = self.free(table)
        at = self.draw.randrange(len(table.columns))
        name, text = table.columns[at]
        found = _WORDER.search(text)
        if found and self.draw.random() < 0.7:
            n = max(2, int(found["n"]) + self.draw.choice((-1, 1, 5, 20)))
            base = {"int": "bigint", "smallint": "int"}.get(found["base"], found["base"])
            new = f"{base}({n}{found['rest']})"
            table.columns[at] = name, text.replace(found.group(), new, 1)
        elif free:
            at = self.draw.choice(free)
            table.columns[at] = table.columns[at][0], self.definition()

    def comment(self, table: Shown) -> None:
        at = self.draw.randrange(len(table.columns))
        name, text = table.columns[at]
        if " CHECK (" in text:
            return
        bare = re.sub(r" COMMENT '(?:[^']|'')*'", "", text)
        word = self.draw.choice(_COMMENTS)
        table.columns[at] = name, bare + (f" COMMENT {literal(word)}" if word else "")

    def default(self, table: Shown) -> None:
        at = self.draw.randrange(len(table.columns))
        name, text = table.columns[at]
        if re.match(r"(var)?char", text) and "DEFAULT" not in text and "GENERATED" not in text:
            table.columns[at] = name, re.sub(r"( COMMENT|\Z)", r" DEFAULT 'd'\1", text, count=1)
        else:
            table.columns[at] = name, re.sub(r" DEFAULT '(?:[^']|'')*'", "", text)

    def null(self, table: Shown) -> None:
        free = self.free(table)
        if free:
            at = self.draw.choice(free)
            name, text = table.columns[at]
            if " NOT NULL" in text:
                text = text.replace(" NOT NULL", "", 1)
            elif "DEFAULT NULL" in text:
                text = text.replace("DEFAULT NULL", "NOT NULL", 1)
            table.columns[at] = name, text

    def add_key(self, table: Shown) -> None:
        usable = [
            n for n, t in table.columns if not re.match(r"(medium|long|tiny)?(text|blob)|json|point|geom", t)
        ]
        if not usable:
            return
        parts = self.draw.sample(usable, min(len(usable), self.draw.randint(1, 2)))
        kind = self.draw.choice(("KEY", "KEY", "UNIQUE KEY"))
        text = f"{kind} `{self.fresh('k')}` ({', '.join(f'`{p}`' for p in parts)})"
        long = [n for n, t in table.columns if re.match(r"(medium)?text|varchar", t) and "CHARACTER" not in t]
        if long and self.draw.random() < 0.3:
            text = f"FULLTEXT KEY `{self.fresh('f')}` (`{self.draw.choice(long)}`)"
        if self.draw.random() < 0.3:
            text += f" COMMENT {literal(self.draw.choice(_COMMENTS[:4]))}"
        table.items.insert(self.draw.randint(0, len(table.items)), text)

    def keys(self, table: Shown) -> list[int]:
        return [i for i, item in enumerate(table.items) if re.match(r"(UNIQUE |FULLTEXT )?KEY", item)]

    def drop_key(self, table: Shown) -> None:
        keys = self.keys(table)
        if keys:
            del table.items[self.draw.choice(keys)]

    def change_key(self, table: Shown) -> None:
        keys = self.keys(table)
        if keys:
            at = self.draw.choice(keys)
            item = table.items[at]
            if " COMMENT " in item:
                table.items[at] = item.split(" COMMENT ")[0]
            elif item.startswith("UNIQUE "):
                table.items[at] = item.removeprefix("UNIQUE ")
            else:
                table.items[at] = item + f" COMMENT {literal(self.draw.choice(_COMMENTS[:4]))}"

    def hide_key(self, table: Shown) -> None:
        keys = self.keys(table)
        if keys:
            at = self.draw.choice(keys)
            word = " IGNORED" if "mariadb" in self.features else " INVISIBLE"
            item = re.sub(r" /\*!80000 INVISIBLE \*/", "", table.items[at])
            table.items[at] = (
                item.removesuffix(word) if item != table.items[at] or word in item else item + word
            )

    def table_comment(self, table: Shown) -> None:
        table.options = re.sub(r" COMMENT='(?:[^']|'')*'", "", table.options)
        word = self.draw.choice(_COMMENTS)
        table.options += f" COMMENT={literal(word)}" if word else ""

    def row_format(self, table: Shown) -> None:
        table.options = re.sub(r" (ROW_FORMAT|STATS_PERSISTENT|CHECKSUM)=\w+", "", table.options)
        table.options += self.draw.choice(
            ("", " ROW_FORMAT=DYNAMIC", " ROW_FORMAT=COMPACT", " STATS_PERSISTENT=1", " CHECKSUM=1")
        )

    def generated(self, table: Shown) -> None:
        ints = [
            n
            for n, t in table.columns
            if re.match(r"(big|small)?int", t) and "AUTO" not in t and "AS (" not in t
        ]
        if ints:
            word = self.draw.choice(("VIRTUAL", "STORED"))
            text = f"int(11) GENERATED ALWAYS AS (`{self.draw.choice(ints)}` + 1) {word}"
            if self.draw.random() < 0.3:
                text += " COMMENT 'computed'"
            table.columns.append((self.fresh("g"), text))

    def check(self, table: Shown) -> None:
        found = [i for i, item in enumerate(table.items) if "CHECK" in item]
        ints = [n for n, t in table.columns if re.match(r"(big|small)?int", t) and "AUTO" not in t]
        if found and self.draw.random() < 0.4:
            del table.items[self.draw.choice(found)]
        elif ints:
            text = f"CONSTRAINT `{self.fresh('c')}` CHECK (`{self.draw.choice(ints)}` > 0)"
            table.items.append(text)

    def invisible(self, table: Shown) -> None:
        table.columns.append((self.fresh("i"), f"int(11) DEFAULT {self.draw.randint(0, 9)} INVISIBLE"))

    def partition(self, table: Shown) -> None:
        """Partitions come, go, are cut anew."""
        if any("FOREIGN KEY" in i or "FULLTEXT" in i for i in table.items):
            return
        primary = next((i for i in table.items if i.startswith("PRIMARY KEY")), "")
        uniques = [i for i in table.items if i.startswith("UNIQUE")]
        names = re.findall(r"`([^`]+)`", primary)
        types = dict(table.columns)
        ints = [n for n in names if re.match(r"(big|small|medium)?int", types.get(n, ""))
                and all(f"`{n}`" in u for u in uniques)]  # fmt: skip
        if not ints:
            return
        name = ints[0]
        bounds = sorted(self.draw.sample((10, 20, 30, 40, 50, 60), self.draw.randint(1, 4)))
        ranges = [f"PARTITION p{b} VALUES LESS THAN ({b})" for b in bounds]
        if self.draw.random() < 0.5:
            ranges.append("PARTITION pmax VALUES LESS THAN MAXVALUE")
        lists = [f"PARTITION l{b} VALUES IN ({b},{b + 1})" for b in bounds]
        table.partition = self.draw.choice((
            "", f"PARTITION BY HASH (`{name}`)\nPARTITIONS {len(bounds) + 1}",
            f"PARTITION BY KEY (`{name}`)\nPARTITIONS {len(bounds) + 2}",
            f"PARTITION BY LIST (`{name}`)\n({', '.join(lists)})",
            *[f"PARTITION BY RANGE (`{name}`)\n({', '.join(ranges)})"] * 3,
        ))  # fmt: skip


def literal(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


#: Tables that have what corpora lack, and pairs of what one table's lines do not say: `-- base [NEED]`,
#: `-- pair NAME [NEED]`, `-- becomes`, each statement on a line.
_WRITTEN = Path(__file__).parent / "data" / "written.sql"


def of_file(features: frozenset[str]) -> tuple[list[str], list[dict[str, Any]]]:
    """(tables, pairs) of what servers with these features take."""
    bases, pairs = [], []
    for block in _WRITTEN.read_text("utf-8").split("\n\n"):
        head, *lines = block.strip().split("\n")
        _, kind, *words = head.split(" ")
        if words[kind == "pair" :] and words[-1] not in features:
            continue
        if kind == "base":
            bases.append(lines[0].rstrip(";"))
            continue
        middle = lines.index("-- becomes")
        old, new = ([line.rstrip(";") for line in part] for part in (lines[:middle], lines[middle + 1 :]))
        pairs.append({"name": words[0], "old": old, "new": new})
    return bases, pairs


FEATURES = {
    "mysql-5.6": frozenset(),
    "mysql-9.7": frozenset(("generated", "check", "invisible", "hidden-key", "default", "mysql8")),
    "mariadb-10.11": frozenset(("generated", "check", "invisible", "hidden-key", "default", "mariadb")),
    "mariadb-11.8": frozenset(("generated", "check", "invisible", "hidden-key", "default", "mariadb")),
}
#: A schema of more tables is not changed in part: that would take its server minutes.
MANY = 30
DATA = Path(__file__).parent / "data" / "pairs.jsonl.xz"


def recorded(server: str) -> list[dict[str, Any]]:
    """The recorded pairs of one server: name, old, new."""
    with lzma.open(DATA, "rt", encoding="utf-8") as file:
        return [one for line in file if (one := json.loads(line))["server"] == server]


def make(lab: Any, server: str, corpus: list[Path], times: int, seed: int) -> Iterator[dict[str, Any]]:
    """Pairs that the server takes."""
    from schemacheck.sql.script import statements
    from tests.plan.carried_out import THERE
    from tests.plan.changes import CHANGES

    features = FEATURES[server]
    bases, pairs = of_file(features)
    yield from pairs
    for change in CHANGES:
        altered = change.statement.startswith("ALTER TABLE")
        if altered and not lab.fresh(THERE, [change.create, change.statement]):
            yield {"name": change.name, "old": [change.create], "new": shown(lab)}
    maker = Maker(random.Random(seed), features)
    tables: list[tuple[str, str]] = []
    for number, text in enumerate(bases):
        if not lab.fresh(THERE, [text]):
            tables += [(f"base-{number}", one) for one in shown(lab)]
    for path in corpus:
        lab.fresh(THERE, [])
        lab.ask("SET SESSION foreign_key_checks = 0")
        for one in statements(path.read_text("utf-8", "replace"), lambda: lab.server):
            if re.match(
                r"\s*(CREATE\s+TABLE|ALTER\s+TABLE|CREATE\s+(UNIQUE\s+)?INDEX)", one.text, re.IGNORECASE
            ):
                lab.run([one.text])
        whole = [without_comments(text) for text in shown(lab)]
        tables += [(path.stem, text) for text in whole if "FOREIGN KEY" not in text]
        yield from bound(lab, maker, path.stem, whole)
    for number in range(times):
        name, text = maker.draw.choice(tables)
        try:
            table = Shown.read(text)
        except (TypeError, StopIteration, IndexError):
            continue
        old = maker.change(table, maker.draw.randint(0, 2)) if maker.draw.random() < 0.4 else table
        new = maker.change(old, maker.draw.choice((1, 1, 2, 3, 5, 8)))
        if new == old or lab.fresh(THERE, [old.sql]) or lab.fresh(THERE, [new.sql]):
            continue
        written = shown(lab) if maker.draw.random() < 0.3 else [new.sql]
        yield {"name": f"{name}-{number}", "old": [old.sql], "new": written}


def bound(lab: Any, maker: Maker, name: str, whole: list[str]) -> Iterator[dict[str, Any]]:
    """A whole schema with its foreign keys: as it comes, as it goes, and with some of its tables changed."""
    from tests.plan.carried_out import THERE

    off = "SET foreign_key_checks = 0"
    yield {"name": f"{name}-comes", "old": [], "new": [off, *whole]}
    yield {"name": f"{name}-goes", "old": [off, *whole], "new": []}
    for number in range(6 if len(whole) < MANY else 0):
        new = list(whole)
        for at in maker.draw.sample(range(len(whole)), min(3, len(whole))):
            try:
                changed = maker.change(Shown.read(whole[at]), 2).sql
            except (TypeError, StopIteration, IndexError):
                continue
            if not lab.fresh(THERE, [off, *new[:at], changed, *new[at + 1 :]]):
                new[at] = changed
        if new != whole:
            yield {"name": f"{name}-whole-{number}", "old": [off, *whole], "new": [off, *new]}


def without_comments(text: str) -> str:
    """A definition with comments of our own."""
    return re.sub(
        r"( COMMENT=?) ?'(?:[^'\\]|''|\\.)*'",
        lambda m: f"{m[1]}{'' if m[1][-1] == '=' else ' '}'noted'",
        text,
    )


def shown(lab: Any) -> list[str]:
    out = []
    for name, kind in lab.ask("SHOW FULL TABLES"):
        if kind != "VIEW":
            out.append(lab.ask(f"SHOW CREATE TABLE `{name.replace('`', '``')}`")[0][1])
    return [re.sub(r" AUTO_INCREMENT=\d+", "", text) for text in out]


def main(server: str, port: str, out: str, times: str, seed: str, *corpus: str) -> None:
    from tests.plan.carried_out import Lab, connect

    lab = Lab(connect(int(port)), server)
    with Path(out).open("w", encoding="utf-8") as file:
        made = make(lab, server, [Path(c) for c in corpus], int(times), int(seed))
        file.writelines(json.dumps({"server": server} | one) + "\n" for one in made)


if __name__ == "__main__":
    main(*sys.argv[1:])
