"""What a check of a fleet returns: DataFrames that are worked out when they are used."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyspark.sql import functions as F  # noqa: N812 the name that every Spark program uses

from schemacheck.dataclass import dataclass
from schemacheck.fleet import columns as names

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from schemacheck.fleet.place import Place


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check says, as DataFrames that are worked out when they are asked for; docs/fleet-data.md names
    their columns. All are made of `pairs`: `Checked(checked.pairs.persist())` works it out once for all.
    """

    pairs: DataFrame

    @property
    def tables(self) -> DataFrame:
        """One row per pair of tables."""
        columns = [
            F.col("n_findings").alias("findings") if column.name == "findings" else F.col(f"`{column.name}`")
            for column in names.TABLES
        ]
        return self.pairs.filter(F.col("pair").isNotNull()).select(*columns)

    @property
    def findings(self) -> DataFrame:
        """One row per finding."""
        keys = [column.name for column in names.FINDINGS if column not in names.FINDING]
        some = self.pairs.filter("n_findings > 0").select(*keys, F.explode("findings").alias("f"))
        return some.select(*keys, *[F.col(f"f.`{c.name}`").alias(c.name) for c in names.FINDING])

    @property
    def problems(self) -> DataFrame:
        """What could not be read, and what was left out."""
        run = [column.name for column in names.RUN]
        rest = [column for column in names.PROBLEMS if column.name not in run]
        frame = self.pairs.filter(F.col("problem").isNotNull()).select(
            *run, F.from_json("problem", names.ddl(tuple(rest))).alias("p")
        )
        return frame.select(*run, *[F.col(f"p.`{column.name}`").alias(column.name) for column in rest])


class Written(NamedTuple):
    """The same as it was saved."""

    tables: DataFrame
    findings: DataFrame
    problems: DataFrame

    @classmethod
    def of(cls, place: Place) -> Written:
        """What a run has saved."""
        kinds = {"tables": names.TABLES, "findings": names.FINDINGS, "input_problems": names.PROBLEMS}
        return cls(*[place.read(name, columns) for name, columns in kinds.items()])


def small(frame: DataFrame) -> DataFrame:
    """A frame of few rows, to be joined where the others lie. (Spark Connect knows how many there are; Sail
    complains of hints.)
    """
    return F.broadcast(frame) if hasattr(frame, "_jdf") else frame
