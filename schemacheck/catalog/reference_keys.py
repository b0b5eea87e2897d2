"""The keys that servers make for foreign keys without one, and those that another key makes needless."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from schemacheck.catalog.context import Context
from schemacheck.catalog.references import covers
from schemacheck.model.table import Column
from schemacheck.sql.ddl.draft import ForeignDraft, KeyDraft, PartDraft
from schemacheck.sql.lexer import Refused


def added(
    drafts: list[KeyDraft], foreign: list[ForeignDraft], columns: Mapping[str, Column], engine: str,
    context: Context,
) -> list[KeyDraft]:  # fmt: skip
    """All keys, with those that the server makes and without those that are needless. Raises Refused."""
    keys = [*drafts, *_generated(drafts, foreign, columns, engine, context)]
    remaining = [draft for draft in keys if not _needless(draft, keys, engine, context)]
    names = {(key.name or "").casefold() for key in remaining}
    lost = next((key for key in keys if key.shown and (key.name or "").casefold() not in names), None)
    if lost is not None and not context.server.mariadb:
        # It has gone before ALTER INDEX is looked at (asked of 9.7).
        raise Refused(f"key {lost.name!r} makes room for another one", 0, 1176, name=lost.name)
    return remaining


def _covers(key: KeyDraft, parts: Sequence[PartDraft], engine: str, context: Context) -> bool:
    """Whether a key makes that of a foreign key, with these parts, needless (`foreign_key_prefix`). MySQL 8
    makes a key of its own beside one that goes down (asked of 9.7). Raises Refused for keys of which other
    engines than InnoDB compare more than names.
    """
    wanted = [(part.column or "").casefold() for part in parts]
    fits = covers(key, wanted)
    hashed = key.kind == "unique" or key.using == "HASH" or "USING HASH" in key.attributes
    other = fits and hashed and context.server.mariadb
    if engine != "InnoDB" and (other or fits != covers(key, wanted, by_name=True)):
        raise Refused(f"whether key {key.name!r} serves a foreign key is not known", key.span[0])
    down = context.server.has("data-dictionary") and not context.server.mariadb
    return fits and not (down and any(part.descending for part in key.parts[: len(wanted)]))


def _generated(
    drafts: list[KeyDraft], foreign: list[ForeignDraft], columns: Mapping[str, Column], engine: str,
    context: Context,
) -> list[KeyDraft]:  # fmt: skip
    """The keys that the server makes for foreign keys without one."""
    keys: list[KeyDraft] = []
    for reference in foreign:
        if reference.standing:  # whether its key may go is asked in `referring`
            continue
        wanted = [name.casefold() for name in reference.columns]
        missing = next((name for name in reference.columns if name.casefold() not in columns), None)
        if missing is not None:
            raise Refused(f"key column {missing!r} does not exist", reference.span[0], 1072, name=missing)
        parts = [PartDraft(column) for column in reference.columns]
        if any(_covers(key, parts, engine, context) for key in drafts if not key.generated) or any(
            covers(key, wanted) and len(key.parts) > len(wanted) for key in (*drafts, *keys) if key.generated
        ):
            continue
        keys.append(
            KeyDraft(
                "index", parts, reference.name or reference.index_name, generated=True, span=reference.span
            )
        )
    return keys


def _needless(draft: KeyDraft, keys: list[KeyDraft], engine: str, context: Context) -> bool:
    """Whether a key that the server made is the beginning of another one (`foreign_key_prefix`)."""
    if not draft.generated:
        return False
    # Of two with the same columns the later one stays, of the same statement or not (asked of four servers).
    later = False
    for key in keys:
        if key is draft:
            later = True
        elif _covers(key, draft.parts, engine, context) and (
            not key.generated or later or len(key.parts) > len(draft.parts)
        ):
            return True
    return False
