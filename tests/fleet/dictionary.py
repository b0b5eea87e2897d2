"""docs/fleet-data.md, which is made of `schemacheck.fleet.columns`: `python -m tests.fleet.dictionary` writes
it anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from schemacheck.fleet import columns

PLACE = Path(__file__).parents[2] / "docs" / "fleet-data.md"


def dictionary() -> str:
    """The page about the data sets."""
    return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    yield "# The data sets of a fleet's run"
    yield ""
    yield f"Schema version {columns.VERSION} (`schema_version` in `summary.json`)."
    yield "New columns may come within a version."
    yield "`schemacheck.fleet.check` returns the same columns as DataFrames."
    for name, some, about in (
        (
            "tables",
            columns.TABLES,
            "One row per pair of tables, those included that only the replica has. `pair` is its key.",
        ),
        ("findings", columns.FINDINGS, "One row per finding. `fingerprint` is its key from run to run."),
        ("input_problems", columns.PROBLEMS, "What could not be read, and what was left out."),
    ):
        yield ""
        yield f"## {name}"
        yield ""
        yield about
        yield ""
        yield "| column | kind | what it is |"
        yield "|---|---|---|"
        for column in some:
            yield f"| `{column.name}` | {column.kind} | {column.meaning} |"


if __name__ == "__main__":
    PLACE.write_text(dictionary(), "utf-8")
