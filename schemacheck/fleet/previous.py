"""What changed since an earlier run: findings that are new, fixed, worse or better, and those of which nobody
knows any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F  # noqa: N812 the name that every Spark program uses

from schemacheck.fleet import columns
from schemacheck.fleet.checked import small
from schemacheck.fleet.results import WORST_FIRST

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from schemacheck.fleet.checked import Checked, Written

Row = dict[str, Any]
_ENDS = ["source", "replica", "channel"]
_LINK = ", ".join(f"{name} string" for name in _ENDS)
#: Every change that is told.
KINDS = ("new", "fixed", "worse", "better", "unseen")
_OF_LINK = ("link", "source", "replica", "channel", "cluster", "code", "rule", "message")
_SHOWN = ("code", "rule", "column", "source_type", "replica_type", "message", "fingerprint")
#: Columns of the data set of changes.
CHANGES = (
    *columns.RUN,
    columns.Column("change", "string", "new, fixed, worse, better or unseen"),
    *(column for column in columns.FINDINGS if column in columns.PAIR or column.name in _SHOWN),
    columns.Column("effect", "string", "its effect now; null: fixed"),
    columns.Column("previous_effect", "string", "its effect in the earlier run; null: new"),
)


def changes(
    checked: Checked | Written,
    before: DataFrame,
    links: Sequence[Sequence[str]],
    alike: Sequence[Sequence[str]] = (),
) -> DataFrame:
    """Rows of CHANGES. `before` are the findings of an earlier run, `links` the source, replica and channel
    of every link now, `alike` those of which both runs have the same rows. A finding is `fixed` where its
    tables were read and do not have it any more, or are gone; what was not looked at, or not read, is
    `unseen`.
    """
    now = checked.findings
    if alike:
        same = small(now.sparkSession.createDataFrame(list(map(tuple, alike)), _LINK))
        now, before = (frame.join(same, _ENDS, "left_anti") for frame in (now, before))
    moved = _moved(now, before)
    keys = [c.name for c in CHANGES[3:-2] if c.name != "fingerprint"]

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


def of_links(now: Iterable[Row], before: Iterable[Row], links: Iterable[Sequence[str]]) -> list[Row]:
    """The same of what links are by themselves (`link_findings` of two summaries), in the form of `first`."""
    names = set(map(tuple, links))

    def worst(rows: Iterable[Row]) -> dict[tuple[object, ...], Row]:
        # The worst stand first.
        result: dict[tuple[object, ...], Row] = {}
        for row in rows:
            key = tuple(row.get(n) for n in ("source", "replica", "channel", "code", "error"))
            result.setdefault(key, row)
        return result

    ours, theirs = worst(now), worst(before)
    out = []
    for key in (*ours, *(key for key in theirs if key not in ours)):
        here, there = ours.get(key), theirs.get(key)
        if here is None:
            change = "fixed" if key[:3] in names else "unseen"
        elif there is None:
            change = "new"
        else:
            a, b = (WORST_FIRST.index(item["effect"]) for item in (here, there))
            change = "worse" if a < b else "better" if a > b else "unchanged"
        row = dict.fromkeys(c.name for c in CHANGES if c not in columns.RUN) | {
            name: value for name, value in (here or there or {}).items() if name in _OF_LINK
        }
        effects = {"effect": here and here["effect"], "previous_effect": there and there["effect"]}
        out.append({**row, **effects, "change": change})
    return out


def first(changed: DataFrame, limit: int) -> list[dict[str, Any]]:
    """The first changes, as values for JSON: what is new or worse, then the rest, the worst first."""
    order = F.when(F.col("change").isin("new", "worse"), 0).otherwise(1)
    names = [c.name for c in CHANGES if c not in columns.RUN]
    rows = changed.orderBy(order, rank("effect"), "source", "replica", "database", "table", "column")
    return [row.asDict() for row in rows.limit(limit).select(*[f"`{name}`" for name in names]).collect()]


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
