"""Statements that may show a finding which has no example: a module for each way, found by being here.

A module has `RULES`, the names of the rules whose findings it may show, and `scripts(subject)`, which
yields scripts (tuples of statements for the source, in order) of which each is a case of its own. What a
source refuses is left out, so a script may try what only some tables take.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Protocol, cast

from schemacheck.dataclass import dataclass
from schemacheck.model import Finding, PairReport, Table

#: The tables of the source and of the replica, by (database, folded name).
Tables = tuple[Mapping[tuple[str | None, str], Table], Mapping[tuple[str | None, str], Table]]


@dataclass(frozen=True, slots=True)
class Subject:
    """A finding about a pair, among the tables of both ends."""

    pair: PairReport
    finding: Finding
    tables: Tables


class Scenario(Protocol):
    """A module of this package."""

    RULES: tuple[str, ...]

    def scripts(self, subject: Subject) -> Iterator[tuple[str, ...]]:
        """Scripts for the source."""


@cache
def _all() -> tuple[Scenario, ...]:
    return tuple(
        cast("Scenario", importlib.import_module(f"{__name__}.{entry.name}"))
        for entry in pkgutil.iter_modules(__path__)
    )


def scripts(subject: Subject) -> Iterator[tuple[str, ...]]:
    """All scripts that may show this finding."""
    for scenario in _all():
        if subject.finding.rule in scenario.RULES:
            yield from scenario.scripts(subject)
