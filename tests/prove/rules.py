"""Asks two servers about a firing case of every rule, with `prove`; a certificate a case.

    python -m tests.prove.rules SOURCE_DSN REPLICA_DSN [--only RULE]... [--certificates FOLDER]

Both servers may be lost. The cases are fixtures/ddl, under the settings that they name, on the versions that
the servers have: what `check` says for these must happen. Rules that no case raises on this pair are listed,
and so are cases of which nothing can be asked. The last line is the count.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from schemacheck import engine, library
from schemacheck.errors import SchemacheckError
from schemacheck.inputs.connection import connected
from schemacheck.inputs.endpoint import Access, Endpoint
from schemacheck.model import Link, LinkKind
from schemacheck.prove import prove
from schemacheck.prove.experiment import DATABASE
from schemacheck.prove.scratch import Scratch
from tests.rules.rule_fixture import FOLDER, Case, read

#: Said for every rule, the best first.
OUTCOMES = ("contradicted", "shown", "not shown", "not asked")


def cases(only: list[str]) -> Iterator[Case]:
    """Those with two definitions and ordinary replication between them."""
    # Where a server is said to die, there is nobody to ask afterwards.
    for file in sorted(FOLDER.glob("*/*.sql"), key=lambda file: ("crash" in file.parent.name, file)):
        if only and file.parent.name not in only:
            continue
        case = read(file)
        plain = set(case.sections) == {"source", "replica"} and set(case.formats.values()) == {"sql"}
        if plain and not case.filters and not case.about_link and case.kind is LinkKind.REPLICATION:
            yield case


def settings_of(case: Case) -> dict[str, str]:
    """What both ends get; a case whose ends differ in a setting is asked with the replica's."""
    return case.settings["source"] | case.settings["replica"]


def ask(case: Case, ends: tuple[Scratch, Scratch]) -> tuple[Counter[tuple[str, str]], dict]:
    """((rule, outcome) of every finding, the certificate)."""
    settings = settings_of(case)
    source, replica = (end.server.with_settings(settings) for end in ends)
    if "slave_type_conversions" not in settings:
        replica = replica.with_settings({"slave_type_conversions": ""})
    link = Link(source, replica)
    schemas = tuple(
        library.parse(case.sections[side], server, file=str(case.path), database=DATABASE)
        for side, server in (("source", source), ("replica", replica))
    )
    ours, theirs = schemas
    report = engine.check(ours.tables, theirs.tables, link, ours.problems, theirs.problems)
    found = prove(report, schemas, ends, settings)
    outcomes: Counter[tuple[str, str]] = Counter()
    asked = {id(answer.pair) for answer in found.answers if answer.verdict != "not asked"}
    for proof in found.proofs:
        outcomes[proof.finding.rule, proof.outcome] += 1
    for pair in report.pairs:
        if id(pair) not in asked:
            outcomes.update((finding.rule, "not asked") for finding in pair.findings)
    return outcomes, dict(found.document)


@contextmanager
def servers(*names: str) -> Iterator[tuple[Scratch, Scratch]]:
    """Both ends in sessions of their own, put back afterwards."""
    with ExitStack() as stack:
        ends = []
        for dsn in names:
            session = stack.enter_context(connected(Endpoint.parse(dsn, Access()), 600))
            ends.append(Scratch(session))
            stack.callback(ends[-1].put_back)
        yield ends[0], ends[1]


def main(words: list[str]) -> int:
    """1 where something happened that is not said."""
    parser = argparse.ArgumentParser(prog="python -m tests.prove.rules")
    parser.add_argument("source")
    parser.add_argument("replica")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--certificates", type=Path)
    args = parser.parse_args(words)
    rules: dict[str, Counter[str]] = {}
    count: Counter[str] = Counter()
    for case in cases(args.only):
        try:
            with servers(args.source, args.replica) as ends:
                outcomes, document = ask(case, ends)
        except SchemacheckError as error:
            count["cannot be asked here"] += 1
            print(f"cannot be asked here: {case.name}: {' '.join(str(error).split())}", flush=True)
            continue
        agrees = document["agreement"]
        count["agreed" if agrees else "differs"] += 1
        for one in document["cases"]:
            if one["verdict"] == "differs":
                print(f"differs: {case.name}: {one['why']}", flush=True)
        for (rule, outcome), number in outcomes.items():
            rules.setdefault(rule, Counter())[outcome] += number
        if args.certificates:
            args.certificates.mkdir(parents=True, exist_ok=True)
            file = args.certificates / f"{case.name.replace('/', '.')}.json"
            file.write_text(json.dumps(document, ensure_ascii=False, indent=1), "utf-8")
    for rule, found in sorted(rules.items()):
        print(f"{rule:36} " + ", ".join(f"{found[one]} {one}" for one in OUTCOMES if found[one]))
    shown = sum(1 for found in rules.values() if found["shown"])
    print(
        f"rules: {len(rules)}, shown: {shown}, "
        + ", ".join(f"{name}: {n}" for name, n in sorted(count.items()))
    )
    return 1 if count["differs"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
