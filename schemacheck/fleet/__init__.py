"""The fleet: thousands to millions of table pairs as DataFrames, on any Spark.

`check(spark, links=..., columns=...)` checks the replication links of a fleet on the caller's session;
`schemacheck fleet` is its command line. Nothing here decides what replication does: pairs that are not equal
go to `schemacheck.engine`. Only this package imports pyspark, and only when a job runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from schemacheck.fleet.checked import Checked
    from schemacheck.fleet.frames import check

__all__ = ["Checked", "check"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from schemacheck.fleet import checked, frames

        return frames.check if name == "check" else checked.Checked
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
