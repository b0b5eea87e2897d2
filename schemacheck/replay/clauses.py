"""The clauses of ALTER TABLE: definitions as a server takes them, and the parts that lead from one table to
another.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from schemacheck.dataclass import replace
from schemacheck.model import Check, Column, ColumnType, ForeignKey, Key, KeyKind, Server, Table
from schemacheck.model.definition_sql import default_sql
from schemacheck.model.quote import quoted
from schemacheck.model.words import PLAIN
from schemacheck.model.words import tokens as words

#: Kinds of words that need a blank between them.
_APART = frozenset(("word", "name", "string", "number", "bits"))
#: Values of table options that say the same as leaving them out, and how they are taken back.
_NEUTRAL = {
    "COMMENT": "''", "CONNECTION": "''", "COMPRESSION": "''", "ENGINE_ATTRIBUTE": "''",
    "SECONDARY_ENGINE_ATTRIBUTE": "''", "ENCRYPTION": "'N'",
    **dict.fromkeys(("MAX_ROWS", "MIN_ROWS", "AVG_ROW_LENGTH", "CHECKSUM", "TABLE_CHECKSUM",
                     "DELAY_KEY_WRITE", "KEY_BLOCK_SIZE"), "0"),
    **dict.fromkeys(("PACK_KEYS", "STATS_AUTO_RECALC", "STATS_PERSISTENT", "STATS_SAMPLE_PAGES"), "DEFAULT"),
}  # fmt: skip


class Owned(dict[str, Check]):
    """Column (folded) -> its own CHECK. MariaDB names it like the column and writes it in the column's
    definition: MODIFY COLUMN without it drops it. MySQL's belong to the table."""

    @classmethod
    def of(cls, table: Table, server: Server) -> Owned:
        """The CHECKs of a table's columns."""
        names = {c.name.casefold() for c in table.columns} if server.mariadb else set()
        return cls({c.name.casefold(): c for c in table.checks if c.name.casefold() in names})

    def clause(self, column: Column, table: Table) -> str:
        """What follows the column's definition."""
        own = self.get(column.name.casefold())
        return f" CHECK ({expression_sql(own.expression, table)})" if own else ""


def expression_sql(text: str, table: Table) -> str:
    """An expression with its table's columns as they are called: the one spelling has small letters, and
    MySQL keeps the letters of a CHECK as they are given.
    """
    called = {c.name.casefold(): quoted(c.name) for c in table.columns}
    out: list[str] = []
    before = ""
    result = words(text, PLAIN)
    for index, (kind, word) in enumerate(result):
        plain = word[1:-1].replace("``", "`") if kind == "name" else word
        follows = result[index + 1][1] if index + 1 < len(result) else ""
        name = kind in ("word", "name") and follows != "(" and out[-1:] != ["as"]
        value = called.get(plain.casefold(), word) if name else word
        out += [" "] if kind in _APART and before in _APART else []
        out.append(value)
        before = kind
    return "".join(out)


def type_sql(kind: ColumnType, table: Table) -> str:
    """A column's type as its table's definition needs it: what the table's default says is left out."""
    text = kind.plain()
    if kind.display_width is not None and not kind.zerofill:
        text = text.replace(kind.base, f"{kind.base}({kind.display_width})", 1)
    own = (kind.charset, kind.collation) != (table.charset, table.collation) or "CHARACTER SET" in kind.text
    if kind.is_character and kind.charset and own:
        text += f" CHARACTER SET {kind.charset}" + (f" COLLATE {kind.collation}" if kind.collation else "")
    return text + (" COMPRESSED" if kind.compressed else "")


def definition(column: Column, table: Table, server: Server) -> str:
    """A column's whole definition, with everything that MODIFY would take away."""
    parts = [quoted(column.name), type_sql(column.type, table)]
    if column.type.srid is not None:
        parts.append(f"{'REF_SYSTEM_ID=' if server.mariadb else 'SRID '}{column.type.srid}")
    if column.generated and column.expression in ("row start", "row end"):
        parts.append(f"GENERATED ALWAYS AS {column.expression.upper()}")
    elif column.generated:
        formula = expression_sql(column.expression or "", table)
        parts.append(f"GENERATED ALWAYS AS ({formula}) {column.generated.upper()}")
        parts += [] if column.nullable or server.mariadb else ["NOT NULL"]
    else:
        parts.append("NULL" if column.nullable else "NOT NULL")
        if column.default is not None:
            parts.append(default_sql(column))
        if column.on_update:
            fraction = f"({column.type.fraction})" if column.type.fraction else ""
            parts.append(f"ON UPDATE CURRENT_TIMESTAMP{fraction}")
    if column.auto_increment:
        parts.append("AUTO_INCREMENT")
    if column.invisible:
        parts.append("INVISIBLE")
    return " ".join([*parts, *column.attributes])


