"""What every test shares: how property tests choose their examples, and how the command line is run."""

from __future__ import annotations

import os
from dataclasses import dataclass

import pytest
from hypothesis import settings

from schemacheck.cli import main

# The same examples in every run, so that a result can be repeated; HYPOTHESIS_PROFILE=explore draws new ones.
settings.register_profile("repeatable", derandomize=True)
settings.register_profile("explore", derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What wants Spark comes first, so that one worker has it all: every worker would start a JVM."""
    items.sort(key=lambda item: item.get_closest_marker("spark") is None)


@dataclass
class Result:
    status: int
    out: str
    err: str


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run the command line in this process, in a directory of its own, without any password at hand."""
    monkeypatch.chdir(tmp_path)
    for name in (
        "COLUMNS",
        "NO_COLOR",
        "FORCE_COLOR",
        "SCHEMACHECK_PASSWORD",
        "SCHEMACHECK_SOURCE_PASSWORD",
        "SCHEMACHECK_REPLICA_PASSWORD",
    ):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: object) -> Result:
        try:
            status = main([str(a) for a in arguments])
        except SystemExit as error:
            status = int(error.code or 0)
        captured = capsys.readouterr()
        return Result(status, captured.out, captured.err)

    return call
