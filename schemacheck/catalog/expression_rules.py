"""What servers refuse in the expressions of a table: unknown columns, functions, uninitialised columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter

from schemacheck import knowledge
from schemacheck.catalog import expression_forms
from schemacheck.catalog.context import Context
from schemacheck.knowledge import characters
from schemacheck.model import normal, quote
from schemacheck.model.expression import canonical, is_condition
from schemacheck.model.expression import columns as columns_of
from schemacheck.model.table import Column, DefaultKind, Key
from schemacheck.model.words import tokens
from schemacheck.sql.ddl.draft import CheckDraft, ColumnDraft, TableDraft
from schemacheck.sql.expression_words import called
from schemacheck.sql.lexer import Refused

#: What names a sequence, which is no column.
_SEQUENCE = re.compile("nextval|lastval|setval|value", re.IGNORECASE | re.ASCII)


#: A row and nothing else, as `normal.expression` has it.
_ROW = re.compile(r"row\((?:[^()']|\([^()']*\))*\)")

#: UNIX_TIMESTAMP() and WEEK(x).
_SHORT = re.compile(
    r"(?<![a-z_])unix_timestamp(?=\(\))|(?<![a-z_])week(?=\((?:[^(),]|\([^()]*\))*\))", re.ASCII
)


@lru_cache(maxsize=256)
def _named(*path: str) -> frozenset[str]:
    """A list of functions of rules/reserved.yaml."""
    found = knowledge.load("reserved")
    for name in path:
        found = found[name]
    return frozenset(characters.split(found))


def check(
    draft: TableDraft, columns: Sequence[Column], keys: Sequence[Key], context: Context,
    charset: tuple[str | None, str | None],
) -> None:  # fmt: skip
    """Raise Refused for an expression that the server does not take, or of which nobody knows what it makes.
    `charset`: the character set and collation of the table.
    """
    if not _has_expressions(draft, columns):
        return
    _columns(draft, columns, context, charset)
    checks = [*draft.checks, *(check for column in draft.columns for check in column.checks)]
    if not context.server.mariadb:
        for one in checks:
            if one.location is not None:
                # It stood before: the server has taken it.
                continue
            if is_condition(one.expression.text, context.modes) is False:
                raise Refused("a CHECK is no condition", one.span[0], 3812)
        _of_one_column(draft, context)
    auto = {column.name.casefold() for column in columns if column.auto_increment}
    if context.server.mariadb:
        auto = _unsteady(auto, columns, context)
    for one in checks:
        if any(name.casefold() in auto for name in columns_of(one.expression.text, context.modes)):
            raise Refused(
                "a CHECK cannot use an AUTO_INCREMENT column, nor what depends on one or on the session",
                one.span[0],
                1901 if context.server.mariadb else 3818,
            )
    if context.server.mariadb:
        _mariadb_functions(draft, checks, columns, keys, auto)
        _initialised(columns, context)
        expression_forms.stored(columns, keys, draft.name_at)
    else:
        _mysql_functions(draft, checks, columns, context)
        _ordered(columns, context, draft.name_at)


def _of_one_column(draft: TableDraft, context: Context) -> None:
    """MySQL: the CHECK of a column names no other (asked of 9.7). Raises Refused."""
    for column in draft.columns if context.server.has("check-constraints") else ():
        for check in column.checks if column.made is None else ():
            others = columns_of(check.expression.text, context.modes) - {column.name.lower()}
            if others:
                why = f"the CHECK of column {column.name!r} names column {min(others)!r}"
                raise Refused(why, check.span[0], 3813, name=check.name)


#: Asked of every column, and an enum looks its members up each time.
_EXPRESSION = DefaultKind.EXPRESSION
_COMPUTED, _DEFAULT = attrgetter("expression"), attrgetter("default")


def _has_expressions(draft: TableDraft, columns: Sequence[Column]) -> bool:
    return (
        bool(draft.checks)
        or any(part.expression is not None for key in draft.keys for part in key.parts)
        or any(
            column.checks
            or column.expression is not None
            or (column.default is not None and column.default.expression is not None)
            for column in draft.columns
        )
        or any(map(_COMPUTED, columns))
        or any(one is not None and one.kind is _EXPRESSION for one in map(_DEFAULT, columns))
    )


def _columns(
    draft: TableDraft, columns: Sequence[Column], context: Context, charset: tuple[str | None, str | None]
) -> None:
    """Columns that generated columns, defaults, CHECKs and functional keys name must exist."""
    known = {column.name.casefold(): column for column in columns}
    used = [
        (column.expression.text, column.span[0], "generated")
        for column in draft.columns
        if column.expression is not None
    ]
    checks = [*(check for column in draft.columns for check in column.checks), *draft.checks]
    used += [(check.expression.text, check.span[0], "check") for check in checks]
    used += [
        (column.default.expression.text, column.default.at, "default")
        for column in draft.columns
        if column.default is not None and column.default.expression is not None
    ]
    used += [
        (part.expression.text, part.at, "functional")
        for key in draft.keys
        for part in key.parts
        if part.expression is not None
    ]
    # What stood before an ALTER TABLE may name a column that it drops.
    for kept in (column.made for column in draft.columns if column.made is not None):
        if kept.expression and kept.expression not in ("row start", "row end"):
            used.append((kept.expression, 0, "generated"))
        if kept.default is not None and kept.default.kind is DefaultKind.EXPRESSION:
            used.append((kept.default.text, 0, "default"))
    for text, at, kind in used:
        if canonical(text, context.modes) is None:
            raise Refused(f"what the server makes of {text[:60]!r} is not known here", at)
        if (kind != "check" or context.server.has("check-constraints")) and _ROW.fullmatch(
            normal.expression(text, context.modes)
        ):
            number = 1241 if context.server.mariadb else 3764
            raise Refused("a row is no value", at, number if kind == "generated" else None)
        if kind == "default" and context.server.mariadb and _SEQUENCE.search(text):
            continue
        other = _of_another(text, draft, context) if at and not draft.altered else None
        if other is not None:
            raise Refused(f"{other} is no column of this table", at, 1901, name=other)
        names = columns_of(text, context.modes)
        missing = next((name for name in names if name.casefold() not in known), None)
        if missing is not None:
            raise Refused(f"column {missing!r} does not exist", at, 1054, name=missing, kind=kind)
        if kind == "check" and not context.server.has("check-constraints"):
            continue
        used_here = [known[name.casefold()] for name in names]
        expression_forms.condition(text, used_here, context, at)
        expression_forms.texts(text, used_here, charset, context, at)


def _of_another(text: str, draft: TableDraft, context: Context) -> str | None:
    """A column that an expression names with another table or database, which MariaDB refuses (asked of
    10.11 and 11.8; MySQL 9.7 takes any).
    """
    if not context.server.mariadb or "." not in text:
        return None
    words = [*tokens(text, context.modes), ("", "")]
    own = [draft.name, draft.database or context.database]
    at = 0
    while at < len(words):
        path = [words[at][1]]
        while words[at][0] in ("word", "name") and words[at + 1][1] == "." and len(path) < len(words):
            at += 2
            path.append(words[at][1])
        at += 1
        before = [quote.unquote(one) if one[0] in '`"' else one for one in path[-2::-1]]
        pairs = zip(before, own, strict=False)
        if words[min(at, len(words) - 1)][1] != "(" and any(
            known is not None and one.casefold() != known.casefold() for one, known in pairs
        ):
            return ".".join(path)
    return None


def _called(text: str) -> frozenset[str]:
    """Functions of an expression, under the names that are written and under the one that servers print;
    those that depend on the session without an argument stand as `week()`.
    """
    plain = normal.expression(text)
    return called(text) | called(plain) | {f"{name[0]}()" for name in _SHORT.finditer(plain)}


def of_session(text: str) -> bool:
    """Whether MariaDB takes a function of an expression for one of the session."""
    return bool(_called(text) & _named("mariadb_expressions", "stored"))


def _refuse(text: str, banned: frozenset[str], draft: ColumnDraft, number: int) -> None:
    found = min((_called(text) & banned), default=None)
    if found is not None:
        why = f"column {draft.name!r} calls {found}, which has no place there"
        raise Refused(why, draft.span[0], number)


def _mysql_functions(
    draft: TableDraft, checks: Sequence[CheckDraft], columns: Sequence[Column], context: Context
) -> None:
    """Functions that generated columns, functional keys, CHECKs and defaults cannot call."""
    loadable = _named("mariadb_only_functions") | _named("group_functions")
    if context.server.has("hashing-is-loadable"):
        loadable |= _named("loadable_functions")
    if context.server.has("data-dictionary"):
        loadable |= _named("removed_functions")
    banned = _named("mysql_expressions", "generated") | loadable
    for check in checks:
        owner = ColumnDraft(check.name or "", span=check.span)
        _refuse(check.expression.text, _named("mysql_expressions", "check") | loadable, owner, 3814)
    for column in draft.columns:
        if column.expression is not None:
            _refuse(column.expression.text, banned, column, 3763)
        if column.default is not None and column.default.expression is not None:
            refused = _named("mysql_expressions", "default") | loadable
            _refuse(column.default.expression.text, refused, column, 3770)
    named = {one.name.casefold(): one for one in columns}
    for key in draft.keys:
        for part in key.parts:
            if part.expression is not None:
                _refuse(
                    part.expression.text,
                    banned | {"default"},
                    ColumnDraft(key.name or "", span=key.span),
                    3758,
                )
                expression_forms.key(part.expression.text, named, part.at, context)


def _ordered(columns: Sequence[Column], context: Context, at: int) -> None:
    """MySQL: neither a generated column nor a default uses an AUTO_INCREMENT column, or one behind it that is
    generated or has an expression as default. Raises Refused.
    """
    place = {one.name.casefold(): index for index, one in enumerate(columns)}
    for index, one in enumerate(columns):
        text = _computed(one)
        own = one.generated is not None
        for name in columns_of(text, context.modes) if text is not None else ():
            where = place.get(name.casefold())
            if where is None:
                continue
            other = columns[where]
            if other.auto_increment:
                why = f"the expression of {one.name!r} uses AUTO_INCREMENT column {other.name!r}"
                raise Refused(why, at, 3109 if own else 3768)
            if _computed(other) is not None and where >= index:
                why = f"the expression of {one.name!r} uses {other.name!r}, which is computed after it"
                raise Refused(why, at, 3107 if own else 3767)


def _mariadb_functions(
    draft: TableDraft,
    checks: Sequence[CheckDraft],
    columns: Sequence[Column],
    keys: Sequence[Key],
    unsteady: set[str],
) -> None:
    """Functions whose value depends on the session have no place in CHECKs, stored columns and virtual ones
    that have a key (`Item::check_vcol_func_processor`; asked of 10.11 and 11.8). A function that MySQL alone
    has is taken for a stored one, which no expression calls.
    """
    foreign = _named("mysql_only_functions") | _named("mariadb_expressions", "any")
    foreign |= _named("group_functions")
    banned = _named("mariadb_expressions", "stored")
    keyed = {(part.column or "").casefold() for key in keys for part in key.parts}
    for column in draft.columns:
        if column.default is not None and column.default.expression is not None:
            _refuse(column.default.expression.text, foreign, column, 1901)
        if column.expression is not None:
            lasting = column.generated == "stored" or column.name.casefold() in keyed
            _refuse(column.expression.text, foreign | banned if lasting else foreign, column, 1901)
    counted = {column.name.casefold() for column in columns if column.auto_increment}
    for made in columns if unsteady else ():
        used = counted if made.generated is None else unsteady
        lasting = made.generated != "virtual" or made.name.casefold() in keyed
        text = _computed(made) if lasting else None
        if text is not None and any(name.casefold() in used for name in columns_of(text)):
            why = f"the expression of {made.name!r} uses an AUTO_INCREMENT column, or what depends on one"
            raise Refused(why, draft.name_at, 1901)
    for made in columns:
        if made.generated == "virtual" and made.expression and made.name.casefold() in keyed:
            _refuse(made.expression, banned, ColumnDraft(made.name), 1901)
    for check in checks:
        _refuse(check.expression.text, foreign | banned, ColumnDraft(check.name or "", span=check.span), 1901)


def _unsteady(auto: set[str], columns: Sequence[Column], context: Context) -> set[str]:
    """AUTO_INCREMENT columns, and MariaDB's virtual columns that depend on one or on the session
    (`Item_field::check_vcol_func_processor`; asked of 10.11). A virtual column uses those in front of it.
    """
    found = set(auto)
    banned = _named("mariadb_expressions", "stored")
    for column in columns:
        if column.generated == "virtual" and column.expression:
            names = {name.casefold() for name in columns_of(column.expression, context.modes)}
            if names & found or _called(column.expression) & banned:
                found.add(column.name.casefold())
    return found


def _initialised(columns: Sequence[Column], context: Context) -> None:
    """MariaDB fills columns in their order: generated ones last, defaults that are computed in front of them
    (`Item_field::check_field_expression_processor`). Raises Refused.
    """
    place = {one.name.casefold(): index for index, one in enumerate(columns)}
    for index, one in enumerate(columns):
        text = _computed(one)
        if text is None:
            continue
        for name in columns_of(text, context.modes):
            where = place.get(name.casefold())
            if where is None:
                continue
            other = columns[where]
            late = other.generated is not None
            if not late and not _moving(other, context):
                continue
            own = one.generated is not None
            if where == index or (not own and late) or (own == late and where >= index):
                why = f"the expression of {one.name!r} uses {other.name!r}, which is filled after it"
                raise Refused(why, 0, 4029)


def _computed(one: Column) -> str | None:
    if one.expression is not None:
        return None if one.expression in ("row start", "row end") else one.expression
    if one.default is not None and one.default.kind is DefaultKind.EXPRESSION:
        return one.default.text
    return None


def _moving(one: Column, context: Context) -> bool:
    """Whether a column's default is computed for each row."""
    if one.default is None or one.default.kind is not DefaultKind.EXPRESSION:
        return one.default is not None and one.default.kind is DefaultKind.CURRENT_TIMESTAMP
    banned = _named("mariadb_expressions", "stored")
    return bool(columns_of(one.default.text, context.modes)) or bool(_called(one.default.text) & banned)
