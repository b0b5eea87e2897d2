"""A group of links becomes pairs: names are followed by `engine.pairing` as in `check`, equal tables are
settled, all others are decided.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from schemacheck import engine
from schemacheck.alignment import Match
from schemacheck.dataclass import dataclass, field
from schemacheck.engine.pairing import Matcher
from schemacheck.engine.smallest import untouched
from schemacheck.fleet import decide, definition, dump, shown
from schemacheck.fleet.group import Group, Stream
from schemacheck.fleet.rows import Definition
from schemacheck.model import InputProblem, PairState, SmallestSetting, Table


@dataclass(slots=True)
class Pair:
    """One row of the result: a source's table on one of its links, or a table that only the replica has."""

    stream: Stream
    source: Definition | None
    replica: Definition | None
    replica_database: str
    replica_table: str
    state: str = "open"
    verdict: str = "identical"
    reason: str | None = None
    smallest: str | None = None
    smallest_reason: str | None = None
    outcomes: str | None = None
    decided_by: str = "state"
    decision: str | None = None
    remembered: str | None = None
    findings: Sequence[Mapping[str, Any]] = ()
    match: Match | None = None
    lines: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))

    @property
    def named(self) -> Definition:
        """The definition whose name the pair has."""
        found = self.source or self.replica
        assert found is not None
        return found


def of_group(
    group: Group, known: Mapping[str, dump.Known], remembered: Mapping[str, decide.Answer]
) -> tuple[list[Pair], dict[str, decide.Answer]]:
    """All pairs of a group, decided; and the engine's answers. `remembered` are those of an earlier run."""
    found: list[Pair] = []
    alone: dict[str, set[tuple[str, str]]] = {}
    into: dict[str, list[tuple[Stream, Matcher]]] = {}
    stubs = {
        name: [Table(table, (), database or None) for database, table in sorted(one.tables)]
        for name, one in known.items()
    }
    for stream in group.streams:
        matcher = Matcher(stubs[stream.replica], stream.link, stream.filters)
        found += _of_stream(stream, known, stubs[stream.source], matcher)
        own = {(table.database or "", table.name) for table in matcher.surplus()}
        alone[stream.replica] = alone.get(stream.replica, own) & own
        into.setdefault(stream.replica, []).append((stream, matcher))
    answers = decide.all_open([pair for pair in found if pair.state == "open"], remembered)
    for pair in found:
        if pair.state == PairState.MISSING.value and not known[pair.stream.replica].whole:
            _not_missing(pair)  # a view, of which the engine is asked whether changes reach it at all
        if pair.findings and pair.source is not None and pair.replica is not None:
            pair.lines = shown.difference(pair.source.text, pair.replica.text)
    for name, tables in alone.items():
        for database, table in sorted(tables):
            only = known[name].tables[database, table]
            pair = Pair(
                into[name][0][0], None, only, database, table, "surplus", reason="only the replica has it"
            )
            for stream, matcher in into[name]:
                if not known[stream.source].whole and _may_bring(stream, matcher, database, table):
                    pair.stream, pair.state, pair.verdict = stream, PairState.UNREADABLE.value, "unknown"
                    pair.reason = f"no complete snapshot of the source {stream.source}"
                    break
            found.append(pair)
    return found, answers


def _may_bring(stream: Stream, matcher: Matcher, database: str, table: str) -> bool:
    """Whether the source may have a table whose changes go to this one of the replica."""
    renamed = stream.filters is not None and stream.filters.rewrite_db
    return bool(renamed) or not matcher.route(database, table).kept_out


def _not_missing(pair: Pair) -> None:
    """Nobody knows that a table is missing where not all of the replica's dump was read."""
    pair.state, pair.verdict, pair.findings = PairState.UNREADABLE.value, "unknown", ()
    pair.reason = f"no complete snapshot of the replica {pair.stream.replica}"
    pair.smallest = pair.smallest_reason = pair.outcomes = None
    pair.decided_by, pair.decision, pair.remembered = "state", None, None


def _of_stream(
    stream: Stream, known: Mapping[str, dump.Known], stubs: Sequence[Table], matcher: Matcher
) -> Iterator[Pair]:
    """The pairs of one link; those that are `open` are for the engine."""
    ours, theirs = known[stream.source], known[stream.replica]
    settles, keyed = (engine.settles_equal_tables(stream.link, primary_key=has) for has in (False, True))
    same = _same(untouched(stream.link.replica))
    computed = engine.computes_equal_tables(stream.link)
    for stub in stubs:
        match = matcher.match(stub)
        source = ours.tables[stub.database or "", stub.name]
        other = match.replica
        replica = None if other is None else theirs.tables[other.database or "", other.name]
        if other is None:
            way = matcher.route(stub.database, stub.name)
            pair = Pair(stream, source, None, way.database or "", way.name, match=match)
        else:
            pair = Pair(stream, source, replica, other.database or "", other.name, match=match)
        if match.kept_out:
            pair.state, pair.reason = PairState.NOT_REPLICATED.value, match.kept_out
        elif replica is None and not theirs.whole and not definition.is_view(source.text):
            _not_missing(pair)
        elif (
            (settles or keyed)
            and replica is not None
            and not (source.odd or match.partly or match.twin)
            and (source.database, source.table) == (replica.database, replica.table)
            and source.same_as(replica)
            and not (computed and "GENERATED" in source.text)
            and (settles or source.has_primary_key)
        ):
            pair.state, pair.decided_by = PairState.COMPARED.value, "hash"
            pair.smallest, pair.outcomes = same
        yield pair


def _same(smallest: SmallestSetting) -> tuple[str | None, str]:
    return smallest.modes, decide.outcomes(smallest)


def key(pair: Pair) -> str:
    """What stands for a pair in every run: 128 bits of its link's and its names."""
    stream, source = pair.stream, pair.source
    parts = (
        stream.source,
        stream.replica,
        stream.channel,
        *((source.database, source.table) if source is not None else ("", "")),
        pair.replica_database,
        pair.replica_table,
    )
    return hashlib.blake2b("\x1f".join(parts).encode(), digest_size=16).hexdigest()


def problem(instance: str, found: InputProblem) -> str:
    """A problem of the input as JSON."""
    place = found.location
    return json.dumps(
        {
            "code": found.code,
            "message": found.message,
            "instance": instance,
            "file": place.file if place else None,
            "line": place.line if place else None,
            "database": found.database,
            "table": found.table,
            "skipped": found.skipped,
        }
    )
