"""CREATE TABLE whose lines came before: a table of what is known of each of its lines.

The tables of a dump differ in names; most of their definitions are the same few hundred texts. What
`assemble.table` would make of one and ask of it is kept by its text (`known_lines`), with what a table sums
up: bytes of the row, of InnoDB's page, of keys. Where a line, or a sum, may need any other check, nothing is
said here: the whole statement is assembled then, so that every refusal is made there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from schemacheck.catalog import key_length, keyset, known_lines, name_rules, rowsize, validate
from schemacheck.catalog.context import Context
from schemacheck.catalog.known_lines import End, Known
from schemacheck.catalog.line_constraints import Lead, constraints
from schemacheck.dataclass import dataclass, field, maker
from schemacheck.model import charset as charsets
from schemacheck.model import normal
from schemacheck.model.column_type import BLOBS, TEXTS, ColumnType
from schemacheck.model.location import Location
from schemacheck.model.server import Server
from schemacheck.model.table import Check, Column, ForeignKey, Key, KeyKind, KeyPart, Table
from schemacheck.sql.ddl import lines
from schemacheck.sql.ddl.draft import CheckDraft, ForeignDraft, TableDraft
from schemacheck.sql.ddl.lines import Cutter, KeyLine, TableLines
from schemacheck.sql.lexer import Refused

_KINDS = {
    "primary": KeyKind.PRIMARY, "unique": KeyKind.UNIQUE, "index": KeyKind.INDEX,
    "fulltext": KeyKind.FULLTEXT,
}  # fmt: skip
#: Names of keys of which more is asked.
_TAKEN = ("primary", "gen_clust_index", "fts_doc_id_index")

_column, _key, _part, _location = maker(Column), maker(Key), maker(KeyPart), maker(Location)
_table = maker(Table)


@dataclass(slots=True)
class _Said:
    """What the lines of a statement say, of which the first is line `row` of the file: columns by their
    folded names, as they are written and what is known of them; lines of keys; the rest. `bytes` are those of
    the record, `page` those of InnoDB's page; `counted` is the AUTO_INCREMENT column.
    """

    found: TableLines
    end: End
    context: Context
    row: int
    cutter: Cutter
    known: dict[str, tuple[str, Known]] = field(default_factory=dict)
    keys: list[KeyLine] = field(default_factory=list)
    checks: list[CheckDraft] = field(default_factory=list)
    foreign: list[ForeignDraft] = field(default_factory=list)
    bytes: int = 0
    page: int = 0
    counted: str = ""

    def start(self, index: int) -> int:
        """Where a line begins in the statement."""
        return self.context.lines.starts[self.row - 1 + index] - self.context.offset

    def new(self, index: int) -> TableDraft | None:
        """What a line says that was not read before; None where it is no definition by itself."""
        if self.found.lines[index][-1:] != ",":
            return None
        return lines.element(self.found, index, self.start(index), self.context.flavor, self.cutter)


def table(
    found: TableLines, context: Context, text: str, database: str | None,
    find: Callable[[str | None, str], Table | None], cutter: Cutter,
) -> Table | None:  # fmt: skip
    """The Table of a statement; None: it is to be assembled from its draft. `find` gives a table that is
    there before it, `cutter` cuts a line that is new.
    """
    name, file = found.rest.name, context.lines
    if not name_rules.is_plain(name) or name[:4].lower() == "fts_":
        return None
    end = known_lines.end_of(found, context)
    # Lines of the statement are lines of the file.
    if end is None or not file.text.startswith(text, context.offset):
        return None
    said = _Said(found, end, context, bisect_right(file.starts, context.offset + found.body), cutter)
    columns = _columns(said)
    if columns is None:
        return None
    nulls = (sum([one.nullable for one in columns]) + 7) // 8
    if (
        not columns
        or len(columns) > validate.MOST_INNODB_COLUMNS
        or said.bytes + nulls > rowsize.LONGEST_ROW
        or said.page + nulls > validate.PAGE_ROOM
    ):
        return None
    keys, counted = _keys(said), said.counted
    if keys is None or (counted and not any(one.parts[0].column == counted for one in keys)):
        return None
    order = _order(said, keys)
    if not (end.keyless or order[:1] == ("PRIMARY",)):
        return None
    ordered = normal.keys(keys)
    checks: tuple[Check, ...] = ()
    foreign: tuple[ForeignKey, ...] = ()
    if said.checks or said.foreign:
        head, charset = found.rest, (end.charset, end.collation)
        rest = TableDraft(
            name, head.database, checks=said.checks, foreign_keys=said.foreign, name_at=head.name_at,
            name_end=head.name_end,
        )  # fmt: skip
        try:
            made = constraints(rest, columns, ordered, _leads(said), context, database, charset, find)
        except Refused:
            return None
        if made is None:
            return None
        checks, foreign = made
    return _table(
        name, tuple(columns), database, ordered, checks, foreign, engine="InnoDB", charset=end.charset,
        collation=end.collation, location=context.location((found.rest.name_at, found.rest.name_end)),
        text=text, unique_order=order, row_format=end.row_format, options=end.options,
    )  # fmt: skip


def _columns(said: _Said) -> list[Column] | None:
    """The columns, in the order of their lines; None where a line is to be looked at."""
    columns: list[Column] = []
    end, known, row = said.end, said.known, said.row
    file, kept = said.context.lines.file, end.columns
    bytes_ = page = 0
    for index, line in enumerate(said.found.lines):
        pieces = line.split("`", 2)
        if len(pieces) < 3 or (pieces[0] != "  " and pieces[0].strip(" \t")):
            if not _other(said, index, line):
                return None
            continue
        lead, name, behind = pieces
        one = kept.get(behind)
        if one is None and (behind in kept or (one := _new_column(said, index, behind)) is None):
            return None
        small = name.lower()
        if small in known or not name_rules.is_plain(name):
            return None
        if one.auto_increment:
            if said.counted:
                return None
            said.counted = name
        known[small] = name, one
        bytes_ += one.row
        page += one.page
        at = len(lead)
        columns.append(
            _column(
                name, one.type, one.nullable, one.default, one.on_update, one.auto_increment,
                location=_location(file, row + index, at + 1, None, at + len(name) + one.end),
                attributes=one.attributes,
            )
        )  # fmt: skip
    said.bytes, said.page = bytes_, page
    return columns


def _new_column(said: _Said, index: int, behind: str) -> Known | None:
    """What is known from now on of a column's definition; None where it is to be looked at."""
    if lines.definition(behind, said.context.flavor) is None:
        said.new(index)
    return known_lines.remember(behind, said.end, said.context)


