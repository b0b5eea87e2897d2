"""A group of links becomes pairs: names are followed by `engine.pairing` as in `check`, equal tables are
settled, all others are decided.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any

from schemacheck import engine
from schemacheck.alignment import Match
from schemacheck.dataclass import dataclass, field
from schemacheck.engine.carried import CARRYING, with_carried
from schemacheck.engine.pairing import Matcher, Route, Router
from schemacheck.engine.smallest import untouched
from schemacheck.fleet import bites, decide, definition, dump, shown
from schemacheck.fleet.gathered import Definition
from schemacheck.fleet.group import Group, Stream
from schemacheck.model import Effect, InputProblem, PairState, Table
from schemacheck.model.evidence import Bite

_ABOUT = itemgetter("code", "column")
_Tables = Mapping[tuple[str, str], Definition]


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
    findings: Sequence[dict[str, Any]] = ()
    match: Match | None = None
    lines: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))

    @property
    def named(self) -> Definition:
        """The definition whose name the pair has."""
        result = self.source or self.replica
        assert result is not None
        return result


@dataclass(slots=True)
class Settled:
    """The pairs of a link whose definitions are equal and always identical: nobody is asked about them."""

    stream: Stream
    ends: list[tuple[Definition, Definition]]
    smallest: str | None
    outcomes: str


def of_group(group: Group, known: Mapping[str, dump.Known]) -> tuple[list[Pair], list[Settled]]:
    """All pairs of a group, decided, and those that are settled by links."""
    pairs: list[Pair] = []
    settled: list[Settled] = []
    alone: dict[str, set[tuple[str, str]]] = {}
    into: dict[str, list[_Ways]] = {}
    for stream in group.streams:
        ways = _Ways(stream, known[stream.source].tables, known[stream.replica].tables)
        equal, some = _of_stream(ways, known)
        pairs += some
        settled.append(equal)
        own = ways.alone()
        alone[stream.replica] = alone.get(stream.replica, own) & own
        into.setdefault(stream.replica, []).append(ways)
    decide.all_open([pair for pair in pairs if pair.state == "open"])
    of_stream: dict[int, list[Pair]] = defaultdict(list)
    for pair in pairs:
        of_stream[pair.stream.number].append(pair)
    for some in of_stream.values():
        _without_unread(some, known)
    for equal in settled:
        pairs += (more := _carried(of_stream[equal.stream.number], equal))
        if texts := group.evidence.get(equal.stream.source):
            _state([*of_stream[equal.stream.number], *more], equal, texts)
    for pair in pairs:
        if pair.state == PairState.MISSING.value and not known[pair.stream.replica].whole:
            _not_missing(pair)  # a view, of which the engine is asked whether changes reach it at all
        if pair.findings and pair.source is not None and pair.replica is not None:
            pair.lines = shown.difference(pair.source, pair.replica)
    for name, tables in alone.items():
        for database, table in sorted(tables):
            only = known[name].tables[database, table]
            first = into[name][0].stream
            pair = Pair(first, None, only, database, table, "surplus", reason="only the replica has it")
            for ways in into[name]:
                stream = ways.stream
                if not known[stream.source].whole and ways.may_bring(database, table):
                    pair.stream, pair.state, pair.verdict = stream, PairState.UNREADABLE.value, "unknown"
                    pair.reason = f"no complete snapshot of the source {stream.source}"
                    break
            pairs.append(pair)
    return pairs, settled


def _without_unread(pairs: Sequence[Pair], known: Mapping[str, dump.Known]) -> None:
    """Decide a link's tables again that others refer to of which rows were not read: those say nothing."""
    stream = pairs[0].stream
    ends = [known[name] for name in (stream.source, stream.replica)]
    asked = [pair for pair in pairs if pair.decided_by == "engine"]  # (Others may only not be missing.)
    parents = [pair for pair in asked if pair.state == PairState.COMPARED.value and _is_parent(pair)]
    if not parents:
        return
    names = {pair.named.table for pair in asked if pair.state == PairState.UNREADABLE.value}
    read = {id(end) for pair in asked for end in (pair.source, pair.replica)}
    for end, server in zip(ends, (stream.dumped.source, stream.dumped.replica), strict=True):
        others = [item for item in end.tables.values() if item.odd and id(item) not in read]
        made = definition.read((server, item.text) for item in others)
        names |= {item.table for item in others if isinstance(made[server, item.text], InputProblem)}
    problems = [problem for end in ends for problem in end.problems]
    problems += [InputProblem("SC001", "", None, None, name) for name in names]
    if any(problem.table and not problem.skipped for problem in problems):
        for pair, report in zip(parents, decide.whole(parents, problems), strict=True):
            decide.tell(pair, report)


