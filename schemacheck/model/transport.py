"""Values as JSON, for another process of the same program: what arrives can only be a value, never code.

Values are frozen dataclasses of this package, enums, tuples, lists, dictionaries, frozensets and scalars.
Equal ones of a class come once; the fields of a class stand together, since a list of numbers is read faster
than objects one by one.
"""

from __future__ import annotations

import enum
import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from operator import attrgetter
from typing import Any

_SCALARS = frozenset((type(None), bool, int, float, str))
_PACKAGE = __name__.partition(".")[0]


class NotSendable(TypeError):
    """A value of a kind that does not travel."""


def pack(value: object) -> bytes:
    """The bytes of a value. Raises NotSendable."""
    packer = _Packer()
    top = packer.cell(value)
    return json.dumps([packer.pools(), top], separators=(",", ":"), check_circular=False).encode("ascii")


def unpack(data: bytes) -> Any:
    """The value of `pack`'s bytes. Raises ValueError where they are anything else."""
    try:
        pools, top = json.loads(data)
        made: dict[int, list[Any]] = {}
        for number, name, count, columns in pools:
            kind = _kind(name)
            values = [_column(column, made) for column in columns]
            made[number] = list(map(kind, *values)) if values else [kind() for _ in range(count)]
        return _value(top, made)
    except (ValueError, TypeError, LookupError, AttributeError, ImportError, RecursionError) as error:
        raise ValueError(f"not a packed value: {error}") from None


class _Pool:
    """All values of one class."""

    def __init__(self, number: int, kind: type) -> None:
        names = [field.name for field in fields(kind) if field.init]
        self.number = number
        self.name = f"{kind.__module__}:{kind.__qualname__}"
        self.values: Callable[[Any], Iterable[Any]] = (
            attrgetter(*names) if len(names) > 1 else lambda entry: [getattr(entry, name) for name in names]
        )
        self.rows: list[tuple[Any, ...]] = []
        self.width = len(names)
        self.known: dict[int, int] = {}
        #: Places differ wherever they are; other values are often equal to one before.
        self.shared: dict[str, int] | None = None if "location" in names or "line" in names else {}
        self.needs: set[int] = set()


class _Packer:
    def __init__(self) -> None:
        self._pools: dict[type, _Pool] = {}
        self._alive: list[object] = []

    def cell(self, value: object, inside: _Pool | None = None) -> Any:
        """What stands for a value in JSON: itself, or a list whose first item says what it is."""
        kind = type(value)
        if kind in _SCALARS:
            return value
        if kind in self._pools:
            return self._reference(value, kind, inside)
        if kind is tuple or kind is list:
            cells = [self.cell(item, inside) for item in value]  # type: ignore[attr-defined]
            return ["t" if kind is tuple else "l", cells]
        if is_dataclass(kind):
            return self._reference(value, kind, inside)
        if isinstance(value, enum.Enum):
            return ["e", f"{kind.__module__}:{kind.__qualname__}", value.name]
        if kind is dict:
            pairs = value.items()  # type: ignore[attr-defined]
            return ["d", [[self.cell(key, inside), self.cell(item, inside)] for key, item in pairs]]
        if kind is frozenset:
            return ["s", sorted((self.cell(item, inside) for item in value), key=repr)]  # type: ignore[attr-defined]
        raise NotSendable(f"a {kind.__name__} does not travel between processes")

    def _reference(self, value: object, kind: type, inside: _Pool | None) -> list[Any]:
        pool = self._pools.get(kind)
        if pool is None:
            pool = self._pools[kind] = _Pool(len(self._pools), kind)
        if inside is not None:
            inside.needs.add(pool.number)
        at = pool.known.get(id(value))
        if at is None:
            cell = self.cell
            row = tuple([item if type(item) in _SCALARS else cell(item, pool) for item in pool.values(value)])
            key = repr(row) if pool.shared is not None else ""
            at = len(pool.rows) if pool.shared is None else pool.shared.setdefault(key, len(pool.rows))
            if at == len(pool.rows):
                pool.rows.append(row)
            pool.known[id(value)] = at
            self._alive.append(value)
        return [pool.number, at]

    def pools(self) -> list[list[Any]]:
        """[number, class, rows, columns] of every class, those that others hold first."""
        by_number = {pool.number: pool for pool in self._pools.values()}
        try:
            order = list(TopologicalSorter({n: pool.needs for n, pool in by_number.items()}).static_order())
        except CycleError:
            raise NotSendable("a value that holds values of its own class does not travel") from None
        return [
            [n, by_number[n].name, len(by_number[n].rows), _columns(by_number[n].rows, by_number[n].width)]
            for n in order
        ]


def _columns(rows: list[tuple[Any, ...]], width: int) -> list[list[Any]]:
    columns = zip(*rows, strict=True) if rows else ([] for _ in range(width))
    return [_packed(list(column)) for column in columns]


def _packed(column: list[Any]) -> list[Any]:
    """[kind, cells]: "=" scalars, "?" any cells, or the number of the class that all refer to."""
    lists = [cell for cell in column if type(cell) is list]
    if not lists:
        return ["=", column]
    first = lists[0][0]
    if type(first) is int and len(lists[0]) == 2:
        same = all(cell[0] == first for cell in lists)
        if same and all(type(cell) is list or cell is None for cell in column):
            return [first, [cell and cell[1] for cell in column]]
    return ["?", column]


def _column(column: list[Any], made: dict[int, list[Any]]) -> list[Any]:
    kind, cells = column
    if kind == "=":
        return cells  # type: ignore[no-any-return]
    if kind == "?":
        return [_value(cell, made) for cell in cells]
    pool = made[kind]
    return [None if at is None else pool[at] for at in cells]


def _value(cell: Any, made: dict[int, list[Any]]) -> Any:
    if type(cell) is not list:
        return cell
    kind = cell[0]
    if type(kind) is int:
        return made[kind][cell[1]]
    if kind == "t":
        return tuple([_value(item, made) for item in cell[1]])
    if kind == "e":
        return _kind(cell[1])[cell[2]]
    if kind == "l":
        return [_value(item, made) for item in cell[1]]
    if kind == "d":
        return {_value(key, made): _value(item, made) for key, item in cell[1]}
    if kind == "s":
        return frozenset(_value(item, made) for item in cell[1])
    raise ValueError(f"{kind!r} names no kind of value")


@lru_cache(maxsize=256)
def _kind(name: str) -> Any:
    """A class of this package by `module:name`; only dataclasses and enums are made."""
    module, _, qualified = name.partition(":")
    if module.partition(".")[0] != _PACKAGE:
        raise ValueError(f"{name} is no class of {_PACKAGE}")
    result: Any = sys.modules.get(module) or import_module(module)
    for part in qualified.split("."):
        result = getattr(result, part)
    if not (isinstance(result, type) and (is_dataclass(result) or issubclass(result, enum.Enum))):
        raise ValueError(f"{name} is no value's class")
    return result
