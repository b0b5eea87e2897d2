"""The columns of an altered table: all parts of one ALTER TABLE together, as servers settle them.

Every part names columns as they were before the statement (`mysql_prepare_alter_table`): each column is
dropped, replaced (MODIFY, CHANGE), or kept, with another default or name; new and moved ones follow in the
order in which they are written.
"""

from __future__ import annotations

from schemacheck.catalog.drafts import column_draft
from schemacheck.catalog.rowsize import field_bytes
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.model import charset as charsets
from schemacheck.model.column_type import BLOBS, TEXTS, BadType, ColumnType
from schemacheck.model.server import Server
from schemacheck.model.table import Column, Default, DefaultKind
from schemacheck.model.type_text import read as read_type
from schemacheck.sql.ddl.draft import CheckDraft, ColumnDraft, Expr, KeyDraft
from schemacheck.sql.expression_words import uses, with_name
from schemacheck.sql.lexer import Refused


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
    """The columns in their new order, and what became of the old ones by their folded names: the new draft,
    None
    where it is gone.
    """

    columns: list[ColumnDraft]
    fate: dict[str, ColumnDraft | None]
    #: Columns that were added and defined again in the same statement: their keys and references stay
    #: (MariaDB; asked of 10.11).
    again: list[ColumnDraft] = field(default_factory=list)

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


def _is_again(new: Written, one: Written) -> bool:
    """Whether MODIFY is of a column that the same statement adds: MariaDB takes it (asked of four)."""
    names = {(name or "").casefold() for name in (new.draft.name, one.old, one.draft.name)}
    return new.old is None and len(names) == 1


def settle(before: list[ColumnDraft], parts: Parts, *, behind_key: bool, mariadb: bool = False) -> Settled:
    """All parts together. `behind_key`: a generated invisible primary key stays in front. Raises Refused."""
    drops = {name.casefold(): (name, at, quiet) for name, at, quiet in reversed(parts.drops)}
    if len(drops) < len(parts.drops) and not all(quiet for _, _, quiet in parts.drops):
        name, at, _ = parts.drops[-1]
        raise Refused(f"column {name!r} is dropped twice", at, 1091, name=name, kind="COLUMN")
    pending, settings = list(parts.written), list(parts.settings)
    columns: list[ColumnDraft] = []
    fate: dict[str, ColumnDraft | None] = {}
    found: list[Written] = []
    again: list[ColumnDraft] = []
    for draft in before:
        folded = draft.name.casefold()
        if drops.pop(folded, None) is not None:
            fate[folded] = None
            continue
        new = next((one for one in pending if (one.old or "").casefold() == folded and one.old), None)
        if new is not None:
            fate[folded] = new.draft
            found.append(new)
            # It stands in its old place until its turn to move comes.
            columns.append(new.draft)
            if new.draft.position is None:
                pending.remove(new)
            continue
        setting = next((one for one in settings if one.name.casefold() == folded), None)
        if setting is not None:
            settings.remove(setting)
        kept = column_draft(setting.column) if setting is not None and setting.column else draft
        columns.append(kept)
        fate[folded] = kept
    for one in pending:
        if one.old is not None and one not in found:
            fresh = next((new for new in parts.written if _is_again(new, one) and mariadb), None)
            if fresh is not None and fresh.draft in columns:
                _check_type(fresh)
                columns.remove(fresh.draft)
                again.append(fresh.draft)
            elif one.quiet:
                continue
            else:
                raise _unknown(one.old, one.at)
        _insert(one, columns, 1 if behind_key else 0)
    left = next((one for one in settings if not one.quiet), None)
    if left is not None:
        raise _unknown(left.name, left.at)
    for name, at, quiet in drops.values():
        if not quiet:
            raise missing_column(name, at)
    if not columns:
        raise Refused("all columns would be dropped: write DROP TABLE", 0, 1090)
    return Settled(columns, fate, again)


def _check_type(one: Written) -> None:
    """The type of a column of which nothing else remains. Raises Refused where no server reads it."""
    draft = one.draft
    try:
        read_type(draft.type_text)
    except BadType as error:
        raise Refused(str(error), one.at, code="SC001") from None
    if draft.generated is not None and draft.type_text.upper() == "SERIAL":
        raise Refused("SERIAL is not generated", one.at, 1064, code="SC001")