def _other(said: _Said, index: int, line: str) -> bool:
    """Put a line that is no column in backquotes into its place; False where it is to be looked at."""
    flavor, pieces = said.context.flavor, line.split("`")
    general = "`".join(pieces[::2]) if line.isascii() and len(pieces) % 2 and "" not in pieces[1::2] else ""
    made = None
    if not (general in flavor.keys or general in flavor.foreign):
        made = said.new(index)
        if made is None or made.columns or made.periods:
            return False
    if (key := flavor.keys.get(general)) is not None:
        said.keys.append((key, index, pieces))
        return key.plain
    if (foreign := flavor.foreign.get(general)) is not None:
        said.foreign.append(lines.foreign_draft(foreign, pieces, said.start(index)))
        return True
    if made is None or made.keys:
        return False
    said.checks += made.checks
    said.foreign += made.foreign_keys
    return True


def _keys(said: _Said) -> list[Key] | None:
    """The keys in the order of their lines; None where one is to be looked at."""
    keys: list[Key] = []
    if len(said.keys) > keyset.MOST_KEYS:
        return None
    known, row, context = said.known, said.row, said.context
    file, (each, all_) = context.lines.file, said.end.limits
    taken: set[str] = set()
    for line, index, pieces in said.keys:
        key, names = line.key, pieces[1::2]
        primary, words = key.kind == "primary", key.kind == "fulltext"
        if primary:
            name, small = "PRIMARY", "primary"
        else:
            name = names.pop(0)
            small = name.lower()
            if small in _TAKEN or not name_rules.is_plain(name):
                return None
        if small in taken or len(names) > keyset.MOST_PARTS:
            return None
        taken.add(small)
        parts, size = [], 0
        there: set[str] = set()
        for part, written in zip(key.parts, names, strict=True):
            folded = written.lower()
            column = known.get(folded)
            if column is None or folded in there:
                return None
            there.add(folded)
            length, bytes_ = part.length, column[1].key
            if words:
                if not _has_words(column[1].type):
                    return None
                bytes_ = 0
            else:
                if length is not None:
                    length, bytes_ = _prefix(length, column[1].type, context)
                if not 0 < bytes_ <= each or (primary and not column[1].primary):
                    return None
            size += bytes_
            parts.append(_part(column[0], length, None, part.descending))
        if size > all_ or (words and len({known[one][1].type.collation for one in there}) > 1):
            return None
        length = len(said.found.lines[index])
        place = _location(file, row + index, line.lead + 1, None, length - line.tail + 1)
        made = _key(_KINDS[key.kind], tuple(parts), name, location=place, attributes=tuple(key.attributes))
        keys.append(made)
    return keys


