"""Statements about tables that are there, and about databases: DROP, RENAME, indexes, views, sequences,
CREATE DATABASE, USE.
"""

from __future__ import annotations

from schemacheck.dataclass import dataclass
from schemacheck.model.table import TableKind
from schemacheck.sql.ddl import key as keys
from schemacheck.sql.ddl import program
from schemacheck.sql.ddl.actions import Action, Add, Drop, Other, online, ways
from schemacheck.sql.ddl.create import table_name
from schemacheck.sql.ddl.draft import KeyDraft, PartDraft, TableOptions
from schemacheck.sql.ddl.options import charset
from schemacheck.sql.flavor import Flavor
from schemacheck.sql.lexer import Tokens
from schemacheck.sql.words import Name

#: What a database's definition may say besides its character set.
_DATABASE_OPTIONS = frozenset(
    ("DEFAULT", "ENCRYPTION", "COMMENT", "READ", "ONLY", "UPGRADE", "DATA", "DIRECTORY", "NAME", "=")
)


@dataclass(frozen=True, slots=True)
class DropTables:
    """DROP TABLE, VIEW and SEQUENCE. `names` come with their offsets."""

    kind: TableKind
    names: tuple[tuple[int, Name], ...]
    if_exists: bool = False
    temporary: bool = False


@dataclass(frozen=True, slots=True)
class Truncate:
    """TRUNCATE TABLE."""

    table: Name


@dataclass(frozen=True, slots=True)
class RenameTables:
    """RENAME TABLE: (old name, new name, offset)."""

    pairs: tuple[tuple[Name, Name, int], ...]
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class CreateIndex:
    """CREATE INDEX."""

    table: Name
    name_at: int
    key: KeyDraft
    ways: tuple[Other, ...] = ()

    @property
    def actions(self) -> tuple[Action, ...]:
        """What it is as an ALTER TABLE."""
        return (Add(self.name_at, self.key), *self.ways)


@dataclass(frozen=True, slots=True)
class DropIndex:
    """DROP INDEX."""

    table: Name
    name_at: int
    name: str
    at: int
    if_exists: bool = False
    ways: tuple[Other, ...] = ()

    @property
    def actions(self) -> tuple[Action, ...]:
        """What it is as an ALTER TABLE."""
        return (Drop(self.at, "INDEX", self.name, self.if_exists), *self.ways)


@dataclass(frozen=True, slots=True)
class CreateOther:
    """CREATE VIEW and SEQUENCE, ALTER VIEW. `query` is a view's, with its column list in front where it has
    one, `query_at` where the query itself begins; `sequence` a sequence's type, whether it is unsigned and
    has CYCLE, `definer` whose rights a view runs with, `read_only` whether it takes no changes.
    """

    kind: TableKind
    name: Name
    name_at: int
    alters: bool = False
    or_replace: bool = False
    if_not_exists: bool = False
    query: str | None = None
    query_at: int | None = None
    sequence: tuple[str, bool, bool] | None = None
    definer: str = ""
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class DefineDatabase:
    """CREATE and ALTER DATABASE; `name` None is the default database."""

    name: str | None
    options: TableOptions
    creates: bool = True
    if_not_exists: bool = False
    or_replace: bool = False


@dataclass(frozen=True, slots=True)
class DropDatabase:
    """DROP DATABASE."""

    name: str
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class Use:
    """USE."""

    database: str


def drop(t: Tokens, flavor: Flavor) -> DropTables:
    """DROP [TEMPORARY] TABLE, VIEW or SEQUENCE."""
    t.need("DROP")
    temporary = t.take("TEMPORARY")
    kind = TableKind[(t.take_any("TABLE", "TABLES", "VIEW", "SEQUENCE") or _missing(t)).removesuffix("S")]
    exists = t.take("IF", "EXISTS")
    names: list[tuple[int, Name]] = []
    while not names or t.take(","):
        at = t.offset()
        names.append((at, table_name(t, flavor)))
    _wait(t, flavor)
    t.take_any("RESTRICT", "CASCADE")
    _end(t)
    return DropTables(kind, tuple(names), exists, temporary)


def truncate(t: Tokens, flavor: Flavor) -> Truncate:
    """TRUNCATE [TABLE] name."""
    t.need("TRUNCATE")
    t.take("TABLE")
    name = table_name(t, flavor)
    _wait(t, flavor)
    _end(t)
    return Truncate(name)


def rename(t: Tokens, flavor: Flavor) -> RenameTables:
    """RENAME TABLE a TO b, c TO d."""
    t.need("RENAME")
    if t.take_any("TABLE", "TABLES") is None:
        _missing(t)
    exists = flavor.mariadb and t.take("IF", "EXISTS")
    pairs: list[tuple[Name, Name, int]] = []
    while not pairs or t.take(","):
        at = t.offset()
        old = table_name(t, flavor)
        _wait(t, flavor)
        t.need("TO")
        pairs.append((old, table_name(t, flavor), at))
    _end(t)
    return RenameTables(tuple(pairs), exists)


