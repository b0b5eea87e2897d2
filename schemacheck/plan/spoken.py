"""What one statement says by itself: its verb, the tables and columns that it names, whether rows go.

Read from the server's tokens: what stands in comments and strings is never taken for SQL, and what
stands in a versioned comment is, where the server runs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from schemacheck.catalog import settings
from schemacheck.catalog.steps import Name
from schemacheck.model import Server
from schemacheck.plan.passage import Renames
from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.script import first_words, interpret, statements
from schemacheck.sql.words import object_of

DEFINES = frozenset(("CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE"))
#: Statements that write rows, or that are replicated and leave rows and definitions of tables as they are.
WRITES = frozenset(("INSERT", "REPLACE", "UPDATE", "DELETE", "LOAD", "MERGE"))
HARMLESS = frozenset(("GRANT", "REVOKE", "FLUSH", "OPTIMIZE"))
#: Statements that change nothing that is replicated. Whatever stands in none of these lists may do anything.
PASSED = frozenset((
    "SET", "USE", "SELECT", "SHOW", "LOCK", "UNLOCK", "START", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "XA", "DESC", "DESCRIBE", "EXPLAIN", "HELP", "VALUES",
    "CHECK", "CHECKSUM", "DEALLOCATE",
))  # fmt: skip
_MAIN = ("SELECT", "VALUES", "TABLE", "INSERT", "REPLACE", "UPDATE", "DELETE")

TAKES_ROWS = "takes rows away (or swaps them) without row events"
_REPLACED = "drops the table with all its rows and makes it anew, without row events"
IGNORES = "IGNORE leaves out rows that do not fit, without row events"
_PARTITIONS = "changes partitions: a row for which one end has no partition stops the applier (1526)"
#: The first two words of a part of ALTER TABLE that moves rows or partitions.
_PARTS = {
    **{
        (verb, "PARTITION"): TAKES_ROWS
        for verb in ("DROP", "TRUNCATE", "EXCHANGE", "DISCARD", "IMPORT", "CONVERT")
    },
    **{(verb, "TABLESPACE"): TAKES_ROWS for verb in ("DISCARD", "IMPORT")},
    ("CONVERT", "TABLE"): TAKES_ROWS,
    **{(verb, "PARTITION"): _PARTITIONS for verb in ("ADD", "REORGANIZE", "COALESCE")},
}


@dataclass(frozen=True, slots=True)
class Spoken:
    """One statement. `verb` is '' where nothing runs; `about` is what a definition is about (TABLE, INDEX, USER); `unknown` says why
    it is not known what it does; `rows` why each server has to run it at the same point of the log, as far as it concerns
    `target`; `columns` and `tables` are (old name, new name) of what it renames."""

    verb: str = ""
    about: str = ""
    unknown: str = ""
    rows: str = ""
    target: Name | None = None
    columns: Renames = frozenset()
    tables: tuple[tuple[Name, Name], ...] = ()
    moves: bool = False

    @property
    def defines(self) -> bool:
        """Whether it is a definition."""
        return self.verb in DEFINES

    @property
    def writes(self) -> bool:
        """Whether it is replicated without touching a definition."""
        return self.verb in WRITES or self.verb in HARMLESS or self.verb == "ANALYZE"


class Speaker:
    """Reads the statements of one script, in order: SET sql_mode changes what quotes and backslashes mean."""

    def __init__(self, server: Server) -> None:
        self.start = self.server = server
        self.variables = settings.Variables()

    def read(self, sql: str, database: str | None) -> Spoken:
        """What a statement says under the settings of now."""
        text = interpret(sql, self.server).strip()
        while text.startswith("("):
            text = text[1:].lstrip()
        words = first_words(text)
        if not words:
            plain = text.startswith("\\") or any(t for t in self._tokens(text, empty=True).words)
            return Spoken(unknown="this begins no statement that is known") if plain else Spoken()
        verb, about = words[0], object_of(words)
        unknown = _unknown(words)
        try:
            # An INSERT may have megabytes: only what is looked into is cut into words.
            if verb == "WITH":
                verb = _main(self._tokens(text))
                unknown = "" if verb else "what this WITH does is not understood"
            elif verb == "SET" and words[1:2] != ["STATEMENT"]:
                self.server = settings.apply(self._tokens(text), self.server, self.variables, self.start)
            elif verb in DEFINES and not unknown:
                return _definition(verb, about, self._tokens(text), database)
        except Refused as refused:
            # A definition that cannot be read is a problem of its own already; a SET changes nothing here.
            unknown = unknown or ("" if verb in DEFINES or verb == "SET" else refused.message)
        return Spoken(verb, about, unknown)

    def _tokens(self, text: str, *, empty: bool = False) -> Tokens:
        try:
            return Tokens(
                text, ansi_quotes="ANSI_QUOTES" in self.server.sql_mode, backslash=self.server.backslash
            )
        except Refused:
            if empty:
                return Tokens("?")
            raise


def takes_rows(text: str, server: Server) -> bool:
    """Whether a script changes or removes rows that are there: new definitions alone never do."""
    speaker = Speaker(server)
    for one in statements(text, lambda: speaker.server.backslash):
        said = speaker.read(one.text, None)
        if said.rows or said.verb in ("UPDATE", "DELETE", "MERGE"):
            return True
    return False


def _unknown(words: list[str]) -> str:
    """Why it is not known what a statement does, told from its first words; '' where it is."""
    verb, then = words[0], words[1] if len(words) > 1 else ""
    if verb in ("PREPARE", "EXECUTE", "CALL"):
        return f"{verb} runs what cannot be seen here: plan the statement itself"
    if (
        (verb, then) in (("SET", "STATEMENT"), ("BEGIN", "NOT"))
        or (verb == "START" and then != "TRANSACTION")
        or (verb == "XA" and then == "RECOVER")
    ):
        return f"{verb} {then} is not followed here: plan the statements in it by themselves"
    if verb == "ANALYZE" and not {"TABLE", "TABLES"} & set(words[1:3]):
        return "ANALYZE runs the statement behind it: plan that itself"
    if verb in DEFINES or verb in WRITES or verb in HARMLESS or verb in PASSED or verb in ("WITH", "ANALYZE"):
        return ""
    return f"{verb[:40]}: what it does to rows and tables is not known here"


def _main(t: Tokens) -> str:
    """The verb behind the definitions of a WITH."""
    depth = 0
    for word in t.words:
        depth += (word == "(") - (word == ")")
        if depth == 0 and word in _MAIN:
            return "SELECT" if word in ("VALUES", "TABLE") else word
    return ""


def _definition(verb: str, about: str, t: Tokens, database: str | None) -> Spoken:
    if verb == "TRUNCATE":
        t.at = 1
        t.take("TABLE")
        return Spoken(verb, "TABLE", rows=TAKES_ROWS, target=_name(t, database))
    if verb == "RENAME" and about in ("TABLE", "TABLES"):
        return Spoken(verb, about, tables=tuple(_pairs(t, database)), moves=True)
    if verb == "CREATE" and about == "TABLE" and t.words[1:3] == ["OR", "REPLACE"] and t.words[3] == "TABLE":
        t.at = 4
        return Spoken(verb, about, rows=_REPLACED, target=_name(t, database))
    if verb != "ALTER" or about != "TABLE":
        return Spoken(verb, about)
    ignore = "IGNORE" in t.words[: t.words.index("TABLE")]
    t.at = t.words.index("TABLE") + 1
    t.take("IF", "EXISTS")
    target = _name(t, database)
    parts = list(_parts(t))
    told = [_PARTS.get((t.words[at], t.words[at + 1]), "") for at in parts]
    rows = next(
        (why for why in sorted(told, key=(TAKES_ROWS, _PARTITIONS, "").index) if why),
        IGNORES if ignore else "",
    )
    moves = any(t.words[at] == "RENAME" and t.words[at + 1] not in ("COLUMN", "INDEX", "KEY") for at in parts)
    return Spoken(verb, about, rows=rows, target=target, columns=frozenset(_columns(t, parts)), moves=moves)


def _name(t: Tokens, database: str | None) -> Name:
    name = t.name()
    return (name, t.name()) if t.take(".") else (database, name)


def _waited(t: Tokens) -> None:
    """MariaDB's WAIT n and NOWAIT."""
    if t.take("WAIT"):
        t.integer()
    t.take("NOWAIT")


def _pairs(t: Tokens, database: str | None) -> Iterator[tuple[Name, Name]]:
    t.at = 2
    t.take("IF", "EXISTS")
    while not t.end:
        old = _name(t, database)
        _waited(t)
        t.need("TO")
        yield old, _name(t, database)
        t.take(",")


def _parts(t: Tokens) -> Iterator[int]:
    """Where the parts of an ALTER TABLE begin, behind the table's name."""
    _waited(t)
    depth, begins = 0, True
    for at in range(t.at, t.size):
        word = t.words[at]
        if begins:
            yield at
        begins = word == "," and depth == 0
        depth += (word == "(") - (word == ")")


def _columns(t: Tokens, parts: list[int]) -> Iterator[tuple[str, str]]:
    """Columns that an ALTER TABLE renames, case folded."""
    for at in parts:
        t.at = at
        change = t.take("CHANGE")
        if not change and not t.take("RENAME", "COLUMN"):
            continue
        if change:
            t.take("COLUMN")
        t.take("IF", "EXISTS")
        old = t.name()
        if not change:
            t.need("TO")
        new = t.name()
        if old.casefold() != new.casefold():
            yield old.casefold(), new.casefold()
