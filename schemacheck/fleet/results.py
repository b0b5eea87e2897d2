"""What a run's page and summary are made of: one pass over its pairs, by whoever sees them (this process, or
the workers of a cluster), whose parts are put together.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import dataclass
from schemacheck.fleet import columns, data_sets, task
from schemacheck.fleet.workers import ahead
from schemacheck.model import Effect
from schemacheck.model.type_facts import TYPES

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa
    from pyspark.sql import DataFrame

    from schemacheck.fleet.place import Place

WORST_FIRST = tuple(effect.value for effect in sorted(Effect, reverse=True))
#: Findings that are fetched whole, the worst, and rows of other lists.
HELD, LISTED = 100_000, 500
#: Parts that wait to be put together, and threads that make them.
_WAITING, _THREADS = 8, 2
_OF_PAIR = (
    "cluster", "source", "replica", "channel", "database", "table", "source_lines", "replica_lines",
)  # fmt: skip
#: What is told of each row of GROUPS.
_OF_GROUP = ["spent", "links", "remembered"]
#: Rows of GROUPS that are read together.
_GROUPS = 16
#: What is told of a finding.
_WORST = (*_OF_PAIR, *(column.name for column in columns.FINDING))
#: What pairs, and findings, are counted by.
_BY = ("cluster", "verdict", "state", "decided_by", "outcomes")
_BY_FINDING = ("cluster", "code", "rule", "effect", "bite", "bite_absent")
#: Lists of pairs: their columns, and what comes first (`-`: the largest).
_LISTS = {
    "largest": (
        ("cluster", "source", "replica", "database", "table", "n_rows", "n_bytes", "verdict"),
        ("-n_bytes", "database", "table"),
    ),
    "unknown": (
        ("cluster", "source", "replica", "database", "table", "reason"), ("source", "database", "table")
    ),
}  # fmt: skip
_ORDER = ("rank", "source", "replica", "database", "table", "column", "message")
#: What is put together, by name.
PARTS = ("tables", "findings", "worst", *_LISTS, "names", "decisions", "problems", "counted")

_Parts = dict[str, "pa.Table"]


def _parts(batch: pa.RecordBatch, folder: Path | None = None, number: int = 0) -> _Parts:
    """What some rows of pairs tell; with a folder the data sets made of them are written, under a number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    names = batch.column("pair")
    pairs = batch.filter(pc.is_valid(names)) if names.null_count else batch
    findings = data_sets.findings(pairs)
    if folder is not None:
        data_sets.save(batch, pairs, findings, folder, number)
    verdicts = pairs.column("verdict")
    bad = pc.is_in(verdicts, pa.array([effect.value for effect in Effect if effect > Effect.COMPATIBLE]))
    chosen = {
        "largest": pc.and_(bad, pc.is_valid(pairs.column("n_bytes"))),
        "unknown": pc.equal(verdicts, Effect.UNKNOWN.value),
    }
    rank = pc.index_in(findings.column("effect"), pa.array(WORST_FIRST))
    problems = data_sets.problems(batch, ())
    return {
        "tables": _counted(_table(pairs, _BY)),
        "findings": _counted(_with_kinds(findings)),
        "worst": findings.select(_WORST).append_column("rank", rank),
        **{name: _table(pairs.filter(chosen[name]), read) for name, (read, _) in _LISTS.items()},
        "names": _table(pairs, ("database", "table")),
        "decisions": _table(pairs, ("decision",)).drop_null(),
        "problems": problems,
        "counted": _counted(problems.select(["skipped"])),
    }


def _with_kinds(findings: pa.Table) -> pa.Table:
    """What findings are counted by: `_BY_FINDING`, and the kinds of both types (`source`, `replica`)."""
    import pyarrow as pa
    import pyarrow.compute as pc

    rows = findings.select(_BY_FINDING)
    for end in ("source", "replica"):
        types = pc.fill_null(findings.column(f"{end}_type"), "").combine_chunks().dictionary_encode()
        kinds = pa.array([kind(text) for text in types.dictionary.to_pylist()], pa.string())
        rows = rows.append_column(end, kinds.take(types.indices))
    return rows


def _table(batch: pa.RecordBatch, names: Sequence[str]) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_batches([batch.select(list(names))])


def _counted(rows: pa.Table) -> pa.Table:
    import pyarrow as pa

    return rows.append_column("count", pa.repeat(pa.scalar(1, pa.int64()), rows.num_rows))