def create_index(t: Tokens, flavor: Flavor) -> CreateIndex:
    """CREATE [UNIQUE] INDEX name ON table (parts)."""
    t.need("CREATE")
    if flavor.mariadb:
        t.take("OR", "REPLACE")
    others = online(t, flavor)
    kind = (t.take_any("UNIQUE", "FULLTEXT", "SPATIAL", "VECTOR") or "INDEX").lower()
    t.need("INDEX")
    absent = flavor.mariadb and t.take("IF", "NOT", "EXISTS")
    at = t.offset()
    draft = KeyDraft(kind, [], t.name(flavor.reserved), if_not_exists=absent)
    if t.take_any("USING", "TYPE"):
        t.name()
    t.need("ON")
    name_at = t.offset()
    name = table_name(t, flavor)
    t.need("(")
    parts: list[PartDraft] = [keys.part(t, flavor)]
    while t.take(","):
        parts.append(keys.part(t, flavor))
    t.need(")")
    draft.parts = parts
    keys.options(t, flavor, draft)
    draft.span = (at, t.last_end())
    given = (*others, *ways(t))
    _wait(t, flavor)
    _end(t)
    return CreateIndex(name, name_at, draft, given)


def drop_index(t: Tokens, flavor: Flavor) -> DropIndex:
    """DROP INDEX name ON table."""
    t.need("DROP")
    others = online(t, flavor)
    t.need("INDEX")
    exists = flavor.mariadb and t.take("IF", "EXISTS")
    at = t.offset()
    key = t.name()
    t.need("ON")
    name_at = t.offset()
    name = table_name(t, flavor)
    given = (*others, *([] if flavor.mariadb else ways(t)))
    _wait(t, flavor)
    _end(t)
    return DropIndex(name, name_at, key, at, exists, given)


def create_other(t: Tokens, kind: TableKind) -> CreateOther:
    """CREATE VIEW or SEQUENCE, or ALTER VIEW, and its query as text."""
    alters, replaces = t.peek() == "ALTER", False
    while not t.end and t.peek() != kind.name:
        replaces = replaces or t.peek() == "REPLACE"
        t.at += 1
    t.need(kind.name)
    absent = t.take("IF", "NOT", "EXISTS")
    at = t.offset()
    name: Name = (None, t.name())
    if t.take("."):
        name = (name[1], t.name())
    query, query_at, definer, read_only = None, None, "", False
    if kind is TableKind.VIEW:
        query, query_at = program.view_query(t, t.text)
        definer, read_only = program.definer(t, "VIEW"), program.read_only(t)
    sequence = program.sequence(t) if kind is TableKind.SEQUENCE else None
    return CreateOther(
        kind, name, at, alters, replaces, absent, query, query_at, sequence, definer, read_only
    )


def define_database(t: Tokens, flavor: Flavor) -> DefineDatabase:
    """CREATE and ALTER DATABASE."""
    creates = t.take("CREATE")
    if not creates:
        t.need("ALTER")
    replaces = creates and flavor.mariadb and t.take("OR", "REPLACE")
    if t.take_any("DATABASE", "SCHEMA") is None:
        raise t.fail()
    absent = t.take("IF", "NOT", "EXISTS")
    name = None
    if t.is_name() and not (
        not creates
        and t.peek() in ("DEFAULT", "CHARACTER", "CHARSET", "COLLATE", "ENCRYPTION", "READ", "UPGRADE")
    ):
        name = t.name(flavor.reserved)
    given = TableOptions()
    while not t.end:
        if charset(t, flavor, given):
            continue
        if t.peek() not in _DATABASE_OPTIONS and not t.is_string() and not t.is_number():
            raise t.fail()
        t.at += 1
    return DefineDatabase(name, given, creates, absent, replaces)


def drop_database(t: Tokens) -> DropDatabase:
    """DROP DATABASE."""
    t.need("DROP")
    if t.take_any("DATABASE", "SCHEMA") is None:
        raise t.fail()
    exists = t.take("IF", "EXISTS")
    name = t.name()
    _end(t)
    return DropDatabase(name, exists)


def use(t: Tokens) -> Use:
    """USE."""
    t.need("USE")
    name = t.name()
    _end(t)
    return Use(name)


def _missing(t: Tokens) -> str:
    raise t.fail()


def _wait(t: Tokens, flavor: Flavor) -> None:
    if flavor.mariadb and not t.take("NOWAIT") and t.take("WAIT"):
        t.integer()


def _end(t: Tokens) -> None:
    """Raise where a statement goes on behind what was understood."""
    if not t.end:
        raise t.fail("the statement's end is expected")
