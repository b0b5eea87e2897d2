"""Tables that online schema change tools leave beside the table they change.

gh-ost: `_t_gho` (the copy), `_t_ghc` (its changelog), `_t_del` (the table as it was; with
--timestamp-old-table `_t_20240131235959_del`). pt-online-schema-change: `_t_new`, `_t_old`, with more
underscores in front where a name was taken. Sources: the tools' documentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from schemacheck.model import Table
from schemacheck.plan.model import Ghost

_GHOST = re.compile(r"_(?P<table>.+?)(?:_\d{14})?_(?P<mark>gho|ghc|del)\Z")
_PERCONA = re.compile(r"_+(?P<table>.+)_(?P<mark>new|old)\Z")
_ROLES = {"gho": "copy", "new": "copy", "ghc": "changelog", "del": "old", "old": "old"}


def ghosts(tables: Iterable[Table]) -> tuple[Ghost, ...]:
    """The tools' tables among these; a name counts only where the table that it belongs to is there too."""
    every = list(tables)
    names = {(t.database, t.name) for t in every}
    out = []
    for table in every:
        for tool, pattern in (("gh-ost", _GHOST), ("pt-online-schema-change", _PERCONA)):
            match = pattern.match(table.name)
            if match and (table.database, match["table"]) in names:
                out.append(Ghost(table.database, table.name, tool, _ROLES[match["mark"]], match["table"]))
                break
    return tuple(out)