def _unknown(name: str, at: int) -> Refused:
    return Refused(f"column {name!r} does not exist", at, 1054, name=name)


def _insert(one: Written, columns: list[ColumnDraft], first: int) -> None:
    position = one.draft.position
    if one.old is not None:
        columns[:] = [column for column in columns if column is not one.draft]
    if one.quiet and one.old is None and any(c.name.casefold() == one.draft.name.casefold() for c in columns):
        return
    if position is None:
        columns.append(one.draft)
    elif position == "":
        columns.insert(first, one.draft)
    else:
        folded = position.casefold()
        behind = next((i for i, c in enumerate(columns) if c.name.casefold() == folded), None)
        if behind is None:
            raise _unknown(position, one.at)
        columns.insert(behind + 1, one.draft)


def follow_expressions(
    settled: Settled, checks: list[CheckDraft], keys: list[KeyDraft], *, mariadb: bool, hidden: bool = False
) -> list[CheckDraft]:
    """The CHECKs that stay. A CHECK of a dropped column alone goes with it; any other use of a dropped column
    is refused by MySQL here, by MariaDB where the new table is made (1054: `expression_rules`). MariaDB puts
    new names into expressions, MySQL refuses them. `hidden`: a functional key goes, whose column is a dropped
    one to MySQL. Raises Refused.
    """
    gone = {old for old, new in settled.fate.items() if new is None}
    names = settled.names
    if not (gone or names or hidden):
        return checks
    others = [old for old in settled.fate if old not in gone]
    kept = [
        one
        for one in checks
        if (one.column or "").casefold() not in gone
        and (one.column is not None or not _goes(one.expression.text, gone, others, hidden=hidden))
    ]
    if not mariadb:
        for name in gone:
            _unused(name, settled, kept, keys, dropped=True)
        for name in names:
            _unused(name, settled, kept, keys, dropped=False)
    elif names:
        _put_names(settled, kept, names)
    return kept


def _goes(text: str, gone: set[str], others: list[str], *, hidden: bool) -> bool:
    """Whether a table's CHECK goes with dropped columns: it uses one of them alone, or no column
    (`check_constraint_expr_refers_to_only_column`; asked of 9.7, 10.11 and 11.8).
    """
    if any(uses(text, name) for name in others):
        return False
    used = sum(uses(text, name) for name in gone)
    return (bool(gone) and used < 2) or (hidden and not used)


def _unused(
    name: str, settled: Settled, checks: list[CheckDraft], keys: list[KeyDraft], *, dropped: bool
) -> None:
    verb = "dropped" if dropped else "renamed"
    # MySQL 9.7 asks CHECKs first where a column gets another name.
    check = next((one for one in checks if uses(one.expression.text, name)), None)
    if check is not None and not dropped:
        raise _checked(name, check, verb)
    for draft in settled.columns:
        made = draft.made
        if made is None or made.name.casefold() == name:
            continue
        if made.expression and uses(made.expression, name):
            why = f"column {name!r} is used by generated column {made.name!r}"
            raise Refused(why, 0, 3108, name=name)
        default = made.default
        if default is not None and default.kind is DefaultKind.EXPRESSION and uses(default.text, name):
            why = f"column {name!r} is used by the default of {made.name!r}"
            raise Refused(why, 0, 3766, name=name)
    if check is not None:
        raise _checked(name, check, verb)
    if any(part.expression and uses(part.expression.text, name) for key in keys for part in key.parts):
        why = f"column {name!r} is used by a functional key: it is not {verb}"
        raise Refused(why, 0, 3837, name=name)


def _checked(name: str, check: CheckDraft, verb: str) -> Refused:
    why = f"column {name!r} is used by a CHECK: it is not {verb}"
    return Refused(why, 0, 3959, name=name, words={"check": check.name or "..."})


