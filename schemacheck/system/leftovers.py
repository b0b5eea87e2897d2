"""Processes and folders that must not be left behind, registered while they live."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from subprocess import Popen

_PROCESSES: dict[int, Popen[Any]] = {}
_FOLDERS: set[Path] = set()


def started(process: Popen[Any]) -> None:
    """Remember a process that is ours to end."""
    _PROCESSES[process.pid] = process


def finished(process: Popen[Any]) -> None:
    """Forget it: it has ended."""
    _PROCESSES.pop(process.pid, None)


def running() -> set[int]:
    """The numbers of processes that are remembered."""
    return set(_PROCESSES)


@contextlib.contextmanager
def ended(process: Popen[Any]) -> Iterator[None]:
    """A process that does not outlive the block."""
    started(process)
    try:
        yield
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        finished(process)


@contextlib.contextmanager
def kept(folder: Path) -> Iterator[None]:
    """A folder that the block makes and removes, unless the program is ended in a hurry."""
    _FOLDERS.add(folder)
    try:
        yield
    finally:
        _FOLDERS.discard(folder)


def made(folder: Path) -> None:
    """Remember a folder that is ours to remove, for longer than a block."""
    _FOLDERS.add(folder)


def gone(folder: Path) -> None:
    """Forget it."""
    _FOLDERS.discard(folder)


def remove() -> None:
    """End all that runs, remove all that was made; nothing is raised."""
    # Most runs leave nothing behind and need neither.
    if not _PROCESSES and not _FOLDERS:
        return
    import shutil
    from subprocess import TimeoutExpired

    for process in list(_PROCESSES.values()):
        with contextlib.suppress(OSError):
            process.kill()
    for process in list(_PROCESSES.values()):
        with contextlib.suppress(OSError, TimeoutExpired):
            process.wait(2)
    for folder in list(_FOLDERS):
        shutil.rmtree(folder, ignore_errors=True)
