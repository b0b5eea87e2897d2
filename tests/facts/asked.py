"""Answers that `--ask` has kept (`.schemacheck/facts.jsonl`, docs/ask.md), against what the model says.

`judge_file(path)` reads such a file, also compressed. A definition that the model still does not know is
`unknown`; once it has learned it, it must say what the server said.
"""

from __future__ import annotations

import json
import lzma
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from schemacheck import catalog
from schemacheck.ask import fact as facts
from schemacheck.ask.fact import Fact
from schemacheck.model import Schema
from schemacheck.model.question import Question
from tests.facts import definitions
from tests.facts.ddl import compare


def read(path: Path) -> Iterator[Fact]:
    """The facts of a file. Raises ValueError."""
    with (
        lzma.open(path, "rt", encoding="utf-8")
        if path.suffix == ".xz"
        else path.open(encoding="utf-8") as file
    ):
        for line in file:
            yield facts.read(json.loads(line))


def question_of(one: Fact) -> Question:
    """The question of a fact, for the server that was asked."""
    document = one.document
    return Question(
        one.server,
        tuple(document["settings"].items()),
        tuple((name, charset, collation) for name, charset, collation in document["databases"]),
        tuple((database, text) for database, text in document["before"]),
        document["database"],
        document["statement"],
    )


def model_of(question: Question) -> Schema:
    """What the model makes of a question, without any answer."""
    server = question.server.with_told(dict(question.settings))
    charsets = {
        name or facts.DATABASE: (charset, collation) for name, charset, collation in question.databases
    }
    schema = Schema()
    for database, text in (*question.before, (question.database, question.statement)):
        schema = catalog.read(
            f"{text};", server, database=database or facts.DATABASE, base=schema, charsets=charsets
        )
    return schema


def judge(one: Fact) -> tuple[str, str]:
    """A verdict as the other judges have them, and why."""
    if one.document["fact"] == "pair":
        header, record = definitions.of_fact(one.document)
        judgement = definitions.judge(record, header)
        return judgement.verdict, judgement.why
    question = question_of(one)
    model = model_of(question)
    problems = [problem for problem in model.problems if not problem.skipped]
    unsure = [problem.message for problem in problems if problem.refusal is None]
    if unsure:
        return "unknown", unsure[0]
    answer = one.answer(question)
    if answer is None:
        return "wrong", "its rows are not understood"
    if answer.refusal is not None:
        agreed = bool(problems)
        return ("agreed" if agreed else "false_safe"), f"{answer.refusal.number} {answer.refusal.message}"
    if problems:
        return "false_alarm", problems[0].message
    told = {(table.database or facts.DATABASE, table.name): table for table in answer.tables}
    made = {(table.database, table.name): table for table in model.tables}
    if set(told) != set(made):
        return "wrong", f"tables | {sorted(made)} / {sorted(told)}"
    wrong = [why for name, table in made.items() for why in compare(table, told[name].named(*name), "rows")]
    return ("wrong", wrong[0]) if wrong else ("agreed", "")


def judge_file(path: Path, *, show: int = 0) -> dict[str, int]:
    """Judge every fact of a file; print each kind of disagreement, and `show` cases of each."""
    counts, kinds = Counter[str](), Counter[str]()
    for one in read(path):
        verdict, why = judge(one)
        counts.update((verdict, "facts"))
        if verdict == "agreed":
            continue
        kind = f"{verdict}: {why.split(' | ', maxsplit=1)[0][:120]}"
        kinds[kind] += 1
        if kinds[kind] <= show:
            print(f"    {kind}: {one.server}: {one.key}: {why}")
    for kind, number in kinds.most_common():
        print(f"  {number:5} {kind}")
    return dict(counts)
