from __future__ import annotations

from dataclasses import dataclass

import pytest

from schemacheck.cli import main


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