def _is_parent(pair: Pair) -> bool:
    """Whether other tables of an end refer to the pair's."""
    return any(map(definition.acts_on_others, (end.behind for end in (pair.source, pair.replica) if end)))


def _carried(pairs: Sequence[Pair], settled: Settled) -> list[Pair]:
    """Give a link's pairs what differences of other tables carry to their rows; those that were settled and
    are not any more are taken away from there and returned.
    """
    if not any(map(_carries, pairs)):
        return []
    alike = _alike(settled)
    compared = [pair for pair in pairs if pair.state == PairState.COMPARED.value and pair.replica is not None]
    every = [*compared, *alike]
    reports = decide.whole(every)
    changed = [
        (pair, after)
        for pair, before, after in zip(
            every, reports, with_carried(reports, settled.stream.link), strict=True
        )
        if after is not before
    ]
    for pair, report in changed:
        decide.tell(pair, report)
    settled_before = set(map(id, alike))
    more = [pair for pair, _ in changed if id(pair) in settled_before]
    names = {(pair.replica_database, pair.replica_table) for pair in more}
    settled.ends = [end for end in settled.ends if (end[1].database, end[1].table) not in names]
    return more


def _state(pairs: Sequence[Pair], settled: Settled, texts: Sequence[str]) -> None:
    """Give the findings of a link's pairs their states by the profiles of its source."""
    decided = [pair for pair in pairs if pair.source is not None and pair.match is not None]
    every = [pair for pair in decided if pair.findings]
    if not every:
        return
    if bites.needs_all(texts):
        every = [*decided, *_alike(settled)]
    states = bites.states(decide.whole(every), settled.stream.link, texts)
    for pair, item in zip(every, states, strict=True):
        could = [{"bite": Bite.COULD.value}] * len(pair.findings)
        # Decided otherwise beside other tables: what evidence does not decide could happen.
        same = list(map(_ABOUT, pair.findings)) == list(map(_ABOUT, item))
        pair.findings = [
            {**p, **state} for p, state in zip(pair.findings, item if same else could, strict=True)
        ]


def _alike(settled: Settled) -> list[Pair]:
    match = Match(Table("", ()), Table("", ()), settled.stream.link)
    return [
        Pair(settled.stream, source, replica, replica.database, replica.table, match=match)
        for source, replica in settled.ends
    ]


def _carries(pair: Pair) -> bool:
    """Whether rows of other tables may be changed by what is found of this pair."""
    if not any(
        finding["code"] in CARRYING and finding["effect"] == Effect.DIVERGES.value
        for finding in pair.findings
    ):
        return False
    return _is_parent(pair)


class _Ways:
    """Where the names of a link's tables lead. `straight`: to themselves, so that nobody looks for
    counterparts before one is missing.
    """

    def __init__(self, stream: Stream, ours: _Tables, theirs: _Tables) -> None:
        self.stream, self._ours, self._theirs = stream, ours, theirs
        self._router = Router(stream.link, stream.filters)
        named = all(database for database, _ in (*ours, *theirs))
        self.straight = named and self._router.straight and not stream.link.replica.folds_names

    @cached_property
    def _matcher(self) -> Matcher:
        stubs = [Table(table, (), database or None) for database, table in sorted(self._theirs)]
        return Matcher(stubs, self.stream.link, self.stream.filters)

    def match(self, database: str, table: str) -> Match:
        """The counterpart of a table, by names alone."""
        return self._matcher.match(Table(table, (), database or None))

    def route(self, database: str, table: str) -> Route:
        """Where changes of a table go."""
        return self._router.route(database or None, table)

    def alone(self) -> set[tuple[str, str]]:
        """The replica's tables that no source table leads to."""
        if self.straight:
            return self._theirs.keys() - self._ours.keys()
        return {(table.database or "", table.name) for table in self._matcher.surplus()}

    def may_bring(self, database: str, table: str) -> bool:
        """Whether the source may have a table whose changes go to this one of the replica."""
        filters = self.stream.filters
        renamed = filters is not None and filters.rewrite_db
        return bool(renamed) or not self.route(database, table).kept_out


