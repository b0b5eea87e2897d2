"""The definitions of both ends as the log moves them along."""

from __future__ import annotations

from schemacheck import catalog
from schemacheck.catalog import referring
from schemacheck.catalog.presence import Presence
from schemacheck.dataclass import replace
from schemacheck.model import (
    ForeignKey,
    InputProblem,
    Location,
    Refusal,
    Schema,
    Server,
    ServerError,
    Table,
    TableKind,
    sequence,
    with_incoming,
)
from schemacheck.replay.database_charsets import DatabaseCharsets
from schemacheck.replay.logged import Logged
from schemacheck.replay.mentions import changes_columns, holders, names_charset
from schemacheck.replay.refusal import error_of, unworded
from schemacheck.sql.statements import Statement
from schemacheck.sql.statements.value import DefinitionStatement

DDL = frozenset({
    "create-table", "create-table-like", "create-table-select", "alter-table", "drop-table", "rename-table",
    "create-view", "drop-view", "alter-view", "create-database", "drop-database", "alter-database",
    "create-index", "drop-index", "create-sequence", "drop-sequence",
})  # fmt: skip
#: Databases whose tables no schema lists.
SYSTEM = frozenset({"mysql", "sys", "information_schema", "performance_schema"})
#: MariaDB's applier keeps an option that it does not know, as far as it can read its value.
UNKNOWN_OPTION = 1911
#: "Table exists" and "unknown table": `Presence` answers these.
ABOUT_PRESENCE = frozenset({1050, 1051, 1146})


