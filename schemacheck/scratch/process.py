"""A server's process as its user sees it: started by a warden of its own, gone behind the block."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from schemacheck.dataclass import dataclass
from schemacheck.errors import InputError
from schemacheck.system import child

#: Seconds until a server must answer, its system tables included.
PATIENCE = 240
#: Bytes of a Unix socket's name (sun_path has 108 with its end).
_LONGEST_SOCKET = 107
NOBODY = 65534
#: Linux' memory as a file system: a definition waits for no disk there.
IN_MEMORY, _USUAL = Path("/dev/shm"), "/tmp"  # noqa: S108 mkdtemp


@dataclass(frozen=True, slots=True)
class Limits:
    """What a server may take: `seconds` a statement; bytes of memory, of all files, of one."""

    seconds: float = 10.0
    memory: int = 6 << 30
    folder: int = 2 << 30
    file: int = 512 << 20


@dataclass(frozen=True, slots=True)
class Work:
    """What a warden does: `steps` (a command and its input), then `server`. `unprivileged`: as nobody;
    `limits` None: the command itself bounds what it starts.
    """

    steps: tuple[tuple[Sequence[str], str | None], ...]
    server: Sequence[str]
    limits: Limits | None
    unprivileged: bool
    environment: Mapping[str, str]


def _said(warden: subprocess.Popen[bytes], seconds: float) -> str:
    """What a warden says next: `started`, `failed why`, `ended why`; '' for nothing in this time."""
    assert warden.stdout is not None
    if not select.select([warden.stdout], [], [], seconds)[0]:
        return ""
    return warden.stdout.readline().decode("utf-8", "replace").strip() or "ended without a word"


def _until_it_answers(warden: subprocess.Popen[bytes], own: Path) -> None:
    """Wait until the server takes connections. Raises InputError with the end of its log."""
    end = time.monotonic() + PATIENCE
    text = _said(warden, PATIENCE)
    while text == "started" and time.monotonic() < end:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(1)
            probe.connect(str(own))
            return
        text = _said(warden, 0.05) or text
    raise InputError(f"the server does not start: {text}")


@contextlib.contextmanager
def folder(limits: Limits, *, in_memory: bool) -> Iterator[Path]:
    """A new folder for a server, which its warden removes too; with `in_memory` there, where that has room
    and nobody names another place. Raises InputError where its name is too long for a server's socket.
    """
    room = None
    if in_memory and tempfile.gettempdir() == _USUAL and IN_MEMORY.is_dir():
        there = os.statvfs(IN_MEMORY)
        room = IN_MEMORY if there.f_bavail * there.f_frsize > limits.folder else None
    made = Path(tempfile.mkdtemp(prefix="schemacheck-scratch-", dir=room))
    try:
        if len(os.fsencode(made / "s")) > _LONGEST_SOCKET:
            raise InputError(f"{made}: too long a name for a server's socket; set TMPDIR to a shorter folder")
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


@contextlib.contextmanager
def held(work: Work, place: Path) -> Iterator[None]:
    """Do the work in a folder, where the server's socket is `s`; server and folder are gone behind the block.
    Raises InputError where it does not start, with the end of its log.
    """
    user = None
    if work.unprivileged and os.geteuid() == 0:
        user = work.limits and NOBODY
        for path in (place, *place.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
    line = json.dumps({
        "folder": str(place), "steps": work.steps, "server": work.server, "user": user,
        "limits": work.limits and {name: getattr(work.limits, name) for name in ("memory", "file", "folder")},
        "environment": dict(work.environment),
    })  # fmt: skip
    warden = subprocess.Popen(
        child.command("schemacheck.scratch.warden"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    assert warden.stdin is not None
    try:
        with contextlib.suppress(OSError):
            warden.stdin.write(line.encode() + b"\n")
            warden.stdin.flush()
        _until_it_answers(warden, place / "s")
        yield
    finally:
        # The end of its input is the warden's end, and that of its server.
        with contextlib.suppress(OSError):
            warden.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            warden.wait(30)
        warden.kill()
        warden.wait()
        if warden.stdout is not None:
            warden.stdout.close()
