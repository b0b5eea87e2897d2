"""Exceptions of schemacheck.

    SchemacheckError
    ├── UsageError        the call itself makes no sense (exit status 2)
    │   ├── UnknownServer    no such flavour or version
    │   └── BadSetting       a setting's value that the server would refuse
    └── InputError        a file, dump or connection that cannot be read at all (exit status 2)

Bad DDL inside readable input is not an exception: it is an `InputProblem` in the report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar


class _HasName(Protocol):
    @property
    def name(self) -> str: ...


_T = TypeVar("_T")
_Named = TypeVar("_Named", bound=_HasName)

#: Tracebacks of errors of ours that left a table or statement undecided: the command ends with status 4.
DEFECTS: list[str] = []
#: How the reason of what they left undecided begins.
DEFECT = "a defect of schemacheck"


class SchemacheckError(Exception):
    """Base of all errors raised on purpose; `exit_status` is what the command line returns."""

    exit_status = 2


class UsageError(SchemacheckError):
    """The call makes no sense: an unknown option value, a missing argument."""


class UnknownServer(UsageError):
    """No facts are known for this flavour or version."""


class BadSetting(UsageError):
    """A setting's value that the server would refuse."""


class InputError(SchemacheckError):
    """Input that cannot be read at all; the message names file, line and what to do."""


def defect(error: Exception) -> str:
    """Why a table or statement is undecided that an error of ours met; its traceback is kept in DEFECTS.
    Raises what is no such error: those raised on purpose, and what the machine lacks.
    """
    import traceback

    if isinstance(error, (SchemacheckError, OSError, MemoryError)):
        raise error
    at = traceback.extract_tb(error.__traceback__)[-1]
    DEFECTS.append("".join(traceback.format_exception(error)))
    place = "/".join(at.filename.split("/")[-2:])
    return f"{DEFECT}, please report it: {type(error).__name__} at {place}:{at.lineno}: {str(error)[:200]}"


def sound(items: Iterable[_T], use: Callable[[_T], object]) -> tuple[list[_T], list[tuple[_T, str]]]:
    """The items of which each by itself meets no defect when it is used, and the others with the reason.
    For use behind a defect that one of them met, of which nobody knows which.
    """
    remaining, lost = [], []
    for item in items:
        before = len(DEFECTS)
        try:
            use(item)
        except Exception as error:  # noqa: BLE001 a defect costs this item, not the others
            lost.append((item, defect(error)))
        else:
            remaining.append(item)
            del DEFECTS[before:]  # what is kept is used again
    return remaining, lost


def by_name(tables: Iterable[_Named]) -> dict[str, list[_Named]]:
    """Tables by their folded name: what `sound` tries one by one."""
    named: dict[str, list[_Named]] = {}
    for table in tables:
        named.setdefault(table.name.casefold(), []).append(table)
    return named


def near(word: str, known: Iterable[str], *, cutoff: float = 0.6) -> str:
    """The end of a message about an unknown word: `; did you mean 'x'?`, or the list of what is known."""
    import difflib

    listed = tuple(known)
    shown = (
        ", ".join(listed) if len(listed) <= 20 else f"{', '.join(listed[:15])} and {len(listed) - 15} more"
    )
    folded = {text.casefold(): text for text in listed}
    close = difflib.get_close_matches(word.casefold(), folded, 1, cutoff)
    return f"; did you mean {folded[close[0]]!r}?" if close else f"; known: {shown}"