def _leads(said: _Said) -> list[Lead]:
    """What each key may be to a foreign key."""
    ascends, out = _ascends(said.context.server), []
    for line, _, pieces in said.keys:
        parts = line.key.parts
        if line.key.kind != "fulltext":
            out.append([
                "" if part.length is not None or (ascends and part.descending) else name.lower()
                for part, name in zip(parts, pieces[1::2][-len(parts) :], strict=True)
            ])  # fmt: skip
    return out


def _order(said: _Said, keys: list[Key]) -> tuple[str, ...]:
    """The names of unique keys as `normal.unique_order` has them."""
    found = [one for one in keys if one.unique]
    if len(found) > 1:
        known = said.known

        def rank(key: Key) -> int:
            nullable = any(known[(part.column or "").lower()][1].nullable for part in key.parts)
            return 0 if key.kind is KeyKind.PRIMARY else 1 + nullable

        found.sort(key=rank)
    return tuple([one.name for one in found])


def _ascends(server: Server) -> bool:
    """Whether a key that goes down serves no foreign key (`reference_keys`)."""
    return server.has("data-dictionary") and not server.mariadb


def _has_words(kind: ColumnType) -> bool:
    """Whether a full-text key takes a column of this type on each server."""
    text = kind.is_text or (kind.base in ("char", "varchar") and kind.length != 0)
    return text and kind.charset not in charsets.WIDE


def _prefix(length: int, kind: ColumnType, context: Context) -> tuple[int | None, int]:
    """A key's prefix of a column (None: all of it) and its bytes; no bytes where more is to be asked, as of
    the n of TEXT(n) before MySQL 8.0.
    """
    counted = kind.base in ("char", "varchar", "binary", "varbinary")
    server = context.server
    if not counted and not (
        kind.base in (*TEXTS, *BLOBS) and (server.mariadb or server.has("blob-prefix-checked"))
    ):
        return None, 0
    try:
        made = key_length.prefix(length, kind, None, KeyKind.INDEX, context, _refused)
    except Refused:
        return None, 0
    if made not in (None, length):
        # What is cut without strict mode is refused of a unique key.
        return None, 0
    return made, rowsize.key_bytes(_column("", kind), made)


def _refused(why: str, number: int) -> Refused:
    return Refused(why, 0, "SC002", number)
