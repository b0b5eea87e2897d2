"""What a row event's insert leaves in a column that the source does not have: its default, or not.

Recorded on four servers. MySQL 9.7 and MariaDB 11.8 evaluate the default for the row, MySQL before the
row's own values are in it. MySQL 5.6 and MariaDB 10.11 copy the record that was made when the table was
opened: what is stored outside of it (TEXT, BLOB, JSON, GEOMETRY), and what every row gives anew, is not in
it.
"""

from __future__ import annotations

import re

from schemacheck.model import Column, DefaultKind, Server
from schemacheck.model.expression import canonical, columns
from schemacheck.sql.expression_words import called

#: Functions of constants that give the same value on every server and at any time: asked of MySQL 9.7,
#: MariaDB 10.11 and 11.8.
_STEADY = frozenset((
    "abs", "and", "ascii", "bin", "bit_length", "case", "cast", "ceiling", "char_length", "coalesce",
    "concat", "concat_ws", "conv", "date", "div", "exp", "field",
    "floor", "greatest", "hex", "if", "ifnull", "in", "inet6_aton", "inet_aton", "instr", "json_array",
    "json_object", "json_quote", "last_day", "least", "left",
    "length", "like", "ln", "locate", "lower", "lpad", "ltrim", "makedate", "md5", "mod", "not", "nullif",
    "or", "pi", "point", "pow", "quote", "repeat", "replace",
    "reverse", "right", "round", "rpad", "rtrim", "sha1", "sha2", "sign", "space", "sqrt", "strcmp",
    "str_to_date", "substr", "to_base64", "trim", "truncate",
    "unhex", "upper", "when", "year",
))  # fmt: skip
#: Functions and variables that the timestamp and the session in the binary log do not fix: a replicated
#: statement gives every server its own values. (A replica's sequence stands at the end of what the source's
#: has cached: asked of 11.8.)
_NOT_REPLICATED = re.compile(
    r"uuid\w*|rand|random_bytes|sysdate|connection_id|user|\w+_user|sys_guid|version|nextval|@@(?!server_id\Z).*",
    re.IGNORECASE | re.ASCII,
)


def steady(text: str) -> bool:
    """Whether an expression is known to have one value, whatever server computes it, and whenever."""
    return canonical(text) is not None and not columns(text) and called(text) <= _STEADY


def own_value(column: Column) -> bool:
    """Whether a replicated ALTER that adds this column fills the rows with values of each server's own.
    Recorded: MariaDB fills the rows anew on every server, MySQL 9.7 refuses the statement with 1674.
    """
    default = column.default
    return (
        default is not None
        and default.kind is DefaultKind.EXPRESSION
        and any(map(_NOT_REPLICATED.fullmatch, called(default.text)))
    )


def instead_of_default(column: Column, server: Server) -> str:
    """What an inserted row holds in an extra column in place of the default, in words; '' for the default."""
    default = column.default
    if default is None or default.kind is DefaultKind.NULL or column.generated is not None:
        return ""
    fixed = default.kind is DefaultKind.LITERAL or (
        default.kind is DefaultKind.EXPRESSION and steady(default.text)
    )
    if server.has("extra-column-default-evaluated"):
        named = default.kind is DefaultKind.EXPRESSION and columns(default.text)
        return (
            "what its default gives for an empty row"
            if named and not server.has("extra-column-default-sees-row")
            else ""
        )
    if not fixed:
        return "NULL" if column.nullable else "the zero value of its type"
    outside = column.type.is_lob or column.type.is_json or column.type.is_geometry
    return "an empty value" if outside and default.text != "" else ""