def _not_missing(pair: Pair) -> None:
    """Nobody knows that a table is missing where not all of the replica's dump was read."""
    pair.state, pair.verdict, pair.findings = PairState.UNREADABLE.value, "unknown", ()
    pair.reason = f"no complete snapshot of the replica {pair.stream.replica}"
    pair.smallest = pair.smallest_reason = pair.outcomes = None
    pair.decided_by, pair.decision = "state", None


def _of_stream(ways: _Ways, by_name: Mapping[str, dump.Known]) -> tuple[Settled, list[Pair]]:
    """The pairs of one link: those that are settled, and the others, of which those that are `open` are for
    the engine.
    """
    stream = ways.stream
    ours, theirs = by_name[stream.source], by_name[stream.replica]
    settles = _settles(stream)
    smallest = untouched(stream.link.replica)
    equal = Settled(stream, [], smallest.modes, decide.outcomes(smallest.outcomes))
    pairs = []
    plain = Match(Table("", ()), Table("", ()), stream.link)
    for name, source in sorted(ours.tables.items(), key=itemgetter(0)):
        match, replica = plain, theirs.tables.get(name) if ways.straight else None
        if replica is None:
            match = ways.match(*name)
            other = match.replica
            replica = None if other is None else theirs.tables[other.database or "", other.name]
        if replica is None:
            route = ways.route(*name)
            pair = Pair(stream, source, None, route.database or "", route.name, match=match)
        elif (
            not (match.kept_out or match.partly or match.twin)
            and name == (replica.database, replica.table)
            and settles(source, replica)
        ):
            equal.ends.append((source, replica))
            continue
        else:
            pair = Pair(stream, source, replica, replica.database, replica.table, match=match)
        if match.kept_out:
            pair.state, pair.reason = PairState.NOT_REPLICATED.value, match.kept_out
        elif replica is None and not theirs.whole and not definition.is_view(source.text):
            _not_missing(pair)
        pairs.append(pair)
    return equal, pairs


def _settles(stream: Stream) -> Callable[[Definition, Definition], bool]:
    """Whether two definitions are equal, and always identical on this link."""
    link = stream.link
    settles, keyed = (engine.settles_equal_tables(link, primary_key=has) for has in (False, True))
    computed = engine.computes_equal_tables(link)
    if not (settles or keyed) or not stream.same_dumps:
        return lambda *_: False

    def settled(source: Definition, replica: Definition) -> bool:
        return (
            not source.odd
            and source.same_as(replica)
            and not (computed and "GENERATED" in source.text)
            and (settles or source.has_primary_key)
        )

    return settled


def keys(stream: Stream) -> Callable[[str, str, str, str], str]:
    """What stands for a link's pairs in every run: 128 bits of the link's names and both tables' (each with
    its database, the source's first).
    """
    link, blake2b = f"{stream.source}\x1f{stream.replica}\x1f{stream.channel}", hashlib.blake2b
    return lambda a, b, c, d: blake2b(
        f"{link}\x1f{a}\x1f{b}\x1f{c}\x1f{d}".encode(), digest_size=16
    ).hexdigest()


#: What is said of an instance that no link names.
UNLINKED = " was dumped but no link of the topology names it"


def problem(instance: str, result: InputProblem) -> str:
    """A problem of the input as JSON."""
    place = result.location
    names = {
        "instance": instance, "file": place and place.file, "line": place and place.line,
        "database": result.database, "table": result.table,
    }  # fmt: skip
    message = result.message.removeprefix(f"{place.file}: ") if place else result.message
    return json.dumps({"code": result.code, "message": message, **names, "skipped": result.skipped})
