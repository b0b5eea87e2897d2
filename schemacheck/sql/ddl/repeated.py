"""Column definitions that come again: what stands behind a column's name is parsed once under one grammar.

The tables of a dump say `int NOT NULL,` or `varchar(255) DEFAULT NULL,` thousands of times.
"""

from __future__ import annotations

from schemacheck.dataclass import replace
from schemacheck.sql.ddl.draft import ColumnDraft, DefaultDraft
from schemacheck.sql.flavor import Flavor
from schemacheck.sql.lexer import Tokens

#: No longer definitions are kept, and no more of them.
_LONGEST, _MOST = 120, 4_096


def again(t: Tokens, flavor: Flavor, name: str) -> ColumnDraft | None:
    """The column of this name, behind which the cursor is, whose definition was parsed before; the cursor
    goes behind it. None: it was not.
    """
    first = t.at
    found = flavor.definitions.get(t.rests.get(first, ""))
    if found is None or t.ignore_space:
        return None
    words, known = found
    t.at = first + words
    return placed(known, name, t.starts[first - 1], t.ends[first - 1])


def placed(known: ColumnDraft, name: str, first: int, behind: int) -> ColumnDraft:
    """A column of this name, which stands at `first` and ends at `behind`, of a definition that is kept."""
    default = known.default
    if default is not None:
        default = DefaultDraft(default.kind, default.text, behind + default.at, default.introducer)
    return ColumnDraft(
        name, known.type_text, known.nullable, default, known.on_update, known.on_update_digits,
        known.auto_increment, known.null_last, known.serial_default, known.keys.copy(),
        invisible=known.invisible, versioned=known.versioned, compressed=known.compressed, srid=known.srid,
        collation=known.collation, comment=known.comment, engine_options=known.engine_options.copy(),
        attributes=known.attributes.copy(), span=(first, behind + known.span[1]),
        type_at=behind + known.type_at, written=known.written,
    )  # fmt: skip


def remember(t: Tokens, flavor: Flavor, draft: ColumnDraft, first: int) -> None:
    """Keep the definition that was parsed from the token `first` on, where it is its line up to the comma,
    and nothing in it depends on the column's name and place: that is so in expressions, references, periods.
    """
    rest, default = t.rests.get(first, ""), draft.default
    if (
        not rest.endswith(",") or len(rest) > _LONGEST or t.ignore_space
        or t.peek() != "," or t.ends[t.at] != t.ends[first - 1] + len(rest)
        or draft.generated or draft.row_period or draft.checks or draft.ignored_check or draft.references
        or (default is not None and default.expression is not None)
    ):  # fmt: skip
        return
    if len(flavor.definitions) >= _MOST:
        del flavor.definitions[next(iter(flavor.definitions))]
    draft.written = rest
    # Places are counted from the name's end.
    behind = t.ends[first - 1]
    known = replace(
        draft, default=default and replace(default, at=default.at - behind), keys=draft.keys.copy(),
        engine_options=draft.engine_options.copy(), attributes=draft.attributes.copy(),
        span=(0, draft.span[1] - behind), type_at=draft.type_at - behind,
    )  # fmt: skip
    flavor.definitions[rest] = t.at - first, known
