"""What a server's grammar has, asked once per server and kept as plain attributes."""

from __future__ import annotations

import re
from functools import lru_cache

from schemacheck import knowledge
from schemacheck.dataclass import dataclass, field
from schemacheck.knowledge import characters
from schemacheck.model.server import Server
from schemacheck.sql import calls
from schemacheck.sql.calls import Calls
from schemacheck.sql.lexer import Refused, Tokens

#: Expressions of more words cost too much time.
_MOST_WORDS = 5_000


@dataclass(frozen=True, slots=True)
class Flavor:
    """Capabilities of the grammar; every attribute but the last ones is `ddl-<name>` in rules/servers/."""

    generated: bool
    check_constraints: bool
    enforced: bool
    invisible: bool
    srid: bool
    compressed: bool
    late_compressed: bool
    system_versioning: bool
    default_expression: bool
    bare_default: bool
    vector_index: bool
    invisible_index: bool
    ignored_index: bool
    functional_index: bool
    descending_index: bool
    inline_constraint_name: bool
    list_default_partition: bool
    mysql_table_options: bool
    type_option: bool
    collate_binary: bool
    one_collate: bool
    tablespace_sign: bool
    start_transaction: bool
    json_arrows: bool
    rename_column: bool
    rename_index: bool
    exchange_validation: bool
    charset_resets_collation: bool
    mariadb: bool
    reserved: frozenset[str]
    #: Of the functions that expressions call.
    functions: Calls = field(compare=False)

    def check_expression(self, t: Tokens, first: int, last: int) -> None:
        """Refuse operators that this server does not have, and what no stored expression has: subqueries and
        user variables (asked of MariaDB; 3102 and 3814 of MySQL by the manual).
        """
        for index in range(first, last):
            if t.words[index] == "@" or (t.words[index] == "SELECT" and t.words[index - 1] == "("):
                t.at = index
                raise t.fail("no query and no variable is possible here")
        self.check_calls(t, first, last)

    def check_calls(self, t: Tokens, first: int, last: int) -> None:
        """Refuse operators and functions that this server does not have, and very long expressions."""
        if last - first > _MOST_WORDS:
            raise Refused("an expression of so many words is not read", t.starts[first])
        calls.check(t, first, last, self.functions, self.reserved)
        if self.json_arrows:
            return
        for index in range(first, last - 1):
            if (
                t.words[index] == "-"
                and t.words[index + 1] == ">"
                and t.items[index].end + 1 == t.items[index + 1].start
            ):
                t.at = index
                raise t.fail("this server has no -> operator")


@lru_cache(maxsize=16)
def of(server: Server) -> Flavor:
    """The grammar of this server."""
    named = {
        name: server.has("ddl-" + name.replace("_", "-"))
        for name in Flavor.__match_args__
        if name not in ("mariadb", "reserved", "functions")
    }
    return Flavor(**named, mariadb=server.mariadb, reserved=reserved(server), functions=calls.of(server))


def reserved(server: Server) -> frozenset[str]:
    """The words that cannot stand for a name without quotes."""
    words = knowledge.load("reserved")
    result: set[str] = set()
    for group, members in words["groups"].items():
        if server.has(f"reserved-{group}"):
            result.update(characters.split(members))
    return frozenset(result)


#: Quoted and qualified names, and where words that are reserved somewhere stand as syntax; else a word.
_WORDS = re.compile(
    r"`[^`]*`|\.\s*\w+|\bGENERATED\s+ALWAYS\b|\)\s*(?:STORED|VIRTUAL)\b|\bSTATS_\w+\s*=|\bVECTOR\s*\("
    r"|\bFOR\s+EACH\s+ROW\b|\bROW\s*\(|\bOFFSET\s+[\d?@]|\bDROP\s+FUNCTION\b|\bFUNCTION\s+(?=[`\w.]+\s*\()"
    r"|\b(?:CREATE|ALTER|DROP)\s+(?:OR\s+REPLACE\s+)?(?:DATABASE|SCHEMA)\b|\b(?:DATABASE|SCHEMA)\s*\("
    r"|\b([A-Za-z_]\w*)",
    re.IGNORECASE | re.ASCII,
)


def reserved_apart(text: str, source: Server, replica: Server) -> str:
    """The first word of a statement that is reserved on the replica alone (1064), or ''."""
    apart = reserved(replica) - reserved(source)
    words = (match[1] for match in _WORDS.finditer(text) if match[1]) if apart else ()
    return next((word for word in words if word.upper() in apart), "")
