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
    from collections.abc import Iterable, Mapping, Sequence

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
#: Functions and operators, as sqlglot names them: the families of which an argument has one, and the result's
#: ('': what the arguments have in common).
_MADE = {
    "concat concatws left lower md5 repeat replace reverse right sha sha2 substring trim upper": (
        "text digits",
        "text",
    ),
    "length": ("text digits", "exact digits"),
    "abs add mul neg sub": ("exact double", ""),
    "ceil floor mod round sum": ("exact", "exact"),
    "day month year": ("moment", "exact digits year"),
    "dayname monthname": ("moment", "text"),
    "tsordstodate": ("moment", "moment"),
    "currentdate currenttimestamp localtime localtimestamp now utcdate utctimestamp": (
        "exact",
        "moment timestamp",
    ),
    "currenttime utctime": ("exact", "time"),
    "connection_id last_insert_id unix_timestamp": ("exact", "exact digits"),
    "rand": ("exact", "double"),
    "st_geomfromtext": ("text", "other"),
}
_FUNCTIONS = {
    name: tuple(frozenset(text.split(" ")) - {""} for text in made)
    for names, made in _MADE.items()
    for name in names.split(" ")
}
_COMPARED = ["between", "eq", "gt", "gte", "in", "like", "lt", "lte", "neq", "nullsafeeq"]
_CHOSEN = ["coalesce", "distinct", "max", "min", "nullif", "paren"]
_ASKED = ["boolean", "count", "is"]
_JOINED = ["and", "not", "or", "xor"]


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
        if tree.key == "insert":
            named = target.expressions if target.key == "schema" else None
            types = [self._type(item) for item in named] if named else self._types(target, tree)
            for row in rows.expressions if rows is not None and rows.key == "values" else ():
                values = row.expressions if row.key == "tuple" else [row]
                self._store(types, [(self.of(item), item) for item in values])
            if rows is not None and rows.key != "values":
                self._store(types, self.query(rows))
        conflict = tree.args.get("conflict")
        for pair in (*(conflict.expressions if conflict is not None else ()), *tree.expressions):
            if pair.key == "eq":
                self._store([self._type(pair.this)], [(self.of(pair.expression), pair.expression)])
        self._clauses(tree)

    def _clauses(self, tree: exp.Expression) -> None:
        joins = [*(tree.args.get("joins") or ()), *(tree.this.args.get("joins") or () if tree.this else ())]
        for join in joins:
            if join.this.key != "table":
                raise Unread(join)
            if join.args.get("on") is not None:
                self._asks(join.args["on"])
        for clause in ("where", "having"):
            if (part := tree.args.get(clause)) is not None:
                self._asks(part.this)
        for clause in ("group", "order"):
            if (part := tree.args.get(clause)) is not None:
                for item in part.expressions:
                    self.of(item)

    def _asks(self, node: exp.Expression) -> Families:
        """A condition: what is no number becomes one."""
        if not self.of(node) & {"exact", "double"} or node.args.get("is_string"):
            raise Unread(node)
        return _TRUE

    def query(self, tree: exp.Expression) -> list[tuple[Families, exp.Expression]]:
        """The columns of a query, each with what shows it."""
        if tree.key in ("subquery", "exists"):
            return self.query(tree.this)
        if tree.key == "union":
            both = zip(self.query(tree.this), self.query(tree.expression), strict=False)
            return [(mine & theirs, shown) for (mine, shown), (theirs, _) in both]
        source = tree.args.get("from_")
        if tree.key != "select" or tree.args.get("with_") or (source and source.this.key != "table"):
            raise Unread(tree)
        self._clauses(tree)
        result: list[tuple[Families, exp.Expression]] = []
        for item in tree.expressions:
            if item.key != "star":
                result.append((self.of(item), item))
            elif source is None or tree.args.get("joins"):
                raise Unread(tree)
            else:
                result += [(_of(kind), item) for kind in self._types(source.this, tree)]
        return result

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

    def _store(self, types: Sequence[ColumnType], values: Sequence[tuple[Families, exp.Expression]]) -> None:
        for column, (families, node) in zip(types, values, strict=False):
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
        if name == "subquery":
            return self.query(node)[0][0]
        if name == "exists":
            return _TRUE if self.query(node) else _ANY
        if name in ("alias", "ordered"):
            return self.of(node.this)
        if name in ("dateadd", "datesub") or (node.expression and node.expression.key == "interval"):
            return self._moved(node)
        if name in _JOINED:
            return _TRUE & frozenset.intersection(*map(self._asks, node.iter_expressions()))
        if name in ("if", "case"):
            return self._chosen(node)
        return self._made(node, name)

    def _made(self, node: exp.Expression, name: str) -> Families:
        parts = list(node.iter_expressions())
        if name not in (*_FUNCTIONS, *_ASKED, *_COMPARED, *_CHOSEN):
            raise Unread(node)
        families = [self.of(part) for part in parts]
        common = frozenset.intersection(_ANY | {"other"}, *families)
        wanted, result = _FUNCTIONS.get(name, (frozenset(), frozenset()))
        if name in _FUNCTIONS:
            odd = name == "neg" and not node.sql().strip("-0.")
            if "exact" in wanted:  # a text becomes a double
                odd = odd or any(part.args.get("is_string") for part in parts)
            fits = not odd and all(wanted & family for family in families)
            result = (result or common & wanted) if fits else frozenset()
        else:
            result = _TRUE if name in _ASKED or (common and name in _COMPARED) else common
            result = result if common or name in _ASKED else frozenset()
        if not result:
            raise Unread(node)
        return result

    def _moved(self, node: exp.Expression) -> Families:
        """A moment and an interval: columns may hold zero dates."""
        from sqlglot import exp

        steps = node.expression.this if node.expression.key == "interval" else node.expression
        if (
            node.this.find(exp.Column) is None
            and "moment" in self.of(node.this)
            and _WHOLE.fullmatch(str(steps.this))
        ):
            return frozenset(("moment", "timestamp"))
        raise Unread(node)

    def _chosen(self, node: exp.Expression) -> Families:
        cases = node.args.get("ifs") or [node]
        last = node.args.get("default") or node.args.get("false")
        for case in cases:
            if node.key == "if" or not node.this:
                self._asks(case.this)
            elif not self.of(case.this) & self.of(node.this):
                raise Unread(node)
        values = [case.args["true"] for case in cases] + ([last] if last is not None else [])
        common = frozenset.intersection(*map(self.of, values))
        if not common:
            raise Unread(node)
        return common
