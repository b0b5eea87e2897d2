"""What one statement of a change says by itself: its verb, the tables and columns that it names, whether rows
go.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.catalog.steps import Step
from schemacheck.dataclass import dataclass
from schemacheck.knowledge import characters
from schemacheck.plan.model import Renames
from schemacheck.replay.partition import MOVES
from schemacheck.sql.ddl import actions
from schemacheck.sql.ddl.draft import TableDraft
from schemacheck.sql.ddl.tables import RenameTables, Truncate
from schemacheck.sql.words import DEFINES, UNREPLICATED, Name, first_words, main_verb, object_of, unknown_verb

#: Statements that write rows, or that are replicated and leave rows and definitions of tables as they are.
WRITES = frozenset(("INSERT", "REPLACE", "UPDATE", "DELETE", "LOAD", "MERGE"))
HARMLESS = frozenset(("GRANT", "REVOKE", "SET PASSWORD", "SET DEFAULT", "FLUSH", "OPTIMIZE", "REPAIR"))

EMPTIES = "discards every row, without row events"
TAKES_ROWS = "discards the rows of partitions or files, without row events"
SWAPS_ROWS = "gives rows to another table or takes its rows, without row events"
REPLACED = "discards the table with all its rows and makes it anew, without row events"
REMADE = "discards the values of a column that it drops and makes again, without row events"
HISTORY = "discards the history of every row, without row events"
BLACKHOLE = "discards every row: the engine BLACKHOLE keeps none"
IGNORES = "IGNORE discards rows that do not fit, without row events"
#: The first two words of a part of ALTER TABLE that moves rows or partitions.
_PARTS = {
    **{(verb, "PARTITION"): TAKES_ROWS for verb in ("DROP", "TRUNCATE", "DISCARD", "IMPORT")},
    **{(verb, "TABLESPACE"): TAKES_ROWS for verb in ("DISCARD", "IMPORT")},
    **{(verb, "PARTITION"): SWAPS_ROWS for verb in ("EXCHANGE", "CONVERT")},
    ("CONVERT", "TABLE"): SWAPS_ROWS,
    **{(verb, "PARTITION"): MOVES for verb in ("ADD", "REORGANIZE", "COALESCE")},
}


@dataclass(frozen=True, slots=True)
class Said:
    """One statement. `verb` is '' where nothing runs; `about` is what a definition is about (TABLE, INDEX,
    USER); `unknown` says why it is not known what it does; `rows` why each server has to run it at the same
    point of the log, as far as it concerns `target`; `columns` and `tables` are (old name, new name) of what
    it renames; `exchanged` is a table that gives `target` rows, or takes some from it.
    """

    verb: str = ""
    about: str = ""
    unknown: str = ""
    rows: str = ""
    target: Name | None = None
    columns: Renames = frozenset()
    tables: tuple[tuple[Name, Name], ...] = ()
    exchanged: Name | None = None

    @property
    def moves(self) -> tuple[tuple[Name, Name], ...]:
        """(where a table's rows are before, where they are behind it), through several renames."""
        origins: dict[Name, Name] = {}
        for old, new in self.tables:
            origins[new] = origins.pop(old, old)
        return tuple((old, new) for new, old in origins.items() if old != new)

    @property
    def defines(self) -> bool:
        """Whether it is a definition."""
        return self.verb in DEFINES

    @property
    def writes(self) -> bool:
        """Whether it is replicated without touching a definition."""
        return self.verb in WRITES or self.verb in HARMLESS or self.verb == "ANALYZE"


def read(step: Step) -> Said:
    """What a statement says, as the source's server read it."""
    words, text = list(step.words), characters.strip(step.read_as)
    while not words and text.startswith("("):
        text = text[1:].lstrip(characters.BLANK)
        words = first_words(text)
    if not words:
        return Said(unknown="this begins no statement that is known") if text.strip("; \t\r\n") else Said()
    verb, about = words[0], object_of(words)
    if " ".join(words[:2]) in HARMLESS:
        return Said(" ".join(words[:2]), about)
    unknown = _unknown(words)
    if verb == "WITH":
        verb = main_verb(text)
        unknown = "" if verb else "what this WITH does is not understood"
    elif verb in DEFINES and not unknown:
        return _definition(verb, about, step)
    return Said(verb, about, unknown)


def _unknown(words: list[str]) -> str:
    """Why it is not known what a statement does, told from its first words; '' where it is."""
    verb, then = words[0], words[1] if len(words) > 1 else ""
    if verb in ("EXECUTE", "CALL"):
        return f"{verb} runs what cannot be seen here: plan the statement itself"
    if (
        (verb, then) in (("SET", "STATEMENT"), ("BEGIN", "NOT"))
        or (verb == "START" and then != "TRANSACTION")
        or (verb == "XA" and then == "RECOVER")
    ):
        return f"{verb} {then} is not followed here: plan the statements in it by themselves"
    if verb == "ANALYZE" and not {"TABLE", "TABLES"} & set(words[1:3]):
        return "ANALYZE runs the statement behind it: plan that itself"
    if (
        verb in DEFINES
        or verb in WRITES
        or verb in HARMLESS
        or verb in UNREPLICATED
        or verb in ("WITH", "ANALYZE", "PREPARE")
    ):
        return ""
    return unknown_verb(verb)


def _definition(verb: str, about: str, step: Step) -> Said:
    """A definition; one that was not understood is a problem of its own already."""

    def full(name: Name) -> Name:
        return name if name[0] is not None else (step.database, name[1])

    match step.definition:
        case Truncate(table=table):
            return Said(verb, "TABLE", rows=EMPTIES, target=full(table))
        case RenameTables(pairs=pairs):
            return Said(verb, about, tables=tuple((full(a), full(b)) for a, b, _ in pairs))
        case TableDraft(or_replace=True, temporary=False) as draft:
            return Said(verb, about, rows=REPLACED, target=full((draft.database, draft.name)))
        case actions.AlterTable() as altered:
            listed = [
                _PARTS.get(action.words, "")
                for action in altered.actions
                if isinstance(action, actions.Other)
            ]
            listed += _discarded(altered)
            notes = (BLACKHOLE, TAKES_ROWS, SWAPS_ROWS, REMADE, HISTORY, MOVES)
            rows = next((note for note in notes if note in listed), "")
            others = [
                action.table
                for action in altered.actions
                if isinstance(action, actions.Other) and action.table
            ]
            return Said(
                verb,
                about,
                rows=rows or (IGNORES if altered.ignore else ""),
                target=full(altered.table),
                columns=frozenset(_columns(altered)),
                tables=((full(altered.table), full(altered.renamed)),) if altered.renamed else (),
                exchanged=full(others[0]) if others else None,
            )
    return Said(verb, "TABLE" if verb == "TRUNCATE" else about)


def _discarded(altered: actions.AlterTable) -> Iterator[str]:
    """What parts of ALTER TABLE other than those of `_PARTS` discard."""
    gone, made = set(), set()
    for action in altered.actions:
        match action:
            case actions.Drop(kind="COLUMN"):
                gone.add(action.name.casefold())
            case actions.AddColumn() | actions.ReplaceColumn():
                made.add(action.draft.name.casefold())
            case actions.RenameColumn():
                made.add(action.new.casefold())
            case actions.Versioning(on=False):
                yield HISTORY
            case actions.Options() if (action.options.engine or "").upper() == "BLACKHOLE":
                yield BLACKHOLE
    if gone & made:
        yield REMADE


def _columns(altered: actions.AlterTable) -> Iterator[tuple[str, str]]:
    """Columns that an ALTER TABLE renames, case folded."""
    for action in altered.actions:
        old = new = ""
        if isinstance(action, actions.RenameColumn):
            old, new = action.old.casefold(), action.new.casefold()
        elif isinstance(action, actions.ReplaceColumn):
            old, new = action.old.casefold(), action.draft.name.casefold()
        if old != new:
            yield old, new
