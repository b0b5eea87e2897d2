"""What was said and what happened, as a document that can be checked: the outcome of `prove`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import dataclass
from schemacheck.model import Effect, Finding, PairReport, Report
from schemacheck.prove.arrived import tables_of
from schemacheck.prove.case import Case

if TYPE_CHECKING:
    from schemacheck.prove.scratch import Scratch

SCHEMA = "prove-1"


@dataclass(frozen=True, slots=True)
class Answer:
    """One case: `verdict` is `agreed`, `differs` or `not asked`; `record` as recorded facts have it."""

    pair: PairReport
    case: Case | None
    verdict: str
    why: str = ""
    record: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """A finding, and whether the cases showed it: `shown`, `not shown` (no row raised it), `contradicted`."""

    finding: Finding
    outcome: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """`document` is the certificate as JSON data; its `sha256` is over the rest of it."""

    answers: tuple[Answer, ...]
    proofs: tuple[Proof, ...]
    document: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        report: Report,
        ends: tuple[Scratch, Scratch],
        settings: Mapping[str, str],
        answers: Iterable[Answer],
    ) -> Certificate:
        """Sum up."""
        from schemacheck.version import __version__

        given = tuple(answers)
        by_link = {answer.record.get("link") for answer in given if answer.record}
        of_link = (Proof(f, "shown" if f.code in by_link else "not shown") for f in report.link_findings)
        result = (*of_link, *proofs(given))
        document: dict[str, Any] = {
            "schema": SCHEMA,
            "schemacheck": __version__,
            "source": {"server": str(ends[0].server), "version": ends[0].version},
            "replica": {"server": str(ends[1].server), "version": ends[1].version},
            "settings": dict(sorted(settings.items()))
            | {"slave_type_conversions": report.link.replica.setting("slave_type_conversions")},
            "assumptions": sorted(
                {
                    f"{t.qualified_name}: {t.asked}"
                    for p in report.pairs
                    for t in (p.source, p.replica)
                    if t and t.asked
                }
            ),
            "agreement": all(answer.verdict != "differs" for answer in given),
            "unread": [f"{p.location or ''} {p.message}".strip() for p in report.problems if not p.skipped],
            "findings": [_finding(proof) for proof in result],
            "cases": [_case(answer) for answer in given],
        }
        return cls(given, result, document | {"sha256": digest(document)})

    @property
    def agreement(self) -> bool:
        """Whether nothing happened that was not said."""
        return all(answer.verdict != "differs" for answer in self.answers)

    @property
    def asked(self) -> int:
        """The cases that were run."""
        return sum(answer.verdict != "not asked" for answer in self.answers)


def digest(document: Mapping[str, Any]) -> str:
    """The SHA-256 (hex) of a certificate without its own `sha256`."""
    rest = {key: value for key, value in document.items() if key != "sha256"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def proofs(answers: Iterable[Answer]) -> tuple[Proof, ...]:
    """Every finding of the pairs that were asked about, with what the cases showed of it."""
    by_pair: dict[int, list[Answer]] = {}
    for answer in answers:
        by_pair.setdefault(id(answer.pair), []).append(answer)
    return tuple(
        Proof(finding, _outcome(finding, given))
        for given in by_pair.values()
        for finding in given[0].pair.findings
        if finding.effect > Effect.IDENTICAL
    )


def _outcome(finding: Finding, answers: list[Answer]) -> str:
    own = [answer for answer in answers if answer.case is not None and answer.case.finding == finding]
    if any(answer.verdict == "differs" for answer in own):
        return "contradicted"
    agreed = [
        answer
        for answer in answers
        if answer.verdict == "agreed" and answer.record is not None and "link" not in answer.record
    ]
    return "shown" if any(_shows(finding, answer) for answer in agreed) else "not shown"


def _shows(finding: Finding, answer: Answer) -> bool:
    """Whether what happened is what this finding says: its error, changed values of its column, or rows of
    its table that are not the source's; of a harmless one, that everything was applied.
    """
    record = dict(answer.record or {})
    numbers = {finding.error.number, *finding.also} if finding.error else set(finding.also)
    if record.get("outcome") == "error":
        return record.get("errno") in numbers
    if finding.effect <= Effect.INCOMPLETE or (finding.effect is Effect.UNSUPPORTED and not numbers):
        return True
    if finding.effect is Effect.STOPS:
        return False
    case = answer.case
    own = case is not None and case.finding == finding and not case.scenario
    if own and finding.column is not None and finding.effect is not Effect.UNSUPPORTED:
        # The example arrived as it was said to. (One that may stop has to.)
        return True
    here = [rows for rows in tables_of(record) if rows.table.casefold() == finding.table.casefold()]
    column = (finding.column or "").casefold()
    return any(
        rows.differ([c.casefold() for c in rows.columns if c.casefold() != column] if column else ())
        for rows in here
    )


def _finding(proof: Proof) -> dict[str, Any]:
    finding = proof.finding
    return {
        "code": finding.code, "rule": finding.rule, "effect": finding.effect.value,
        "subject": finding.subject, "message": finding.message,
        "error": finding.error.number if finding.error else None, "outcome": proof.outcome,
    }  # fmt: skip


def _case(answer: Answer) -> dict[str, Any]:
    case = answer.case
    return {
        "pair": answer.pair.name, "finding": case.finding.code if case and case.finding else None,
        "verdict": answer.verdict, "why": answer.why, **(answer.record or {}),
    }  # fmt: skip
