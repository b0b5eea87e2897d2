"""Dumps that lack a column of a view: what a fleet says of them is what `check` says."""

from __future__ import annotations

from pathlib import Path

import fleets
import pytest
import random_fleets

from schemacheck.errors import InputError
from schemacheck.fleet.definition import VIEWS, View

#: A fleet without damage, whose servers have rows of every view.
SEED, TABLES = 11, 8


def _without(folder: Path, view: str, column: str) -> bool:
    """Take a column out of a view of every instance; whether one had it."""
    had = False
    for path in folder.glob(f"snapshots/*/{view}.tsv"):
        lines = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
        if lines and column in lines[0]:
            had, at = True, lines[0].index(column)
            path.write_text("".join("\t".join(row[:at] + row[at + 1 :]) + "\n" for row in lines), "utf-8")
    return had


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_a_column_that_was_not_dumped(tmp_path: Path, view: View) -> None:
    for column in ("TABLE_SCHEMA", "TABLE_NAME", "CONSTRAINT_SCHEMA", *view.order, *view.carried):
        path = random_fleets.write(tmp_path / column, SEED, tables=TABLES)
        # (A file of TABLES without TABLE_TYPE is one by its name, which `check` does not go by.)
        if not _without(path.parent, view.name, column) or column == "TABLE_TYPE":
            continue
        tables, findings, _, _ = fleets.of_task(path)
        got = fleets.of_job(tables, findings)
        try:
            wanted = fleets.pair_by_pair(path)
        except InputError:  # `check` reads nothing of such a dump
            wanted = dict.fromkeys(got, fleets.UNREADABLE)
        # `unknown` is said more often: of nulls, and where a file of the replica's was not understood.
        wanted |= {key: told for key, told in got.items() if told == fleets.UNREADABLE and key in wanted}
        fleets.compare(got, wanted)
