"""Values of a logged statement that servers with other conversions make alike: plain ones of the column's own
family. Whatever else is computed, converted or compared is not known.

Asked of MySQL 5.6.24 and MariaDB 10.11.19 (85 plain statements, all alike): what is no date, time or number,
months added to a zero date, times as numbers, and text beside numbers become other values, reach other rows
or stop the applier (1292).
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass
from schemacheck.knowledge import characters
from schemacheck.model import ColumnType, Table
from schemacheck.sql import query_tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlglot import exp

#: What a value is, or can be read as without a doubt.
Families = frozenset[str]
#: NULL and defaults go with everything.
_ANY: Families = frozenset((
    "exact", "double", "digits", "text", "moment", "timestamp", "time", "year", "bit",
))  # fmt: skip
_TRUE: Families = frozenset(("exact", "digits"))
#: What a column takes beside its own family.
_TAKES = {"double": "exact", "text": "digits"}
_COLUMNS = {"date": "moment", "datetime": "moment", "time": "time", "year": "year", "bit": "bit"}
_NUMBER = re.compile(r"(0|[1-9]\d{0,17})(\.\d{1,15})?", re.ASCII)
_DATE = re.compile(r"([1-9]\d{3}-\d\d-\d\d)( ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?)?", re.ASCII)
_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?", re.ASCII)
_WHOLE = re.compile(r"\d{1,6}", re.ASCII)
_YEAR = re.compile(r"19[1-9]\d|20\d\d", re.ASCII)
_DEFAULTS = re.compile(r"^INSERT[^()']*(\(\s*\)\s*)?VALUES?\s*\(\s*\)\s*$", re.IGNORECASE | re.ASCII)
#: What TIMESTAMP has in every zone and version.
_STAMPED = range(1971, 2038)
_HEAD = re.compile(
    r"(INSERT|REPLACE|UPDATE|DELETE)\s+((LOW_PRIORITY|HIGH_PRIORITY|QUICK|IGNORE)\s+)*(INTO\s+)?",
    re.IGNORECASE | re.ASCII,
)
_COMPUTED = {"add", "mul", "sub", "neg"}
_COMPARED = {"between", "eq", "gt", "gte", "in", "like", "lt", "lte", "neq", "nullsafeeq"}
_JOINED = {"and", "not", "or"}
#: Functions, as sqlglot names them, and the families of their values.
_GIVEN = {
    "currentdate": "moment timestamp", "currenttimestamp": "moment timestamp", "now": "moment timestamp",
    "last_insert_id": "exact digits", "connection_id": "exact digits", "unix_timestamp": "exact digits",
    "rand": "double", "currenttime": "time",
}  # fmt: skip


class Unread(Exception):
    """A value that is not known to be the same on both ends."""

    def __init__(self, node: exp.Expression) -> None:
        super().__init__(" ".join(characters.split(node.sql(dialect="mysql")))[:60])


def otherwise(text: str, tables: Iterable[Table], users: Mapping[str, str | None]) -> str:
    """The first value of a change that servers with other conversions may take otherwise; '' where all are
    plain. `tables` are those that it names, `users` the collations of its session's variables.
    """
    if _DEFAULTS.search(text):
        return ""
    tree = query_tree.parse(_HEAD.sub(_head, text.strip(characters.BLANK), count=1))
    if tree is None:
        return text[:60]
    try:
        _Reader({table.name.casefold(): table for table in tables}, users).change(tree)
    except Unread as error:
        return str(error)
    return ""


def _head(match: re.Match[str]) -> str:
    return f"{match[1]} " if match[1].upper() in ("UPDATE", "DELETE") else "INSERT INTO "


def _of(column: ColumnType) -> Families:
    if column.is_timestamp:
        return frozenset(("moment", "timestamp"))
    if column.is_integer:
        return frozenset(("exact",)) if column.zerofill else _TRUE
    if column.base in ("decimal", "float", "double"):
        return frozenset(("exact" if column.base == "decimal" else "double",))
    return frozenset((_COLUMNS.get(column.base, "other" if column.is_geometry else "text"),))


def _literal(text: str, *, quoted: bool) -> Families:
    families = {"text"} if quoted else set()
    if _NUMBER.fullmatch(text):
        families |= {"exact", "double"} if quoted or "." in text else {"exact", "double", "digits"}
        families |= {"year"} if _YEAR.fullmatch(text) else {"bit"} if text in ("0", "1") else set()
    elif quoted and text[:1] == "-" and _NUMBER.fullmatch(text[1:]) and text.strip("-0."):
        families |= {"exact", "double"}
    elif quoted and (day := _DATE.fullmatch(text)) is not None and _is_day(day[1]):
        families |= {"moment", "timestamp"} if int(text[:4]) in _STAMPED else {"moment"}
    elif quoted and _CLOCK.fullmatch(text):
        families.add("time")
    return frozenset(families)


def _is_day(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads a change; all of its methods raise Unread."""

    tables: Mapping[str, Table]
    users: Mapping[str, str | None]

    def change(self, tree: exp.Expression) -> None:
        target, rows = tree.this, tree.args.get("expression")
        if tree.args.get("joins") or (target is not None and target.args.get("joins")):
            raise Unread(tree)
        if tree.key == "insert":
            named = target.expressions if target.key == "schema" else None
            types = [self._type(item) for item in named] if named else self._types(target, tree)
            if rows is not None and rows.key != "values":
                raise Unread(rows)
            for row in rows.expressions if rows is not None else ():
                for kind, item in zip(types, row.expressions if row.key == "tuple" else [row], strict=False):
                    self._store(kind, item)
        conflict = tree.args.get("conflict")
        for pair in (*(conflict.expressions if conflict is not None else ()), *tree.expressions):
            if pair.key == "eq":
                self._store(self._type(pair.this), pair.expression)
        if (where := tree.args.get("where")) is not None:
            self._asks(where.this)
        for item in order.expressions if (order := tree.args.get("order")) is not None else ():
            self.of(item.this)

    def _asks(self, node: exp.Expression) -> Families:
        """A condition: what is no number becomes one."""
        if not self.of(node) & {"exact", "double"} or node.args.get("is_string"):
            raise Unread(node)
        return _TRUE

    def _types(self, named: exp.Expression, tree: exp.Expression) -> list[ColumnType]:
        table = self.tables.get(named.name.casefold())
        if table is None:
            raise Unread(tree)
        return [column.type for column in table.columns if not column.invisible]

    def _type(self, node: exp.Expression) -> ColumnType:
        """A column's type: its tables' columns of this name are of one family."""
        columns = [table.column(node.name) for table in self.tables.values()]
        types = [column.type for column in columns if column is not None]
        if len({_of(kind) for kind in types}) != 1:
            raise Unread(node)
        return types[0]

    def _store(self, column: ColumnType, node: exp.Expression) -> None:
        families = self.of(node)
        wanted = frozenset(("timestamp",)) if column.is_timestamp else _of(column) - {"digits"}
        wanted |= {_TAKES[name] for name in wanted & _TAKES.keys()}
        if column.has_members:
            members = str(node.this).split(",") if column.base == "set" else [str(node.this)]
            fits = node.key == "literal" and "text" in families and {*members} <= {*column.members}
        else:
            fits = bool(families & wanted)
        if not fits and families is not _ANY:
            raise Unread(node)

    def of(self, node: exp.Expression) -> Families:
        """The families of a value."""
        name = str(node.this).lower() if node.key == "anonymous" else str(node.key)
        if name in ("null", "var", "star"):
            return _ANY
        if name == "literal":
            return _literal(str(node.this), quoted=bool(node.args.get("is_string")))
        if name in ("column", "identifier", "values"):
            return _of(self._type(node.expressions[0] if name == "values" else node))
        if name == "parameter" and node.name in self.users:
            return frozenset(("exact" if self.users[node.name] is None else "text",))
        if name == "paren":
            return self.of(node.this)
        if name in ("dateadd", "datesub") or (node.expression and node.expression.key == "interval"):
            return self._moved(node)
        parts = list(node.iter_expressions())
        if name in _JOINED:
            return _TRUE & frozenset.intersection(*map(self._asks, parts))
        families = [self.of(part) for part in parts]
        common = frozenset.intersection(_ANY, *families)
        odd = any(part.args.get("is_string") for part in parts) or not node.sql().strip("-0.")
        if name == "is" or (name in _COMPARED and common):
            return _TRUE
        if name in _GIVEN and (not parts or "moment" in _GIVEN[name]):
            return frozenset(characters.split(_GIVEN[name]))
        if name == "concat" and all(family & {"text", "digits"} for family in families):
            return frozenset(("text",))
        if name in _COMPUTED and common & {"exact", "double"} and not odd:
            return common & {"exact", "double"}
        raise Unread(node)

    def _moved(self, node: exp.Expression) -> Families:
        """A moment and an interval: columns may hold zero dates."""
        from sqlglot import exp

        steps = node.expression.this if node.expression.key == "interval" else node.expression
        whole = _WHOLE.fullmatch(str(steps.this)) is not None
        if whole and node.this.find(exp.Column) is None and "moment" in self.of(node.this):
            return frozenset(("moment", "timestamp"))
        raise Unread(node)
