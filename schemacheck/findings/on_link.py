"""Findings about a link: no table, no place in the input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from schemacheck.link import Ends, Kind, Outcome
from schemacheck.model import Effect, Finding, ServerError

_EFFECTS = {
    Kind.RUNS: Effect.COMPATIBLE, Kind.DIVERGES: Effect.DIVERGES, Kind.UNKNOWN: Effect.UNKNOWN,
}  # fmt: skip
_THREADS = {
    Kind.IO: "the receiver (IO thread) stops", Kind.SQL: "the applier (SQL thread) stops",
    Kind.REFUSED: "CHANGE or START is refused", Kind.CRASH: "the replica crashes",
}  # fmt: skip
MEASURED = "recorded on MySQL 5.6.24, 9.7.4, MariaDB 10.11.19, 11.8.6 (docs/link.md)"


def of_outcome(outcome: Outcome, *, when: str = "") -> Finding:
    """A finding of what a link comes to. `when` names a use that nobody is known to make: then it is a note
    (`compatible`), with the error that such a use would bring."""
    effect = Effect.COMPATIBLE if when else _EFFECTS.get(outcome.kind, Effect.STOPS)
    message = outcome.why
    if outcome.dead:
        message = f"{message}: {_THREADS[outcome.kind]}" + (
            f" with error {outcome.number}" if outcome.number else " without a number"
        )
    if when:
        message = f"{when}: {message}"
    if outcome.depends:
        message = f"{message}; {outcome.depends}"
    error = ServerError(outcome.number, outcome.why) if outcome.dead else None
    return Finding(
        "", "", effect, message, error=error, depends_on_rows=bool(when) or outcome.some,
        remedy=outcome.change, reference=MEASURED,
    )  # fmt: skip


def found(
    decide: Callable[[Ends], Iterable[Outcome] | Outcome | None], when: str = ""
) -> Callable[[Ends], Iterator[Finding]]:
    """A rule's `check` around a decision of `schemacheck.link`."""

    def check(ends: Ends) -> Iterator[Finding]:
        sentences = decide(ends)
        outcomes = () if sentences is None else (sentences,) if isinstance(sentences, Outcome) else sentences
        for outcome in outcomes:
            yield of_outcome(outcome, when=when)

    return check
