"""A script of DDL statements, run in order on the tables before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from schemacheck.inputs.ddl import assemble, naming, settings
from schemacheck.inputs.ddl import key as keys
from schemacheck.inputs.ddl.catalogue import Catalogue, server_charset
from schemacheck.inputs.ddl.charsets import resolve
from schemacheck.inputs.ddl.context import Context
from schemacheck.inputs.ddl.create import create_table, table_name
from schemacheck.inputs.ddl.draft import KeyDraft, PartDraft, TableOptions
from schemacheck.inputs.ddl.lexer import Refused, Tokens
from schemacheck.inputs.ddl.options import charset as charset_option
from schemacheck.inputs.ddl.script import Statement, first_words, interpret, statements
from schemacheck.inputs.ddl.words import OTHERS, PASSED, ROUTINES, Name, cut_name, depth, object_of, told_name
from schemacheck.model.schema import Schema
from schemacheck.model.server import Server
from schemacheck.model.table import Table, TableKind

if TYPE_CHECKING:
    from schemacheck.inputs.ddl.change import Changed

#: After so many statements that are none, the rest is not read.
_MOST_NONSENSE = 1000
#: Errors that bad input may cause deep inside: the statement is not understood then.
_TROUBLE = (ArithmeticError, LookupError, RecursionError, ValueError)


def read(
    text: str, server: Server, *, file: str = "-", database: str | None = None, base: Schema | None = None,
    charsets: Mapping[str, tuple[str, str]] | None = None,
) -> Schema:  # fmt: skip
    """Run a script's DDL in thought: the tables that stand at its end, and what was not understood.

    `server` gives flavour, version and variables; `database` is the default database at the start;
    `base` holds the tables that exist before; `charsets` says (character set, collation) of
    databases that the script does not create. A statement that is not understood, or that the
    server would refuse, becomes an InputProblem (SC001 syntax, SC002 meaning) that names its table
    where it can be told; that table is not in the result then. Raises nothing for bad input.
    """
    script = _Script(text, server, file, database, base, charsets or {})
    for statement in statements(script.text, lambda: "NO_BACKSLASH_ESCAPES" not in script.server.sql_mode):
        script.run(statement)
        if script.nonsense > _MOST_NONSENSE:
            script.problem(Refused("too much of this is no SQL: reading stops here", 0), statement, None)
            break
    return script.schema()


class _Script(Catalogue):
    """A script that runs: each statement changes the catalogue or the settings."""

    def __init__(
        self, text: str, server: Server, file: str, database: str | None, base: Schema | None, charsets: Mapping[str, tuple[str, str]]
    ) -> None:
        self.text = text.removeprefix("\ufeff")
        super().__init__(self.text, server, file, database, base, charsets)
        self.start = server
        self.variables = settings.Variables()
        self.block = 0
        self.nonsense = 0

    def run(self, statement: Statement) -> None:
        """One statement."""
        text = interpret(statement.text, self.server) if statement.versioned else statement.text
        if self.block:
            # Inside a routine whose body was cut at its semicolons: no DELIMITER stood before it.
            self.block = max(0, self.block + depth(text))
            return
        words = first_words(text)
        if not words:
            if text.replace(";", "").strip() and not text.strip().startswith(("\\", "(")):
                self.nonsense += 1
                self.problem(Refused("this is no SQL statement", 0), statement, None)
            return
        try:
            self._dispatch(statement, text, words)
        except Refused as refused:
            self._lost(refused, statement, words)
        except _TROUBLE as error:
            self._lost(Refused(f"cannot be understood ({type(error).__name__})", 0, "SC002"), statement, words)

    def _lost(self, refused: Refused, statement: Statement, words: list[str]) -> None:
        """A statement that failed before its table was known: the table that its text names is unknown from now on."""
        name = cut_name(statement.text, self.database) if words[0] in ("CREATE", "ALTER", "DROP", "RENAME") and set(words) & {"TABLE", "TABLES", "INDEX"} else None
        self.fail(refused, statement, name)

    def _dispatch(self, statement: Statement, text: str, words: list[str]) -> None:
        verb = words[0]
        what = object_of(words)
        if verb == "CREATE" and what == "TABLE":
            self._create_table(statement, text)
        elif verb in ("INSERT", "REPLACE"):
            return
        elif verb == "SET":
            self._set(text)
        elif verb == "USE":
            self._use(text)
        elif verb in ("CREATE", "ALTER", "DROP") and what in ROUTINES:
            self.block = max(0, depth(text)) if verb == "CREATE" else 0
        elif verb in ("CREATE", "ALTER", "DROP", "RENAME"):
            self._define(statement, text, verb, what)
        elif statement.open is not None and verb in PASSED:
            raise Refused(f"a {statement.open} is not closed: the file may be cut off", statement.open_at)
        elif verb not in PASSED and verb != "DELIMITER":
            self.nonsense += 1
            raise Refused(f"{verb[:40]!r} begins no statement that is known", 0)

    def _define(self, statement: Statement, text: str, verb: str, what: str) -> None:
        known: dict[tuple[str, str], Callable[[Statement, str], None]] = {
            ("CREATE", "VIEW"): self._create_view, ("CREATE", "SEQUENCE"): self._create_sequence, ("CREATE", "INDEX"): self._create_index,
            ("CREATE", "DATABASE"): self._database, ("CREATE", "SCHEMA"): self._database, ("ALTER", "DATABASE"): self._database,
            ("ALTER", "SCHEMA"): self._database, ("DROP", "DATABASE"): self._drop_database, ("DROP", "SCHEMA"): self._drop_database,
            ("ALTER", "TABLE"): self._alter, ("DROP", "TABLE"): self._drop, ("DROP", "TABLES"): self._drop, ("DROP", "VIEW"): self._drop,
            ("DROP", "SEQUENCE"): self._drop, ("DROP", "INDEX"): self._drop_index, ("RENAME", "TABLE"): self._rename, ("RENAME", "TABLES"): self._rename,
            ("ALTER", "VIEW"): self._create_view,
        }  # fmt: skip
        action = known.get((verb, what))
        if action is not None:
            action(statement, text)
        elif what not in OTHERS and not (verb == "ALTER" and what == "SEQUENCE"):
            raise Refused(f"{verb} {what[:40]} is not known", 0)

    # -- settings -------------------------------------------------------------------------------

    def _set(self, text: str) -> None:
        self.server = settings.apply(self.tokens(text), self.server, self.variables, self.start)

    def _use(self, text: str) -> None:
        tokens = self.tokens(text)
        tokens.need("USE")
        self.database = tokens.name()

    def _database(self, _: Statement, text: str) -> None:
        t = self.tokens(text)
        create = t.take("CREATE")
        if not create:
            t.need("ALTER")
        if self.flavor.mariadb:
            t.take("OR", "REPLACE")
        if t.take_any("DATABASE", "SCHEMA") is None:
            raise t.fail()
        t.take("IF", "NOT", "EXISTS")
        name = self.database
        if t.is_name() and not (not create and t.peek() in ("DEFAULT", "CHARACTER", "CHARSET", "COLLATE", "ENCRYPTION", "READ", "UPGRADE")):
            name = t.name(self.flavor.reserved)
        given = TableOptions()
        while not t.end:
            if charset_option(t, self.flavor, given):
                continue
            t.at += 1
        if name is not None:
            inherited = server_charset(self.server) if create else self.charset(name)
            charset, collation = resolve(given.charset, given.collation, inherited, self.server, 0)
            self.databases[name] = (charset or "", collation or "")

    # -- tables ---------------------------------------------------------------------------------

    def _create_table(self, statement: Statement, text: str) -> None:
        if statement.open is not None:
            tokens = None
            self.problem(Refused(f"a {statement.open} is not closed: the file may be cut off", statement.open_at), statement, cut_name(text, self.database))
            return
        tokens = self.tokens(text)
        try:
            self._made(statement, tokens)
        except Refused as refused:
            self.fail(refused, statement, told_name(tokens, self.database))
        except _TROUBLE as error:
            self.fail(Refused(f"cannot be understood ({type(error).__name__})", 0, "SC002"), statement, told_name(tokens, self.database))

    def _made(self, statement: Statement, tokens: Tokens) -> None:
        draft = create_table(tokens, self.flavor)
        name = (draft.database or self.database, draft.name)
        key = self.key(*name)
        if draft.temporary or (draft.if_not_exists and key in self.tables):
            return
        if key in self.tables and not draft.or_replace:
            raise Refused(f"table {draft.name!r} is created twice", draft.name_at, "SC002", 1050)
        if draft.like is not None:
            made = self._like(draft.like, name, statement, draft.name_at)
        elif draft.select:
            raise Refused("the columns of CREATE TABLE ... SELECT cannot be told from its text; give what SHOW CREATE TABLE prints", draft.name_at, "SC002")
        else:
            context = self.context(statement, name[0])
            made = assemble.table(draft, context, statement.text, name[0], lambda db, other: self.tables.get(self.key(db or name[0], other)))
        self.tables[key] = made
        self.failed.discard(key)

    def _like(self, other: Name, name: Name, statement: Statement, at: int) -> Table:
        source = self.tables.get(self.key(other[0] or self.database, other[1]))
        if source is None or source.kind is not TableKind.TABLE:
            raise Refused(f"table {other[1]!r} of LIKE is not known", at, "SC002", 1146)
        location = self.lines.at(statement.start + at, statement.start + at + len(name[1]))
        checks = naming.renamed(source, name[1], self.server)
        return replace(source, name=name[1], database=name[0], foreign_keys=(), checks=checks, location=location, text=statement.text)

    def _create_view(self, statement: Statement, text: str) -> None:
        self._create_other(statement, text, TableKind.VIEW)

    def _create_sequence(self, statement: Statement, text: str) -> None:
        self._create_other(statement, text, TableKind.SEQUENCE)

    def _create_other(self, statement: Statement, text: str, kind: TableKind) -> None:
        t = self.tokens(text)
        while not t.end and t.peek() != kind.name:
            t.at += 1
        t.at += 1
        t.take("IF", "NOT", "EXISTS")
        at = t.offset()
        name = t.name()
        database = self.database
        if t.take("."):
            database, name = name, t.name()
        location = self.lines.at(statement.start + at, statement.start + at + len(name))
        self.tables[self.key(database, name)] = Table(name, (), database, kind=kind, location=location, text=statement.text)

    def _drop(self, statement: Statement, text: str) -> None:
        t = self.tokens(text)
        t.need("DROP")
        t.take("TEMPORARY")
        t.at += 1
        exists = t.take("IF", "EXISTS")
        while True:
            at = t.offset()
            database, name = table_name(t, self.flavor)
            key = self.key(database or self.database, name)
            if key not in self.tables and not exists and key not in self.failed:
                self.problem(Refused(f"table {name!r} to drop is not known", at, "SC002", 1051), statement, None)
            self.tables.pop(key, None)
            self.failed.discard(key)
            if not t.take(","):
                return

    def _drop_database(self, _: Statement, text: str) -> None:
        t = self.tokens(text)
        t.need("DROP")
        t.at += 1
        t.take("IF", "EXISTS")
        name = self.key(t.name(), "")[0]
        for key in [key for key in self.tables if key[0] == name]:
            del self.tables[key]
        self.databases.pop(name or "", None)

    def _rename(self, statement: Statement, text: str) -> None:
        t = self.tokens(text)
        flavor = self.flavor
        t.need("RENAME")
        t.at += 1
        if flavor.mariadb:
            t.take("IF", "EXISTS")
        while True:
            at = t.offset()
            old = table_name(t, flavor)
            t.need("TO")
            new = table_name(t, flavor)
            self.move(old, new, at, statement)
            if not t.take(","):
                break

    def _alter(self, statement: Statement, text: str) -> None:
        from schemacheck.inputs.ddl import alter

        t = self.tokens(text)
        head = alter.head(t, self.flavor)
        self._change(statement, t, (head.database, head.name), head.name_at, lambda context, changed: alter.run(t, context, changed), quiet=head.if_exists)

    def _create_index(self, statement: Statement, text: str) -> None:
        t = self.tokens(text)
        flavor = self.flavor
        t.need("CREATE")
        if flavor.mariadb:
            t.take("OR", "REPLACE")
        t.take("ONLINE") or t.take("OFFLINE")
        kind = (t.take_any("UNIQUE", "FULLTEXT", "SPATIAL", "VECTOR") or "INDEX").lower()
        t.need("INDEX")
        absent = t.take("IF", "NOT", "EXISTS")
        at = t.offset()
        draft = KeyDraft(kind, [], t.name(flavor.reserved), if_not_exists=absent)
        if t.take_any("USING", "TYPE"):
            t.at += 1
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
        self._change(statement, t, name, name_at, lambda _, changed: changed.add_key(draft))

    def _drop_index(self, statement: Statement, text: str) -> None:
        t = self.tokens(text)
        flavor = self.flavor
        t.need("DROP", "INDEX")
        exists = t.take("IF", "EXISTS")
        at = t.offset()
        key = t.name()
        t.need("ON")
        name_at = t.offset()
        name = table_name(t, flavor)
        self._change(statement, t, name, name_at, lambda _, changed: changed.drop_key(key, at, if_exists=exists))

    def _change(
        self, statement: Statement, t: Tokens, written: Name, at: int, action: Callable[[Context, Changed], None], *, quiet: bool = False
    ) -> None:  # fmt: skip
        """Alter a table that stands; what cannot be followed leaves it unknown."""
        from schemacheck.inputs.ddl import change

        name = (written[0] or self.database, written[1])
        key = self.key(*name)
        table = self.tables.get(key)
        if table is None:
            if not quiet and key not in self.failed:
                self.fail(Refused(f"table {written[1]!r} to alter is not known: give its CREATE TABLE before", at, "SC002", 1146), statement, name)
            return
        if table.kind is not TableKind.TABLE:
            return
        context = self.context(statement, name[0])
        try:
            changed = change.thaw(table, mariadb=self.server.mariadb)
            context.charset, context.collation = changed.charset or table.charset, changed.collation or table.collation
            action(context, changed)
            draft = changed.draft(context, at)
            made = assemble.table(draft, context, table.text or statement.text, table.database, lambda db, other: self.tables.get(self.key(db or name[0], other)))
            self.tables[key] = replace(made, location=table.location, partitioning=None if changed.unpartitioned else changed.options.partitioning or table.partitioning)
            if changed.new_names:
                self.rename_referenced(key, changed.new_names)
            if changed.renamed is not None:
                self.move(written, changed.renamed, at, statement)
        except Refused as refused:
            self.fail(refused, statement, name)
        except _TROUBLE as error:
            self.fail(Refused(f"cannot be understood ({type(error).__name__})", t.offset(), "SC002"), statement, name)
