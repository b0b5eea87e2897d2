"""Findings that one fix ends are one difference: what is printed for people names each once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass, replace
from schemacheck.model.quantity import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from schemacheck.model.evidence import Evidence
    from schemacheck.model.finding import Effect, Finding, PairReport, ServerError

#: Rules about columns that stand at another place: what they find makes the columns behind them differ.
PLACES = frozenset(("SC101", "SC102"))
#: Rules about what a row image does to every table alike: these come last, too.
_OF_IMAGE = frozenset(("SC509",))
#: The mark of what happens only behind another finding of its table: it comes last, once for all tables.
FOLLOWS = ("follows",)
#: The mark of what happens only behind such a finding (of the same rule) of another table.
CARRIED = ("carried",)


@dataclass(frozen=True, slots=True)
class Difference:
    """What one fix ends. `finding` names it; `more` are findings about the same column, or about the columns
    that it moves; `tables` are further tables that have the same. `pair` is None for one about the link.
    """

    finding: Finding
    more: tuple[Finding, ...] = ()
    pair: PairReport | None = None
    tables: tuple[str, ...] = ()

    @property
    def effect(self) -> Effect:
        """The worst effect."""
        return max(finding.effect for finding in (self.finding, *self.more))

    @property
    def error(self) -> tuple[ServerError, bool] | None:
        """The error that the applier stops with, and whether only some rows raise it."""
        raised = [
            finding
            for finding in (self.finding, *self.more)
            if finding.error and finding.effect is self.effect
        ]
        return (raised[0].error, raised[0].depends_on_rows) if raised and raised[0].error else None

    @property
    def evidence(self) -> Evidence | None:
        """The worst state of what it is made of; None where no evidence was given."""
        every = [finding.evidence for finding in (self.finding, *self.more) if finding.evidence]
        return min(every, key=lambda evidence: evidence.rank, default=None)

    @property
    def bite(self) -> str:
        """The finding's own state, and that of another which is worse; '' where no evidence was given."""
        own = self.finding.evidence
        worst = next((finding for finding in self.more if finding.evidence == self.evidence), self.finding)
        words = [own.word] if own else []
        if worst.evidence and (own is None or worst.evidence.rank < own.rank):
            words.append(f"{worst.code} {worst.evidence.word}")
        return ", ".join(words)

    @property
    def fix(self) -> str:
        """The statement that ends it, else what to do in a sentence."""
        return self.finding.remedy_sql or self.finding.remedy

    @property
    def subject(self) -> str:
        """`db.table.column`, and how many further tables."""
        more = f" and {plural(len(self.tables), 'more table')}" if self.tables else ""
        return self.finding.subject + more

    @property
    def moves(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Where columns stand at another place: the columns that it moves, and the rules that say so."""
        if self.finding.code not in PLACES or not self.more:
            return None
        columns = dict.fromkeys(
            finding.column
            for finding in self.more
            if finding.column and finding.column != self.finding.column
        )
        return tuple(columns), tuple(dict.fromkeys(finding.code for finding in self.more))


def differences(link: Iterable[Finding], pairs: Iterable[PairReport]) -> tuple[Difference, ...]:
    """What matters (no harmless and no tolerated finding), worst first in each table; the same difference of
    several tables is listed with the first of them, what follows from others behind all. With evidence what
    bites is first.
    """
    out = [Difference(finding) for finding in link if finding.matters]
    alike: dict[tuple[object, ...], int] = {}
    for pair in pairs:
        for difference in _of_pair(pair):
            key = tuple(map(_alike, (difference.finding, *difference.more)))
            at = alike.setdefault(key, len(out))
            if at == len(out):
                out.append(difference)
            else:
                first = out[at]
                out[at] = Difference(first.finding, first.more, first.pair, (*first.tables, pair.name))
    out.sort(key=_place)
    return tuple(out)


def _place(entry: Difference) -> tuple[int, bool]:
    last = entry.finding.statements == FOLLOWS or entry.finding.code in _OF_IMAGE
    return entry.evidence.rank if entry.evidence else 0, last


def without_moved(findings: Iterable[Finding], pairs: Iterable[PairReport]) -> Iterator[Finding]:
    """These findings without columns that another one moves, which has their worst effect."""
    places = [d for pair in pairs for d in differences((), (pair,)) if d.moves]
    moved = {id(finding) for difference in places for finding in difference.more}
    by_finding = {id(difference.finding): difference for difference in places}
    for finding in findings:
        if id(finding) not in moved:
            difference = by_finding.get(id(finding))
            yield finding if difference is None else _worst(finding, difference)


def _worst(finding: Finding, difference: Difference) -> Finding:
    """The finding with the effect of its difference, and the error that makes it."""
    if difference.effect is finding.effect or difference.error is None:
        return replace(finding, effect=difference.effect)
    error, some_rows = difference.error
    return replace(finding, effect=difference.effect, error=error, depends_on_rows=some_rows)


def _alike(finding: Finding) -> tuple[object, ...]:
    """What is equal for the same difference in another table."""
    error = finding.error.number if finding.error else None
    texts = finding.source.text, finding.replica.text
    state = finding.evidence and finding.evidence.word
    return finding.code, finding.effect, finding.message, finding.column, texts, error, state


def _column(finding: Finding) -> str | None:
    """The column that it is about, or the only one by which statements must choose rows for it to happen."""
    read = [mark.removeprefix("reads:") for mark in finding.statements if mark.startswith("reads:")]
    return finding.column or (read[0] if len(read) == 1 else None)


def _of_pair(pair: PairReport) -> Iterator[Difference]:
    listed = sorted((f for f in pair.findings if f.matters), key=lambda f: f.effect, reverse=True)
    cause = next((f for f in listed if f.code in PLACES), None)
    groups: dict[object, list[Finding]] = {}
    for finding in listed:
        key: object = (
            cause
            if cause and finding.remedy == cause.remedy
            else _column(finding) or finding.remedy or finding
        )
        groups.setdefault(key, []).append(finding)
    for key, findings in groups.items():
        named = next(
            (item for item in findings if item.column and item.effect is findings[0].effect), findings[0]
        )
        first = cause if cause and key is cause else named
        yield Difference(first, tuple(item for item in findings if item is not first), pair)
