"""The columns of an altered table: all parts of one ALTER TABLE together, as servers settle them.

Every part names columns as they were before the statement (`mysql_prepare_alter_table`): each column is
dropped, replaced (MODIFY, CHANGE), or kept, with another default or name; new and moved ones follow in the
order in which they are written.
"""

from __future__ import annotations

from schemacheck.catalog.context import Context
from schemacheck.catalog.drafts import column_draft, converted, short_enough
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.model.column_type import BLOBS, TEXTS
from schemacheck.model.quote import quoted
from schemacheck.model.server import Server
from schemacheck.model.table import Column, DefaultKind
from schemacheck.sql.ddl.draft import CheckDraft, ColumnDraft, Expr, KeyDraft
from schemacheck.sql.expression_words import uses
from schemacheck.sql.lexer import Refused, unasked


@dataclass(slots=True)
class Written:
    """A column that a part of the statement defines; `old` is the name of the one that it replaces."""

    draft: ColumnDraft
    old: str | None
    at: int
    quiet: bool = False


@dataclass(slots=True)
class Setting:
    """ALTER COLUMN and RENAME COLUMN: the finished column as it becomes."""

    name: str
    column: Column | None
    at: int
    quiet: bool = False


@dataclass(slots=True)
class Parts:
    """What the parts of a statement say of columns."""

    written: list[Written] = field(default_factory=list)
    settings: list[Setting] = field(default_factory=list)
    #: (name, offset, IF EXISTS)
    drops: list[tuple[str, int, bool]] = field(default_factory=list)


@dataclass(slots=True)
class Settled:
    """The columns in their new order; the old ones' new drafts by folded name, None where gone."""

    columns: list[ColumnDraft]
    fate: dict[str, ColumnDraft | None]

    @property
    def names(self) -> dict[str, str]:
        """New names by the folded old ones."""
        return {
            old: draft.name
            for old, draft in self.fate.items()
            if draft is not None and draft.name.casefold() != old
        }


def missing_column(name: str, at: int) -> Refused:
    """The error of DROP COLUMN where there is none of this name."""
    return Refused(f"column {name!r} does not exist", at, 1091, name=name, kind="COLUMN")


def settle(before: list[ColumnDraft], parts: Parts, *, behind_key: bool, mariadb: bool = False) -> Settled:
    """All parts together. `behind_key`: a generated invisible primary key stays in front. Raises Refused."""
    drops = {name.casefold(): (name, at, quiet) for name, at, quiet in reversed(parts.drops)}
    if len(drops) < len(parts.drops):
        raise unasked("a column that is dropped twice", parts.drops[-1][1])
    pending, settings = list(parts.written), list(parts.settings)
    columns: list[ColumnDraft] = []
    fate: dict[str, ColumnDraft | None] = {}
    result: list[Written] = []
    for draft in before:
        folded = draft.name.casefold()
        if drops.pop(folded, None) is not None:
            fate[folded] = None
            continue
        new = next(
            (column for column in pending if (column.old or "").casefold() == folded and column.old), None
        )
        if new is not None:
            fate[folded] = new.draft
            result.append(new)
            # It stands in its old place until its turn to move comes.
            columns.append(new.draft)
            if new.draft.position is None:
                pending.remove(new)
            continue
        setting = next((setting for setting in settings if setting.name.casefold() == folded), None)
        if setting is not None:
            settings.remove(setting)
        stored = column_draft(setting.column) if setting is not None and setting.column else draft
        columns.append(stored)
        fate[folded] = stored
    for item in pending:
        if item.old is not None and item not in result:
            if item.quiet:
                continue
            if mariadb and any(new.draft.name.casefold() == item.old.casefold() for new in parts.written):
                raise unasked(f"column {item.old!r}, added and changed", item.at)
            raise _unknown(item.old, item.at)
        _insert(item, columns, 1 if behind_key else 0)
    left = next((setting for setting in settings if not setting.quiet), None)
    if left is not None:
        raise _unknown(left.name, left.at)
    for name, at, quiet in drops.values():
        if not quiet:
            raise missing_column(name, at)
    if not columns:
        raise Refused("all columns would be dropped: write DROP TABLE", 0, 1090)
    return Settled(columns, fate)


def _unknown(name: str, at: int) -> Refused:
    return Refused(f"column {name!r} does not exist", at, 1054, name=name)


def _insert(entry: Written, columns: list[ColumnDraft], first: int) -> None:
    position = entry.draft.position
    if entry.old is not None:
        columns[:] = [column for column in columns if column is not entry.draft]
    if (
        entry.quiet
        and entry.old is None
        and any(c.name.casefold() == entry.draft.name.casefold() for c in columns)
    ):
        return
    if position is None:
        columns.append(entry.draft)
    elif position == "":
        columns.insert(first, entry.draft)
    else:
        folded = position.casefold()
        behind = next((i for i, c in enumerate(columns) if c.name.casefold() == folded), None)
        if behind is None:
            raise _unknown(position, entry.at)
        columns.insert(behind + 1, entry.draft)


