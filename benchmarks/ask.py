"""How much of what is not understood a scratch server decides, how fast, and whether its answers are what an
ordinary run of the same server makes.

    python -m benchmarks.ask SERVER DSN [--generated N] [--seed S] [PATH...]

SERVER is mysql-5.6, mysql-9.7, mariadb-10.11 or mariadb-11.8; DSN is one of these that may be lost, with the
marker database (docs/ask.md), on loopback, whose account makes and drops databases. Paths are schemas and
histories, each of which is a script; N more scripts are drawn from the grammar (tests/live/definitions.py). A
script counts as `known` (every definition was understood), `refused` (by the model, with the server's error),
or `unknown`.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from schemacheck import catalog
from schemacheck.ask.asking import Asker
from schemacheck.ask.book import Book
from schemacheck.catalog.asked import answered_by
from schemacheck.errors import InputError
from schemacheck.inputs import open_schema
from schemacheck.inputs.bundle import assemble
from schemacheck.inputs.connection import Refused, connected
from schemacheck.inputs.endpoint import Access, Endpoint
from schemacheck.inputs.histories import opened
from schemacheck.inputs.live import take
from schemacheck.inputs.piece import HistoryOptions
from schemacheck.model import Schema, Server, Table
from schemacheck.model.history import only
from schemacheck.model.question import Question
from schemacheck.model.quote import quoted
from schemacheck.scratch.server import MARKER
from schemacheck.sql.script import statements
from tests.ddl.recorded import read as of_recording
from tests.live.definitions import DIALECTS, script

DATABASE = "asked"
CHARSET = ("utf8mb4", "utf8mb4_general_ci")


@dataclass
class Script:
    """What is read, as often as answers come."""

    name: str
    text: str
    read: Callable[[], Schema]
    found: list[Schema] = field(default_factory=list)


def kind(schema: Schema) -> str:
    """Whether a script is known, refused or unknown."""
    problems = [one for one in schema.problems if not one.skipped]
    if not problems:
        return "known"
    # At the first error of a server its client stops.
    return "refused" if problems[0].refusal else "unknown"


def generated(name: str, server: Server, count: int, seed: int) -> Iterable[Script]:
    """Scripts drawn from the grammar of a server."""
    rng = random.Random(f"{name} {seed}")
    for number in range(count):
        text = ";\n".join(script(rng, DIALECTS[name], number)) + ";\n"
        charsets = {DATABASE: CHARSET}
        read = partial(catalog.read, text, server, database=DATABASE, charsets=charsets)
        yield Script(f"generated {number}", text, read)


def recorded(name: str, server: str, at: Server, every: int) -> Iterable[Script]:
    """Every n-th script of a recording (tests/ddl/data)."""
    cases, header = [], ""
    for one in of_recording(name):
        header = one.get("server", header)
        if header == server and "script" in one:
            cases.append(one)
    for number, one in enumerate(cases):
        if number % every == 0:
            text = ";\n".join(one["script"]) + ";\n"
            charsets = {DATABASE: CHARSET}
            yield Script(
                f"{name} {number}",
                text,
                partial(catalog.read, text, at, database=DATABASE, charsets=charsets),
            )


def files(paths: Iterable[str], server: Server) -> Iterable[Script]:
    """Schemas and histories."""
    for path in paths:
        history = opened.read(path, HistoryOptions()).history
        text = ";\n".join(only(one.text, one.parts) for one in history.migrations) + ";\n"
        yield Script(
            path, text, partial(open_schema, path, server=server, database=DATABASE, allow_empty=True)
        )


def ordinary(text: str, endpoint: Endpoint, server: Server) -> tuple[list[int], dict[str, Table]]:
    """Run a script as a client that goes on after errors: the errors, and the tables by name."""
    errors = []
    with connected(endpoint, 300) as session:
        ask_ = partial(session.query, what="an ordinary run failed")
        clear(ask_)
        ask_(f"CREATE DATABASE {DATABASE} CHARACTER SET {CHARSET[0]} COLLATE {CHARSET[1]}")
        ask_(f"USE {DATABASE}")
        ask_(f"SET SESSION sql_mode = '{server.setting('sql_mode')}'")
        for one in statements(text, lambda: server):
            try:
                if one.command is None and one.text.strip():
                    ask_(one.text)
            except Refused as error:
                errors.append(error.number or 0)
        pieces = take(endpoint, passes=1).pieces()
        clear(ask_)
    found = assemble(pieces, server=None, name="live", allow_empty=True)
    return errors, {one.name: one for one in found.tables}


def clear(query: Callable[[str], tuple[list[str], list[tuple[object, ...]]]]) -> None:
    """Drop every database but the server's own and the marker."""
    query("SET SESSION foreign_key_checks = 0")
    own = ("mysql", "sys", "information_schema", "performance_schema", MARKER)
    for (name,) in query("SHOW DATABASES")[1]:
        if name not in own:
            query(f"DROP DATABASE {quoted(str(name))}")
    query("SET SESSION foreign_key_checks = 1")