class Definitions:
    """The tables of one end, by database and name as that server compares them. `None`: known to be there,
    but not how.
    """

    def __init__(self, schema: Schema | None, server: Server) -> None:
        self.server = server
        self.fold = server.folds_names
        self.known = schema is not None
        self.tables: dict[tuple[str, str], Table] = {}
        self.doubtful: dict[tuple[str, str], str] = {}
        self.notes: list[str] = []
        #: Made in the log, in a database whose default character set is not known.
        self.assumed: set[tuple[str, str]] = set()
        self.bare: dict[str, Table] = {}
        self._series: dict[tuple[str, str], Table] = {}
        self._programs = schema.programs if schema else ()
        self._children: dict[tuple[str, str], set[tuple[str, str]]] = {}  # the tables that refer to each
        self._whole: dict[tuple[str, str], tuple[Table, tuple[Table, ...], Table]] = {}
        record = schema.charsets if schema else {}
        #: Databases that are told by name, with tables or without.
        self._homes = frozenset(filter(None, record))
        self._charsets = DatabaseCharsets({self.case(name): pair for name, pair in record.items()})
        for table in schema.tables if schema else ():
            if table.database is None:
                self.bare[self.case(table.name)] = table
            else:
                self._set(self.key(table.database, table.name), table)
        self._listed = {key[0] for key in self.tables}
        for problem in schema.problems if schema else ():
            if problem.table and not problem.skipped:
                self.doubtful[self.key(problem.database or "", problem.table)] = problem.message

    def case(self, name: str) -> str:
        """A name as this server compares it."""
        return name.lower() if self.fold else name

    def key(self, database: str, name: str) -> tuple[str, str]:
        """A table's key."""
        return self.case(database), self.case(name)

    def get(self, database: str, name: str) -> Table | None:
        """The table; one of a schema without database names belongs to any database."""
        key = self.key(database, name)
        table = self.tables.get(key)
        if table is None and key[1] in self.bare:
            table = replace(self.bare[key[1]], database=database)
            self._set(key, table)
        if table is None and self.server.mariadb and sequence.is_series(name):
            return self._series.setdefault(key, sequence.series(database, name))
        return table

    def whole(self, database: str, name: str) -> Table | None:
        """The table with the foreign keys that refer to it; the same object until one of them moves."""
        table = self.get(database, name)
        key = self.key(database, name)
        children = tuple({id(reference.child): reference.child for reference in self.referring(key)}.values())
        if table is None or not children:
            return table
        entries = self._whole.get(key)
        if entries is None or entries[0] is not table or entries[1] != children:
            family = with_incoming((table, *(c for c in children if c is not table)), fold=self.fold)
            entries = self._whole[key] = (table, children, family[0])
        return entries[2]

    def has_tables(self, keys: list[tuple[str, str] | None]) -> bool:
        """Whether these are base tables that are known."""
        tables = [self.tables.get(key) if key is not None else None for key in keys]
        return all(table is not None and table.kind is TableKind.TABLE for table in tables)

    def _set(self, key: tuple[str, str], table: Table | None) -> None:
        """The one way in which a table comes, changes or goes (None)."""
        self._count(key, -1)
        for parent in self._parents(self.tables.pop(key, None)):
            self._children.get(parent, set()).discard(key)
        if table is not None:
            self.tables[key] = table
        for parent in self._parents(table):
            self._children.setdefault(parent, set()).add(key)
        self._count(key, 1)

    def _parents(self, table: Table | None) -> list[tuple[str, str]]:
        """The tables that a table's foreign keys refer to."""
        if table is None:
            return []
        home = table.database or ""
        return [self.key(key.ref_database or home, key.ref_table) for key in table.foreign_keys]

    def referring(self, key: tuple[str, str]) -> list[referring.Reference]:
        """The foreign keys that refer to a table, in the order in which InnoDB keeps them."""
        for table in self.bare.values():
            if any(self.case(foreign.ref_table) == key[1] for foreign in table.foreign_keys):
                self.get(key[0], table.name)
        children = [self.tables[child] for child in sorted(self._children.get(key, ()))]
        return referring.to(key, children, lambda home, name: self.key(home or "", name), self.server)

    def _count(self, key: tuple[str, str], step: int) -> None:
        table = self.tables.get(key)
        if table is not None and table.charset and key not in self.assumed:
            self._charsets.count(key[0], (table.charset, table.collation or ""), step)

    def doubt(self, database: str, name: str) -> str | None:
        """Why the table's definition is not known, or None."""
        return self.doubtful.get(self.key(database, name)) or self.doubtful.get(self.key("", name))

    def presence(self) -> Presence:
        """What is there, for the evaluation of statements: databases that the schema describes
        are complete.
        """
        names: dict[str, list[str]] = {}
        for table in self.tables.values():
            names.setdefault(table.database or "", []).append(table.name)
        for database, name in self.doubtful:
            if database:
                names.setdefault(database, []).append(name)
        present = Presence.of(names, lower=self.fold, tables_only=True)
        present.homes.update(map(self.case, self._homes))
        present.has_series = self.server.mariadb
        present.hold_triggers(self.tables)
        present.held |= {(kind, self.key(home, name.casefold())) for kind, home, name in self._programs}
        present.views |= {key: (key,) for key, table in self.tables.items() if table.kind is TableKind.VIEW}
        return present

    def describe(self, present: Presence, database: str) -> None:
        """Tell `present` of a database that a schema without database names describes as well
        as any other.
        """
        name = self.case(database)
        if (
            not self.bare
            or name in SYSTEM
            or name in self._listed
            or name in present.closed
            or name in present.gone
        ):
            return
        present.closed.add(name)
        present.tables |= {
            (name, table): True
            for other, table in self.doubtful
            if not other and (name, table) not in present.tables
        }
        for table, held in self.bare.items():
            present.tables.setdefault((name, table), True)
            if held.kind is TableKind.VIEW:
                present.views.setdefault((name, table), ((name, table),))

    def apply(
        self, logged: Logged, statement: Statement, database: str | None, where: Location
    ) -> tuple[list[InputProblem], ServerError | None]:
        """Run a definition statement whose tables are there: what cannot be followed (its tables become
        doubtful), and the error that it meets.

        Whether a table is there at all is the question of `Presence`: a CREATE that gets here replaces, a
        DROP may miss.
        """
        touched = [self.key(ref.database or database or "", ref.name) for ref in statement.updated]
        if _makes(statement) and touched[0] in self.tables:
            lost = self._dropped(touched[:1], logged.on(self.server))
            if lost is not None:
                return [], lost
        before = self._named(statement, database)
        base = Schema(
            tuple(table for key, table in before.items() if not (_makes(statement) and key == touched[0]))
        )
        charsets = {
            name: result
            for name in {key[0] for key in touched}
            if (result := self._charsets.of(name, logged, self.server))
        }
        server = logged.on(self.server)
        after = catalog.read(
            logged.query, server, file=where.file, database=database, base=base, charsets=charsets
        )
        made = {self.key(t.database or database or "", t.name): t for t in after.tables}
        problems = []
        for problem in after.problems:
            refusal = problem.refusal
            if refusal is None:
                problems.append(replace(problem, location=where))
            elif unworded(refusal, server) or refusal.number == UNKNOWN_OPTION:
                problems.append(replace(problem, message=refusal.message, location=where))
            elif refusal.number not in ABOUT_PRESENCE:
                return [], error_of(self.server, refusal, touched[0] if touched else ("", ""))

        for key in touched if statement.verb != "rename-table" else ():  # they go with their tables
            unseen = self._unseen_parent(made.get(key), before.get(key), made, server)
            if unseen is not None:
                message = (
                    f"whether {unseen.ref_table} has a key that the new foreign key of {key[1]} "
                    "may refer to is not known"
                )
                problems.append(InputProblem("SC004", message, where, *key))
        for key in before.keys() | made.keys():
            self._set(key, made.get(key))
        self._drop_and_rename(statement, database, before)
        if isinstance(statement, DefinitionStatement):
            home = self.case(statement.database or database or "")
            self._charsets.run(statement, home, after.charsets, logged.made)
        self._doubts(statement, touched, (before, charsets), problems)
        return problems, None

    def _unseen_parent(
        self, table: Table | None, before: Table | None, made: dict[tuple[str, str], Table], server: Server
    ) -> ForeignKey | None:
        """The first new foreign key whose parent's definition is not known; what is known the catalog has
        asked. Without foreign_key_checks the parent may be missing.
        """
        if table is None or not referring.checked(server):
            return None
        foreigns = before.foreign_keys if before is not None else ()
        for key in table.enforced_keys:
            home = (key.ref_database or table.database or "", key.ref_table)
            if key not in foreigns and self.key(*home) not in made and self.get(*home) is None:
                return key
        return None

    def _dropped(self, keys: list[tuple[str, str]], server: Server) -> ServerError | None:
        """The error of dropping tables that others refer to, or None."""
        result = referring.dropped(
            keys, {key: self.referring(key) for key in keys},
            lambda database, name: self.key(database or "", name), server,
        )  # fmt: skip
        if result is None:
            return None
        key, by, number = result
        why = f"{key[1]} is referred to by foreign key {by.key.name} of {by.child.name}"
        words = tuple(by.words(key[1]).items())
        return error_of(self.server, Refusal(number, why, key[1], words=words), key)

    def truncated(self, logged: Logged, statement: Statement, database: str | None) -> ServerError | None:
        """The error of TRUNCATE TABLE on a table that another refers to, or None."""
        if not statement.refs or not logged.checks_foreign_keys:
            return None
        key = self.key(statement.refs[0].database or database or "", statement.refs[0].name)
        by = next(
            (reference for reference in self.referring(key) if reference.child != self.tables.get(key)), None
        )
        if by is None or key not in self.tables:
            return None
        columns, theirs = (
            ", ".join(f"`{c}`" for c in names) for names in (by.key.columns, by.key.ref_columns)
        )
        words = by.words(key[1]) | {"columns": columns, "parent_columns": theirs, "parent_database": key[0]}
        return error_of(
            self.server, Refusal(1701, "a foreign key refers to it", key[1], words=tuple(words.items())), key
        )

    def _named(self, statement: Statement, database: str | None) -> dict[tuple[str, str], Table]:
        """The tables that a statement refers to, as far as they are there; those of a schema without database
        names get the one it looks in.
        """
        names = [(ref.database, ref.name) for ref in statement.refs]
        names += [*statement.parents, *statement.inline_parents, *(new for _, new in statement.renames)]
        result = {}
        waited = []
        for other, name in names:
            table = self.get(other or database or "", name) if other or database else None
            if table is not None:
                result[self.key(other or database or "", name)] = table
            elif other or database:
                waited.append(self.key(other or database or "", name))
        for table in list(result.values()):  # what its foreign keys refer to
            for parent in self._parents(table):
                if (there := self.get(*parent)) is not None:
                    result.setdefault(parent, there)
        result = holders(statement.definition, self.tables) | result
        for key in (*result, *waited):
            result |= {
                self.key(reference.child.database or "", reference.child.name): reference.child
                for reference in self.referring(key)
            }
        return result

    def _doubts(
        self, statement: Statement, touched: list[tuple[str, str]],
        state: tuple[dict[tuple[str, str], Table], dict[str, tuple[str, str]]], problems: list[InputProblem],
    ) -> None:  # fmt: skip
        """Remember which tables are not known any more, and which are again. `state`: the tables before, and
        the databases' character sets.
        """
        before, charsets = state
        for key in touched:
            if problems:
                self.doubtful[key] = problems[0].message
            elif (
                statement.verb == "alter-table"
                and key in before
                and self.tables.get(key) == before[key]
                and changes_columns(statement.definition)
            ):
                self.doubtful[key] = "an ALTER TABLE in the log could not be followed"
            elif key not in self.tables or statement.verb.startswith("create-table"):
                self.doubtful.pop(key, None)
                self._assume(
                    key,
                    told=key[0] in charsets
                    or self.server.given("character_set_server")
                    or names_charset(statement.definition),
                )

    def _assume(self, key: tuple[str, str], *, told: bool) -> None:
        """A table made where the database's character set is not known has the server's: that is said."""
        made = self.tables.get(key)
        if told or made is None or not any(column.type.is_character for column in made.columns):
            self._mark(key, assumed=False)
            return
        self._mark(key, assumed=True)
        note = (
            f"the log makes tables in {key[0]}, whose default character set is not known: that of "
            f"{self.server} is assumed, {made.charset}; give character_set_server if it is another"
        )
        if note not in self.notes:
            self.notes.append(note)

    def _mark(self, key: tuple[str, str], *, assumed: bool) -> None:
        self._count(key, -1)
        (self.assumed.add if assumed else self.assumed.discard)(key)
        self._count(key, 1)

    def _drop_and_rename(
        self, statement: Statement, database: str | None, before: dict[tuple[str, str], Table]
    ) -> None:
        """What becomes of tables and names that the catalog was not given (`before` it was)."""
        if statement.verb == "drop-table" and not statement.temporary:
            for ref in statement.refs:
                self._set(self.key(ref.database or database or "", ref.name), None)
                self.bare.pop(self.case(ref.name), None)
        if (
            isinstance(statement, DefinitionStatement)
            and statement.verb == "drop-database"
            and (statement.database or database)
        ):
            gone = self.case(statement.database or database or "")
            for key in [key for key in (*self.tables, *self.doubtful) if key[0] == gone]:
                self._set(key, None)
                self.doubtful.pop(key, None)
        for old, new in statement.renames:
            was = self.key(old[0] or database or "", old[1])
            now = self.key(new[0] or database or "", new[1])
            self.bare.pop(self.case(old[1]), None)
            if (moved := self.tables.get(was)) is not None and was != now and was not in before:
                self._set(was, None)
                self._set(now, replace(moved, name=new[1], database=new[0] or database))
            if was in self.doubtful:
                self.doubtful[now] = self.doubtful.pop(was)


def _makes(statement: Statement) -> bool:
    """Whether the statement makes its first table, whatever was there. A temporary one hides it."""
    makes = statement.verb.startswith("create-table") and bool(statement.updated)
    return makes and not (statement.conditional or statement.temporary)