def _together(every: Sequence[_Parts]) -> _Parts:
    """Parts as one: equal rows counted, the first of a list."""
    import pyarrow as pa

    made = {}
    for name in PARTS:
        rows = pa.concat_tables([item[name] for item in every])
        if "count" in rows.column_names:
            by = [column for column in rows.column_names if column != "count"]
            rows = rows.group_by(by).aggregate([("count", "sum")]).rename_columns([*by, "count"])
        elif name in ("names", "decisions"):
            rows = rows.group_by(rows.column_names).aggregate([])
        elif name == "worst":
            rows = _first(rows, _ORDER, HELD)
        elif name == "problems":
            # A whole file that was not read is why its tables are not known: it comes before them.
            rows = _first(rows, ("skipped", "table", "instance", "file", "line", "message"), LISTED)
        elif name in _LISTS:
            rows = _first(rows, _LISTS[name][1], LISTED)
        made[name] = rows
    return made


def _first(rows: pa.Table, order: Sequence[str], limit: int) -> pa.Table:
    """The first rows in this order; what is null comes before all else."""
    import pyarrow as pa
    import pyarrow.compute as pc

    given = {}
    for name in (text.lstrip("-") for text in order):
        values = rows.column(name)
        nothing = "" if pa.types.is_string(values.type) else False if name == "skipped" else -1
        given[name] = pc.fill_null(values, pa.scalar(nothing, values.type))
    keys = [(text.lstrip("-"), "descending" if text[0] == "-" else "ascending") for text in order]
    return rows.take(pc.sort_indices(pa.table(given), keys).slice(0, limit))


def _gathered(batches: Iterable[pa.RecordBatch], folder: Path | None = None) -> _Parts | None:
    """What all rows tell; no more of them is held at a time than memory bears."""
    waiting: list[_Parts] = []
    for some in ahead(lambda item: _parts(item[1], folder, item[0]), enumerate(batches), _THREADS):
        waiting.append(some)
        if len(waiting) > _WAITING or sum(item["worst"].num_rows for item in waiting) > 2 * HELD:
            waiting = [_together(waiting)]
    return _together(waiting) if waiting else None


