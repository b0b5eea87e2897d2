"""What MySQL refuses as an expression of a key (asked of 9.7)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from schemacheck.catalog.constant import NotComputed
from schemacheck.catalog.constant_value import compute
from schemacheck.catalog.context import Context
from schemacheck.catalog.text_length import LONGEST, longest
from schemacheck.model import normal
from schemacheck.model.expression import columns as columns_of
from schemacheck.model.expression_tree import NoTree, TooHigh, tree
from schemacheck.model.table import Column
from schemacheck.sql.expression_words import called
from schemacheck.sql.lexer import Refused

#: A call that gives JSON, or a LONGTEXT of it.
_JSON = re.compile(
    r"(json_(?:array|object|extract|set|insert|replace|remove|merge\w*|array_\w+|keys|search|unquote))"
    r"\((?:[^()']|'[^']*'|\((?:[^()']|'[^']*')*\))*\)\Z",
    re.ASCII,
)


def check(text: str, at: int, columns: Mapping[str, Column], context: Context) -> None:
    """Refuse an expression of an AUTO_INCREMENT column, of NULL, of an empty text, of JSON or of a text that
    is stored as a BLOB. Raises Refused.
    """
    auto = [one.name for one in columns.values() if one.auto_increment]
    if any(name.casefold() in columns_of(text, context.modes) for name in auto):
        raise Refused("a functional key uses an AUTO_INCREMENT column", at, "SC002", 3754)
    if "regexp_replace" in called(text):
        raise Refused("REGEXP_REPLACE in a functional key mixes character sets", at, "SC002", 3995)
    root = _JSON.match(normal.expression(text, context.modes))
    if root is not None:
        unquoted = root[1] == "json_unquote"
        why = f"a functional key of what {root[1].upper()} gives: CAST it"
        raise Refused(why, at, "SC002", 3757 if unquoted else 3753)
    try:
        found = compute(text, context.modes)
    except NotComputed:
        found = None
    try:
        root_item = tree(text, context.modes)[0]
        size = longest(root_item, columns)
        # A moment has a length, of NULL too, and JSON_VALUE that of its RETURNING.
        moved = root_item.name in ("timestampadd", "json_value") or (
            root_item.name in ("+", "-") and root_item.args[-1].name == "interval unit"
        )
    except (NoTree, TooHigh, IndexError):
        size, moved = None, False
    empty = found is not None and found.kind in ("null", "text", "bytes") and not found.value
    if empty and not moved:
        raise Refused("a functional key has no length", at, "SC002", 3761)
    if size is not None and size > LONGEST:
        why = f"a functional key of a text of up to {size} characters, which is a BLOB: CAST it"
        raise Refused(why, at, "SC002", 3757)
