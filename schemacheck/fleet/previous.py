"""What changed since an earlier run: findings that are new, fixed, worse or better."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F  # noqa: N812 the name that every Spark program uses

from schemacheck.fleet import columns
from schemacheck.fleet.results import WORST_FIRST, rank

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_SHOWN = ("code", "rule", "column", "source_type", "replica_type", "message", "fingerprint")
#: Columns of the data set of changes.
CHANGES = (
    *columns.RUN,
    columns.Column("change", "string", "new, fixed, worse or better"),
    *(column for column in columns.FINDINGS if column in columns.PAIR or column.name in _SHOWN),
    columns.Column("effect", "string", "its effect now; null: fixed"),
    columns.Column("previous_effect", "string", "its effect in the earlier run; null: new"),
)


def changes(now: DataFrame, before: DataFrame) -> DataFrame:
    """Rows of CHANGES, and those of findings that are `unchanged`. Both are data sets of findings; what
    has one fingerprint several times counts once, with its worst effect.
    """
    keys = [c.name for c in CHANGES[3:-2] if c.name != "fingerprint"]

    def side(frame: DataFrame, name: str) -> DataFrame:
        one = F.min(F.struct(rank("effect").alias("rank"), *[F.col(f"`{key}`") for key in keys]))
        return frame.groupBy("fingerprint").agg(one.alias(name))

    joined = side(now, "a").join(side(before, "b"), "fingerprint", "full")
    change = (
        F.when(F.col("b").isNull(), "new")
        .when(F.col("a").isNull(), "fixed")
        .when(F.col("a.rank") < F.col("b.rank"), "worse")
        .when(F.col("a.rank") > F.col("b.rank"), "better")
        .otherwise("unchanged")
    )
    return joined.select(
        change.alias("change"),
        *[F.coalesce(f"a.`{key}`", f"b.`{key}`").alias(key) for key in keys],
        "fingerprint",
        _effect("a").alias("effect"),
        _effect("b").alias("previous_effect"),
    )


def first(changed: DataFrame, limit: int) -> list[dict[str, Any]]:
    """The first changes, as values for JSON: what is new or worse, then what is fixed, the worst first."""
    order = F.when(F.col("change").isin("new", "worse"), 0).otherwise(1)
    names = [c.name for c in CHANGES if c not in columns.RUN]
    rows = changed.orderBy(order, rank("effect"), "source", "replica", "database", "table", "column")
    return [row.asDict() for row in rows.limit(limit).select(*[f"`{name}`" for name in names]).collect()]


def _effect(side: str) -> Column:
    found = F.lit(None).cast("string")
    for place, effect in enumerate(WORST_FIRST):
        found = F.when(F.col(f"{side}.rank") == place, effect).otherwise(found)
    return found
