"""The folder that a run works in, beside its output, and how it becomes the output: whole or not at all,
while other runs may work beside it.
"""

from __future__ import annotations

import contextlib
import fcntl
import glob
import os
import platform
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from schemacheck.errors import InputError, UsageError
from schemacheck.system import interrupt, leftovers

#: The files that a run writes, below its folder.
_OURS = re.compile(
    r"summary\.json|report\.html|report/[0-9]+\.js|fixes/[0-9]+-SC[0-9]+/[^/]+\.sql"
    r"|(tables|findings|memory|pairs|input_problems|changes)/(.+/)?(\.?[^/]+\.(parquet|crc)|_SUCCESS)"
)


def free(out: Path) -> None:
    """Raises UsageError where something stands in the output's place that is not an earlier run."""
    if out.is_file() or (out.exists() and not (out / "summary.json").is_file() and any(out.iterdir())):
        raise UsageError(f"{out}: not empty and not an earlier run; give another --out")


@contextlib.contextmanager
def beside(out: Path) -> Iterator[Path]:
    """A fresh folder on the output's disk (moving it is renaming), which is removed unless it was moved. It
    is locked for as long as the block lasts: what nobody holds is left of a killed run, and removed here.
    """
    parent = out.absolute().parent
    work = lock = None
    try:
        try:
            parent.mkdir(parents=True, exist_ok=True)
            _sweep(parent, out.name)
            # A signal that comes while it is made would leave it behind.
            with interrupt.held():
                work, lock = _made(parent, out.name)
                leftovers.made(work)
        except OSError as error:
            raise UsageError(f"{out}: no folder can be made there: {error}") from None
        yield work
    finally:
        if work is not None and lock is not None:
            shutil.rmtree(work, ignore_errors=True)
            leftovers.gone(work)
            os.close(lock)


def put(made: Path, out: Path) -> None:
    """Put the finished folder in place of an earlier one; runs that end at once do so one after the other.
    What no run wrote stays where it was. Raises InputError.
    """
    old = made.with_suffix(".old")
    lock = os.open(made.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)
        free(out)
        if out.exists():
            out.rename(old)
        made.rename(out)
        _keep(old, out)
    except OSError as error:
        if old.exists() and not out.exists():
            old.rename(out)
        raise InputError(
            f"{out}: the results could not be put in place ({error.strerror or error}); did "
            "another run end there?"
        ) from None
    finally:
        os.close(lock)
    shutil.rmtree(old, ignore_errors=True)


def _keep(old: Path, out: Path) -> None:
    """Move what somebody else has put into an earlier run's folder to the new one."""
    for path in sorted(old.rglob("*")):
        name = path.relative_to(old)
        ours = path.is_dir() and not path.is_symlink()
        if not ours and not _OURS.fullmatch(name.as_posix()) and not os.path.lexists(out / name):
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            path.rename(out / name)


def _made(parent: Path, name: str) -> tuple[Path, int]:
    """A new folder and its lock. A sweep of another run may come between its making and its lock."""
    while True:
        work = parent / f".{name}.{_host()}.{os.urandom(6).hex()}.tmp"
        work.mkdir()
        try:
            lock = os.open(work, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            swept = not work.exists()
        except BlockingIOError:
            swept = True
        except OSError:
            # Some network disks lock no folders: nothing is swept there.
            swept = False
        if not swept:
            return work, lock
        os.close(lock)


def _sweep(parent: Path, name: str) -> None:
    """Remove what killed runs have left. Locks of another machine may not be seen on a shared disk: only what
    this machine's name is on is asked for.
    """
    for left in parent.glob(f".{glob.escape(name)}.{glob.escape(_host())}.*.tmp"):
        with contextlib.suppress(OSError):
            lock = os.open(left, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_DIRECTORY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(left, ignore_errors=True)
            finally:
                os.close(lock)


def _host() -> str:
    """The machine's name as a part of a file's."""
    return re.sub(r"[^A-Za-z0-9-]", "-", platform.node()) or "host"
