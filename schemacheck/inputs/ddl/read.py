"""A script of DDL statements, run in order on the tables before it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from schemacheck.inputs.ddl import assemble, settings
from schemacheck.inputs.ddl.context import Context, Lines
from schemacheck.inputs.ddl.create import create_table
from schemacheck.inputs.ddl.lexer import Refused, Tokens
from schemacheck.inputs.ddl.script import Statement, interpret, statements
from schemacheck.model import charset as charsets
from schemacheck.model.problem import InputProblem
from schemacheck.model.schema import Schema
from schemacheck.model.server import Server
from schemacheck.model.table import Table, TableKind

Name = tuple[str | None, str]

_WORDS = re.compile(r"(?:\s|/\*.*?\*/|--[^\n]*\n|#[^\n]*\n)*([A-Za-z]+)", re.DOTALL)
_CREATES = re.compile(
    r"\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMPORARY\s+|ALGORITHM\s*=\s*\w+\s+|DEFINER\s*=\s*(?:`[^`]*`|'[^']*'|[^\s@]+)\s*(?:@\s*(?:`[^`]*`|'[^']*'|\S+))?\s+"
    r"|SQL\s+SECURITY\s+\w+\s+|AGGREGATE\s+|UNIQUE\s+|FULLTEXT\s+|SPATIAL\s+|VECTOR\s+|ONLINE\s+|OFFLINE\s+)*([A-Za-z]+)",
    re.IGNORECASE,
)


def read(
    text: str, server: Server, *, file: str = "-", database: str | None = None, base: Schema | None = None,
    charsets: Mapping[str, tuple[str, str]] | None = None,
) -> Schema:  # fmt: skip
    """Run a script's DDL in thought: the tables that stand at its end, and what was not understood.

    `server` gives flavour, version and variables; `database` is the default database at the start;
    `base` holds the tables that exist before; `charsets` says (character set, collation) of
    databases that the script does not create. Raises nothing for bad input: see Schema.problems.
    """
    script = _Script(text, server, file, database, base, charsets or {})
    for statement in statements(script.text):
        script.run(statement)
    return script.schema()


class _Script:
    """The state of a script while it runs: default database, settings, tables."""

    def __init__(
        self, text: str, server: Server, file: str, database: str | None, base: Schema | None, charsets_: Mapping[str, tuple[str, str]]
    ) -> None:
        self.text = text.removeprefix("\ufeff")
        self.shift = len(text) - len(self.text)
        self.lines = Lines(self.text, file)
        self.server = server
        self.file = file
        self.database = database
        self.variables = settings.Variables()
        self.tables: dict[Name, Table] = {}
        self.problems: list[InputProblem] = list(base.problems) if base else []
        self.databases: dict[str, tuple[str, str]] = dict(charsets_)
        self.fold = server.setting("lower_case_table_names") not in ("", "0")
        for table in base.tables if base else ():
            self.tables[self.key(table.database, table.name)] = table

    def key(self, database: str | None, name: str) -> Name:
        """A table's identity on this server."""
        if self.fold:
            return (database.casefold() if database else None), name.casefold()
        return database, name

    def schema(self) -> Schema:
        return Schema(tuple(self.tables.values()), tuple(self.problems))

    def charset(self, database: str | None) -> tuple[str, str]:
        """The default character set and collation of a database."""
        if database in self.databases:
            charset, collation = self.databases[database]
            return charsets.canonical(charset), charsets.canonical_collation(collation)
        return server_charset(self.server)

    def context(self, statement: Statement, database: str | None) -> Context:
        charset, collation = self.charset(database)
        return Context(self.server, self.lines, statement.start, charset, collation, database)

    def tokens(self, text: str) -> Tokens:
        modes = self.server.sql_mode
        return Tokens(text, ansi_quotes=bool(modes & {"ANSI_QUOTES", "ANSI"}), backslash="NO_BACKSLASH_ESCAPES" not in modes)

    def run(self, statement: Statement) -> None:
        """One statement."""
        text = interpret(statement.text, self.server) if statement.versioned else statement.text
        word = _WORDS.match(text)
        if word is None:
            return
        verb = word.group(1).upper()
        try:
            if verb == "CREATE":
                self._create(statement, text)
            elif verb == "SET":
                self.server = settings.apply(self.tokens(text), self.server, self.variables)
            elif verb == "USE":
                self._use(text)
        except Refused as refused:
            self._problem(refused, statement, None)

    def _use(self, text: str) -> None:
        tokens = self.tokens(text)
        tokens.need("USE")
        self.database = tokens.name()

    def _create(self, statement: Statement, text: str) -> None:
        kind = _CREATES.match(text)
        what = kind.group(1).upper() if kind else ""
        if what == "TABLE":
            self._create_table(statement, text)
        elif what in ("VIEW", "SEQUENCE"):
            self._create_other(statement, text, TableKind[what])

    def _create_table(self, statement: Statement, text: str) -> None:
        tokens = self.tokens(text)
        name: Name = (None, "")
        try:
            draft = create_table(tokens, self.context(statement, None).flavor)
            name = (draft.database or self.database, draft.name)
            if draft.temporary:
                return
            key = self.key(*name)
            if key in self.tables and draft.if_not_exists:
                return
            if draft.like is not None or draft.select:
                raise Refused("LIKE and SELECT are not understood", 0, "SC002")
            context = self.context(statement, name[0])
            self.tables[key] = assemble.table(draft, context, statement.text, name[0], lambda db, other: self.tables.get(self.key(db or name[0], other)))
        except Refused as refused:
            self._problem(refused, statement, name if name[1] else _told_name(tokens, self.database))

    def _create_other(self, statement: Statement, text: str, kind: TableKind) -> None:
        tokens = self.tokens(text)
        while not tokens.end and tokens.peek() != kind.name:
            tokens.at += 1
        tokens.at += 1
        tokens.take("IF", "NOT", "EXISTS")
        at = tokens.offset()
        name = tokens.name()
        database = self.database
        if tokens.take("."):
            database, name = name, tokens.name()
        location = self.lines.at(statement.start + at, statement.start + at + len(name))
        self.tables[self.key(database, name)] = Table(name, (), database, kind=kind, location=location, text=statement.text)

    def _problem(self, refused: Refused, statement: Statement, name: Name | None) -> None:
        location = self.lines.at(statement.start + refused.at)
        database, table = name or (self.database, None)
        self.problems.append(InputProblem(refused.code, refused.message, location, database, table))


def _told_name(tokens: Tokens, database: str | None) -> Name | None:
    """The table's name of a statement that could not be read otherwise."""
    for index, word in enumerate(tokens.words[:12]):
        if word == "TABLE":
            tokens.at = index + 1
            tokens.take("IF", "NOT", "EXISTS")
            tokens.take("IF", "EXISTS")
            if tokens.is_name():
                name = tokens.name()
                if tokens.take(".") and tokens.is_name():
                    return name, tokens.name()
                return database, name
    return None


def server_charset(server: Server) -> tuple[str, str]:
    """The character set and collation of new databases."""
    charset = charsets.canonical(server.setting("character_set_server") or "latin1")
    collation = server.setting("collation_server")
    if collation and charsets.of_collation(collation) in (charset, None):
        return charset, charsets.canonical_collation(collation)
    return charset, charsets.default_collation(charset, server.flavor, server.version)
