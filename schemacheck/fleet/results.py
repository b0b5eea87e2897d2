"""What a run's page and summary are made of: counts that Spark makes, and the first rows of a few lists."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F  # noqa: N812 the name that every Spark program uses

from schemacheck.dataclass import dataclass, field
from schemacheck.fleet import columns
from schemacheck.fleet.saved_pairs import SavedPairs
from schemacheck.model import Effect
from schemacheck.model import column_type as types

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame

    from schemacheck.fleet.checked import Checked
    from schemacheck.fleet.place import Place

WORST_FIRST = tuple(effect.value for effect in sorted(Effect, reverse=True))
#: A type's word with its sign, and its lengths between them.
_TYPE = r"^[a-z0-9]+(\([0-9, ]*\))?( unsigned)?"
_LENGTHS = r"\([0-9, ]*\)"
#: Findings that are fetched whole, and counted and sorted here: beyond that the engine does it.
HELD = 100_000
#: What is told of a finding's pair beside its own columns.
_NAMED = ("cluster", "source", "replica", "channel", "database", "table")
_LINES = ("source_lines", "replica_lines")
_FETCHED = tuple(column for column in columns.FINDINGS if column.name in ("pair", *_NAMED)) + columns.FINDING
_PAIR_LINES = tuple(column for column in columns.PAIRS if column.name in ("pair", *_LINES))
_OF_PAIR = (*_NAMED, *_LINES)
_ORDER = ("source", "replica", "database", "table", "column", "message")


@dataclass(slots=True)
class Results:
    """The results of one run, and the findings of the run `before`. Each count is made once. `place` is where
    pairs and findings were saved, if they were.
    """

    checked: Checked
    before: DataFrame | None = None
    place: Place | None = None
    _counts: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    _held: pa.Table | None = None
    _too_many: bool = False
    #: The pairs where the engine need not be asked about them; not there before it is wanted.
    _looked: list[SavedPairs | None] = field(default_factory=list)

    @property
    def _saved(self) -> SavedPairs | None:
        if not self._looked:
            self._looked.append(SavedPairs.of(self.place))
        return self._looked[0]

    def _rows(self, name: str, frame: DataFrame) -> list[dict[str, Any]]:
        if name not in self._counts:
            self._counts[name] = [row.asDict() for row in frame.collect()]
        return self._counts[name]

    def tables(self) -> list[dict[str, Any]]:
        """Pairs by `cluster`, `verdict`, `state`, `decided_by` and `outcomes`, with `count`."""
        by = ("cluster", "verdict", "state", "decided_by", "outcomes")
        if "tables" in self._counts:
            return self._counts["tables"]
        if self._saved is not None:
            return self._counts.setdefault("tables", self._saved.counts(by))
        return self._rows("tables", self.checked.tables.groupBy(*by).agg(F.count(F.lit(1)).alias("count")))

    def findings(self) -> list[dict[str, Any]]:
        """Findings by `code`, `rule`, `effect`, state (`bite`, `bite_absent`), and the words of both types
        (`source`, `replica`), with `count`.
        """
        by = ("code", "rule", "effect", "bite", "bite_absent", "source", "replica")
        held = self._whole()
        if held is not None and "findings" not in self._counts:
            words: Counter[tuple[Any, ...]] = Counter()
            given = held.group_by([*by[:-2], "source_type", "replica_type"]).aggregate([([], "count_all")])
            for row in given.to_pylist():
                ends = (word(row["source_type"]), word(row["replica_type"]))
                words[(*(row[name] for name in by[:-2]), *ends)] += row["count_all"]
            self._counts["findings"] = [
                {**dict(zip(by, key, strict=True)), "count": count} for key, count in words.items()
            ]
        if "findings" in self._counts:
            return self._counts["findings"]
        frame = self.checked.findings.select(
            *by[:-2], _word("source_type").alias("source"),
            _word("replica_type").alias("replica"),
        )  # fmt: skip
        return self._rows("findings", frame.groupBy(*by).agg(F.count(F.lit(1)).alias("count")))

    def problems(self, limit: int) -> tuple[list[dict[str, Any]], int, int]:
        """Problems of the input, those that leave something unknown first, at most `limit`; and how many of
        either kind there are.
        """
        if self._saved is not None:
            return self._saved.problems(limit)
        problems = self.checked.problems
        counted = self._rows("problems", problems.groupBy("skipped").agg(F.count(F.lit(1)).alias("count")))
        counts = {row["skipped"]: row["count"] for row in counted}
        if not counts:
            return [], 0, 0
        names = [c.name for c in columns.PROBLEMS if c not in columns.RUN]
        first = problems.select(*names).orderBy("skipped", "instance", "file", "line", "message").limit(limit)
        return [row.asDict() for row in first.collect()], counts.get(False, 0), counts.get(True, 0)

    def spent(self) -> list[str]:
        """What tasks tell of their CPU (see `timings`)."""
        if self._saved is not None:
            return self._saved.spent()
        return [row[0] for row in self.checked.pairs.filter("spent IS NOT NULL").select("spent").collect()]

    def decisions(self) -> int:
        """Distinct pairs that the engine decided."""
        if self._saved is not None:
            return self._saved.decisions()
        found = self._rows(
            "decisions", self.checked.tables.agg(F.countDistinct("decision").alias("decisions"))
        )
        return int(found[0]["decisions"])

    def types(self) -> list[dict[str, Any]]:
        """Findings by kind of source type and of replica type, with the worst effect."""
        counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for row in self.findings():
            ends = (kind(row["source"] or ""), kind(row["replica"] or ""))
            if all(ends):
                counts[ends][row["effect"]] += row["count"]
        found = [
            {"source": a, "replica": b, "count": sum(c.values()),
            "worst": max(Effect(e) for e in c).value} for (a, b), c in counts.items()
        ]  # fmt: skip
        return sorted(found, key=lambda row: (-row["count"], row["source"], row["replica"]))

    def settings(self) -> list[tuple[str, int, int]]:
        """By slave_type_conversions: table pairs whose conversions keep every value under it, and pairs whose
        replica knows it.
        """
        kept, known = Counter[str](), Counter[str]()
        for row in self.tables():
            for name, effect in _outcomes(row["outcomes"]).items():
                known[name] += row["count"]
                kept[name] += row["count"] * (effect <= Effect.COMPATIBLE)
        return [
            (name, kept[name], known[name])
            for name in sorted(known, key=lambda name: (name.count(","), name))
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

    def _whole(self) -> pa.Table | None:
        """All findings, with what `_OF_PAIR` names; None where these are too many to be held."""
        if self._held is None and not self._too_many:
            affected = sum(row["count"] for row in self.tables() if row["verdict"] != "identical")
            self._too_many = affected > HELD
            if self._too_many:
                return None
            saved = None if self.place is None else self.place.dataset("findings", _FETCHED, "effect")
            if saved is None:
                some = self.checked.findings.select(*[f"`{column.name}`" for column in _FETCHED])
                rows = some.limit(HELD + 1).toArrow()
                self._too_many = rows.num_rows > HELD
            else:
                self._too_many = saved.count_rows() > HELD
            if self._too_many:
                return None
            self._held = self._with_lines(rows if saved is None else saved.to_table())
        return self._held

    def _with_lines(self, rows: pa.Table) -> pa.Table:
        """Findings with both definitions' lines in place of `pair`."""
        import pyarrow as pa
        import pyarrow.compute as pc

        saved = None if self.place is None else self.place.dataset("pairs", _PAIR_LINES)
        if saved is None:
            some = self.checked.pairs.filter(F.greatest(*map(F.size, _LINES)) > 0)
            lines = some.select("pair", *_LINES).toArrow()
        else:
            source, replica = (pc.list_value_length(pc.field(name)) > 0 for name in _LINES)
            lines = saved.to_table(filter=source | replica)
        places = pc.index_in(rows.column("pair"), lines.column("pair").combine_chunks())
        for name in _LINES:
            none = pa.chunked_array([pa.array([[]], lines.schema.field(name).type)])
            every = pa.chunked_array([*lines.column(name).chunks, *none.chunks])
            rows = rows.append_column(name, every.take(pc.fill_null(places, len(lines))))
        return rows.drop_columns(["pair"])

    def worst(self, limit: int = HELD) -> pa.Table:
        """Findings with both definitions' lines, worst effect first, at most `limit`; `fresh` are those that
        the run before did not have.
        """
        held = self._whole()
        return self._worst(limit) if held is None else self._marked(_sorted(held).slice(0, limit))

    def _marked(self, rows: pa.Table) -> pa.Table:
        """The rows with `fresh`."""
        import pyarrow as pa
        import pyarrow.compute as pc

        fresh = pa.array([], pa.string())
        if self.before is not None:
            ours = self.checked.findings.select("fingerprint")
            new = ours.join(self.before.select("fingerprint"), "fingerprint", "left_anti").distinct()
            fresh = new.toArrow().column("fingerprint").combine_chunks()
        marks = pc.is_in(rows.column("fingerprint"), fresh.cast(pa.string()))
        return rows.append_column("fresh", marks.cast(pa.int32()))

    def _worst(self, limit: int) -> pa.Table:
        """`worst` of more findings than are held: the engine sorts them."""
        found = self.checked.pairs.filter("n_findings > 0")
        some = found.select(*_OF_PAIR, F.explode("findings").alias("f"))
        of_finding = [F.col(f"f.`{column.name}`").alias(column.name) for column in columns.FINDING]
        rows = some.select(*_OF_PAIR, *of_finding)
        first = rows.orderBy(rank("effect"), *_ORDER).limit(limit)
        if self.before is None:
            return first.withColumn("fresh", F.lit(0)).toArrow()
        known = self.before.select("fingerprint").distinct().withColumn("known", F.lit(1))
        joined = first.join(known, "fingerprint", "left")
        fresh = F.when(F.col("known").isNull(), 1).otherwise(0)
        return joined.withColumn("fresh", fresh).orderBy(rank("effect"), "source", "replica").toArrow()

    def largest(self, limit: int) -> list[dict[str, Any]]:
        """Affected tables (worse than compatible) by size, largest first."""
        bad = [effect.value for effect in Effect if effect > Effect.COMPATIBLE]
        names = ["cluster", "source", "replica", "database", "table", "n_rows", "n_bytes", "verdict"]
        if self._saved is not None:
            return self._saved.largest(names, bad, limit)
        chosen = F.col("verdict").isin(bad) & F.col("n_bytes").isNotNull()
        frame = self.checked.tables.filter(chosen).select(*names)
        first = frame.orderBy(F.col("n_bytes").desc(), "database", "table").limit(limit)
        return [row.asDict() for row in first.collect()]

    def unknown(self, limit: int) -> tuple[int, list[dict[str, Any]]]:
        """How many pairs could not be decided, and the first of them."""
        count = sum(row["count"] for row in self.tables() if row["verdict"] == "unknown")
        if not count:
            return 0, []
        names = ["cluster", "source", "replica", "database", "table", "reason"]
        if self._saved is not None:
            return count, self._saved.unknown(names, limit)
        frame = self.checked.tables.filter(F.col("verdict") == "unknown").select(*names)
        first = frame.orderBy("source", "database", "table").limit(limit)
        return count, [row.asDict() for row in first.collect()]

    def named(self, limit: int) -> tuple[list[tuple[str, str]], int]:
        """The first names of tables, and how many there are."""
        if self._saved is not None:
            return self._saved.named(limit)
        names = self.checked.tables.select("database", "table").distinct()
        first = names.orderBy("database", "table").limit(limit).collect()
        return [(row[0], row[1]) for row in first], names.count()


