"""Foreign keys compared by what they do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from schemacheck.alignment.pair import Pair
from schemacheck.model import ForeignKey
from schemacheck.model.names import folded
from schemacheck.model.quote import quoted

RESTRICT = "RESTRICT"


class KeyPair(NamedTuple):
    """A foreign key of the source and the replica's that binds the same columns; None where one side has
    none.

    `changed` are the replica's own doings and the source's that no event tells ("ON DELETE CASCADE on the
    source, nothing on the replica"); `refused` says that the replica refuses what the source lets pass.
    """

    source: ForeignKey | None
    replica: ForeignKey | None
    changed: tuple[str, ...]
    refused: tuple[str, ...]


def key_pairs(
    pair: Pair, ours: Iterable[ForeignKey], theirs: Iterable[ForeignKey], renamed: Mapping[str, str]
) -> tuple[KeyPair, ...]:
    """Both sides' foreign keys side by side, those that do the same left out. `renamed` are the replica's
    names of the source's columns, both folded.

    Recorded on four servers: rows that a key's action changes are in no event, unless the source logs them as
    rows (MySQL 9.6, row format); such a source's events also keep the replica's own key from acting.
    """
    logged = pair.terms.logged_cascades
    rest = list(theirs)
    result: list[tuple[ForeignKey | None, ForeignKey | None]] = []
    for key in ours:
        alike = [other for other in rest if _same_binding(pair, key, other, renamed)]
        twin = next(
            (other for other in alike if _actions(other) == _actions(key)), alike[0] if alike else None
        )
        if twin is not None:
            rest.remove(twin)
        result.append((key, twin))
    result += [(None, other) for other in rest]
    return tuple(
        _judged(here, there, logged=logged)
        for here, there in result
        if here is None or there is None or _actions(here) != _actions(there)
    )


def _judged(here: ForeignKey | None, there: ForeignKey | None, *, logged: bool) -> KeyPair:
    changed, refused = [], []
    for event in ("DELETE", "UPDATE"):
        ours, theirs = _action(here, event), _action(there, event)
        if ours == theirs or (here is not None and logged):
            continue
        if theirs == RESTRICT:
            refused.append(event)
        elif ours != RESTRICT and (ours or theirs):
            changed.append(
                f"ON {event} {ours} on the source, {theirs or 'nothing'} on the replica"
                if ours
                else f"ON {event} {theirs} on the replica only"
            )
    return KeyPair(here, there, tuple(changed), tuple(refused))


def _action(key: ForeignKey | None, event: str) -> str | None:
    """What a key does to the child's rows, None where there is no key."""
    return None if key is None else key.on_delete if event == "DELETE" else key.on_update


def _actions(key: ForeignKey) -> tuple[str, str]:
    return key.on_delete, key.on_update


def _same_binding(pair: Pair, ours: ForeignKey, theirs: ForeignKey, renamed: Mapping[str, str]) -> bool:
    """Whether two foreign keys bind the same columns of the same two tables."""
    columns = [renamed.get(c.casefold(), c.casefold()) for c in ours.columns]
    return (
        columns == [c.casefold() for c in theirs.columns]
        and _same_table(pair, ours, theirs)
        and [c.casefold() for c in ours.ref_columns] == [c.casefold() for c in theirs.ref_columns]
    )


def _same_table(pair: Pair, ours: ForeignKey, theirs: ForeignKey) -> bool:
    """Whether two keys name one table. The source's names are those that filters make of them, but for the
    pair's own database.
    """
    here, there = pair.source.database, pair.replica.database
    names = (ours.ref_table, theirs.ref_table, ours.ref_database or here, theirs.ref_database or there)
    if pair.link.source.folds_names or pair.link.replica.folds_names:
        text, other, database, their_database = (folded(name) if name else None for name in names)
    else:
        text, other, database, their_database = names
    if here and there and here != there and database == here:
        return text == other and their_database == there
    return text == other and (not (here and there) or database == their_database)


def described(key: ForeignKey) -> str:
    """`(b) -> p (id)`."""
    actions = "".join(
        f" ON {word} {action}"
        for word, action in (("DELETE", key.on_delete), ("UPDATE", key.on_update))
        if action not in ("RESTRICT", "NO ACTION")
    )
    return f"({', '.join(key.columns)}) -> {key.ref_table} ({', '.join(key.ref_columns)}){actions}"


def constraint_text(
    key: ForeignKey,
    database: str | None,
    child: str,
    columns: tuple[str, ...],
    parent: str,
    ref_columns: tuple[str, ...],
) -> str:
    """How InnoDB names a foreign key in errors 1451 and 1452: `db`.`child`, CONSTRAINT `f` FOREIGN KEY (`b`)
    REFERENCES `p` (`id`).
    """
    home = quoted(database) + "." if database else ""
    ours, theirs = (", ".join(map(quoted, names)) for names in (columns, ref_columns))
    name = quoted(key.name) if key.name else "..."
    return (
        f"{home}{quoted(child)}, CONSTRAINT {name} FOREIGN KEY ({ours}) REFERENCES "
        f"...{quoted(parent)} ({theirs})..."
    )
