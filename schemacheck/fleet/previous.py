"""What changed since an earlier run: findings that are new, fixed, worse or better, and those of which nobody
knows any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812 the name that every Spark program uses

from schemacheck.fleet import columns
from schemacheck.fleet.checked import small
from schemacheck.fleet.results import WORST_FIRST
from schemacheck.fleet.trend import Changes

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from schemacheck.fleet.checked import Checked, Written

_ENDS = ["source", "replica", "channel"]
_LINK = ", ".join(f"{name} string" for name in _ENDS)


def changes(
    checked: Checked | Written,
    before: DataFrame,
    links: Sequence[Sequence[str]],
    alike: Sequence[Sequence[str]] = (),
) -> DataFrame:
    """Rows of columns.CHANGES. `before` are the findings of an earlier run, `links` the source, replica and
    channel of every link now, `alike` those of which both runs have the same rows. A finding is `fixed` where
    its tables were read and do not have it any more, or are gone; what was not looked at, or not read, is
    `unseen`.
    """
    now = checked.findings
    if alike:
        same = small(now.sparkSession.createDataFrame(list(map(tuple, alike)), _LINK))
        now, before = (frame.join(same, _ENDS, "left_anti") for frame in (now, before))
    moved = _moved(now, before)
    keys = [c.name for c in columns.CHANGES[3:-2] if c.name != "fingerprint"]

    def side(frame: DataFrame, name: str) -> DataFrame:
        column = F.min(F.struct(rank("effect").alias("rank"), *[F.col(f"`{key}`") for key in keys]))
        some = frame.join(moved, "fingerprint", "left_semi")
        return some.groupBy("fingerprint").agg(column.alias(name))

    joined = side(now, "a").join(side(before, "b"), "fingerprint", "full")
    spark = joined.sparkSession
    pairs = checked.tables.groupBy("pair").agg(
        F.max((F.col("state") == "unreadable").cast("int")).alias("bad")
    )
    unread = checked.problems.filter(~F.col("skipped")).select("instance").distinct()
    select = spark.createDataFrame(list(map(tuple, links)), _LINK)
    # Plain equality: engines compare row by row where null may equal null. (What is new has no name in b.)
    for name, end in (("of_source", "source"), ("of_replica", "replica")):
        of_end = small(unread.select(F.col("instance").alias(name)))
        joined = joined.join(of_end, F.col(f"b.{end}") == F.col(name), "left")
    named = [F.col(f"b.{name}") == F.col(f"known_{name}") for name in select.columns]
    select = select.distinct().select(*[F.col(name).alias(f"known_{name}") for name in select.columns])
    joined = joined.join(small(select), reduce(and_, named), "left")
    joined = joined.join(
        pairs.withColumnRenamed("pair", "known_pair"), F.col("b.pair") == F.col("known_pair"), "left"
    )
    lost = F.col("known_pair").isNull() & (F.col("of_source").isNotNull() | F.col("of_replica").isNotNull())
    change = (
        F.when(F.col("b").isNull(), "new")
        .when(F.col("a").isNull() & (F.col("known_source").isNull() | (F.col("bad") == 1) | lost), "unseen")
        .when(F.col("a").isNull(), "fixed")
        .when(F.col("a.rank") < F.col("b.rank"), "worse")
        .otherwise("better")
    )
    return joined.select(
        change.alias("change"),
        *[F.coalesce(f"a.`{key}`", f"b.`{key}`").alias(key) for key in keys],
        "fingerprint",
        _effect("a").alias("effect"),
        _effect("b").alias("previous_effect"),
    )


def _moved(now: DataFrame, before: DataFrame) -> DataFrame:
    """The fingerprints of findings that only one run has, or each with another effect. (On most days these
    are few, and what is told of a finding is wide.)
    """
    nobody = F.lit(None).cast("int")
    ours = now.select("fingerprint", rank("effect").alias("a"), nobody.alias("b"))
    theirs = before.select("fingerprint", nobody.alias("a"), rank("effect").alias("b"))
    both = ours.unionByName(theirs).groupBy("fingerprint").agg(F.min("a").alias("a"), F.min("b").alias("b"))
    here, there = F.coalesce("a", F.lit(-1)), F.coalesce("b", F.lit(-1))
    return both.filter(here != there).select("fingerprint")


def summed(changed: DataFrame, limit: int) -> Changes:
    """The changes, of which the first are those that are new or worse, then the rest, the worst first."""
    counts = {row["change"]: row["count"] for row in changed.groupBy("change").count().collect()}
    order = F.when(F.col("change").isin("new", "worse"), 0).otherwise(1)
    names = [f"`{c.name}`" for c in columns.CHANGES if c not in columns.RUN]
    rows = changed.orderBy(order, rank("effect"), "source", "replica", "database", "table", "column")
    first = [row.asDict() for row in rows.limit(limit).select(*names).collect()]
    fresh = changed.filter("change = 'new'").select("fingerprint").toArrow().column(0)
    return Changes(counts, first, fresh)


def _effect(side: str) -> Column:
    column = F.lit(None).cast("string")
    for place, effect in enumerate(WORST_FIRST):
        column = F.when(F.col(f"{side}.rank") == place, effect).otherwise(column)
    return column


def rank(name: str) -> Column:
    """The place of an effect, worst first."""
    rank = F.lit(len(WORST_FIRST))
    for place, effect in enumerate(WORST_FIRST):
        rank = F.when(F.col(name) == effect, place).otherwise(rank)
    return rank
