"""Whether a definition that stopped the applier is there already, as where both ends ran an ALTER by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemacheck.model import Server, Table
from schemacheck.replay.alter import changes
from schemacheck.sql.statements import Statement, parse

#: An error cuts a long statement off: what does not end so is not whole. CREATE TABLE ... SELECT is logged as
#: CREATE TABLE ... START TRANSACTION: its rows come with it.
_QUERY = re.compile(r"Default database: '([^']*)'\. Query: '(.*)(?<!START TRANSACTION)'$", re.DOTALL)
#: Errors that say that a table, column, key, constraint or partition is there already, or is not there.
_THERE_OR_NOT = {
    *(1005, 1022, 1050, 1051, 1054, 1060, 1061, 1068, 1072, 1091, 1146, 1176),
    *(1507, 1508, 1517, 1735, 1826, 3821, 3822, 3940, 4092),
}
_DEFINITIONS = frozenset(
    {"alter-table", "rename-table", "create-table", "create-index", "drop-index", "drop-table", "drop-view"}
)


def statement_of(message: str, server: Server) -> Statement | None:
    """The statement that an error prints whole and that is understood."""
    match = _QUERY.search(message)
    statement = parse(match[2], server) if match else None
    return statement if statement is not None and not statement.problems else None


def alike(
    number: int, message: str, server: Server, sources: Sequence[Table], replicas: Sequence[Table]
) -> str:
    """The tables that a statement in an applier's error leaves or drops (`shop.orders, shop.lines`), where
    both ends define each alike, or have dropped it; '' where not, or for any other statement.
    """
    match = _QUERY.search(message) if number in _THERE_OR_NOT else None
    statement = statement_of(message, server)
    if match is None or statement is None or statement.verb not in _DEFINITIONS:
        return ""
    gone = [old for old, _ in statement.renames]
    left = [(ref.database, ref.name) for ref in statement.refs if (ref.database, ref.name) not in gone]
    left += [new for _, new in statement.renames]
    if statement.verb in ("drop-table", "drop-view"):
        gone, left = left, []
    names = {}
    for name, stays in [*((name, False) for name in gone), *((name, True) for name in left)]:
        database = name[0] or match[1]
        ours, theirs = (
            next((t for t in tables if t.name == name[1] and t.database in (database, None)), None)
            for tables in (sources, replicas)
        )
        if (ours is not None, theirs is not None) != (stays, stays) or changes(ours, theirs):
            return ""
        names[f"{database}.{name[1]}"] = stays
    return ", ".join(name for name, stays in names.items() if stays) or ", ".join(names)
