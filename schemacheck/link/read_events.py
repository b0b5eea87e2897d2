"""Whether a replica reads what a log really holds: collation numbers of its events, and their types."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from schemacheck import knowledge
from schemacheck.link.ends import Ends
from schemacheck.link.outcome import Kind, Outcome, fails
from schemacheck.model import Server

#: Numbers from which MySQL's array of collations ends.
_LARGE = 2048


@cache
def _groups() -> tuple[tuple[str, tuple[tuple[int, int], ...]], ...]:
    table = knowledge.load("collation_numbers")["groups"]
    return tuple((group, tuple((first, last) for first, last in spans)) for group, spans in table.items())


def knows_number(number: int, replica: Server) -> bool:
    """Whether the replica has a collation of this number."""
    if number >= _LARGE:
        return replica.has("collations-uca1400")
    return any(
        first <= number <= last and replica.has(f"collations-{group}")
        for group, spans in _groups()
        for first, last in spans
    )


def of_numbers(numbers: tuple[int, ...], replica: Server) -> Outcome | None:
    """What becomes of an event that names these collations; None where the replica has them all."""
    for number in numbers:
        if knows_number(number, replica):
            continue
        if number >= _LARGE and replica.has("unknown-large-collation-skips"):
            why = f"an event names the collation {number}, which {replica} leaves out without an error"
            return Outcome(
                Kind.DIVERGES, "SC911", 0, why, "Use collations that both servers have on the source"
            )
        why = f"an event names the collation {number}, which {replica} does not know"
        change = "Use collations that both servers have on the source"
        return fails(Kind.SQL, "SC911", "charset", replica, why, change=change)
    return None


def fragments(ends: Ends) -> Iterator[Outcome]:
    """Partial_rows_log_event: large row events of MariaDB 12.3 and later come in pieces."""
    source, replica = ends.source, ends.replica
    if source.has("partial-rows-event") and not replica.has("partial-rows-event"):
        threshold = source.setting("binlog_row_event_fragment_threshold")
        limit = f" = {threshold}" if threshold else ""
        why = (
            f"{replica} has no event for the pieces in which {source} logs a row event above "
            f"binlog_row_event_fragment_threshold{limit}; what it does with one was not recorded"
        )
        change = "Set binlog_row_event_fragment_threshold above the largest row event on the source"
        yield Outcome(Kind.UNKNOWN, "SC925", 0, why, change)


def of_kind(kind: str, replica: Server) -> Outcome | None:
    """An event of a kind that the replica cannot read: `payload`, `partial`, `tagged`, `mariadb-compressed`,
    `v1-rows`.
    """
    needs = {
        "payload": ("transaction-payload-event", "SC921", "compressed transactions"),
        "partial": ("partial-update-event", "SC922", "partial row events"),
        "tagged": ("gtid-tagged-event", "SC923", "tagged GTIDs"),
        "mariadb-compressed": ("compressed-events", "SC921", "compressed events of MariaDB"),
    }
    if kind == "v1-rows":
        if not replica.has("rejects-row-events-v1"):
            return None
        why = f"{replica} cannot read row events of version 1"
        return fails(Kind.SQL, "SC924", "relay-log", replica, why)
    capability, rule, words = needs[kind]
    if replica.has(capability):
        return None
    return fails(Kind.SQL, rule, "relay-log", replica, f"{replica} cannot read {words}")
