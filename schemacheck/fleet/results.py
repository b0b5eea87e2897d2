"""The job's data sets, read back on the driver with Arrow: counts for the summary, rows for the report."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacheck.fleet.decide import FINDING
from schemacheck.fleet.texts import Texts
from schemacheck.model import Effect
from schemacheck.model import column_type as types

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.dataset import Dataset, Expression

WORST_FIRST = tuple(effect.value for effect in sorted(Effect, reverse=True))


#: Findings whose page takes longer than half a second.
_MANY = 20_000


@dataclass(frozen=True, slots=True)
class Results:
    """`out` holds `tables` and `findings`, `stage` the pairs, decisions and texts."""

    out: Path
    stage: Path

    def _dataset(self, folder: Path) -> Dataset:
        import pyarrow as pa
        import pyarrow.dataset as ds

        names = pa.schema([("verdict", pa.string()), ("effect", pa.string())])
        return ds.dataset(
            folder, partitioning=ds.partitioning(names, flavor="hive"), exclude_invalid_files=False
        )

    @property
    def tables(self) -> Dataset:
        """One row per pair."""
        return self._dataset(self.out / "tables")

    @property
    def findings(self) -> Dataset:
        """One row per finding."""
        return self._dataset(self.out / "findings")

    @property
    def many(self) -> bool:
        """Whether there are so many findings that the page takes seconds."""
        return bool(self.findings.count_rows() > _MANY)

    def count(self, *columns: str, table: str = "tables") -> list[dict[str, Any]]:
        """Rows per combination of these columns, most first, with `count`, `tables` rows also
        with `bytes`.
        """
        frame = _frame(
            self.tables if table == "tables" else self.findings,
            [*columns, *(["n_bytes"] if table == "tables" else [])],
        )
        sums = [("n_bytes", "sum")] if table == "tables" else []
        grouped = frame.group_by(list(columns)).aggregate([([], "count_all"), *sums])
        rows = [
            {**{c: row[c] for c in columns}, "count": row["count_all"], "bytes": row.get("n_bytes_sum") or 0}
            for row in grouped.to_pylist()
        ]
        return sorted(rows, key=lambda row: (-row["count"], *(str(row[c]) for c in columns)))

    def decisions(self) -> int:
        """Distinct pairs that the engine decided."""
        folder = self.stage / "decisions"
        return int(self._dataset(folder).count_rows()) if any(folder.glob("*.parquet")) else 0

    def type_pairs(self) -> list[dict[str, Any]]:
        """Findings by kind of source type and of replica type (words without lengths), with the
        worst effect.
        """
        frame = _frame(self.findings, ["source_type", "replica_type", "effect"])
        grouped = (
            frame.group_by(["source_type", "replica_type", "effect"])
            .aggregate([([], "count_all")])
            .to_pylist()
        )
        counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for row in grouped:
            ends = (kind(row["source_type"] or ""), kind(row["replica_type"] or ""))
            if all(ends):
                counts[ends][row["effect"]] += row["count_all"]
        found = [
            {"source": a, "replica": b, "count": sum(c.values()),
            "worst": max(Effect(e) for e in c).value} for (a, b), c in counts.items()
        ]  # fmt: skip
        return sorted(found, key=lambda row: (-row["count"], row["source"], row["replica"]))

    def smallest(self) -> dict[str, Any]:
        """The smallest setting under which the conversions of all tables together change nothing, by what
        every table's outcomes say.

        `modes` is None where none does; without `outcomes` no table was compared.
        """
        frame = _frame(self.tables, ["outcomes"])
        every: dict[str, Effect] | None = None
        for text in frame.column("outcomes").unique().to_pylist():
            if text:
                here = {
                    name: Effect(effect)
                    for name, _, effect in (part.partition("=") for part in text.split(";"))
                }
                # A setting that one of the replicas does not know is none for all of them.
                every = (
                    here
                    if every is None
                    else {name: max(effect, here[name]) for name, effect in every.items() if name in here}
                )
        totals = every or {}
        modes = next((m for m, effect in totals.items() if effect <= Effect.COMPATIBLE), None)
        return {"modes": modes, "outcomes": {m: e.value for m, e in totals.items()}}

    def worst(self, limit: int) -> pa.Table:
        """Findings, worst effect first, at most `limit`."""
        import pyarrow as pa
        import pyarrow.dataset as ds

        found = []
        left = limit
        for effect in WORST_FIRST if self.findings.files else ():
            rows = self.findings.filter(ds.field("effect") == effect).head(left)
            if rows.num_rows:
                found.append(rows)
                left -= rows.num_rows
            if left <= 0:
                break
        return (
            pa.concat_tables(found, promote_options="default")
            if found
            else pa.table({name: pa.array([], pa.string()) for name in _FINDING})
        )

    def largest(self, limit: int) -> list[dict[str, Any]]:
        """Affected tables (worse than compatible) by size, largest first."""
        import pyarrow.dataset as ds

        bad = [effect.value for effect in Effect if effect > Effect.COMPATIBLE]
        names = ["cluster", "source", "replica", "database", "table", "n_rows", "n_bytes", "verdict"]
        frame = _frame(self.tables, names, ds.field("verdict").isin(bad) & ds.field("n_bytes").is_valid())
        return list(
            frame.sort_by([("n_bytes", "descending"), ("database", "ascending"), ("table", "ascending")])
            .slice(0, limit)
            .to_pylist()
        )

    def unknown(self, limit: int) -> tuple[int, list[dict[str, Any]]]:
        """How many pairs could not be decided, and the first of them."""
        import pyarrow.dataset as ds

        names = ["cluster", "source", "replica", "database", "table", "reason", "decision"]
        frame = _frame(self.tables, names, ds.field("verdict") == "unknown")
        rows = frame.sort_by([("source", "ascending"), ("database", "ascending"), ("table", "ascending")])
        return frame.num_rows, list(rows.slice(0, limit).to_pylist())

    @property
    def texts(self) -> Texts:
        """The definitions' texts."""
        return Texts(str(self.stage / "texts"))

    def sample(self, size: int) -> tuple[list[tuple[list[dict[str, Any]], int]], int]:
        """What `whatif.ask` takes: at most `size` differing distinct pairs (0: all) and a quarter as many
        equal ones, and the number of all distinct pairs.
        """
        import pyarrow as pa
        import pyarrow.compute as pc
        import pyarrow.dataset as ds

        chosen = (
            ds.field("state").isin(["open", "settled"])
            & ds.field("s_sig").is_valid()
            & ds.field("r_sig").is_valid()
        )
        frame = self._dataset(self.stage / "pairs").to_table(
            columns=["profile", "s_sig", "r_sig"], filter=chosen
        )
        distinct = frame.group_by(["profile", "s_sig", "r_sig"]).aggregate([([], "count_all")])
        same = pc.equal(distinct.column("s_sig"), distinct.column("r_sig"))
        samples, pairs = [], []
        # Equal tables are much alike: a few tell what becomes of them.
        for kind, most in ((distinct.filter(pc.invert(same)), size), (distinct.filter(same), size // 4)):
            # Signatures are hashes: their order is random, and the same on every run.
            keyed = kind.append_column("key", pc.utf8_reverse(kind.column("s_sig").cast(pa.string())))
            first = keyed.sort_by([("key", "ascending"), ("r_sig", "ascending"), ("profile", "ascending")])
            samples.append(first.slice(0, most or None).to_pylist())
            pairs.append(pc.sum(kind.column("count_all")).as_py() or 0)
        wanted = list({sig for rows_ in samples for row in rows_ for sig in (row["s_sig"], row["r_sig"])})
        texts = dict(zip(wanted, self.texts.all(pa.array(wanted, pa.string())).to_pylist(), strict=True))
        strata = [
            (
                [
                    {
                        "profile": r["profile"],
                        "source": texts[r["s_sig"]],
                        "replica": texts[r["r_sig"]],
                        "count": r["count_all"],
                    }
                    for r in rows_
                ],
                count,
            )
            for rows_, count in zip(samples, pairs, strict=True)
        ]
        return strata, distinct.num_rows


#: Columns of a data set of findings; without any, only their names are known.
_FINDING = (
    "link",
    "cluster",
    "source",
    "replica",
    "channel",
    "database",
    "table",
    "source_signature",
    "replica_signature",
    *(name for name, _ in FINDING),
)


def _frame(data: Dataset, columns: list[str], chosen: Expression | None = None) -> pa.Table:
    """These columns; of a data set without any file, no rows."""
    import pyarrow as pa

    if data.files:
        return data.to_table(columns=columns, filter=chosen)
    numbers = ("n_bytes", "n_rows")
    return pa.table({name: pa.array([], pa.int64() if name in numbers else pa.string()) for name in columns})


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
