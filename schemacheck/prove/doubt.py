"""Pairs that stay unknown, put to a channel: what fails there is decided; what arrives is counted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from schemacheck.catalog.asked import given
from schemacheck.dataclass import replace
from schemacheck.model import (
    Effect,
    Example,
    Finding,
    Link,
    PairReport,
    PairState,
    Report,
    Schema,
    Server,
    ServerError,
)
from schemacheck.model.question import PairQuestion
from schemacheck.model.quote import string
from schemacheck.prove.arrived import Rows, tables_of
from schemacheck.prove.case import Case, cases
from schemacheck.prove.channel import Channel
from schemacheck.prove.experiment import ask_case, definitions, prepare
from schemacheck.prove.judging import judge_answers
from schemacheck.prove.scratch import Scratch
from schemacheck.prove.tied import Tied

#: What of a case's record is the answer.
ANSWER = ("outcome", "errno", "message", "source", "replica", "refused")
_FAILED = ("false_safe", "wrong", "weak")


def settled(report: Report) -> Report:
    """The report with answers of channels about unknown pairs; the others become questions."""
    answers = given()
    if answers is None or report.dead or report.link.kind.cluster:
        return report
    settings = _settings(report.link)
    asked = (
        [place for place, pair in enumerate(report.pairs) if _is_asked(pair)] if settings is not None else []
    )
    if not answers.of_pairs:
        for place in asked:
            answers.open[PairQuestion(report.link.source, report.link.replica, str(place))] = False
        return report
    schemas = _sides(report)
    tied, pairs = Tied(schemas), list(report.pairs)
    for place in asked:
        pair = report.pairs[place]
        made = definitions(pair, tied, report.link)
        for case in _cases(pair) if made is not None else ():
            question = _question(pair, case, report, schemas, made or [], settings or {})
            if (answer := answers.arrived(question)) is not None:
                record = json.loads(question.text) | answer[1]
                pairs[place] = _decided(pairs[place], record, answer[0].source)
    return replace(report, pairs=tuple(pairs))


def _sides(report: Report) -> tuple[Schema, Schema]:
    both = [(pair.source, pair.replica) for pair in report.pairs]
    source, replica = (
        Schema(tuple(table for pair in both if (table := pair[side]) is not None)) for side in (0, 1)
    )
    return source, replica


def _settings(link: Link) -> dict[str, str] | None:
    """The variables that both ends are given; None where they differ in one."""
    ours, theirs = dict(link.source.settings), dict(link.replica.settings)
    if any(theirs.get(name, value) != value for name, value in ours.items()):
        return None
    return ours | theirs


def _is_asked(pair: PairReport) -> bool:
    """Whether rows may decide a pair: two tables of one name of which something is unknown."""
    here, there = pair.source, pair.replica
    unknown = pair.verdict is Effect.UNKNOWN and pair.state is PairState.COMPARED
    return unknown and bool(here and there and (here.database, here.name) == (there.database, there.name))


def _cases(pair: PairReport) -> list[Case]:
    """Ordinary and extreme rows, and the examples of what is unknown."""
    return [case for case in cases(pair) if case.finding is None or case.finding.effect is Effect.UNKNOWN]


def _question(
    pair: PairReport, case: Case, report: Report, schemas: tuple[Schema, Schema],
    made: list[list[str]], settings: Mapping[str, str],
) -> PairQuestion:  # fmt: skip
    link = report.link
    # As recorded facts have it.
    document = {
        "table": case.table, "source_ddl": made[0], "replica_ddl": made[1],
        "source_sql": list(case.statements), "modes": link.replica.setting("slave_type_conversions"),
        "source_sql_mode": link.source.setting("sql_mode"), "sql_mode": link.replica.setting("sql_mode"),
        "default_charset": link.source.setting("character_set_server"),
        "charsets": [_charsets(end) for end in (link.source, link.replica)],
        "binlog_format": link.of_rows.binlog_format, "settings": dict(sorted(settings.items())),
    }  # fmt: skip
    source, replica = (replace(end, settings=()) for end in (link.source, link.replica))
    return PairQuestion(source, replica, json.dumps(document, sort_keys=True), (pair, case, report, schemas))


def _charsets(server: Server) -> dict[str, str]:
    names = ("character_set_server", "collation_server")
    return {name: value for name in names if (value := server.setting(name))}


class Doubts:
    """Two scratch servers that are asked about the pairs of one link."""

    def __init__(self, ends: tuple[Scratch, Scratch]) -> None:
        self.ends = ends
        self._prepared: tuple[Report, Channel] | None = None

    def ask(self, question: PairQuestion) -> dict[str, Any] | str:
        """What came of it, or why nothing did. Raises InputError, UsageError for a refused setting."""
        pair, case, report, schemas = question.about
        if self._prepared is None or self._prepared[0] is not report:
            settings = json.loads(question.text)["settings"]
            for end, server in zip(self.ends, (report.link.source, report.link.replica), strict=True):
                for name, value in _charsets(server).items():
                    end.ask(f"SET SESSION {name} = {string(value)}")
            self._prepared = report, prepare(report.link, schemas, self.ends, settings)
        answer = ask_case(pair, case, report, schemas, self._prepared[1])
        record = dict(answer.record or {})
        if "outcome" not in record or "link" in record:
            return answer.why
        return {name: record[name] for name in ANSWER if name in record}


def _decided(pair: PairReport, record: Mapping[str, Any], asked: str) -> PairReport:
    """The pair with what happened in the place of what was unknown of it, if that failed."""
    doubts = [f for f in pair.findings if f.effect is Effect.UNKNOWN]
    others = tuple(f for f in pair.findings if f.effect is not Effect.UNKNOWN)
    tables = tables_of(dict(record))
    failed = judge_answers(dict(record), (replace(pair, findings=others),)).verdict in _FAILED
    for doubt in doubts:
        if failed and (made := _shown(doubt, record, tables, asked)) is not None:
            return replace(pair, findings=(made, *(f for f in pair.findings if f is not doubt)))
    if record["outcome"] != "applied" or any(rows.differ() for rows in tables):
        return pair
    count = sum(len(rows.ours) for rows in tables)
    noted = (replace(f, message=f"{f.message}; {count} rows arrived equal ({asked})") for f in doubts)
    return replace(pair, findings=(*noted, *others))


def _shown(doubt: Finding, record: Mapping[str, Any], tables: list[Rows], asked: str) -> Finding | None:
    """A finding of what happened; None where rows differ elsewhere than in what is in doubt."""
    if record["outcome"] == "error":
        error = ServerError(record["errno"], record["message"])
        message = f"ordinary rows stop the applier ({asked}): {doubt.message}"
        return replace(doubt, effect=Effect.STOPS, message=message, error=error, depends_on_rows=True)
    column = (doubt.column or "").casefold()
    for rows in tables:
        here = rows.table.casefold() == doubt.table.casefold()
        if here and rows.differ(
            [c.casefold() for c in rows.columns if c.casefold() != column] * bool(column)
        ):
            ours, theirs = (", ".join(map(str, side)) for side in rows.differing(column))
            return replace(
                doubt, effect=Effect.DIVERGES, example=Example(ours, theirs), depends_on_rows=True,
                message=f"{ours} arrived as {theirs} ({asked}): {doubt.message}",
            )  # fmt: skip
    return None
