"""A source that is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from schemacheck.model import Table


class Live(NamedTuple):
    """A source to ask: events from the stopped transaction on, SHOW CREATE of ``TABLE `a`.`b` `` or '', the
    INSERT of the one row of a table that a condition finds, or ''.
    """

    log: Callable[[], Iterable[bytes]]
    definition: Callable[[str], str]
    insert: Callable[[Table, str], str]


#: A source that nobody can ask.
NOT_LIVE = Live(tuple, lambda _: "", lambda _table, _where: "")
