"""What the tree in the current folder answers to recorded questions.

`__main__.py` starts this once for each of two trees, whose own `schemacheck` and `tests.facts` it uses.
Prints a line of JSON for each question: [group, question, kind, answer].

    python -P answers.py DATA EVERY ONLY FOLDER...

DATA is a tree whose recordings and fixtures are read, each EVERY-th recording is asked, ONLY 'facts',
'definitions' or 'folders' where one of them is said, each FOLDER has more:
schemas (`*.sql`), `pairs/*-old.sql` and `-new.sql`, `histories/`, logs, recorded facts.
"""

from __future__ import annotations

import contextlib
import io
import json
import lzma
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from schemacheck import catalog
from schemacheck.cli import main as cli
from schemacheck.model import Server
from tests.ddl.everything import everything
from tests.facts import ddl, definitions, links

LINKS = (
    ("mysql-8.0", "mysql-8.0"), ("mysql-5.7", "mysql-8.4"), ("mysql-8.0", "mariadb-10.11"),
    ("mariadb-11.8", "mysql-9.7"), ("mariadb-10.11", "mariadb-11.8"), ("mariadb-10.6", "mariadb-10.6"),
)  # fmt: skip
SERVERS = ("mysql-5.6.24", "mysql-9.7.4", "mariadb-10.11.19", "mariadb-11.8.6")
#: The database of recorded definitions.
CHARSETS = {"d": ("utf8mb4", "utf8mb4_general_ci")}
Answer = tuple[str, str, str, Any]


def records(path: Path) -> Iterator[Any]:
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def facts(path: Path, every: int) -> Iterator[Answer]:
    """The verdicts on recorded replication."""
    if path.name.startswith("links"):
        for case in islice(links.lines(path), 0, None, every):
            if links.counted(case):
                yield "links", f"{path.name} {case['id']}", links.verdict(case)[0], None
        return
    header, cases = definitions.read_facts(path)
    for place, record in enumerate(cases):
        if "id" not in record:
            header = record
        elif place % every == 0:
            header = record if "server" in record else header
            judged = definitions.judge(record, header)
            question = f"{path.name} {place} {record['id']}"
            yield "facts", question, judged.verdict, judged.why.splitlines()[:1]


def statements(path: Path, every: int) -> Iterator[tuple[str, Server, dict[str, tuple[str, str]]]]:
    """The scripts of recorded definitions, each with its server and its database's character set."""
    header: dict[str, Any] = {}
    plain = {name: Server.parse(name) for name in SERVERS}
    for place, line in enumerate(records(path)):
        if isinstance(line, dict) and ("version" in line or "told" in line):
            header = line
        elif place % every:
            continue
        elif isinstance(line, dict) and "settings" in line and "ddl" in line:
            given = line["settings"]
            charset = {"d": (given.get("db_charset", "utf8mb4"), given.get("db_collation", CHARSETS["d"][1]))}
            yield ";\n".join((*line.get("pre", ()), line["ddl"])), ddl.server_of(header, given), charset
        elif isinstance(line, dict) and ("script" in line or "ddl" in line):
            text = ";\n".join(line["script"]) if "script" in line else line["ddl"]
            yield text, plain[next(one for one in SERVERS if one.startswith(header["server"]))], CHARSETS
        elif isinstance(line, dict) and "run" in line:
            yield from ((";\n".join(line["run"]), server, CHARSETS) for server in plain.values())
        elif isinstance(line, list) and len(line) == 3 and "told" in header:
            server = Server.parse(header["server"]).with_told(header["told"])
            yield line[0].replace(";;", ";"), server, CHARSETS


def described(text: str, server: Server, charsets: dict[str, tuple[str, str]]) -> tuple[str, Any]:
    """What becomes of a script: how far it is understood, and its tables or refusals."""
    found = catalog.read(text, server, database="d", charsets=charsets)
    tables = [everything(one) for one in found.tables]
    if not found.problems:
        return "taken", tables
    if all(one.refusal is not None for one in found.problems):
        return "refused", [tables, [one.refusal.number for one in found.problems if one.refusal]]
    return "unknown", None


def definitions_of(path: Path, every: int) -> Iterator[Answer]:
    for text, server, charsets in statements(path, every):
        kind, answer = described(text, server, charsets)
        yield "definitions", f"{path.name} {server}: {text}", kind, answer


def command(group: str, *words: str) -> Answer:
    """What a command prints for machines, and its exit status."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = cli(list(words))
        except SystemExit as end:
            status = int(end.code or 0)
    text = out.getvalue() + err.getvalue()
    return group, " ".join(words), f"exit {status}", text.splitlines()


def checked(source: Path, replica: Path) -> Iterator[Answer]:
    for first, second in LINKS:
        versions = ("--source-version", first, "--replica-version", second)
        yield command("schemas", "check", str(source), str(replica), *versions, "--format", "json")


def real(folder: Path) -> Iterator[Answer]:
    """Schemas, pairs of their versions, histories and logs."""
    for path in sorted(folder.glob("*.sql")):
        yield from checked(path, path)
    for old in sorted(folder.glob("pairs/*-old.sql")):
        new = old.with_name(old.name.replace("-old.", "-new."))
        yield from checked(old, new)
        for version in ("8.0.36", "mariadb-10.11"):
            versions = ("--source-version", version, "--replica-version", version)
            yield command("plans", "plan", str(old), str(new), *versions, "--format", "json")
    for history in sorted(folder.glob("histories/*")):
        words = (str(history), "--source-version", "8.0.36", "--replica-version", "8.0.36")
        yield command("histories", "lint-history", *words, "--format", "json")
    tables = next(iter(sorted(folder.glob("*.sql"))), None)
    for log in sorted((*folder.glob("*.binlog"), *folder.glob("*.binlog.gz"))):
        given = tables or Path(__file__).parents[2] / "fixtures/demo/replica.sql"
        yield command("logs", "binlog", "check", str(log), "--replica", str(given), "--format", "json")


def answers(data: Path, every: int, only: str, folders: list[Path]) -> Iterator[Answer]:
    if only in ("", "facts"):
        yield from all_facts(data, every)
    if only in ("", "definitions"):
        yield from all_definitions(data, every)
    if only in ("", "folders"):
        for folder in (data / "tests/binlog/data", *folders):
            yield from real(folder)
            for path in sorted((*folder.glob("*.jsonl.xz"), *folder.glob("*.jsonl.gz"))):
                if not path.name.startswith(("ddl-", "filters-")):
                    yield from facts(path, every)


def all_facts(data: Path, every: int) -> Iterator[Answer]:
    for path in sorted((data / "tests/facts/data").glob("*.xz")):
        if path.name != "channel_values.jsonl.xz":
            yield from facts(path, every)


def all_definitions(data: Path, every: int) -> Iterator[Answer]:
    for path in sorted((data / "tests/ddl/data").glob("*.xz")):
        # They cost little, and say most about the tables that are made of statements.
        yield from definitions_of(path, max(1, every // 20))
    for path in sorted((data / "fixtures").rglob("*.sql")):
        for name in SERVERS[1::2]:
            text = path.read_text(encoding="utf-8")
            kind, answer = described(text, Server.parse(name), CHARSETS)
            yield "fixtures", f"{path.relative_to(data)} {name}", kind, answer


def main() -> None:
    data, every, only, *folders = sys.argv[1:]
    write = sys.__stdout__.write if sys.__stdout__ is not None else print
    for answer in answers(Path(data), int(every), only, list(map(Path, folders))):
        write(json.dumps(answer, default=str) + "\n")


if __name__ == "__main__":
    main()
