"""Files that appear whole or not at all: written beside their place, flushed to the disk, then renamed."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path


def write(path: str | Path, data: bytes) -> None:
    """Put `data` in place of what the file held, through links inside the working directory; a pipe is
    written to. Raises OSError, and then the file is as it was.
    """
    target = Path(path)
    named = Path(os.path.abspath(target))  # noqa: PTH100 links are not followed
    with contextlib.suppress(OSError, RuntimeError):
        target = target.resolve()
    here = Path.cwd()
    if named.is_relative_to(here) and not target.is_relative_to(here.resolve()):
        raise OSError(
            errno.ELOOP, "a symbolic link leads out of the working directory: name what it leads to"
        )
    mode = None
    with contextlib.suppress(FileNotFoundError):
        state = target.stat()
        if not stat.S_ISREG(state.st_mode):
            target.write_bytes(data)
            return
        mode = stat.S_IMODE(state.st_mode)
    draft = target.with_name(f".{target.name[:100]}.{os.urandom(6).hex()}.tmp")
    try:
        with draft.open("xb") as stream:
            if mode is not None:
                os.fchmod(stream.fileno(), mode)
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    with contextlib.suppress(OSError):
        # The new name itself has to be on the disk too.
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