def _outcomes(text: str | None) -> dict[str, Effect]:
    """The effect under every setting, of the column `outcomes`."""
    parts = (part.partition("=") for part in (text or "").split(";") if part)
    return {name: Effect(effect) for name, _, effect in parts}


def _sorted(rows: pa.Table) -> pa.Table:
    """Findings, the worst first."""
    import pyarrow as pa
    import pyarrow.compute as pc

    places = pc.index_in(rows.column("effect"), pa.array(WORST_FIRST, pa.string()))
    keys = [("rank", "ascending"), *((name, "ascending") for name in _ORDER)]
    columns_ = [pc.fill_null(rows.column(name), "") for name in _ORDER]
    given = pa.table([pc.fill_null(places, len(WORST_FIRST)), *columns_], ["rank", *_ORDER])
    return rows.take(pc.sort_indices(given, keys))


def word(text: str | None) -> str | None:
    """A type's word with its sign, '' for a text that begins with none."""
    found = None if text is None else re.match(_TYPE, text.lower())
    return text and "" if found is None else re.sub(_LENGTHS, "", found.group())


def _word(name: str) -> Column:
    """A type's word with its sign, '' for a text that begins with none."""
    return F.regexp_replace(F.regexp_extract(F.lower(name), _TYPE, 0), _LENGTHS, "")


