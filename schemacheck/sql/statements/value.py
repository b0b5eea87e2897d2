"""Statements as typed values: what each is, the tables in the server's order, and which it updates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from schemacheck.dataclass import dataclass, field, replace

if TYPE_CHECKING:
    from schemacheck.sql.assignment import Assignment
    from schemacheck.sql.ddl.parse import Definition

#: (database as written or None, name)
Name = tuple[str | None, str]

DML = frozenset(
    {"insert", "replace", "load", "update", "update-multi", "delete", "delete-multi", "select", "do"}
)
DATABASE = frozenset({"create-database", "alter-database", "drop-database"})
TRANSACTION = frozenset({"begin", "commit", "rollback", "savepoint", "rollback-to", "release"})
XA = frozenset({"xa-start", "xa-end", "xa-prepare", "xa-commit", "xa-rollback"})
SESSION = frozenset({"use", "set", "prepare", "execute", "lock", "unlock", "not-logged"})
#: Statements whose text the server writes anew for its binary log.
TEXT_LOGGED_BY_SERVER = frozenset({"drop-table", "drop-sequence", "create-view", "alter-view", "load"})


@dataclass(frozen=True, slots=True)
class Ref:
    """One table of a statement. `updated` None: the text alone does not say."""

    database: str | None
    name: str
    updated: bool | None
    alias: str = ""

    @property
    def written(self) -> str:
        """As the statement has it."""
        return f"{self.database}.{self.name}" if self.database else self.name


@dataclass(frozen=True, slots=True)
class Needs:
    """What a change of one table, or a query of one, demands of its columns.

    `whole`: every column that it names is among them. `values` counts the values of each row (one without
    any fits every table), for the `listed` columns, for the table's where it is 0. `columns` are (clause,
    name) in the order in which the server looks for them; a clause is one of `insert`, `where`, `order`,
    `set`, `update`, `select`, `group`, `having`, and of a trigger `new`, `old`; `sets` are the rows that it
    sets.
    """

    values: tuple[int, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    whole: bool = False
    listed: int = 0
    sets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lookup:
    """A column of a query that is in one of these tables, or nowhere; `once`: and in one alone."""

    clause: str
    written: str
    tables: tuple[Name, ...]
    once: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement; the subclasses have what only their kind has.

    `verb` is its kind in one word (`insert`, `create-table`, `xa-start`, `not-logged`, `unknown`, ...),
    `start` its offset in the script. `refs` is the server's table list in its order. `calls` are stored
    functions that it uses, or the procedure of CALL. `conditional`: with IF [NOT] EXISTS. `unsafe` are the
    reasons to log rows under MIXED; `needs` what it demands of a table's columns, None where that was not
    read, `lookups` those of a statement of several tables; `inner` the statement that MariaDB's ANALYZE or
    SET STATEMENT runs, where one of them is around it; `problems` what was not understood.
    """

    text: str
    verb: str
    refs: tuple[Ref, ...] = ()
    calls: tuple[Name, ...] = ()
    conditional: bool = False
    temporary: bool = False
    unsafe: tuple[str, ...] = ()
    needs: Needs | None = None
    lookups: tuple[Lookup, ...] = ()
    inner: str = ""
    problems: tuple[str, ...] = ()
    start: int = field(default=0, compare=False)

    @property
    def updated(self) -> tuple[Ref, ...]:
        """The tables that it updates (or may update)."""
        return tuple(ref for ref in self.refs if ref.updated is not False)

    @property
    def renames(self) -> tuple[tuple[Name, Name], ...]:
        """The tables that it renames: (old, new)."""
        return ()

    @property
    def parents(self) -> tuple[Name, ...]:
        """The tables that its foreign keys refer to."""
        return ()

    @property
    def inline_parents(self) -> tuple[Name, ...]:
        """The tables that REFERENCES of its columns names."""
        return ()

    @property
    def definition(self) -> Definition | None:
        """The definition that it is."""
        return None

    @property
    def body(self) -> tuple[Statement, ...]:
        """The statements of a stored program."""
        return ()

    def renamed(self, refs: tuple[Ref, ...]) -> Self:
        """The same with another table list."""
        return replace(self, refs=refs)


@dataclass(frozen=True, slots=True)
class DataStatement(Statement):
    """A query or a change of rows (DML, LOAD DATA, SELECT, DO).

    `targets` is what DELETE names before FROM; `updates_duplicates`: with ON DUPLICATE KEY UPDATE.
    """

    targets: tuple[Name, ...] = ()
    updates_duplicates: bool = False


@dataclass(frozen=True, slots=True)
class DefinitionStatement(Statement):
    """A definition of a table, view, sequence, index or database.

    `database` is what a statement on databases names (None: the default one, which the source puts there
    where `implied_database`); `parents` are the tables that its foreign keys refer to, `inline_parents` those
    that column definitions do, `cascades` those with the events (delete, update) that reach the child.
    """

    definition: Definition | None = field(default=None, compare=False, repr=False)
    or_replace: bool = False
    database: str | None = None
    implied_database: bool = False
    renames: tuple[tuple[Name, Name], ...] = ()
    parents: tuple[Name, ...] = ()
    inline_parents: tuple[Name, ...] = ()
    cascades: tuple[tuple[Name, frozenset[str]], ...] = ()


@dataclass(frozen=True, slots=True)
class ProgramStatement(Statement):
    """A definition of stored code: no table of it is tested, but a trigger's. `timing` and `event` are a
    trigger's, events between commas, `beside` the one that it follows; `body` are the statements of the
    code; `new_name` is what ALTER EVENT ... RENAME TO says.
    """

    name: Name | None = None
    event: str = ""
    body: tuple[Statement, ...] = ()
    or_replace: bool = False
    new_name: Name | None = None
    timing: str = ""
    beside: str = ""


@dataclass(frozen=True, slots=True)
class AccountStatement(Statement):
    """A statement on accounts. `scope` says which grant tables it writes (user, db, table, column,
    routine, proxy, role, global, password); `accounts` are `'user'@'host'`; `database` that of
    GRANT ... ON db.*.
    """

    scope: str = ""
    accounts: tuple[str, ...] = ()
    database: str | None = None


@dataclass(frozen=True, slots=True)
class TransactionStatement(Statement):
    """BEGIN, COMMIT, ROLLBACK, SAVEPOINT, RELEASE and XA."""


@dataclass(frozen=True, slots=True)
class UseStatement(Statement):
    """USE."""

    database: str = ""


@dataclass(frozen=True, slots=True)
class SetStatement(Statement):
    """SET of variables. `charset` and `collation` are those of SET NAMES and SET CHARACTER SET."""

    assignments: tuple[Assignment, ...] = ()
    charset: str = ""
    collation: str = ""


@dataclass(frozen=True, slots=True)
class PrepareStatement(Statement):
    """PREPARE (with the statement of its text, None where that is in a variable) and EXECUTE."""

    name: str = ""
    prepared: Statement | None = None


@dataclass(frozen=True, slots=True)
class ChangeFilterStatement(Statement):
    """CHANGE REPLICATION FILTER, or MASTER with domains: (option in capitals, values)."""

    filters: tuple[tuple[str, tuple[str, ...]], ...] = ()
    channel: str = ""
