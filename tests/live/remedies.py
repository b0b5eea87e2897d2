"""Every statement that a finding gives is run on the server that it is for.

    python -m tests.live.remedies REPLICA_DSN SOURCE_VERSION [--only RULE]...

asks a server that may be lost with all cases of fixtures/ddl, their source taken as of SOURCE_VERSION, and
lists what it refuses.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from schemacheck import engine, library
from schemacheck.errors import SchemacheckError
from schemacheck.inputs.connection import Refused, connected
from schemacheck.inputs.endpoint import Access, Endpoint
from schemacheck.model import Link, LinkKind, Server
from schemacheck.sql.script import statements
from tests.prove.rules import settings_of
from tests.rules.rule_fixture import FOLDER, Case, read

DATABASE = "remedies"


@dataclass(frozen=True)
class Answer:
    """A statement of a finding, and the server's error; '' where it ran."""

    case: str
    code: str
    sql: str
    error: str


def cases(only: list[str]) -> Iterator[Case]:
    """Those with two definitions as SQL."""
    for file in sorted(FOLDER.glob("*/*.sql")):
        case = read(file)
        if only and file.parent.name not in only:
            continue
        plain = set(case.sections) == {"source", "replica"} and set(case.formats.values()) == {"sql"}
        if plain and not case.about_link and case.kind is LinkKind.REPLICATION:
            yield case


def ask(case: Case, source: Server, replica: Server, run: Callable[[str], None]) -> Iterator[Answer]:
    """The statements of one case; none where the server does not take the replica's definitions."""
    settings = settings_of(case)
    link = Link(source.with_settings(settings), replica.with_settings(settings))
    schemas = [
        library.parse(case.sections[side], server, file=str(case.path), database=DATABASE)
        for side, server in (("source", link.source), ("replica", link.replica))
    ]
    report = engine.check(
        schemas[0].tables, schemas[1].tables, link, schemas[0].problems, schemas[1].problems
    )
    given = {(f.remedy_sql, f.code) for pair in report.pairs for f in pair.findings if f.remedy_sql}
    own = [one.text for one in statements(case.sections["replica"], lambda: link.replica)]
    for sql, code in sorted(given):
        try:
            for text in (
                f"DROP DATABASE IF EXISTS {DATABASE}",
                f"CREATE DATABASE {DATABASE} CHARACTER SET utf8mb4",
                f"USE {DATABASE}",
                *own,
            ):
                run(text)
        except Refused:
            return
        error = ""
        try:
            for one in statements(sql, lambda: link.replica):
                run(one.text)
        except Refused as refused:
            error = refused.text
        yield Answer(case.name, code, sql, error)


def main(words: list[str]) -> int:
    """1 where a statement is refused."""
    parser = argparse.ArgumentParser(prog="python -m tests.live.remedies")
    parser.add_argument("replica")
    parser.add_argument("source")
    parser.add_argument("--only", action="append", default=[])
    args = parser.parse_args(words)
    answers: list[Answer] = []
    with connected(Endpoint.parse(args.replica, Access()), 3600) as session:
        version = str(session.query("SELECT VERSION()", "")[1][0][0])
        ends = (Server.parse(args.source), Server.told(version))
        for case in cases(args.only):
            try:
                answers += ask(case, *ends, lambda sql: session.query(sql, "") and None)
            except SchemacheckError as error:
                print(f"not asked: {case.name}: {error}")
        session.query(f"DROP DATABASE IF EXISTS {DATABASE}", "")
    refused = [one for one in answers if one.error]
    for one in refused:
        print(f"{one.case} {one.code}: {one.sql}\n    {one.error}")
    print(f"{ends[0]} -> {ends[1]}: {len(answers)} statements, {len(refused)} refused")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
