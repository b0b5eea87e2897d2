"""Runs what a plan writes for a pair of definitions on a server, and compares the server's catalogue with the
one that the new definitions make.

`python -m tests.plan.carried_out SERVER PORT [PASSWORD [FILE]]` runs the recorded pairs of that server,
or those of a file that `tests.plan.pairs` has made.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemacheck import catalog
from schemacheck.model import Link, Server
from schemacheck.plan import Plan, plan
from schemacheck.plan.model import StepKind

#: Where the old definitions become the new ones, and where the new ones are made by themselves.
HERE, THERE = "plan_here", "plan_there"
CHARSET = ("utf8mb4", "utf8mb4_general_ci")
_SETTINGS = ("sql_mode", "explicit_defaults_for_timestamp", "character_set_server", "collation_server",
             "innodb_large_prefix", "lower_case_table_names", "gtid_mode")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a pair: 'refused' (the server does not take one of its sides), 'incomplete', 'right',
    'wrong'."""

    verdict: str
    why: str = ""
    sql: tuple[str, ...] = ()


class Lab:
    """A running server, for one pair after another. `connection` is PyMySQL's."""

    def __init__(self, connection: Any, version: str) -> None:
        self.connection = connection
        found = {}
        for name in _SETTINGS:
            for row in self.ask(f"SHOW GLOBAL VARIABLES LIKE '{name}'"):
                found[row[0]] = row[1]
        self.mode = found["sql_mode"]
        self.server = Server.parse(version).with_told(found | {"binlog_format": "ROW"})

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        with self.connection.cursor() as cursor:
            cursor.execute(sql)
            return list(cursor.fetchall())

    def fresh(self, database: str, statements: Sequence[str]) -> str:
        """Run statements in an empty database; the server's refusal, or ''."""
        self.session()
        self.ask("SET SESSION foreign_key_checks = 0")
        self.ask(f"DROP DATABASE IF EXISTS {database}")
        self.ask("SET SESSION foreign_key_checks = 1")
        self.ask(f"CREATE DATABASE {database} CHARACTER SET {CHARSET[0]} COLLATE {CHARSET[1]}")
        self.ask(f"USE {database}")
        return self.run(statements)

    def session(self) -> None:
        """The session as a new one."""
        self.ask(f"SET SESSION sql_mode = '{self.mode}'")
        self.ask("SET SESSION foreign_key_checks = 1")

    def run(self, statements: Sequence[str]) -> str:
        import pymysql

        for one in statements:
            try:
                self.ask(one)
            except pymysql.MySQLError as error:
                return f"{error.args[0]} {error.args[1]} in {one}"
        return ""

    def shown(self, database: str) -> dict[str, Any]:
        """Every table of a database as the server shows it, in a form that does not depend on the order of
        keys."""
        self.session()
        self.ask(f"USE {database}")
        out = {}
        for name, kind in self.ask("SHOW FULL TABLES"):
            word = "VIEW" if kind == "VIEW" else "TABLE"
            text = self.ask(f"SHOW CREATE {word} `{name.replace('`', '``')}`")[0][1]
            out[name] = text.replace(f"`{database}`.", "") if kind == "VIEW" else meaning(text)
        for name, column, collation in self.ask(
            "SELECT TABLE_NAME, COLUMN_NAME, COLLATION_NAME FROM information_schema.COLUMNS "
            f"WHERE TABLE_SCHEMA = '{database}' AND COLLATION_NAME IS NOT NULL"
        ):
            out[f"{name}.{column}"] = collation
        return out

    def schema(self, statements: Sequence[str]) -> Any:
        text = ";\n".join(statements)
        return catalog.read(text, self.server, database=HERE, charsets={HERE: CHARSET})

    def carry(self, old: Sequence[str], new: Sequence[str]) -> Outcome:
        """Plan the way from the old to the new definitions, run what the plan writes, and compare."""
        for database, statements in ((THERE, new), (HERE, old)):
            refused = self.fresh(database, statements)
            if refused:
                return Outcome("refused", refused)
        found = plan(self.schema(old), self.schema(new), Link(self.server, self.server))
        if any(not p.skipped for p in found.problems):
            return Outcome("incomplete", "; ".join(f"{p.table}: {p.message}" for p in found.problems))
        sql = written(found)
        self.session()
        self.ask(f"USE {HERE}")
        failed = self.run(sql)
        if failed:
            return Outcome("wrong", failed, sql)
        here, there = self.shown(HERE), self.shown(THERE)
        if here == there:
            return Outcome("right", "", sql)
        return Outcome("wrong", difference(here, there), sql)


def written(found: Plan) -> tuple[str, ...]:
    """What the runbook runs on the source, with its ALGORITHM clauses; without a runbook to the end, the
    statements of the stages.
    """
    if found.runbook and found.runbook[-1].kind is not StepKind.STOP:
        steps = [step for step in found.runbook if step.kind is StepKind.RUN and step.side == "source"]
        return tuple(sql.rstrip(";") for step in steps for sql in step.sql)
    out: list[str] = []
    for stage in found.stages:
        for one in stage.statements:
            out += [f"USE `{one.database}`"] if one.database else []
            out += [*one.session, *one.parts]
    return tuple(out)


def meaning(text: str) -> Any:
    """SHOW CREATE TABLE: columns in order, keys and constraints in any, options by word."""
    head, *lines = text.split("\n")
    end = next(i for i, line in enumerate(lines) if line.startswith(")"))
    body = [line.strip().rstrip(",") for line in lines[:end]]
    # MySQL 9.7 shows the character set that a column's definition named, though it is the table's.
    named = re.compile(r" CHARACTER SET \w+| COLLATE \w+")
    # A display width without ZEROFILL says nothing: a plan does not change it.
    width = re.compile(r"(?<=int)\(\d+\)(?!(?: unsigned)? zerofill)")
    columns = tuple(width.sub("", named.sub("", line)) for line in body if line.startswith("`"))
    options = re.sub(r" AUTO_INCREMENT=\d+", "", lines[end])
    others = sorted(line for line in body if not line.startswith("`"))
    return head, columns, others, options, tuple(lines[end + 1 :])


def difference(here: dict[str, Any], there: dict[str, Any]) -> str:
    out = []
    for name in sorted({*here, *there}):
        one, other = here.get(name), there.get(name)
        if one is None or other is None:
            out.append(f"{name} is {'missing' if one is None else 'left over'}")
        elif one != other and isinstance(one, tuple) and isinstance(other, tuple):
            out += [f"{name}: {a!r} should be {b!r}" for a, b in zip(one, other, strict=True) if a != b]
        elif one != other:
            out.append(f"{name}: {one!r} should be {other!r}")
    return "\n".join(out)


def connect(port: int, password: str = "") -> Any:
    import pymysql

    return pymysql.connect(
        host="127.0.0.1", port=port, user="root", password=password, charset="utf8mb4", autocommit=True
    )


def main(server: str, port: str, password: str = "", file: str = "", show: str = "10") -> None:
    from tests.plan.pairs import recorded

    lab = Lab(connect(int(port), password), server)
    counts: Counter[str] = Counter()
    pairs = map(json.loads, Path(file).read_text("utf-8").splitlines()) if file else recorded(server)
    for pair in pairs:
        found = lab.carry(pair["old"], pair["new"])
        counts[found.verdict] += 1
        if found.verdict != "right" and counts[found.verdict] <= int(show):
            print(f"--- {pair['name']}: {found.verdict}: {found.why}\n    " + "\n    ".join(found.sql))
    print(server, dict(counts))


if __name__ == "__main__":
    main(*sys.argv[1:])
