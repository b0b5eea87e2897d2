"""What a statement is to replication: its verb, the tables in the server's order, and which it updates."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schemacheck.sql.ddl.parse import Definition

#: (database as written or None, name)
Name = tuple[str | None, str]

DML = frozenset(
    {"insert", "replace", "load", "update", "update-multi", "delete", "delete-multi", "select", "do"}
)
DATABASE = frozenset({"create-database", "alter-database", "drop-database"})
ACCOUNT = frozenset(
    {
        "create-user",
        "drop-user",
        "rename-user",
        "alter-user",
        "set-password",
        "grant",
        "revoke",
        "create-role",
        "drop-role",
    }
)
TRANSACTION = frozenset({"begin", "commit", "rollback", "savepoint", "rollback-to", "release"})
XA = frozenset({"xa-start", "xa-end", "xa-prepare", "xa-commit", "xa-rollback"})
SESSION = frozenset({"use", "set", "prepare", "execute", "lock", "unlock", "not-logged"})
#: Statements on stored code: no table of theirs is tested.
CODE = frozenset(
    f"{verb}-{thing}"
    for verb in ("create", "alter", "drop")
    for thing in ("procedure", "function", "event", "package", "server", "udf", "tablespace")
)
TEXT_LOGGED_BY_SERVER = frozenset({"drop-table", "drop-sequence", "create-view", "alter-view", "load"})


@dataclass(frozen=True, slots=True)
class Ref:
    """One table of a statement. `updated` None: the text alone does not tell."""

    database: str | None
    name: str
    updated: bool | None
    alias: str = ""

    @property
    def written(self) -> str:
        """As it stands in the statement."""
        return f"{self.database}.{self.name}" if self.database else self.name


@dataclass(frozen=True, slots=True)
class Needs:
    """What a change of one table, or a query of one, demands of its columns.

    `whole`: every column that it names is among them. `values` counts the values of each row that names no
    column (a row without any fits every table). `columns` are (clause, name) in the order in which the server
    looks for them; a clause is one of `insert`, `where`, `order`, `set`, `update`, `select`, `group`,
    `having`, and of a trigger `new`, `old`.
    """

    values: tuple[int, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """One analysed statement.

    `refs` is the server's table list in its order. `database` is the database that a statement on
    databases names (None: the default one) or that GRANT ... ON db.* names. `calls` are stored
    functions used, or the procedure of CALL, or the routine, trigger or event that is made or
    dropped. `body` holds the statements of a stored program. `scope` says which grant tables an
    account statement writes (user, db, table, column, routine, proxy, role). `accounts` are the accounts that
    it names, as `'user'@'host'`. `parents` are the tables that its foreign keys refer to, `inline_parents`
    those that column definitions do, `cascades` those with the events (delete, update) that reach the child;
    `renames` are (old, new) pairs; `targets` what DELETE names before FROM; `columns` those of a new table,
    or those that UPDATE sets without naming their table; `argument` is the user, XA id, prepared text or
    database of USE. `unsafe` are the reasons to log rows under MIXED; `needs` what a change of one table
    demands of its columns, None where that was not read; `wrapped` says that MariaDB's ANALYZE or SET
    STATEMENT stands around it; `definition` is the parsed definition; `problems` what could not be
    understood.
    """

    text: str
    verb: str
    refs: tuple[Ref, ...] = ()
    database: str | None = None
    calls: tuple[Name, ...] = ()
    temporary: bool = False
    conditional: bool = False
    scope: str = ""
    event: str = ""
    body: tuple[Statement, ...] = ()
    cascades: tuple[tuple[Name, frozenset[str]], ...] = ()
    renames: tuple[tuple[Name, Name], ...] = ()
    parents: tuple[Name, ...] = ()
    inline_parents: tuple[Name, ...] = ()
    targets: tuple[Name, ...] = ()
    accounts: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    argument: str = ""
    unsafe: tuple[str, ...] = ()
    needs: Needs | None = None
    wrapped: bool = False
    definition: Definition | None = field(default=None, compare=False, repr=False)
    problems: tuple[str, ...] = ()

    @property
    def updated(self) -> tuple[Ref, ...]:
        """The tables that it updates (or may update)."""
        return tuple(ref for ref in self.refs if ref.updated is not False)

    def renamed(self, refs: tuple[Ref, ...]) -> Statement:
        """The same with another table list."""
        return replace(self, refs=refs)
