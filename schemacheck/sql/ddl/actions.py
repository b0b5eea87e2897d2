"""The parts of ALTER TABLE as values."""

from __future__ import annotations

from schemacheck.dataclass import dataclass
from schemacheck.sql.ddl.draft import (
    CheckDraft,
    ColumnDraft,
    DefaultDraft,
    ForeignDraft,
    KeyDraft,
    PartitionDraft,
    TableOptions,
)
from schemacheck.sql.flavor import Flavor
from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.words import Name

#: What answers with a row that tells of a partition or table that is not there; MySQL 8 also of a table that
#: is not partitioned (asked of four servers).
ANSWERS = ("ANALYZE", "CHECK", "OPTIMIZE", "REPAIR")


@dataclass(frozen=True, slots=True)
class Action:
    """One part of ALTER TABLE; `at` is its offset in the statement."""

    at: int


@dataclass(frozen=True, slots=True)
class AddColumn(Action):
    """ADD COLUMN."""

    draft: ColumnDraft
    if_not_exists: bool = False


@dataclass(frozen=True, slots=True)
class ReplaceColumn(Action):
    """MODIFY (the old name is the draft's) and CHANGE."""

    old: str
    draft: ColumnDraft
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class RenameColumn(Action):
    """RENAME COLUMN."""

    old: str
    new: str
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class SetColumn(Action):
    """ALTER COLUMN: SET DEFAULT, DROP DEFAULT (both None), SET VISIBLE and INVISIBLE."""

    name: str
    default: DefaultDraft | None = None
    invisible: bool | None = None
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class Add(Action):
    """ADD of a key, a CHECK or a foreign key."""

    draft: KeyDraft | CheckDraft | ForeignDraft


@dataclass(frozen=True, slots=True)
class Drop(Action):
    """DROP of a COLUMN, INDEX, FOREIGN KEY or CONSTRAINT; the primary key is the INDEX named PRIMARY."""

    kind: str
    name: str
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class RenameKey(Action):
    """RENAME INDEX."""

    old: str
    new: str
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class ShowKey(Action):
    """ALTER INDEX ... VISIBLE and its opposite."""

    name: str
    visible: bool
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class Enforce(Action):
    """ALTER CHECK ... [NOT] ENFORCED."""

    name: str
    enforced: bool


@dataclass(frozen=True, slots=True)
class Versioning(Action):
    """ADD and DROP SYSTEM VERSIONING."""

    on: bool


@dataclass(frozen=True, slots=True)
class Rename(Action):
    """RENAME TO."""

    to: Name


@dataclass(frozen=True, slots=True)
class Convert(Action):
    """CONVERT TO CHARACTER SET."""

    options: TableOptions


@dataclass(frozen=True, slots=True)
class Options(Action):
    """Table options."""

    options: TableOptions


@dataclass(frozen=True, slots=True)
class PartitionBy(Action):
    """PARTITION BY; None is REMOVE PARTITIONING."""

    options: TableOptions | None


@dataclass(frozen=True, slots=True)
class PartitionChange:
    """Partitions that ALTER TABLE names (None: ALL, or none), defines or counts."""

    names: tuple[str, ...] | None = None
    parts: tuple[PartitionDraft, ...] | None = None
    count: int | None = None
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Other(Action):
    """What leaves columns and keys as they are: partitions, tablespaces, the way of altering. `words` are its
    first two; `table` the table that takes rows from a partition or gives it some.
    """

    words: tuple[str, str]
    table: Name | None = None
    partitions: PartitionChange | None = None


@dataclass(frozen=True, slots=True)
class AlterTable:
    """Which table, where its name is, and what happens to it."""

    table: Name
    name_at: int
    if_exists: bool
    ignore: bool
    actions: tuple[Action, ...]

    @property
    def only_answers(self) -> bool:
        """Whether it does no more than ask the engine about partitions, and answers with rows."""
        return bool(self.actions) and all(
            isinstance(action, Other) and action.words[0] in ANSWERS for action in self.actions
        )

    @property
    def only_checks(self) -> bool:
        """Whether it is CHECK PARTITION, which no server logs (asked of four)."""
        return bool(self.actions) and all(
            isinstance(action, Other) and action.words == ("CHECK", "PARTITION") for action in self.actions
        )

    @property
    def renamed(self) -> Name | None:
        """The table's new name."""
        return next((action.to for action in reversed(self.actions) if isinstance(action, Rename)), None)


WAYS = {
    "ALGORITHM": ("DEFAULT", "INPLACE", "COPY", "INSTANT", "NOCOPY"),
    "LOCK": ("DEFAULT", "NONE", "SHARED", "EXCLUSIVE"),
}


def online(t: Tokens, flavor: Flavor) -> tuple[Other, ...]:
    """ONLINE, which is LOCK=NONE on MariaDB; few servers know it otherwise, or OFFLINE. Raises Refused."""
    at = t.offset()
    if t.take("OFFLINE") or (t.peek() == "ONLINE" and not flavor.mariadb):
        raise Refused(
            "whether this server knows ONLINE and OFFLINE is not known: leave them out", at, code="SC001"
        )
    return (Other(at, ("LOCK", "NONE")),) if t.take("ONLINE") else ()


def ways(t: Tokens) -> list[Other]:
    """ALGORITHM and LOCK behind an index. Raises Refused."""
    others: list[Other] = []
    while (word := t.take_any("ALGORITHM", "LOCK")) is not None:
        t.take("=")
        at, text = t.offset(), t.name().upper()
        if text not in WAYS[word]:
            raise Refused(f"{word} is none of {', '.join(WAYS[word])}", at, 1800)
        others.append(Other(at, (word, text)))
    return others