def key_sql(key: Key, table: Table, server: Server) -> str:
    """A key as ADD takes it."""
    parts = ", ".join(
        (
            f"({expression_sql(p.expression or '', table)})"
            if p.column is None
            else quoted(p.column) + (f"({p.length})" if p.length else "")
        )
        + (" DESC" if p.descending else "")
        for p in key.parts
    )
    word = {
        KeyKind.PRIMARY: "PRIMARY KEY",
        KeyKind.UNIQUE: "UNIQUE INDEX",
        KeyKind.INDEX: "INDEX",
        KeyKind.FULLTEXT: "FULLTEXT INDEX",
        KeyKind.SPATIAL: "SPATIAL INDEX",
        KeyKind.VECTOR: "VECTOR INDEX",
    }[key.kind]
    name = "" if key.kind is KeyKind.PRIMARY or not key.name else f" {quoted(key.name)}"
    hidden = [] if key.visible else [_use(server, visible=False)]
    return " ".join([f"{word}{name} ({parts})", *key.attributes, *hidden])


def _use(server: Server, *, visible: bool) -> str:
    """How a server is told whether the optimizer may use an index."""
    if server.mariadb:
        return "NOT IGNORED" if visible else "IGNORED"
    return "VISIBLE" if visible else "INVISIBLE"


def foreign_sql(foreign: ForeignKey, home: str | None) -> str:
    """A foreign key of a table in `home` as ADD takes it, its parent's database named: MySQL 5.6 looks for
    the default database (1046).
    """
    target = ".".join(quoted(p) for p in (foreign.ref_database or home, foreign.ref_table) if p)
    actions = "".join(
        f" ON {what} {action}"
        for what, action in (("DELETE", foreign.on_delete), ("UPDATE", foreign.on_update))
        if action != "RESTRICT"
    )
    named = f"CONSTRAINT {quoted(foreign.name)} " if foreign.name else ""
    return (
        f"{named}FOREIGN KEY ({', '.join(map(quoted, foreign.columns))}) REFERENCES {target} "
        f"({', '.join(map(quoted, foreign.ref_columns))}){actions}"
    )


def main(old: Table, new: Table, server: Server, *, ordered: bool = False) -> list[str]:
    """The parts of the ALTER TABLE that makes `new` of `old`, but for foreign keys and partitions. `ordered`:
    keys that stand behind one that comes go and come again, which builds none of them anew (asked of four
    servers).

    MySQL takes an index that is dropped and added with the same columns for the same one, and keeps its
    comment (asked of 5.6 and 9.7) unless the table is copied.
    """
    before, after = Owned.of(old, server), Owned.of(new, server)
    here, there = ({(k.name.casefold(), k.parts, k.kind): k for k in t.keys} for t in (old, new))
    same = here.keys() & there.keys()
    again = list(_behind(old, new)) if ordered else []
    copied = server.has("same-index-stays") and not all(_same_key(here[k], there[k]) for k in same)
    return [
        *(f"DROP CONSTRAINT {quoted(c.name)}" for c in _gone(old, new, before)),
        *_keys_gone(old, new),
        *(f"DROP INDEX {quoted(k.name)}" for k in again),
        *_columns(old, new, before, after, server),
        *_keys_come(replace(old, keys=tuple(k for k in old.keys if k not in again)), new, server),
        *_checks_come(old, new, after),
        *_options(old, new),
        *(("ALGORITHM=COPY",) if copied else ()),
    ]


def told(key: Key) -> frozenset[str]:
    """What a key says beside its columns, without what says nothing: a B-tree is what an index is anyway."""
    return frozenset(key.attributes) - {"USING BTREE", "KEY_BLOCK_SIZE=0", "COMMENT ''"}


def _keys_gone(old: Table, new: Table) -> Iterator[str]:
    for key in old.keys:
        if not any(_same_key(key, other) for other in new.keys):
            yield "DROP PRIMARY KEY" if key.kind is KeyKind.PRIMARY else f"DROP INDEX {quoted(key.name)}"


def _keys_come(old: Table, new: Table, server: Server) -> Iterator[str]:
    for key in _in_order(new):
        there = next((other for other in old.keys if _same_key(key, other)), None)
        if there is None:
            yield f"ADD {key_sql(key, new, server)}"
        elif there.visible != key.visible:
            yield f"ALTER INDEX {quoted(key.name)} {_use(server, visible=key.visible)}"


