"""Columns of the pipeline's pairs: names as each end has them, what a decision depends on, names put back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F  # noqa: N812 the name that every Spark program uses

from schemacheck.fleet.decide import TOKENS
from schemacheck.fleet.texts import TWICE, signature

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

#: Names that stand for themselves in every message; others are decided under their own name.
_ORDINARY = "^[0-9A-Za-z_$]+$"

#: What a pair tells of its link.
LINK = ("link", "cluster", "source", "channel", "profile")
PAIR = (
    "link", "cluster", "source", "replica", "channel", "profile", "s_origin", "s_db", "s_tbl", "s_sig",
    "r_origin", "r_db", "r_tbl", "r_sig",
    "to_db", "to_tbl", "to_low_db", "to_low_tbl", "kept_out", "filter", "refs", "partly", "twin_db",
    "twin_tbl", "n_rows", "n_bytes", "state", "shared", "plain",
)  # fmt: skip


def keys() -> tuple[str | Column, ...]:
    """What names a pair in the results."""
    return (
        "link", "cluster", "source", "replica", "channel", F.coalesce("s_db", "r_db").alias("database"),
        F.coalesce("s_tbl", "r_tbl").alias("table"),
        F.coalesce("r_db", "to_db").alias("replica_database"), F.coalesce("r_tbl",
        "to_tbl").alias("replica_table"),
    )  # fmt: skip


def by_profile(answers: Mapping[int, Mapping[str, Any]], name: str) -> Column:
    """One value of the settled answer of the row's profile."""
    out = F.lit(None).cast("string")
    for value in {answer[name] for answer in answers.values()}:
        numbers = [number for number, answer in answers.items() if answer[name] == value]
        out = F.when(F.col("profile").isin(*numbers), F.lit(value)).otherwise(out)
    return out


def sent_names() -> tuple[Column, Column]:
    """A table's names as the source's row events have them: `to_db` and `to_tbl`."""
    database, table = (
        F.when(F.col("sent_folded"), F.col(f"s_low_{part}")).otherwise(F.col(f"s_{part}")).alias(f"to_{part}")
        for part in ("db", "tbl")
    )
    return database, table


def looked_up(name: str, low: str) -> Column:
    """A name as the replica looks it up; `low` is the column that has it without case."""
    return F.when(F.col("fold"), F.col(low)).otherwise(F.col(name))


def shared() -> Column:
    """Whether the decision can be made under stand-ins for the names and serve every pair like it."""
    r_db, r_tbl = F.coalesce("r_db", "to_db"), F.coalesce("r_tbl", "to_tbl")
    ordinary = (
        F.col("s_db").rlike(_ORDINARY)
        & F.col("s_tbl").rlike(_ORDINARY)
        & r_db.rlike(_ORDINARY)
        & r_tbl.rlike(_ORDINARY)
    )
    # Names that differ in case only mean something to the engine.
    same_case = ((F.lower("s_db") == F.lower(r_db)) == (F.col("s_db") == r_db)) & (
        (F.lower("s_tbl") == F.lower(r_tbl)) == (F.col("s_tbl") == r_tbl)
    )
    # What these say names other tables; a missing table may have one beside it that is nearly called so.
    alone = (
        F.col("partly").isNull()
        & F.col("twin_tbl").isNull()
        & ~(F.col("refs") & F.col("filter").isNotNull())
        & F.col("r_tbl").isNotNull()
    )
    whole = (F.col("s_odd") < 2) & (F.coalesce("r_odd", F.lit(0)) < 2)
    return F.coalesce(ordinary & same_case & alone & whole, F.lit(False))  # noqa: FBT003 a literal


def plain() -> Column:
    """Whether both definitions are whole and hold nothing that only the engine understands."""
    # a literal
    return F.coalesce(F.col("shared") & (F.col("s_odd") == 0) & (F.col("r_odd") == 0), F.lit(False))  # noqa: FBT003


def names() -> list[Column]:
    """The names that the engine sees: s_db, s_tbl, r_db, r_tbl."""
    r_db, r_tbl = F.coalesce("r_db", "to_db"), F.coalesce("r_tbl", "to_tbl")
    alike = F.col("shared")
    return [
        F.when(alike, TOKENS[0]).otherwise(F.col("s_db")).alias("s_db"),
        F.when(alike, TOKENS[1]).otherwise(F.col("s_tbl")).alias("s_tbl"),
        F.when(~alike, r_db).when(F.col("s_db") == r_db, TOKENS[0]).otherwise(TOKENS[2]).alias("r_db"),
        F.when(~alike, r_tbl).when(F.col("s_tbl") == r_tbl, TOKENS[1]).otherwise(TOKENS[3]).alias("r_tbl"),
    ]


def decision_key() -> Column:
    """The key of a decision: equal keys, equal answers. Null where the engine is not asked."""
    own = [
        F.when(
            ~F.col("shared"),
            F.concat_ws(
                "\x1f",
                "replica",
                F.coalesce(F.col("filter").cast("string"), F.lit("")),
                *_or_empty("partly", "twin_db", "twin_tbl"),
            ),
        )
    ]
    parts = [F.col("profile").cast("string"), F.col("s_sig"), F.coalesce("r_sig", F.lit("")), *names(), *own]
    return F.when(F.col("state") == "open", _signature(F.concat_ws("\x1f", *parts)))


def _or_empty(*names: str) -> list[Column]:
    return [F.coalesce(name, F.lit("")) for name in names]


def _signature(text: Column) -> Column:
    """128 bits that stand for a text."""
    return F.substring(F.sha2(text, 256), 1, 32)


def put_back(text: Column) -> Column:
    """A decision's text with the pair's own names in place of the stand-ins."""
    named = list(zip(TOKENS, ("s_db", "s_tbl", "r_db", "r_tbl"), strict=True))

    def put(out: Column, pairs: list[tuple[str, str]]) -> Column:
        for token, name in pairs:
            out = F.replace(out, F.lit(token), F.coalesce(name, F.lit("")))
        return out

    # The replica's stand-ins are there only where its names are others.
    same = (F.col("s_db") == F.col("r_db")) & (F.col("s_tbl") == F.col("r_tbl"))
    return (
        F.when(F.col("shared") & same, put(text, named[:2]))
        .when(F.col("shared"), put(text, named))
        .otherwise(text)
    )


def once(tables: DataFrame) -> DataFrame:
    """One row per instance and table where an instance was dumped more than once: equal definitions are one,
    different ones are none.
    """
    rest = [name for name in tables.columns if name not in ("instance", "db", "tbl")]
    grouped = tables.groupBy("instance", "db", "tbl").agg(
        F.min(F.struct(*rest)).alias("one"), F.size(F.collect_set("sig")).alias("kinds")
    )
    instead = {"sig": F.lit(signature(TWICE)), "odd": F.lit(1)}
    values = {
        name: F.when(F.col("kinds") > 1, value).otherwise(F.col(f"one.{name}"))
        for name, value in instead.items()
    }
    return grouped.select(
        "instance", "db", "tbl", *[values.get(name, F.col(f"one.{name}")).alias(name) for name in rest]
    )