def follow_expressions(
    settled: Settled, checks: list[CheckDraft], keys: list[KeyDraft], *, hidden: bool = False
) -> list[CheckDraft]:
    """The CHECKs that stay: one goes with the only column that it names, and that of MariaDB's JSON follows
    its column's new name (asked of 10.11 and 11.8). Raises Refused for any other use of a column that is
    dropped or gets another name, which servers refuse or follow each in its own way. `hidden`: a functional
    key goes, whose column is a dropped one to MySQL.
    """
    gone = {old for old, new in settled.fate.items() if new is None}
    changed = gone | set(settled.names)
    if hidden and checks:
        raise Refused("which CHECKs stay where a functional key goes is not known", 0)
    if not changed:
        return checks
    remaining = []
    for check in checks:
        used = {old for old in settled.fate if uses(check.expression.text, old)}
        if (check.column is not None and check.column.casefold() in gone) or (
            len(used) == 1 and used <= gone
        ):
            continue
        new = settled.names.get((check.column or "").casefold())
        if new is not None and _is_json_check(check):
            follows = Expr(f"json_valid({quoted(new)})", 0)
            remaining.append(replace(check, expression=follows, name=None, column=new))
            continue
        if gone and not used:
            raise Refused("whether a CHECK of no column goes with a column is not known", 0)
        _unused(check.expression.text, changed)
        remaining.append(check)
    for made in (column.made for column in settled.columns if column.made is not None):
        _unused(made.expression or "", changed)
        if made.default is not None and made.default.kind is DefaultKind.EXPRESSION:
            _unused(made.default.text or "", changed)
    for text in (part.expression.text for key in keys for part in key.parts if part.expression):
        _unused(text, changed)
    return remaining


def _is_json_check(check: CheckDraft) -> bool:
    name = check.column or ""
    return check.expression.text.casefold() in (
        f"json_valid({spelled.casefold()})" for spelled in (name, quoted(name))
    )


def _unused(text: str, changed: set[str]) -> None:
    name = next((word for word in sorted(changed) if uses(text, word)), None)
    if name is not None:
        why = f"column {name!r} is used by {text[:60]!r}: what its change makes of that is not known"
        raise Refused(why, 0, name=name)


def follow_keys(
    settled: Settled, keys: list[KeyDraft], before: dict[str, Column], server: Server
) -> list[KeyDraft]:
    """The old keys with the columns' new names; parts of dropped columns go, and keys without parts. A prefix
    goes where the column's new type takes none or is shorter, and where it was the whole column. Raises
    Refused for what is not known: a new column under the name of one that goes.
    """
    old = {id(draft) for draft in settled.fate.values()}
    added = {column.name.casefold() for column in settled.columns if id(column) not in old}
    for key in keys:
        parts = []
        for part in key.parts:
            folded = (part.column or "").casefold()
            if part.column is not None and folded in settled.fate:
                draft = settled.fate[folded]
                if folded in added and (draft is None or draft.name.casefold() != folded):
                    raise Refused(f"which column {part.column!r} key {key.name!r} has is not known", 0)
                if draft is None:
                    continue
                part.column = draft.name
                if draft.made is None:
                    part.replaced = before[folded].type
            parts.append(part)
        lost = len(parts) < len(key.parts)
        if lost and parts and server.mariadb and key.kind in ("primary", "unique"):
            raise Refused(f"whether a column of unique key {key.name!r} may go is not known", 0)
        key.parts = parts
    # Without a column of its own a key has no period either (asked of 10.11 and 11.8).
    return [key for key in keys if key.parts]


#: Types that take a part of a column in a key (Field::type_can_have_key_part).
PARTIAL = frozenset(("char", "varchar", "binary", "varbinary", *TEXTS, *BLOBS))


def convert(
    columns: list[ColumnDraft], parts: Parts, charset: str | None, collation: str | None, at: int,
    context: Context,
) -> None:  # fmt: skip
    """Put the columns that were there into the new character set. Raises Refused."""
    texts = [draft.made.type for draft in columns if draft.made is not None and _converts(draft.made)]
    old = not context.server.mariadb and not context.server.has("data-dictionary")
    if old and all((kind.charset, kind.collation) == (charset, collation) for kind in texts):
        # Before 8.0 the table may keep its own default then (recorded on 5.6.24).
        raise unasked("CONVERT TO CHARACTER SET of a table without text", at)
    leaving = {name.casefold() for name, _, _ in parts.drops} | {
        (column.old or "").casefold() for column in parts.written
    }
    for index, draft in enumerate(columns):
        column = draft.made
        if column is None or not _converts(column):
            continue
        if column.type.members and column.name.casefold() in leaving:
            # Nothing is made of members that another part of the statement drops or writes anew.
            continue
        kind = short_enough(converted(column.type, charset, collation, at), context, at)
        columns[index] = column_draft(replace(column, type=kind))
        for setting in parts.settings:
            if setting.column is not None and setting.name.casefold() == column.name.casefold():
                setting.column = replace(setting.column, type=kind)


def _converts(column: Column) -> bool:
    """Whether CONVERT TO CHARACTER SET is about a column: members that are bytes stay so (asked of four)."""
    return column.type.is_character and column.type.charset != "binary"