def packed(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What rows of GROUPS tell, as one row of PARTS, each an Arrow stream."""
    import pyarrow as pa

    result = _gathered(data_sets.together(task.unpacked(batches)))
    if result is None:
        return
    each = []
    for name in PARTS:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, result[name].schema) as stream:
            stream.write_table(result[name])
        each.append(pa.array([sink.getvalue().to_pybytes()], pa.binary()))
    yield pa.RecordBatch.from_arrays(each, names=list(PARTS))


def _unpacked(row: Mapping[str, bytes]) -> _Parts:
    import pyarrow as pa

    return {name: pa.ipc.open_stream(bytes(row[name])).read_all() for name in PARTS}


@dataclass(frozen=True, slots=True)
class Results:
    """What a run's pairs tell, by PARTS: the first rows of lists, and counts."""

    parts: Mapping[str, pa.Table]

    @classmethod
    def of(cls, groups: DataFrame | None, place: Place | None = None) -> Results:
        """Those of rows of GROUPS (behind RUN), which were saved there. What lies on this machine is read
        here, and the data sets made of it are written, which costs an engine five times as much.
        """
        import pyarrow as pa

        none = pa.RecordBatch.from_pylist([], task.arrow_schema((*columns.RUN, *columns.PAIRS)))
        saved = None if place is None else place.dataset("memory", (*columns.RUN, *columns.GROUPS))
        if saved is not None:
            batches = saved.to_batches(batch_size=_GROUPS, batch_readahead=2, fragment_readahead=1)
            assert place is not None
            parts = _gathered(chain(data_sets.together(task.unpacked(batches)), [none]), place.here)
            groups_ = saved.to_table(_OF_GROUP)
        else:
            assert groups is not None
            kinds = ", ".join(f"`{name}` binary" for name in PARTS)
            rows = groups.mapInArrow(packed, kinds).toLocalIterator()
            parts = _parts(none)
            for row in rows:
                parts = _together([parts, _unpacked(row.asDict())])
            groups_ = groups.select(*_OF_GROUP).toArrow()
        assert parts is not None
        return cls({**parts, "groups": groups_})

    def tables(self) -> list[dict[str, Any]]:
        """Pairs by `cluster`, `verdict`, `state`, `decided_by` and `outcomes`, with `count`."""
        return list(self.parts["tables"].to_pylist())

    def findings(self) -> list[dict[str, Any]]:
        """Findings by `cluster`, `code`, `rule`, `effect`, state (`bite`, `bite_absent`), and the kinds of
        both types (`source`, `replica`), with `count`.
        """
        return list(self.parts["findings"].to_pylist())

    def problems(self) -> tuple[list[dict[str, Any]], int, int]:
        """Problems of the input, those that leave something unknown first; and how many of either kind there
        are.
        """
        counts = {row["skipped"]: row["count"] for row in self.parts["counted"].to_pylist()}
        return self.parts["problems"].to_pylist(), counts.get(False, 0), counts.get(True, 0)

    def spent(self) -> list[str]:
        """What tasks tell of their CPU (see `timings`)."""
        return [text for text in self.parts["groups"].column("spent").to_pylist() if text is not None]

    def remembered(self) -> set[int]:
        """The numbers of links whose rows are those of the earlier run."""
        rows = self.parts["groups"].to_pylist()
        return {number for row in rows if row["remembered"] for number, _ in json.loads(row["links"])}

    def decisions(self) -> int:
        """Distinct pairs that the engine decided."""
        return int(self.parts["decisions"].num_rows)

    def types(self) -> list[dict[str, Any]]:
        """Findings by kind of source type and of replica type, with the worst effect."""
        counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for row in self.findings():
            ends = (row["source"], row["replica"])
            if all(ends):
                counts[ends][row["effect"]] += row["count"]
        result = [
            {"source": a, "replica": b, "count": sum(c.values()),
            "worst": max(Effect(e) for e in c).value} for (a, b), c in counts.items()
        ]  # fmt: skip
        return sorted(result, key=lambda row: (-row["count"], row["source"], row["replica"]))

    def settings(self) -> list[tuple[str, int, int]]:
        """By slave_type_conversions: table pairs whose conversions keep every value under it, and pairs whose
        replica knows it.
        """
        cache, by_name = Counter[str](), Counter[str]()
        for row in self.tables():
            for name, effect in _outcomes(row["outcomes"]).items():
                by_name[name] += row["count"]
                cache[name] += row["count"] * (effect <= Effect.COMPATIBLE)
        return [
            (name, cache[name], by_name[name])
            for name in sorted(by_name, key=lambda name: (name.count(","), name))
        ]

    def smallest(self) -> dict[str, Any]:
        """The smallest setting under which the conversions of all tables together change nothing, by what
        every table's outcomes say.

        `modes` is None where none does; without `outcomes` no table was compared.
        """
        every: dict[str, Effect] | None = None
        for text in sorted({row["outcomes"] or "" for row in self.tables()}, key=len):
            if here := _outcomes(text):
                # A setting that one of the replicas does not know is none for all of them.
                every = (
                    here
                    if every is None
                    else {name: max(effect, here[name]) for name, effect in every.items() if name in here}
                )
        totals = every or {}
        modes = next((m for m, effect in totals.items() if effect <= Effect.COMPATIBLE), None)
        return {"modes": modes, "outcomes": {m: e.value for m, e in totals.items()}}

    def worst(self, fresh: pa.ChunkedArray | None = None) -> pa.Table:
        """Findings with both definitions' lines, worst effect first; the column `fresh` says which have one
        of these fingerprints.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        rows = self.parts["worst"]
        marks = pc.is_in(
            rows.column("fingerprint"), pa.array([]).cast(pa.string()) if fresh is None else fresh
        )
        return rows.append_column("fresh", marks.cast(pa.int32()))

    def largest(self) -> list[dict[str, Any]]:
        """Affected tables (worse than compatible) by size, largest first."""
        return list(self.parts["largest"].to_pylist())

    def unknown(self) -> tuple[int, list[dict[str, Any]]]:
        """How many pairs could not be decided, and the first of them."""
        count = sum(row["count"] for row in self.tables() if row["verdict"] == Effect.UNKNOWN.value)
        return count, self.parts["unknown"].to_pylist()

    def named(self, limit: int) -> tuple[list[tuple[str, str]], int]:
        """The first names of tables, and how many there are."""
        rows = self.parts["names"]
        first = _first(rows, ("database", "table"), limit).to_pylist()
        return [(row["database"], row["table"]) for row in first], rows.num_rows


def _outcomes(text: str | None) -> dict[str, Effect]:
    """The effect under every setting, of the column `outcomes`."""
    parts = (part.partition("=") for part in (text or "").split(";") if part)
    return {name: Effect(effect) for name, _, effect in parts}


def kind(text: str) -> str:
    """A type's word with its sign: `varchar(20) character set utf8mb4` is `varchar`; '' for a text that is no
    type.
    """
    word = re.match(r"[a-z0-9]*", text.lower())
    name = word.group() if word else ""
    if name not in TYPES:
        return ""
    bare = re.sub(r"'(?:[^']|'')*'", "", text.lower()) if "unsigned" in text.lower() else ""
    return f"{name} unsigned" if re.search(r"\bunsigned\b", bare) else name


def sums(rows: Sequence[Mapping[str, Any]], *by: str) -> dict[Any, int]:
    """The counts of rows, by these columns (several: a tuple of them)."""
    result: Counter[Any] = Counter()
    for row in rows:
        result[tuple(row[name] for name in by) if len(by) > 1 else row[by[0]]] += row["count"]
    return result
