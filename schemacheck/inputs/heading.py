"""Headings of information_schema views: any case and order, unknown ones ignored."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from schemacheck import knowledge
from schemacheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping


class Rows:
    """Records (line, values) under one heading: what a dump format yields."""

    __slots__ = ("heading", "multiline", "null_is_word", "records")

    def __init__(
        self,
        heading: Sequence[str],
        records: Iterable[tuple[int | None, Sequence[object]]],
        *,
        null_is_word: bool = False,
        multiline: bool = False,
    ) -> None:
        self.heading = tuple(heading)
        self.records = records
        #: The format writes NULL as a bare word, so that SQL NULL and the text NULL cannot be distinguished.
        self.null_is_word = null_is_word
        #: A value's newlines are newlines of the file too.
        self.multiline = multiline


#: More names than any view of information_schema has: a row of all of them is made for every record.
_MOST_NAMES = 500


def union(records: Iterable[Mapping[str, object]], file: str) -> tuple[str, ...]:
    """The names that any record has, in order. Raises InputError for more than 500 (rows would explode)."""
    names: dict[str, None] = {}
    shapes = set()
    for record in records:
        shape = tuple(record)
        if shape not in shapes:
            shapes.add(shape)
            names.update(dict.fromkeys(shape))
            if len(names) > _MOST_NAMES:
                raise InputError(f"{file}: rows of one view with more than {_MOST_NAMES} different columns")
    return tuple(names)


class Misfit:
    """A row with too few or many fields. `values` are the wanted ones before the last field."""

    __slots__ = ("few", "values")

    def __init__(self, values: tuple[object, ...], *, few: bool) -> None:
        self.values = values
        self.few = few

    def __str__(self) -> str:
        return f"too {'few' if self.few else 'many'} fields for its heading"


def resolve(
    names: Iterable[object], wanted: Sequence[str], required: Sequence[str], *, view: str, file: str
) -> dict[str, Any]:
    """Which given name stands for each wanted heading. Raises InputError for missing and twin names."""
    given: dict[str, object] = {}
    for name in names:
        key = str(name).strip().upper()
        if key in given and key in wanted:
            raise InputError(f"{file}: {view} rows have the column {key} twice: which of the two counts?")
        given[key] = name
    missing = [name for name in required if name not in given]
    if missing:
        seen = ", ".join(str(n)[:60] for n in list(given.values())[:12]) or "nothing"
        raise InputError(
            f"{file}: {view} rows need the column{'s' * (len(missing) > 1)} {', '.join(missing)}; "
            f"found {seen}"
        )
    return {name: given[name] for name in wanted if name in given}


def tuples(
    rows: Rows | tuple[()], wanted: Sequence[str], required: Sequence[str], *, view: str, file: str
) -> tuple[tuple[str, ...], Iterator[tuple[int | None, tuple[object, ...] | Misfit]]]:
    """The wanted columns that are there, and every row as (line, values) or (line, Misfit). Raises InputError
    for a heading without the required ones.
    """
    if not isinstance(rows, Rows):
        return (), iter(())
    places = {name: index for index, name in enumerate(rows.heading)}
    result = resolve(rows.heading, wanted, required, view=view, file=file)
    get = _getter([places[source] for source in result.values()])
    return tuple(result), _indexed(rows.records, get, len(rows.heading))


def _getter(keys: Sequence[Any]) -> Callable[[Any], tuple[object, ...]]:
    if len(keys) == 1:
        only = keys[0]
        return lambda row: (row[only],)
    return itemgetter(*keys)


def _indexed(
    records: Iterable[tuple[int | None, Sequence[object]]],
    get: Callable[[Any], tuple[object, ...]],
    width: int,
) -> Iterator[tuple[int | None, tuple[object, ...] | Misfit]]:
    for line, values in records:
        if len(values) == width:
            yield line, get(values)
        else:
            # The last field of a short row may be cut off.
            sure = [*values[: min(len(values) - 1, width)], *([None] * width)]
            yield line, Misfit(get(sure), few=len(values) < width)


@cache
def _marks() -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple(
        (entry["view"], frozenset(entry["has"])) for entry in knowledge.load("information_schema")["marks"]
    )


def view_of(heading: Iterable[object]) -> str | None:
    """The view that has these columns, `OTHER` for one not needed, None for something else."""
    names = {str(name).strip().upper() for name in heading}
    return next((view for view, has in _marks() if has <= names), None)


@cache
def _layouts() -> tuple[tuple[str, tuple[str, ...], tuple[tuple[int, frozenset[str]], ...]], ...]:
    return tuple(
        (
            entry["view"],
            tuple(entry["columns"]),
            tuple(
                (entry["columns"].index(name), frozenset(values))
                for name, values in (entry.get("only") or {}).items()
            ),
        )
        for entry in knowledge.load("information_schema")["layouts"]
    )


def layout_of(record: Sequence[object]) -> tuple[str, tuple[str, ...]] | None:
    """View and heading of a dump without one, by the number of fields and values that some can have."""
    if len(record) == 2 and str(record[1]).lstrip().upper().startswith("CREATE "):
        return "SHOW_CREATE", ("Table", "Create Table")
    for view, columns, only in _layouts():
        if len(columns) == len(record) and all(record[at] in values for at, values in only):
            return view, columns
    return None


def is_heading(fields: Sequence[str]) -> bool:
    """Whether a record is a heading: a known view's names."""
    view = view_of(fields)
    return view is not None and all(field.strip() for field in fields)
