"""The process that holds a scratch server: it starts it without rights, watches it, and ends with whoever
started it (its standard input ends then). Standard input: one line of JSON (`Work`); standard output:
`started`, `failed WHY`, `ended WHY`.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

#: prctl(2): the signal that a process gets when its parent ends.
_PARENT_DEATH_SIGNAL = 1
#: Seconds between two looks at the folder's size.
_LOOK = 0.2
_LINE = 1 << 20
#: Characters of a log's end that are shown.
_SHOWN = 600


def main() -> None:
    """Do the work of standard input in its folder, which is removed at the end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with open(0, "rb", buffering=0, closefd=False) as given:
        line = b""
        while not line.endswith(b"\n") and (part := given.read(_LINE)):
            line += part
        work = json.loads(line)
    try:
        _work(work)
    except (OSError, subprocess.SubprocessError) as error:
        _say(f"failed {error}")
    finally:
        shutil.rmtree(work["folder"], ignore_errors=True)
        # A process of the server may have written meanwhile.
        shutil.rmtree(work["folder"], ignore_errors=True)


def _work(work: dict[str, Any]) -> None:
    folder = Path(work["folder"])
    for command, given in work["steps"]:
        if (why := _until_end(_start(command, given, work), folder, work)) != "status 0":
            _say(f"failed {command[0]}: the system tables cannot be made: {why}: {_end(folder)}")
            return
    server = _start(work["server"], None, work)
    _say("started")
    why = _until_end(server, folder, work)
    _say(f"ended {why}: {_end(folder)}")


def _start(command: list[str], given: str | None, work: dict[str, Any]) -> subprocess.Popen[bytes]:
    def prepare() -> None:
        limits = work["limits"]
        _limit(resource.RLIMIT_CORE, 0)
        if limits is not None:
            _limit(resource.RLIMIT_FSIZE, limits["file"])
        # Other systems count address space otherwise, or do not let it be limited.
        if limits is not None and sys.platform == "linux":
            _limit(resource.RLIMIT_AS, limits["memory"])
        if work["user"] is not None:
            os.setgroups([])
            os.setgid(work["user"])
            os.setuid(work["user"])
        # Changed rights take the signal away: behind them.
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)

    stdin = subprocess.PIPE if work["limits"] is None else subprocess.DEVNULL
    with contextlib.ExitStack() as stack:
        if given is not None:
            stdin = stack.enter_context(Path(given).open("rb")).fileno()
        log = stack.enter_context(Path(work["folder"], "log").open("ab"))
        return subprocess.Popen(
            command, stdin=stdin, stdout=log, stderr=log, cwd=work["folder"], env=work["environment"],
            start_new_session=True, preexec_fn=prepare,  # noqa: PLW1509 this process has one thread
        )  # fmt: skip


def _limit(what: int, most: int) -> None:
    """No more than this, and than what is allowed already."""
    hard = resource.getrlimit(what)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))


def _until_end(process: subprocess.Popen[bytes], folder: Path, work: dict[str, Any]) -> str:
    """Why a process is over: `status N`, `its parent ended` or the limit that it went over."""
    most = (work["limits"] or {}).get("folder")
    try:
        while process.poll() is None:
            if select.select([0], [], [], _LOOK)[0] and not os.read(0, 1):
                return "its parent ended"
            if most is not None and _size(folder) > most:
                return f"its files have more than {most >> 20} MiB"
        return f"status {process.returncode}"
    finally:
        if process.stdin is not None:
            # The client of a container: the server within ends at the end of its input.
            process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)
        process.kill()
        process.wait()


def _size(folder: Path) -> int:
    """Bytes on the disk of all files below; what goes meanwhile counts nothing."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += Path(place, name).lstat().st_blocks * 512
    return total


def _end(folder: Path) -> str:
    try:
        return " ".join((folder / "log").read_bytes()[-4 * _SHOWN :].decode("utf-8", "replace").split())[
            -_SHOWN:
        ]
    except OSError:
        return ""


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        os.write(1, text.replace("\n", " ").encode() + b"\n")