def _in_order(table: Table) -> list[Key]:
    """The keys as the text of the definition has them; rows and a MODIFY tell no order."""

    def place(key: Key) -> tuple[bool, int, int]:
        at, home = key.location, table.location
        return (
            at is None or home is None or at.file != home.file,
            (at and at.line) or 0,
            (at and at.column) or 0,
        )

    return sorted(table.keys, key=place)


def _behind(old: Table, new: Table) -> Iterator[Key]:
    """The keys that stay and stand behind a new one of their kind."""
    come: set[KeyKind] = set()
    for key in _in_order(new):
        if key not in old.keys:
            come.add(key.kind)
        elif key.kind in come & {KeyKind.UNIQUE, KeyKind.INDEX}:
            yield key


def _same_key(key: Key, other: Key) -> bool:
    """Whether two keys are the same in everything but whether the optimizer may use them."""
    return replace(key, visible=True) == replace(other, visible=True) and told(key) == told(other)


def _gone(old: Table, new: Table, owned: Owned) -> Iterator[Check]:
    return (c for c in old.checks if c not in new.checks and c.name and c not in owned.values())


def _checks_come(old: Table, new: Table, owned: Owned) -> Iterator[str]:
    for check in new.checks:
        if check not in old.checks and check not in owned.values():
            named = f"CONSTRAINT {quoted(check.name)} " if check.name else ""
            yield f"ADD {named}CHECK ({expression_sql(check.expression, new)})" + (
                "" if check.enforced else " NOT ENFORCED"
            )


def named_columns(table: Table) -> Table:
    """The table without columns that the server adds by itself: no statement can name them."""
    from schemacheck.catalog.drafts import is_hidden

    named = tuple(c for c in table.columns if not is_hidden(c, table))
    return table if len(named) == len(table.columns) else replace(table, columns=named)


def _same_column(column: Column, other: Column) -> bool:
    return column == other and column.attributes == other.attributes


def _columns(old: Table, new: Table, owned: Owned, owning: Owned, server: Server) -> Iterator[str]:
    old, new = named_columns(old), named_columns(new)
    wanted = [c.name.casefold() for c in new.columns]
    for column in old.columns:
        if column.name.casefold() not in wanted:
            yield f"DROP COLUMN {quoted(column.name)}"
    staying = _staying([c.name.casefold() for c in old.columns if c.name.casefold() in wanted], wanted)
    last = max((wanted.index(name) for name in staying), default=-1)
    for index, column in enumerate(new.columns):
        name = wanted[index]
        place = " FIRST" if index == 0 else f" AFTER {quoted(new.columns[index - 1].name)}"
        before = old.column(column.name)
        text = f"{definition(column, new, server)}{owning.clause(column, new)}"
        if before is None:
            yield f"ADD COLUMN {text}{'' if index > last and index else place}"
        elif name not in staying:
            yield f"MODIFY COLUMN {text}{place}"
        elif not _same_column(before, column) or owned.get(name) != owning.get(name):
            yield f"MODIFY COLUMN {text}"


def _staying(remaining: list[str], wanted: list[str]) -> frozenset[str]:
    """Columns that need not move: those of `kept` that rise in `wanted`."""
    matches = SequenceMatcher(None, remaining, wanted, autojunk=False).get_matching_blocks()
    return frozenset(name for block in matches for name in remaining[block.a : block.a + block.size])


def options(table: Table) -> dict[str, str]:
    """What a table's options say, without those that say nothing."""
    return {name: value for name, value in table.options if _NEUTRAL.get(name) != value.replace('"', "'")}


def _options(old: Table, new: Table) -> Iterator[str]:
    if old.engine != new.engine and new.engine:
        yield f"ENGINE={new.engine}"
    if (old.charset, old.collation) != (new.charset, new.collation) and new.charset:
        yield f"DEFAULT CHARACTER SET {new.charset}" + (f" COLLATE {new.collation}" if new.collation else "")
    if old.row_format != new.row_format:
        yield f"ROW_FORMAT={new.row_format or 'DEFAULT'}"
    here, there = options(old), options(new)
    for name in sorted({*here, *there}):
        if here.get(name) != there.get(name):
            yield f"{name}={there.get(name, _NEUTRAL.get(name, 'DEFAULT'))}"
    if old.system_versioned != new.system_versioned:
        yield "ADD SYSTEM VERSIONING" if new.system_versioned else "DROP SYSTEM VERSIONING"
