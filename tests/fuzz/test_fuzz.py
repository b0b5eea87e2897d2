"""A few hundred inputs for every reader; `python -m tests.fuzz` goes on for hours."""

from __future__ import annotations

import contextlib
import random

import pytest

from tests.fuzz.readers import TYPED, readers

NAMES = (
    "baseline", "baseline-values", "binlog", "binlog-events", "compressed", "compressed-values",
    "configuration", "configuration-values", "csv", "ddl", "filters", "json", "json-values", "option-file",
    "options", "parquet", "parquet-values", "sql", "transport", "transport-values", "tsv", "vertical",
)  # fmt: skip
COUNT = 60


@pytest.mark.parametrize("name", NAMES)
def test_nothing_but_typed_errors(name: str) -> None:
    if name.startswith("parquet"):
        pytest.importorskip("pyarrow")
    read, seeds, mutated = readers()[name]
    chance = random.Random(name)
    for seed in seeds[:3]:
        with contextlib.suppress(*TYPED):
            read(seed)
    for _ in range(COUNT):
        data = mutated(seeds, chance)
        try:
            read(data)
        except TYPED as error:
            assert str(error)  # noqa: PT017 every message says something
        except Exception as error:  # noqa: BLE001 what is looked for
            pytest.fail(f"{type(error).__name__}: {error} for {data[:2000]!r}")


def test_every_reader_is_tried() -> None:
    assert {*NAMES} >= readers().keys() >= {*NAMES} - {"parquet", "parquet-values"}
