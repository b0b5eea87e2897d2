"""Files that somebody else may change meanwhile: opened without leaving the folder that is read, whatever has
become a link, a pipe or a device since it was looked at, and read as they were at one moment.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
#: A folder is gone through, not listed: where the system knows the difference, that permission is enough.
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | _FLAGS | getattr(os, "O_DIRECTORY", 0)


def opened(path: str | Path, root: str | Path) -> BinaryIO:
    """A regular file below a folder, to read. Links are followed as they are now, and inside the folder only;
    what a part of the path becomes after that is no link any more. Raises OSError.
    """
    top, real = os.path.realpath(root), os.path.realpath(path)
    parts = Path(os.path.relpath(real, top)).parts
    if parts[:1] in ((), (os.pardir,)):
        raise OSError(errno.ELOOP, "it leads out of the directory that is read", str(path))
    if os.open not in os.supports_dir_fd:
        return _regular(os.open(real, _FLAGS | getattr(os, "O_BINARY", 0)), path)
    *folders, name = parts
    at = os.open(top, _FOLDER)
    try:
        for folder in folders:
            below = os.open(folder, _FOLDER, dir_fd=at)
            os.close(at)
            at = below
        # Nobody writes into a pipe that was put there: opening it must not wait.
        return _regular(os.open(name, _FLAGS | os.O_NONBLOCK, dir_fd=at), path)
    finally:
        os.close(at)


def _regular(descriptor: int, path: str | Path) -> BinaryIO:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "no regular file", str(path))
    return os.fdopen(descriptor, "rb")


@contextlib.contextmanager
def steady(stream: BinaryIO) -> Iterator[None]:
    """A block that reads a file, which nobody writes meanwhile. Raises OSError where somebody did."""
    before = os.fstat(stream.fileno())
    yield
    after = os.fstat(stream.fileno())
    if stat.S_ISREG(before.st_mode) and (before.st_size, before.st_mtime_ns) != (
        after.st_size,
        after.st_mtime_ns,
    ):
        raise OSError(errno.EBUSY, "it was written while it was read")
