"""File formats: one module each, discovered by being here. The content decides, an explicit name wins."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, cast

from schemacheck.errors import InputError, UsageError
from schemacheck.inputs.walk import is_sql

if TYPE_CHECKING:
    from schemacheck.inputs.piece import Format
    from schemacheck.inputs.source import Source


@cache
def formats() -> dict[str, Format]:
    """All formats by name."""
    result: dict[str, Format] = {}
    for entry in pkgutil.iter_modules(__path__):
        module = cast("Format", importlib.import_module(f"{__name__}.{entry.name}"))
        if not hasattr(module, "NAME"):
            continue
        if module.NAME in result:
            raise RuntimeError(f"two input formats are called {module.NAME}")
        result[module.NAME] = module
    return result


def by_name(name: str) -> Format:
    """The format of this name. Raises UsageError."""
    try:
        return formats()[name]
    except KeyError:
        raise UsageError(f"no input format {name!r}; known: {', '.join(sorted(formats()))}") from None


def recognise(source: Source) -> Format:
    """The format that is surest about this input. Raises InputError where none is."""
    if not source.data.strip(b" \r\n\t\0"):
        raise InputError(f"{source.name}: the file is empty")
    if b"<mysqldump" in source.data[:300]:
        why = "XML names no foreign keys and no character sets of columns; dump again without --xml"
        raise InputError(f"{source.name}: {why}")
    if is_sql(source.name):
        # Whatever it looks like: a client would run it. (And the other formats need not be loaded to say so.)
        from schemacheck.inputs.formats import sql

        return cast("Format", sql)
    best = max(formats().values(), key=lambda entry: entry.sniff(source))
    if best.sniff(source) == 0:
        raise InputError(
            f"{source.name}: not recognised as DDL, as a dump of information_schema or as a snapshot; "
            f"known formats: {', '.join(sorted(formats()))}"
        )
    return best
