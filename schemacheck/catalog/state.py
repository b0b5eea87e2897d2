"""What a server holds at one point of a script: databases, tables, and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping

from schemacheck.catalog import name_rules, naming
from schemacheck.catalog.context import Context, Lines, Place
from schemacheck.catalog.referring import Reference, adopt, to
from schemacheck.dataclass import replace
from schemacheck.model import charset as charsets
from schemacheck.model.location import Location
from schemacheck.model.names import folded
from schemacheck.model.problem import InputProblem, Refusal
from schemacheck.model.program import Event, Made, Ran, Routine
from schemacheck.model.schema import Schema
from schemacheck.model.server import Server
from schemacheck.model.table import Table
from schemacheck.sql.client import Statement, line_end
from schemacheck.sql.flavor import Flavor
from schemacheck.sql.flavor import of as flavor_of
from schemacheck.sql.lexer import Refused, Tokens, tokens_of, unasked
from schemacheck.sql.words import Name

#: A longer line is not shown where something is wrong in it.
_LONGEST_LINE = 300


class Catalog:
    """Databases and tables at one point of a script, under the server's settings of that point."""

    def __init__(
        self,
        text: str,
        server: Server,
        file: str,
        database: str | None,
        base: Schema | None,
        charsets_: Mapping[str, tuple[str, str]],
    ) -> None:
        self.lines = Lines(text, file)
        self.fold = server.folds_names
        self.server = server
        self.database = database
        self.tables: dict[Name, Table] = {}
        #: Tables that this statement makes unknown, as they were before, and all that were not unknown yet.
        self.lost: dict[Name, Table] = {}
        self.fresh: set[Name] = set()
        #: The databases in which tables are, or have been.
        self.homes: set[str | None] = set()
        #: Tables of which rows of a server are known, and not all that later statements depend on.
        self.opaque: set[Name] = set()
        #: The definition that is being run, and the same as tables remember it.
        self.running = ""
        self._ran: Ran | None = None
        #: Scheduled events; triggers are their tables'.
        self.events: dict[Name, Event] = {}
        self.routines: dict[tuple[str, Name], Routine] = {}
        self.problems: list[InputProblem] = list(base.problems) if base else []
        #: Of databases for which the script names a character set.
        self.named_charsets: dict[str, tuple[str, str]] = {}
        self.databases: dict[str, tuple[str, str]] = {
            self.key(name, "")[0] or name: (
                charsets.canonical(charset),
                charsets.canonical_collation(collation),
            )
            for name, (charset, collation) in charsets_.items()
        }
        self.failed: set[Name] = set()
        #: Temporary tables: each hides the table of its name.
        self.temporary: set[Name] = set()
        #: Tables as CREATE TABLE defines them in files that are run in no certain order.
        self.described: dict[Name, Table] | None = None
        #: Whether somebody asks what each CREATE TABLE says.
        self.drafts = False
        #: Tables that refer, or have referred, to each name.
        self._children: dict[Name, set[Name]] = {}
        #: Tables that have, or have had, a constraint of each kind and name.
        self._holders: dict[tuple[str | None, str, str], set[Name]] = {}
        # A database that is there keeps its own, whatever a session sets: only new ones see that.
        self._default_charset = server_charset(server)
        self._count = 0
        for table in base.tables if base else ():
            self.put(table)
            self._count = max(self._count, *(ran.number for ran in table.ran[-1:]), 0)

    def put(self, table: Table) -> None:
        """A table as it is now, whose foreign keys others may ask for."""
        key = self.key(table.database, table.name)
        if self.running:
            table = self._remembering(table, self.tables.get(key))
        self.tables[key] = table
        self.homes.add(key[0])
        (self.opaque.add if table.opaque else self.opaque.discard)(key)
        for foreign in table.foreign_keys:
            parent = self.key(foreign.ref_database or table.database, foreign.ref_table)
            self._children.setdefault(parent, set()).add(key)
            self._holders.setdefault((key[0], "FOREIGN KEY", foreign.name.casefold()), set()).add(key)
        for check in table.checks:
            self._holders.setdefault((key[0], "CHECK", check.name.casefold()), set()).add(key)

    def _remembering(self, table: Table, before: Table | None) -> Table:
        """The table with the definition that made or changed it."""
        if self._ran is None or self._ran.text is not self.running:
            charset = self.charset(self.database)
            self._count += 1
            self._ran = Ran(self._count, self.running, self.database, self.server, charset)
        was = before or table
        return replace(table, ran=(*(table.ran or was.ran), self._ran), asked=table.asked or was.asked)

    def _holder(self, key: Name, kind: str, name: str) -> Table | None:
        """Another table of the database, with a constraint of this kind and name."""
        name = name.casefold()
        for other in self._holders.get((key[0], kind, name), set()) - {key}:
            held = self.tables.get(other)
            there = () if held is None else held.checks if kind == "CHECK" else held.foreign_keys
            if any(item.name.casefold() == name for item in there):
                return held
        return None

    def check_taken(self, made: Table) -> tuple[str, Table] | None:
        """A CHECK's name that another table of the database has, and that table (MySQL: 3822)."""
        if self.server.mariadb or not self.server.has("check-constraints"):
            return None
        key = self.key(made.database, made.name)
        result = ((check.name, self._holder(key, "CHECK", check.name)) for check in made.checks)
        return next(((name, held) for name, held in result if held is not None), None)

    def taken(self, made: Table) -> None:
        """Refuse a constraint whose name another table of the database has. Raises Refused."""
        if (check := self.check_taken(made)) is not None:
            why = f"CHECK {check[0]!r} is there in table {check[1].name}"
            raise Refused(why, 0, 3822, name=check[0])
        key = self.key(made.database, made.name)
        for foreign in made.foreign_keys:
            held = self._holder(key, "FOREIGN KEY", foreign.name)
            if held is not None:
                why = f"foreign key {foreign.name!r} is there in table {held.name}"
                raise Refused(f"{why}: whether the server takes another is not known", 0)

    def children(self, parent: Name) -> list[Table]:
        """The tables that refer to this name, or have referred to it."""
        names = sorted(self._children.get(parent, ()), key=str)
        return [self.tables[key] for key in names if key in self.tables]

    def references(self, parent: Name) -> list[Reference]:
        """The foreign keys that refer to this name."""
        return to(parent, self.children(parent), self.key, self.server)

    def waiting(self, parent: Name) -> list[Reference]:
        """The foreign keys that refer to a name under which no table is."""
        return [] if parent in self.tables else self.references(parent)

    def key(self, database: str | None, name: str) -> Name:
        """A table's identity on this server."""
        if self.fold:
            return (folded(database) if database else None), folded(name)
        return database, name

    def rows_about(self, view: str, database: str | None, name: str, asked: Mapping[str, str]) -> int | None:
        """How many rows information_schema.COLUMNS, STATISTICS or TABLES has about a table with what is asked
        by column; None where the table is not known, or more is asked than a column or a key.
        """
        table = self.tables.get(self.key(database, name))
        if table is None or len(asked) > 1:
            return None
        what = next(iter(asked.values()), "").casefold()
        if (view, *asked) == ("tables",):
            return 1
        if (view, *asked) == ("columns", "column_name"):
            return sum(column.name.casefold() == what for column in table.columns)
        parts = sum(len(key.parts) for key in table.keys if (key.name or "").casefold() == what)
        # The key that a foreign key makes for itself has a name too.
        named = all(key.name for key in table.keys) and (parts or not table.foreign_keys)
        return parts if (view, *asked) == ("statistics", "index_name") and named else None

    def schema(self) -> Schema:
        """The tables, and what was not understood."""
        return Schema(
            tuple(self.tables.values()),
            tuple(self.problems),
            events=tuple(self.events.values()),
            routines=tuple(self.routines.values()),
            charsets=self.named_charsets,
        )

    def charset(self, database: str | None) -> tuple[str, str]:
        """The default character set and collation of a database; None: the one in which the script begins."""
        return self.databases.get(self.key(database, "")[0] or "", self._default_charset)

    def made(self, definer: str, database: str | None) -> Made:
        """What a new trigger, routine or view of this database keeps, as far as the script tells it."""
        session = self.server.setting("collation_connection")
        given = self.server.given("collation_connection") and session != "?"
        home = self.databases.get(self.key(database, "")[0] or "") if database is not None else None
        connection = charsets.canonical_collation(session) if given else ""
        modes = tuple(sorted(self.server.sql_mode)) if self.server.given("sql_mode") else None
        return Made(definer, connection, home[1] if home is not None else "", modes)

    @property
    def flavor(self) -> Flavor:
        """The grammar under the current settings."""
        return flavor_of(self.server)

    def context(self, statement: Statement, database: str | None) -> Context:
        """What a statement's meaning depends on."""
        charset, collation = self.charset(database)
        if charset == "?":
            why = f"whether the script runs in {collation}, whose character set changes, is not known: USE it"
            raise Refused(why, 0, code="SC001")
        return Context(self.server, self.lines, statement.start, charset, collation, database)

    def tokens(self, text: str) -> Tokens:
        """The statement's words under the current sql_mode."""
        return tokens_of(text, self.server)

    def move(self, old: Name, new: Name, at: int, statement: Statement) -> None:
        """RENAME: the table under its new name, or a problem."""
        before = self.key(old[0] or self.database, old[1])
        after = (new[0] or self.database, new[1])
        key = self.key(*after)
        table = self.tables.get(before)
        if table is not None:
            try:
                if table.triggers and key[0] != before[0]:
                    raise unasked(f"another database for {old[1]!r}, which has triggers,", at)
                name_rules.check(new[1], at)
                adopt(naming.moved(table, after), self.waiting(key), self.server, at)
            except Refused as refused:
                self.fail(refused, statement, (old[0] or self.database, old[1]))
                return
        self.tables.pop(before, None)
        if table is None:
            self.fail(Refused(f"table {old[1]!r} to rename is not known", at, 1146), statement, after)
        elif key in self.tables and key != before:
            self.fail(Refused(f"table {new[1]!r} exists", at, 1050), statement, after)
        else:
            self.put(naming.moved(table, after))
            self._follow(before, key, table)

    def _follow(self, before: Name, key: Name, was: Table) -> None:
        """Foreign keys go with the tables that they name, whichever end moves (asked of four servers)."""
        after = self.tables[key]
        for place in {*self._children.get(before, ()), key} & self.tables.keys():
            child = self.tables[place]
            home = was.database if place == key else child.database
            keys = []
            for foreign in child.foreign_keys:
                database, name = foreign.ref_database or home, foreign.ref_table
                if self.key(database, name) == before:
                    database, name = after.database, after.name
                changed = (database, name) != (
                    foreign.ref_database or home,
                    foreign.ref_table,
                ) or home != child.database
                keys.append(
                    replace(
                        foreign, ref_table=name, ref_database=None if database == child.database else database
                    )
                    if changed
                    else foreign
                )
            self.put(replace(child, foreign_keys=tuple(keys)))

    def rename_referenced(self, parent: Name, names: Mapping[str, str]) -> None:
        """Foreign keys follow a parent's columns to new names (`names`: by the folded old ones)."""
        for child in self.children(parent):
            keys = tuple(
                replace(key, ref_columns=tuple(names.get(c.casefold(), c) for c in key.ref_columns))
                if self.key(key.ref_database or child.database, key.ref_table) == parent else key
                for key in child.foreign_keys
            )  # fmt: skip
            if keys != child.foreign_keys:
                self.put(replace(child, foreign_keys=keys))

    # -- problems -------------------------------------------------------------------------------

    def fail(self, refused: Refused, statement: Statement, name: Name | None) -> None:
        """A problem of a table: it is unknown from now on."""
        if name is not None:
            key = self.key(*name)
            if (before := self.tables.pop(key, None)) is not None:
                self.lost[key] = before
            if key not in self.failed:
                self.fresh.add(key)
            self.failed.add(key)
        self.problem(refused, statement, name)

    def problem(self, refused: Refused, statement: Statement, name: Name | None) -> None:
        """Note what went wrong, where, and with which table."""
        location = self.lines.at(statement.start + min(refused.at, len(statement.text)))
        database, table = name or (None, None)
        message = refused.message + (f" [error {refused.errno}]" if refused.errno else "")
        refusal = (
            Refusal(refused.errno, refused.message, refused.name, refused.kind, refused.words)
            if refused.errno
            else None
        )
        line = _line(statement, refused.at, location) if table and not isinstance(self.lines, Place) else ""
        self.problems.append(
            InputProblem(refused.code, message, location, database, table, refusal=refusal, line=line)
        )


def _line(statement: Statement, at: int, location: Location) -> str:
    """A statement's text on the line of a place in it."""
    text = statement.text
    begin = text.rfind("\n", 0, at) + 1
    line = text[begin : line_end(text, at)]
    before = (location.column or 1) - 1 - (min(at, len(text)) - begin)
    return "" if before + len(line) > _LONGEST_LINE else " " * before + line


def server_charset(server: Server) -> tuple[str, str]:
    """The character set and collation of new databases."""
    charset = charsets.canonical(server.setting("character_set_server") or "latin1")
    collation = server.setting("collation_server")
    if collation and charsets.of_collation(collation) in (charset, None):
        return charset, charsets.canonical_collation(collation)
    return charset, server.default_collation(charset)
