"""What is found out about a short text, kept: scripts say the same around each of their tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Concatenate, ParamSpec, TypeVar

_Rest = ParamSpec("_Rest")
_Found = TypeVar("_Found")
#: A text of more characters is looked at anew each time; of each function so many answers are kept.
_LONGEST, _MOST = 200, 1_024


def kept(look: Callable[Concatenate[str, _Rest], _Found]) -> Callable[Concatenate[str, _Rest], _Found]:
    """The same function, which keeps its last 1,024 answers about texts of up to 200 characters.

    Its arguments are values that can be hashed, its answer is one that nobody changes. What it raises is
    not kept.
    """
    # What lru_cache makes has no signature for mypy.
    again: Callable[Concatenate[str, _Rest], _Found] = lru_cache(maxsize=_MOST)(look)  # type: ignore[assignment]

    def short(text: str, /, *rest: _Rest.args, **named: _Rest.kwargs) -> _Found:
        return (again if len(text) <= _LONGEST else look)(text, *rest, **named)

    return short
