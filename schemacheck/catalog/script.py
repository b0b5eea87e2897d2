"""A script of DDL statements, run in order on the tables before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from schemacheck.catalog import assemble, naming, settings, validate
from schemacheck.catalog import table_cache as remembered
from schemacheck.catalog.charsets import resolve
from schemacheck.catalog.context import Context, Place
from schemacheck.catalog.state import server_charset
from schemacheck.catalog.table_statements import TROUBLE, Standing
from schemacheck.model.schema import Schema
from schemacheck.model.server import Server
from schemacheck.model.table import Table, TableKind
from schemacheck.sql.ddl.create import create_table
from schemacheck.sql.ddl.draft import TableDraft, TableOptions
from schemacheck.sql.ddl.options import charset as charset_option
from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.routine import Body
from schemacheck.sql.scan import defined_inside, delimiter_inside
from schemacheck.sql.script import Statement, first_words, interpret, statements
from schemacheck.sql.words import OTHERS, PASSED, ROUTINES, Name, cut_name, object_of, told_name

#: After so many statements that are none, the rest is not read.
_MOST_NONSENSE = 1000
_SOURCED = "another script runs here, and is not read: give it as an input, in the order in which they run"
#: Statements that may define anything.
_UNKNOWN = {
    "SOURCE": _SOURCED,
    "CALL": "what a procedure runs is not known here: give the tables as they are behind it, or their DDL in place of CALL",
}
#: What a database's definition may say besides its character set.
_DATABASE_OPTIONS = frozenset(
    ("DEFAULT", "ENCRYPTION", "COMMENT", "READ", "ONLY", "UPGRADE", "DATA", "DIRECTORY", "NAME", "=")
)


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
    for statement in statements(script.text, lambda: script.server.backslash):
        script.run(statement)
        if script.nonsense > _MOST_NONSENSE:
            script.problem(Refused("too much of this is no SQL: reading stops here", 0), statement, None)
            break
    script.finish()
    return script.schema()


class _Script(Standing):
    """A script that runs: each statement changes the catalogue or the settings."""

    def __init__(
        self,
        text: str,
        server: Server,
        file: str,
        database: str | None,
        base: Schema | None,
        charsets: Mapping[str, tuple[str, str]],
    ) -> None:
        self.text = text.removeprefix("\ufeff")
        super().__init__(self.text, server, file, database, base, charsets)
        self.start = server
        self.variables = settings.Variables()
        self.body: Body | None = None
        self.nonsense = 0

    def run(self, statement: Statement) -> None:
        """One statement."""
        text = interpret(statement.text, self.server) if statement.versioned else statement.text
        words = first_words(text)
        if self.body is not None and self._inside(self.body, statement, text, words):
            return
        if not words:
            self._wordless(statement, text.strip())
            return
        try:
            self._dispatch(statement, text, words)
        except Refused as refused:
            self._lost(refused, statement, words)
        except TROUBLE as error:
            self._lost(
                Refused(f"cannot be understood ({type(error).__name__})", 0, "SC002"), statement, words
            )
        self._hidden(statement, text, words)

    def finish(self) -> None:
        """The script's end."""
        if self.body is not None:
            why = "this routine's body is not closed, so that what follows it is not read: put DELIMITER lines around the routine"
            self.problem(Refused(why, 0), self.body.statement, None)

    def _inside(self, body: Body, statement: Statement, text: str, words: list[str]) -> bool:
        """Whether a statement is part of the routine before it, whose body was cut at its semicolons: no DELIMITER stood before it."""
        never = words[:1] in (["USE"], ["LOCK"]) or (words[:1] == ["CREATE"] and object_of(words) in ROUTINES)
        if statement.whole or never:
            # No server permits these in a body: its end was missed.
            self.finish()
            self.body = None
            return False
        if not body.feed(text, backslash=self.server.backslash):
            self.body = None
        return True

    def _wordless(self, statement: Statement, text: str) -> None:
        """A short command of the mysql client, a query in parentheses, or nonsense."""
        if text.startswith("\\u"):
            self.database = text[2:].strip().rstrip(";").strip("`") or self.database
        elif text.startswith("\\."):
            self.problem(Refused(_SOURCED, 0), statement, None)
        elif text.replace(";", "").strip() and not text.startswith(("\\", "(")):
            self.nonsense += 1
            self.problem(Refused("this is no SQL statement", 0), statement, None)

    def _hidden(self, statement: Statement, text: str, words: list[str]) -> None:
        """A definition that stands inside another statement, because the semicolon between them is missing."""
        end = delimiter_inside(text, backslash=self.server.backslash)
        if end is not None:
            self.problem(
                Refused("this DELIMITER stands inside a statement, whose end is missing before it", end),
                statement,
                None,
            )
        if (
            words[0] in ("CREATE", "ALTER")
            and object_of(words) in ("PROCEDURE", "EVENT", "PACKAGE")
            and end is None
        ):
            return
        for at in defined_inside(
            text, 2 if words[0] in ("SHOW", "HELP") else 1, backslash=self.server.backslash
        ):
            self.fail(
                Refused(
                    "a statement begins here in the middle of another one: is a semicolon missing before it?",
                    at,
                ),
                statement,
                cut_name(text[at:], self.database),
            )

    def _lost(self, refused: Refused, statement: Statement, words: list[str]) -> None:
        """A statement that failed before its table was known: the table that its text names is unknown from now on."""
        name = (
            cut_name(statement.text, self.database)
            if words[0] in ("CREATE", "ALTER", "DROP", "RENAME") and set(words) & {"TABLE", "TABLES", "INDEX"}
            else None
        )
        self.fail(refused, statement, name)

    def _dispatch(self, statement: Statement, text: str, words: list[str]) -> None:
        verb = words[0]
        what = object_of(words)
        defines = verb in ("CREATE", "ALTER", "DROP", "RENAME")
        if statement.open is not None and not (defines and what in ("TABLE", "TABLES", "INDEX")):
            raise Refused(f"a {statement.open} is not closed: the file may be cut off", statement.open_at)
        if verb == "CREATE" and what == "TABLE":
            self._create_table(statement, text)
        elif verb in ("INSERT", "REPLACE"):
            settings.forget(text, self.variables)
        elif verb == "SET":
            self._set(text)
        elif verb == "USE":
            self._use(text)
        elif verb in ("CREATE", "ALTER", "DROP") and what in ROUTINES:
            body = Body(statement)
            if verb == "CREATE" and not statement.whole and body.feed(text, backslash=self.server.backslash):
                self.body = body
        elif defines:
            self._define(statement, text, verb, what)
        elif verb in ("PREPARE", "EXECUTE", "DEALLOCATE"):
            self._prepared(statement, text, verb)
        elif verb in _UNKNOWN or words[:3] == ["BEGIN", "NOT", "ATOMIC"]:
            raise Refused(_UNKNOWN.get(verb, "what a compound statement runs is not read here"), 0, "SC002")
        elif verb in ("EXIT", "QUIT") and self.text[statement.start + len(statement.text) :].strip(
            "; \t\r\n"
        ):
            raise Refused("the client ends here: what follows is run by few of them (recorded)", 0, "SC002")
        elif verb not in PASSED and verb != "DELIMITER":
            self.nonsense += 1
            raise Refused(f"{verb[:40]!r} begins no statement that is known", 0)
        else:
            settings.forget(text, self.variables)

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
        self._end(tokens)

    def _prepared(self, statement: Statement, text: str, verb: str) -> None:
        """PREPARE, EXECUTE and DEALLOCATE: a text that is known is run, under the database and settings of PREPARE (recorded)."""
        t = self.tokens(text)
        t.at += 1
        known = self.variables.prepared
        if verb == "DEALLOCATE":
            t.need("PREPARE")
            known.pop(t.name().casefold(), None)
            return
        name = "" if self.flavor.mariadb and t.take("IMMEDIATE") else t.name().casefold()
        if verb == "PREPARE":
            t.need("FROM")
        if verb == "PREPARE" or not name:
            known[name] = (settings.told(t, self.server, self.variables), self.database, self.server)
        if verb == "EXECUTE":
            run, database, server = known.get(name, (None, None, self.server))
            if run is None or first_words(run)[:1] in (["PREPARE"], ["EXECUTE"], ["DEALLOCATE"]):
                raise Refused(
                    "the text that EXECUTE runs is not known: write its statement itself", 0, "SC002"
                )
            before = self.lines, self.database, self.server
            self.lines = Place(self.lines.at(statement.start))
            if first_words(run)[:1] == ["SET"]:
                self.run(Statement(0, run, "/*" in run, whole=True))
                self.lines = before[0]
            else:
                self.database, self.server = database, server
                self.run(Statement(0, run, "/*" in run, whole=True))
                self.lines, self.database, self.server = before

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
        if t.is_name() and not (
            not create
            and t.peek() in ("DEFAULT", "CHARACTER", "CHARSET", "COLLATE", "ENCRYPTION", "READ", "UPGRADE")
        ):
            name = t.name(self.flavor.reserved)
        given = TableOptions()
        while not t.end:
            if charset_option(t, self.flavor, given):
                continue
            if t.peek() not in _DATABASE_OPTIONS and not t.is_string() and not t.is_number():
                raise t.fail()
            t.at += 1
        if name is not None:
            inherited = server_charset(self.server) if create else self.charset(name)
            charset, collation = resolve(given.charset, given.collation, inherited, self.server, 0)
            self.databases[name] = (charset or "", collation or "")

    # -- tables ---------------------------------------------------------------------------------

    def _create_table(self, statement: Statement, text: str) -> None:
        if statement.open is not None:
            tokens = None
            self.problem(
                Refused(f"a {statement.open} is not closed: the file may be cut off", statement.open_at),
                statement,
                cut_name(text, self.database),
            )
            return
        # What a prepared text makes has no lines of its own.
        kept = remembered.recall(statement.text, self.database) if not isinstance(self.lines, Place) else None
        if kept is not None and self._again(statement, kept):
            return
        tokens = self.tokens(text)
        try:
            self._made(statement, tokens)
        except Refused as refused:
            self.fail(refused, statement, told_name(tokens, self.database))
        except TROUBLE as error:
            self.fail(
                Refused(f"cannot be understood ({type(error).__name__})", 0, "SC002"),
                statement,
                told_name(tokens, self.database),
            )

    def _again(self, statement: Statement, kept: remembered.Kept) -> bool:
        """Whether a table that was read before is this statement's too; it stands then."""
        database, name = kept.table.database, kept.table.name
        key = self.key(database, name)
        if key in self.tables or kept.server != self.server or kept.charset != self.charset(database):
            return False
        self.tables[key] = remembered.moved(kept, self.lines.at(statement.start))
        self.failed.discard(key)
        return True

    def _made(self, statement: Statement, tokens: Tokens) -> None:
        draft = create_table(tokens, self.flavor)
        name = (draft.database or self.database, draft.name)
        key = self.key(*name)
        if draft.temporary:
            self.temporary.add(key)
        if draft.temporary or (draft.if_not_exists and key in self.tables):
            return
        if key in self.tables and (not draft.or_replace or self.tables[key].kind is TableKind.VIEW):
            raise Refused(f"table {draft.name!r} is created twice", draft.name_at, "SC002", 1050)
        if draft.like is not None:
            made = self._like(draft.like, name, statement, draft.name_at)
        else:
            context = self.context(statement, name[0])
            unfilled = self._query(draft, tokens, context, key) if draft.query is not None else frozenset()
            made = assemble.table(
                draft,
                context,
                statement.text,
                name[0],
                lambda db, other: self.tables.get(self.key(db or name[0], other)),
            )
            validate.left_out(made, unfilled, context, draft.name_at)
        self.tables[key] = made
        self.failed.discard(key)
        alone = draft.like is None and draft.query is None and not (made.foreign_keys or draft.foreign_keys)
        if alone and not draft.if_not_exists and not draft.or_replace and not isinstance(self.lines, Place):
            remembered.keep(
                statement.text,
                self.database,
                remembered.Kept(made, self.lines.at(statement.start), self.server, self.charset(name[0])),
            )

    def _query(self, draft: TableDraft, tokens: Tokens, context: Context, target: Name) -> frozenset[str]:
        """Put the columns of CREATE TABLE ... SELECT into the draft; those that the query does not fill. A table is no source of itself."""
        from schemacheck.catalog import query

        def find(database: str | None, name: str) -> Table | None:
            key = self.key(database or self.database, name)
            return self.tables.get(key) if key != target and key not in self.temporary else None

        tokens.at = draft.query or 0
        return query.add_columns(draft, tokens, context, find)

    def _like(self, other: Name, name: Name, statement: Statement, at: int) -> Table:
        key = self.key(other[0] or self.database, other[1])
        source = self.tables.get(key) if key not in self.temporary else None
        if source is None or source.kind is not TableKind.TABLE:
            raise Refused(f"table {other[1]!r} of LIKE is not known", at, "SC002", 1146)
        location = self.lines.at(statement.start + at, statement.start + at + len(name[1]))
        checks = naming.renamed(source, name[1], self.server)
        return replace(
            source,
            name=name[1],
            database=name[0],
            foreign_keys=(),
            checks=checks,
            location=location,
            text=statement.text,
        )

    def _create_view(self, statement: Statement, text: str) -> None:
        self._create_other(statement, text, TableKind.VIEW)

    def _create_sequence(self, statement: Statement, text: str) -> None:
        if not self.flavor.mariadb:
            raise Refused("MySQL has no sequences", 0, "SC001", 1064)
        self._create_other(statement, text, TableKind.SEQUENCE)

    def _create_other(self, statement: Statement, text: str, kind: TableKind) -> None:
        t = self.tokens(text)
        replaces = False
        while not t.end and t.peek() != kind.name:
            replaces = replaces or t.peek() == "REPLACE"
            t.at += 1
        t.at += 1
        absent = t.take("IF", "NOT", "EXISTS")
        at = t.offset()
        name = t.name()
        database = self.database
        if t.take("."):
            database, name = name, t.name()
        location = self.lines.at(statement.start + at, statement.start + at + len(name))
        key = self.key(database, name)
        before = self.tables.get(key)
        if (
            before is not None
            and before.kind is TableKind.TABLE
            and not (replaces and kind is TableKind.SEQUENCE)
        ):
            if not absent:
                # Which of the two was meant is not known.
                self.fail(
                    Refused(
                        f"{name!r} is a table",
                        at,
                        "SC002",
                        1347 if replaces or t.words[0] == "ALTER" else 1050,
                    ),
                    statement,
                    (database, name),
                )
            return
        self.tables[key] = Table(name, (), database, kind=kind, location=location, text=statement.text)
