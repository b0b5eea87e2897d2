"""Evidence of a live server, and what then happens over a real channel."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import pytest

from schemacheck.cli import live_access, scratch_servers
from schemacheck.errors import UsageError
from tests.evidence.drifted import asked


@pytest.mark.server
@pytest.mark.slow
@pytest.mark.parametrize("logged", [False, True], ids=["rows", "log"])
def test_what_is_said_before_happens(logged: bool, tmp_path: Path) -> None:
    counts = said(tmp_path if logged else None)
    assert counts["bites"] > 20
    assert counts["absent"] > 30


@pytest.mark.server
@pytest.mark.slow
@pytest.mark.parametrize("changes", ["ROW", "STATEMENT", "MIXED"])
def test_what_cannot_be_was_not_while_rows_changed(changes: str, tmp_path: Path) -> None:
    counts = said(tmp_path, changes)
    assert counts["happened"] > 20
    assert counts["cannot"] >= (10 if changes == "ROW" else 2)


def said(log: Path | None, changes: str = "") -> Counter[str]:
    """What holds of 60 pairs on two servers of this machine; nothing may break the law."""
    parser = argparse.ArgumentParser()
    scratch_servers.add(parser)
    live_access.add_arguments(parser)
    args = parser.parse_args(["--local"])
    try:
        scratch_servers.check(args)
        with scratch_servers.ends(args) as (source, replica):
            told = list(asked(source, replica, count=60, seed=4, log=log, changes=changes))
    except UsageError as error:
        pytest.skip(str(error))
    assert [(kind, why) for kind, why in told if kind in ("no bite", "missed", "count")] == []
    return Counter(kind for kind, _ in told)
