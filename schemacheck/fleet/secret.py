"""The key under which a run signs what the next one may use without deciding it again (`memory`).

Whoever can write into the folder of an earlier run could else have every finding of the next one vanish:
what is remembered is found by hashes that everybody can compute.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Callable
from pathlib import Path

from schemacheck.errors import InputError, UsageError

#: The variable that holds the key of machines that share runs.
VARIABLE = "SCHEMACHECK_FLEET_KEY"
_SIZE, _SHORTEST = 32, 16


def key(say: Callable[[str], None]) -> str:
    """The key of this user: of the variable, else of a file that the first run makes in XDG_STATE_HOME; where
    no file can be made, or others can read or write it, one for this run alone, and `say` gets the reason.
    Raises UsageError for a variable that is too short.
    """
    given = os.environ.get(VARIABLE, "")
    if given.strip():
        if len(given) < _SHORTEST:
            raise UsageError(f"{VARIABLE} is too short for a key: at least {_SHORTEST} characters")
        return hashlib.sha256(given.encode("utf-8", "surrogateescape")).hexdigest()
    home = os.environ.get("XDG_STATE_HOME", "")
    try:
        folder = Path(home) if home.startswith("/") else Path.home() / ".local" / "state"
        return _read(folder / "schemacheck" / "fleet.key").hex()
    except (OSError, RuntimeError, InputError) as error:
        say(f"no key for later runs, which will decide everything again: {error}")
        return secrets.token_hex(_SIZE)


def name(key_: str) -> str:
    """What tells keys apart and gives none of them away."""
    return seal(key_, b"the name of 5").hex()[:16]


def seal(key_: str, data: bytes) -> bytes:
    """What nobody without the key can make of these bytes."""
    return hmac.digest(key_.encode(), data, "sha256")


def is_sealed(key_: str, data: bytes, given: bytes) -> bool:
    """Whether it is the seal of these bytes."""
    return hmac.compare_digest(seal(key_, data), given)


def _read(path: Path) -> bytes:
    """The file's key, made where it is missing. Raises OSError, InputError for a file that is not safe."""
    if not path.exists() and not path.is_symlink():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{os.urandom(6).hex()}.tmp")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(descriptor, secrets.token_bytes(_SIZE))
            # Of two first runs one makes it.
            with contextlib.suppress(FileExistsError):
                os.link(draft, path)
        finally:
            os.close(descriptor)
            draft.unlink()
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        state, data = os.fstat(descriptor), os.read(descriptor, _SIZE + 1)
    finally:
        os.close(descriptor)
    if not stat.S_ISREG(state.st_mode) or state.st_uid != os.geteuid() or state.st_mode & 0o077:
        raise InputError(f"{path}: the key of fleet runs is not this user's alone: it is not used")
    if len(data) != _SIZE:
        raise InputError(f"{path}: no key of fleet runs: it is not used")
    return data
