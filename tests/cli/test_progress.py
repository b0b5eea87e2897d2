"""Progress shows on a terminal only, after a while."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest

from schemacheck.cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_is_shown_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert progress.bytes_read() is None


def test_long_work_shows_how_much_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, clock = Terminal(), [0.0]
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    show = progress.bytes_read()
    assert show is not None
    show("log.000001", 10)
    assert screen.getvalue() == ""
    clock[0] = 5.0
    show("log.000001", 5_000_000)
    assert "log.000001: 5.0 MB read" in screen.getvalue()
    progress.clear()
    assert screen.getvalue().endswith("\r\x1b[K")
