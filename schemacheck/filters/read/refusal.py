"""Values of filter options that a server refuses, and its words for it."""

from __future__ import annotations

import enum

from schemacheck import knowledge
from schemacheck.errors import BadSetting
from schemacheck.model import Server

_KINDS = {
    "replicate-do-table": "do", "replicate-ignore-table": "ignore", "replicate-wild-do-table": "do",
    "replicate-wild-ignore-table": "ignore",
}  # fmt: skip


class Given(enum.Enum):
    """How an option reaches the server: its words depend on that."""

    OPTION = "option"
    STATEMENT = "statement"


def check(option: str, value: str, server: Server | None, given: Given, where: str = "") -> None:
    """Raise BadSetting with the server's message if it would refuse this value.

    Table rules need a dot, `replicate-rewrite-db` an arrow with a name on both sides (mysqld.cc,
    `Rpl_filter::add_table_rule`). `where` is the place for the message (`my.cnf:12`).
    """
    message = _refusal(option, value, server, given)
    if message:
        place = f"{where}: " if where else ""
        raise BadSetting(f"{place}--{option}={value}: the server refuses it: {message}")


def needs_argument(option: str, where: str = "") -> BadSetting:
    """What a server says to a filter option without a value (asked of 9.7 and 11.8; an empty one behind `=`
    is a value).
    """
    place = f"{where}: " if where else ""
    return BadSetting(f"{place}--{option}: the server refuses it: option '--{option}' requires an argument")


def _refusal(option: str, value: str, server: Server | None, given: Given) -> str:
    messages = knowledge.load("filters")["messages"]
    if option in _KINDS and "." not in value:
        if given is Given.STATEMENT and option.startswith("replicate-wild"):
            return str(messages["wild-format"]["text"])
        ending = "." if server is not None and server.has("error-log-messages-have-numbers") else "!"
        return str(messages["table-rule"]).format(kind=_KINDS[option], value=value, ending=ending)
    if option == "replicate-rewrite-db" and given is Given.OPTION:
        old, arrow, new = value.partition("->")
        if not arrow:
            return str(messages["rewrite-arrow"])
        if not old.strip():
            return str(messages["rewrite-from"])
        if not new.strip():
            return str(messages["rewrite-to"])
    return ""