def main(arguments: list[str]) -> int:
    """Ask, compare, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("server", choices=sorted(DIALECTS))
    parser.add_argument("dsn")
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--generated", type=int, default=0)
    parser.add_argument("--recorded", help="a file of tests/ddl/data with scripts, every tenth of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--facts", type=Path, help="keep the answers here")
    parser.add_argument("--show", type=int, default=5)
    args = parser.parse_args(arguments)
    endpoint = Endpoint.parse(args.dsn, Access())
    with connected(endpoint, 60) as session:
        variables = {str(n).lower(): str(v) for n, v in session.query("SHOW GLOBAL VARIABLES", "failed")[1]}
    names = ("sql_mode", "explicit_defaults_for_timestamp", "character_set_server", "collation_server")
    server = Server.told(variables["version"], {name: variables[name] for name in names})
    scripts = [*files(args.paths, server), *generated(args.server, server, args.generated, args.seed)]
    scripts += recorded(args.recorded, args.server, server, 10) if args.recorded else ()
    book, times, why = Book(), [], Counter[str]()
    tried: set[Question] = set()
    started = time.perf_counter()
    for number in range(20):
        book.begin()
        with answered_by(book):
            for one in scripts:
                if not one.found or kind(one.found[-1]) != "known":
                    one.found.append(one.read())
        questions = [one for one in book.open if one not in tried]
        if not questions:
            break
        before = len(times)
        last = time.perf_counter()
        stack = ExitStack()
        for question, answer in Asker(args.dsn, Access(), stack).ask(questions):
            now = time.perf_counter()
            times.append(now - last)
            last = now
            tried.add(question)
            if isinstance(answer, str):
                why[answer.split(":", 1)[0][:100]] += 1
                if why[answer.split(":", 1)[0][:100]] <= args.show:
                    print("no answer:", question.statement[:200].replace("\n", " "), "|", answer)
            else:
                book.add(answer)
        stack.close()
        print(f"round {number + 1}: {len(times) - before} questions")
    print(f"{time.perf_counter() - started:.1f} s")
    changes = Counter((kind(one.found[0]), kind(one.found[-1])) for one in scripts)
    for (first, last_), count in sorted(changes.items()):
        print(f"{count:6} {first} -> {last_}")
    print("no answer:", dict(why))
    left = Counter(
        f"{p.code} {p.message[:70]}"
        for one in scripts
        for p in one.found[-1].problems
        if not p.skipped and not p.refusal
    )
    for message, count in left.most_common(15):
        print(f"   left {count:5} {message}")
    if times:
        ordered = sorted(times)
        print(
            f"{len(times)} questions: median {statistics.median(times) * 1000:.1f} ms, "
            f"95 % {ordered[int(len(times) * 0.95)] * 1000:.1f} ms, most {ordered[-1] * 1000:.1f} ms"
        )
    if args.facts:
        book.write(args.facts)
    wrong = 0
    compared = Counter[str]()
    for one in scripts:
        if not one.text or len(one.found) < 2:
            continue
        if kind(one.found[-1]) == "unknown":
            continue
        errors, tables = ordinary(one.text, endpoint, server)
        for table in one.found[-1].tables:
            if table.asked and table.name in tables and table == tables[table.name]:
                compared["tables equal"] += 1
            elif table.asked:
                wrong += 1
                print("WRONG", one.name, table, tables.get(table.name), one.text, sep="\n   ")
        refused = [p.refusal.number for p in one.found[-1].problems if p.refusal and "asked" in p.message]
        for number in refused:
            if number in errors:
                compared["refusals equal"] += 1
            else:
                wrong += 1
                print("WRONG refusal", number, errors, one.text, sep="\n   ")
        falsely = [p for p in one.found[0].problems if p.refusal] if kind(one.found[0]) == "refused" else []
        if falsely and kind(one.found[-1]) == "known":
            compared["the model refused, the server took it"] += 1
            if compared["the model refused, the server took it"] <= args.show:
                print("taken:", falsely[0].message, "|", one.text)
    print(dict(compared), f"wrong: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except InputError as error:
        sys.exit(str(error))