def rank(name: str) -> Column:
    """The place of an effect, worst first."""
    rank = F.lit(len(WORST_FIRST))
    for place, effect in enumerate(WORST_FIRST):
        rank = F.when(F.col(name) == effect, place).otherwise(rank)
    return rank


_KINDS = frozenset(
    (*types.INTEGERS, *types.TEXTS, *types.BLOBS, *types.TEMPORALS, *types.GEOMETRIES, "decimal", "float",
    "double", "bit", "year", "date", "char",
     "varchar", "binary", "varbinary", "enum", "set", "json", "vector", "uuid", "inet4", "inet6", "xmltype")
)  # fmt: skip


def kind(text: str) -> str:
    """A type's word with its sign: `varchar(20) character set utf8mb4` is `varchar`; '' for a text that is no
    type.
    """
    word = re.match(r"[a-z0-9]*", text.lower())
    name = word.group() if word else ""
    if name not in _KINDS:
        return ""
    return (
        f"{name} unsigned"
        if re.search(r"\bunsigned\b", re.sub(r"'(?:[^']|'')*'", "", text.lower()))
        else name
    )


def sums(rows: Sequence[Mapping[str, Any]], *by: str) -> dict[Any, int]:
    """The counts of rows, by these columns (several: a tuple of them)."""
    found: Counter[Any] = Counter()
    for row in rows:
        found[tuple(row[name] for name in by) if len(by) > 1 else row[by[0]]] += row["count"]
    return found