def _put_names(settled: Settled, checks: list[CheckDraft], names: dict[str, str]) -> None:
    for index, draft in enumerate(settled.columns):
        made = draft.made
        if made is None:
            continue
        expression, default = made.expression, made.default
        if expression and expression not in ("row start", "row end"):
            expression = put_names(expression, names)
        if default is not None and default.kind is DefaultKind.EXPRESSION:
            default = Default(default.kind, put_names(default.text, names))
        if (expression, default) != (made.expression, made.default):
            again = column_draft(replace(made, expression=expression, default=default))
            settled.columns[index] = again
            settled.fate.update({name: again for name, one in settled.fate.items() if one is draft})
    for check in checks:
        check.expression = Expr(put_names(check.expression.text, names), 0)
        if check.column is not None:
            # A column's own CHECK has the column's name.
            check.name = check.column = names.get(check.column.casefold(), check.column)


def put_names(text: str, names: dict[str, str]) -> str:
    """All new names at once: two columns may swap theirs."""
    used = [old for old in names if uses(text, old)]
    for number, old in enumerate(used):
        text = with_name(text, old, f"\x01{number}")
    for number, old in enumerate(used):
        text = with_name(text, f"\x01{number}", names[old])
    return text


def whole_keys(settled: Settled, keys: list[KeyDraft]) -> None:
    """MariaDB drops no column of a unique key that has others beside a period, unless one of the name is
    added (asked of 10.11 and 11.8). Raises Refused.
    """
    old = {id(draft) for draft in settled.fate.values()}
    added = {one.name.casefold() for one in settled.columns if id(one) not in old}
    for key in keys:
        named = [part.column.casefold() for part in key.parts if part.column and not part.of_period]
        gone = [name for name in named if settled.fate.get(name, key) is None and name not in added]
        if key.kind in ("primary", "unique") and gone and len(gone) < len(named):
            raise Refused(f"column {gone[0]!r} is part of unique key {key.name!r}", 0, 1072)


def follow_keys(
    settled: Settled, keys: list[KeyDraft], before: dict[str, Column], server: Server
) -> list[KeyDraft]:
    """The old keys with the columns' new names; parts of dropped columns go, and keys without parts. A prefix
    goes where the column's new type takes none or is shorter, and where it was the whole column. What was a
    whole ENUM or SET may become one (`_of_members`).

    A key's column is the first one in the new order that had the name before, or is new and has it
    (`mysql_prepare_alter_table`): a column that is dropped and added again, or added in front of what had the
    name, stays in its keys with the old one's length as prefix (asked of four servers; in front: MariaDB
    10.11).
    """
    old_names = {id(draft): old for old, draft in settled.fate.items()}
    first: dict[str, ColumnDraft] = {}
    for one in settled.columns:
        first.setdefault(old_names.get(id(one), one.name.casefold()), one)
    for key in keys:
        parts = []
        for part in key.parts:
            folded = (part.column or "").casefold()
            if part.column is not None and folded in settled.fate:
                draft = first.get(folded)
                if draft is not None and draft is not settled.fate[folded]:
                    part.column = draft.name
                    part.length = part.length or _length(before[folded].type)
                    parts.append(part)
                    continue
                if draft is None:
                    continue
                part.column = draft.name
                if draft.made is None:
                    part.length = part.length or _of_members(before[folded].type, server)
                    part.replaced = before[folded].type if part.length is not None else None
            parts.append(part)
        key.parts = parts
    # Without a column of its own a key has no period either (asked of 10.11 and 11.8).
    return [key for key in keys if not all(part.of_period for part in key.parts)]


def _of_members(kind: ColumnType, server: Server) -> int | None:
    """The prefix that a key of a whole ENUM or SET becomes where the column becomes a string: MySQL takes
    the bytes of its number for characters, unless the members are as long (asked of 5.6 and 9.7; of MariaDB
    10.11 and 11.8, which make the key whole).
    """
    if server.mariadb or not kind.members:
        return None
    each = charsets.max_bytes(kind.charset) if kind.charset else 1
    lengths = [len(member) for member in kind.members]
    longest = max(lengths) if kind.base == "enum" else sum(lengths) + len(lengths) - 1
    size = field_bytes(kind)
    return None if longest * each == size else size // each or None


def _length(kind: ColumnType) -> int:
    """The length of a whole column in a key, in characters."""
    if kind.base in ("char", "varchar", "binary", "varbinary"):
        return kind.length or 0
    return field_bytes(kind)


#: Types that take a part of a column in a key (Field::type_can_have_key_part).
PARTIAL = frozenset(("char", "varchar", "binary", "varbinary", *TEXTS, *BLOBS))
