"""Progress shows on a terminal only, after a while, and never counts beyond the file."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import pytest

from schemacheck.cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_is_shown_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert progress.bytes_read() is None
    monkeypatch.setattr("sys.stderr", Terminal())
    assert progress.bytes_read(wanted=False) is None


def test_long_work_shows_share_and_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    screen, clock = Terminal(), [0.0]
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    log = tmp_path / "log.000001"
    log.write_bytes(b"x" * 1000)
    show = progress.bytes_read()
    assert show is not None
    show(str(log), 10)
    assert screen.getvalue() == ""
    clock[0] = 5.0
    show(str(log), 500)
    assert " 50 %" in screen.getvalue()
    assert str(log) in screen.getvalue()
    progress.clear()
    assert screen.getvalue().endswith("\r\x1b[K")
