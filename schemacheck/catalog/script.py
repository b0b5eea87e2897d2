"""A script of SQL, run statement by statement on the tables before it.

What few scripts have is imported when one has it: `check` of two tables starts faster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from schemacheck.catalog import settings
from schemacheck.catalog.context import Place
from schemacheck.catalog.create import create_table
from schemacheck.catalog.doubt import Doubts
from schemacheck.catalog.state import Catalog
from schemacheck.dataclass import replace
from schemacheck.errors import defect
from schemacheck.knowledge import characters
from schemacheck.model.history import Part
from schemacheck.model.schema import Schema
from schemacheck.model.server import Server
from schemacheck.model.table import Table
from schemacheck.sql.client import Command, Statement
from schemacheck.sql.lexer import Refused
from schemacheck.sql.multi import EMPTY
from schemacheck.sql.parts import statements_of
from schemacheck.sql.routine import Body
from schemacheck.sql.scan import defined_inside, delimiter_inside, is_nothing
from schemacheck.sql.versioned_comment import interpret
from schemacheck.sql.words import DEFINES, OTHERS, PASSED, ROUTINES, Name, cut_name, first_words, object_of
from schemacheck.system.collector import collector_paused

if TYPE_CHECKING:
    from schemacheck.sql.ddl.parse import Definition

#: After so many statements that are none, or so many first ones, the rest is not read.
_MOST_NONSENSE, _FIRST_NONSENSE = 1000, 3
_SOURCED = "another script runs here, and is not read: give it as an input, in the order in which they run"
#: What a client does without the server, or with another one.
_CLIENT = {
    "source": _SOURCED,
    "connect": "the client connects again here: where the statements below run is not known",
    "charset": "the client sends what follows in another character set",
    "resetconnection": "the client sets all variables back here: write the statements into a file "
    "of their own",
    "help": "the client sends what it is asked to the server, inside of a statement that is not read here",
    "system": "the client runs another program here: what that does is not known",
}
#: Statements that may define anything.
_UNKNOWN = {
    "SOURCE": _SOURCED,
    "EXECUTE": "the text that EXECUTE runs is not known: write its statement itself",
    "IMPORT": "the tables that IMPORT makes are described in files of the server: give their DDL",
    "CALL": (
        "what a procedure runs is not known here: give the tables as they are after "
        "it, or their DDL in place of CALL"
    ),
}


def read(
    text: str, server: Server, *, file: str = "-", database: str | None = None, base: Schema | None = None,
    charsets: Mapping[str, tuple[str, str]] | None = None, parts: Sequence[Part] | None = None,
    encoding: str = "utf-8", described: dict[Name, Table] | None = None, dumped: bool = False,
) -> Schema:  # fmt: skip
    """Simulate a script's DDL: the tables at its end, and what was not understood.

    `server` gives flavour, version and variables; `database` is the default database at the start; `base`
    holds the tables that exist before; `charsets` says (character set, collation) of databases that the
    script does not create; `parts` are what of the text is run (None: all), `encoding` is how its file was
    read; `described` holds what other files define, and gets what this one does; `dumped`: a program wrote
    the text out of a server. A statement that is not understood, that contradicts those, or that the server
    would refuse becomes an InputProblem (SC001 syntax, SC002 meaning) that names its table where it can be
    read; it is not in the result then. Raises nothing for bad input.
    """
    script = Script(text, server, file, database, base, charsets or {}, encoding)
    script.doubts.applied, script.catalog.described = parts is not None, described
    script.doubts.dumped = dumped
    with collector_paused():
        for number, statement in enumerate(
            statements_of(script.text, lambda: script.catalog.server, parts), 1
        ):
            script.run(statement)
            if script.nonsense > _MOST_NONSENSE or script.nonsense == number == _FIRST_NONSENSE:
                refused = Refused("too much of this is no SQL: reading stops here", 0, code="SC001")
                script.catalog.problem(refused, statement, None)
                break
        script.finish()
        script.doubts.end(script.catalog)
    taken, schema = script.doubts.taken, script.catalog.schema()
    return replace(schema, taken=(*(base.taken if base else ()), *([taken] if taken else ())))


class Script:
    """A script that runs: each statement changes the catalog or the settings."""

    def __init__(
        self, text: str, server: Server, file: str, database: str | None, base: Schema | None,
        charsets: Mapping[str, tuple[str, str]], encoding: str = "utf-8",
    ) -> None:  # fmt: skip
        # The clients drop a byte order mark, and a carriage return before a newline.
        self.text = text.removeprefix("\ufeff").replace("\r\n", "\n")
        self.catalog = Catalog(self.text, server, file, database, base, charsets)
        #: The server as new sessions see it.
        self.others = server
        self.encoding = encoding
        self.variables = settings.Variables()
        self.body: Body | None = None
        self.doubts = Doubts(self.text)
        self.dropped: set[str | None] = set()
        self.nonsense = 0
        self.ran = ""
        #: So many characters of texts to be prepared are put together and run.
        self.room = 2 * len(text)
        #: The last statement as this server reads it, its first words, and what it defines.
        self.read_as = ""
        self.words: list[str] = []
        self.definition: Definition | None = None

    def run(self, statement: Statement) -> None:
        """One statement, or what the client does itself; `ran` is the text that runs in the end."""
        self.ran = statement.text
        if statement.command is not None:
            self._client(statement, statement.command)
            return
        text = interpret(statement.text, self.catalog.server) if statement.versioned else statement.text
        words = first_words(text)
        if words[:1] == ["EXECUTE"] and (chosen := self._chosen(text)):
            self.room -= len(chosen)
            lines = self.catalog.lines
            self.catalog.lines = Place(lines.at(statement.start))
            self.run(replace(statement, text=chosen, versioned=True))
            self.catalog.lines = lines
            return
        self.read_as, self.words, self.definition = text, words, None
        # Rows of a dump: no byte of latin1 is a quote or a backslash that UTF-8 takes for something else.
        rows = self.doubts.dumped and self.variables.client == "latin1" and words[:1] == ["INSERT"]
        encoding = "latin1" if rows else self.encoding
        if why := settings.unreadable(text, self.catalog.server, self.variables, encoding):
            self.catalog.fail(Refused(why, 0), statement, cut_name(text, self.catalog.database))
            return
        if self.body is not None and self._inside(self.body, statement, text, words):
            return
        if not words:
            self._wordless(statement, characters.strip(text))
            return
        catalog, seen = self.catalog, len(self.catalog.problems)
        catalog.running = statement.text if words[0] in DEFINES else ""
        catalog.fresh.clear()
        catalog.lost.clear()
        try:
            self._dispatch(statement, text, words)
        except Refused as refused:
            self._lost(refused, statement, words)
        except Exception as error:  # noqa: BLE001 a defect costs this statement's table, not the file
            self._lost(Refused(defect(error), 0, code="SC004"), statement, words)
        if catalog.running and len(catalog.problems) > seen:
            from schemacheck.catalog import asked

            asked.settle(catalog, statement, text, seen)
        catalog.running = ""
        self._hidden(statement, text, words)

    def finish(self) -> None:
        """The script's end."""
        if self.body is not None:
            why = (
                "this routine's body is not closed, so that what follows it is not read: put "
                "DELIMITER lines around the routine"
            )
            self.catalog.problem(Refused(why, 0, code="SC001"), self.body.statement, None)

    def _inside(self, body: Body, statement: Statement, text: str, words: list[str]) -> bool:
        """Whether a statement is part of the routine before it, which no DELIMITER kept together."""
        never = words[:1] in (["USE"], ["LOCK"]) or (words[:1] == ["CREATE"] and object_of(words) in ROUTINES)
        if statement.whole or never:
            # No server permits these in a body: its end was missed.
            self.finish()
            self.body = None
            return False
        if not body.feed(text, backslash=self.catalog.server.backslash):
            why = "its client cuts it at its first semicolon: put DELIMITER lines around it"
            self.doubts.found(body.statement, self.catalog, why)
            self.body = None
            whole = self.text[body.statement.start : statement.start + len(statement.text)]
            from schemacheck.catalog import programs

            programs.create(self.catalog, body.statement, interpret(whole, self.catalog.server))
        return True

    def _client(self, statement: Statement, command: Command) -> None:
        """A command that the client keeps for itself."""
        if self.body is not None:
            self.finish()
            self.body = None
        catalog = self.catalog
        self.read_as, self.words, self.definition = "", [], None
        why = ""
        if command.name == "use":
            self.read_as, self.words = statement.text, ["USE"]
            catalog.database = command.argument or catalog.database
            why = self._gone(command.argument)
            if ";" in command.argument:
                why = f"the semicolon is part of the database's name to the client: {command.argument!r}"
            self._hidden(statement, statement.text, self.words)
        elif command.name == "quit":
            why = "the client ends here: what follows is run by few of them" if command.argument else ""
        elif command.name == "stop":
            why = command.argument
        elif command.name != "charset" or not command.argument.lower().startswith("utf8"):
            why = _CLIENT.get(command.name, _CLIENT["system"])
        if why:
            catalog.problem(Refused(why, 0), statement, None)

    def _wordless(self, statement: Statement, text: str) -> None:
        """A query in parentheses, or nonsense."""
        if is_nothing(text) and not (statement.whole and text == EMPTY):
            return
        if not text.startswith("("):
            self.nonsense += 1
            self.catalog.problem(Refused("this is no SQL statement", 0, code="SC001"), statement, None)
        else:
            self._note(statement, text, ["("])

    def _hidden(self, statement: Statement, text: str, words: list[str]) -> None:
        """A definition inside another statement, because the semicolon between them is missing."""
        end = delimiter_inside(text, backslash=self.catalog.server.backslash)
        if end is not None:
            self.catalog.problem(
                Refused(
                    "this DELIMITER is inside a statement, whose end is missing before it", end, code="SC001"
                ),
                statement,
                None,
            )
        if (
            words[0] in ("CREATE", "ALTER")
            and object_of(words) in ("PROCEDURE", "EVENT", "PACKAGE")
            and end is None
        ):
            return
        why = "a statement begins here in the middle of another one: is a semicolon missing before it?"
        if words[:2] == ["SET", "STATEMENT"] and self.catalog.server.mariadb:
            why = "a definition behind SET STATEMENT is not followed: write it alone"
        for at in defined_inside(
            text, 2 if words[0] in ("SHOW", "HELP") else 1, backslash=self.catalog.server.backslash
        ):
            self.catalog.fail(
                Refused(why, at, code="SC001"), statement, cut_name(text[at:], self.catalog.database)
            )

    def _lost(self, refused: Refused, statement: Statement, words: list[str]) -> None:
        """A statement that failed before its table was known: the table that its text names is unknown."""
        name = (
            cut_name(statement.text, self.catalog.database)
            if words[0] in ("CREATE", "ALTER", "DROP", "RENAME") and set(words) & {"TABLE", "TABLES", "INDEX"}
            else None
        )
        self.catalog.fail(refused, statement, name)

    def _dispatch(self, statement: Statement, text: str, words: list[str]) -> None:
        verb = words[0]
        what = object_of(words)
        defines = verb in ("CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE")
        if not defines or what in OTHERS or verb == "TRUNCATE":
            self._note(statement, text, words)
        else:
            self.doubts.settle(statement, self.catalog, words)
        if statement.open is not None and not (defines and what in ("TABLE", "TABLES", "INDEX")):
            raise Refused(
                f"a {statement.open} is not closed: the file may be cut off", statement.open_at, code="SC001"
            )
        if verb in ("INSERT", "REPLACE"):
            settings.forget(text, self.variables)
        elif verb == "SET":
            self._set(text)
        elif verb == "USE":
            self._use(text)
        elif verb in ("CREATE", "ALTER", "DROP") and what in ROUTINES:
            from schemacheck.catalog import programs

            body, backslash = Body(statement), self.catalog.server.backslash
            if verb == "CREATE" and not statement.whole and body.feed(text, backslash=backslash):
                self.body = body
            elif verb == "CREATE":
                self.doubts.routine(statement, self.catalog, text)
                programs.create(self.catalog, statement, text)
            elif verb == "ALTER" and what == "EVENT":
                if why := programs.alters_unknown(self.catalog, text):
                    self.doubts.found(statement, self.catalog, why)
                programs.create(self.catalog, statement, text)
            elif verb == "DROP" and (why := programs.drop(self.catalog, text, what)):
                self.doubts.found(statement, self.catalog, why)
            if what == "EVENT" and verb != "DROP" and defined_inside(text, 1, backslash=backslash):
                why = "what an event changes in tables when its time comes is not followed here"
                raise Refused(why, 0)
        elif defines:
            self._define(statement, text, verb, what)
        elif verb == "PREPARE":
            self._prepared(statement, text)
        elif verb in _UNKNOWN or words[:3] == ["BEGIN", "NOT", "ATOMIC"]:
            raise Refused(_UNKNOWN.get(verb, "what a compound statement runs is not read here"), 0)
        elif verb not in PASSED:
            self.nonsense += 1
            raise Refused(f"{verb[:40]!r} begins no statement that is known", 0, code="SC001")
        else:
            settings.forget(text, self.variables)

    def _note(self, statement: Statement, text: str, words: list[str]) -> None:
        """A statement that defines nothing: may the client stop at it?"""
        if words[0] not in ("USE", "PREPARE", *_UNKNOWN) and statement.open is None:
            self.doubts.note(statement, text, self.catalog, words, self.variables)

    def _define(self, statement: Statement, text: str, verb: str, what: str) -> None:
        if self.catalog.opaque:
            from schemacheck.catalog import asked

            asked.followed(self.catalog, text, verb, what)
        of_table = what in ("TABLE", "TABLES", "INDEX") and (verb, what) != ("DROP", "TABLE")
        name = cut_name(text, self.catalog.database) if of_table else None
        key = self.catalog.key(*name) if name is not None else None
        before = self.catalog.tables.get(key) if key is not None else None
        self._run_definition(statement, text, verb, what)
        if of_table and verb != "TRUNCATE":
            self.doubts.changed(statement, self.catalog, key, before)

    def _run_definition(self, statement: Statement, text: str, verb: str, what: str) -> None:
        if (verb, what) == ("CREATE", "TABLE"):
            self.definition = create_table(self.catalog, statement, text)
            return
        from schemacheck.catalog import definitions

        if what == "VIEW" and verb != "DROP":
            self.doubts.view(statement, self.catalog, text)
        self.definition = definitions.run(self.catalog, statement, text, verb, what)
        database = definitions.database_there(self.definition)
        if database is not None:
            key = self.catalog.key(database[0], "")[0]
            (self.dropped.discard if database[1] else self.dropped.add)(key)

    def _set(self, text: str) -> None:
        t, before = self.catalog.tokens(text), self.catalog.server
        self.catalog.server, self.others = settings.apply(t, before, self.variables, self.others)
        # A dump says what its own server has.
        if not self.doubts.dumped and (mode := settings.refused_mode(before, self.catalog.server)):
            raise Refused(f"{self.catalog.server} has no sql_mode {mode}: the client stops here", 0, 1231)
        t.at = 2
        if t.words[:2] == ["SET", "@"] and t.is_name() and self.doubts.applied:
            from schemacheck.sql import chosen_text

            name, first, user = t.name().lower(), t.words.index("=") + 1, self.variables.user
            if user.get(name) is None:
                home = self.catalog.database
                session = chosen_text.Session(user, home, self.catalog.rows_about, self.room)
                user[name] = chosen_text.value(t, first, session)
                self.room -= len(user[name] or "")
        if self.variables.lost:
            unknown = f"what {self.variables.lost} is set to is not known: write the value itself"
            raise Refused(unknown, 0)

    def _use(self, text: str) -> None:
        from schemacheck.sql.ddl import tables

        self.catalog.database = tables.use(self.catalog.tokens(text)).database
        if why := self._gone(self.catalog.database):
            raise Refused(why, 0, 1049)

    def _gone(self, database: str | None) -> str:
        """Why the client stops at a USE; '' where this script does not show that the database is gone."""
        if not database or self.catalog.key(database, "")[0] not in self.dropped:
            return ""
        return f"database {database!r} was dropped above: the client stops here"

    def _chosen(self, text: str) -> str:
        """The text that an EXECUTE runs; '' where it is not known, or an EXECUTE runs this one."""
        try:
            t = self.catalog.tokens(text)
            t.at += 1
            chosen = (self.variables.prepared.get(t.name().casefold()) or "").rstrip("; \t\r\n")
        except Refused:
            return ""
        inner = isinstance(self.catalog.lines, Place)
        return chosen if t.end and not inner and len(chosen) <= self.room else ""

    def _prepared(self, statement: Statement, text: str) -> None:
        t = self.catalog.tokens(text)
        t.at += 1
        name = t.name().casefold()
        t.need("FROM")
        chosen = t.string() if t.is_string() else None
        if chosen is None and t.take("@"):
            chosen = self.variables.user.get(t.name().lower())
        self.variables.prepared[name] = chosen if t.end and self.doubts.applied else None
        if self.variables.prepared[name] is None:
            self.doubts.found(statement, self.catalog, "what it prepares is not read")
