"""What servers refuse in the expressions of a table: unknown columns, functions, uninitialised columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import attrgetter

from schemacheck import knowledge
from schemacheck.catalog import expression_forms
from schemacheck.catalog.context import Context
from schemacheck.knowledge import characters
from schemacheck.model import normal
from schemacheck.model.expression import columns as columns_of
from schemacheck.model.expression import read
from schemacheck.model.table import Column, DefaultKind, Key
from schemacheck.model.words import MARIADB, MYSQL, is_introducer, tokens
from schemacheck.sql.ddl.draft import TableDraft
from schemacheck.sql.expression_words import called
from schemacheck.sql.lexer import Refused, unasked

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
    load = knowledge.load("reserved")
    for name in path:
        load = load[name]
    return frozenset(characters.split(load))


def check(
    draft: TableDraft, columns: Sequence[Column], keys: Sequence[Key], context: Context,
    charset: tuple[str | None, str | None],
) -> None:  # fmt: skip
    """Raise Refused for an expression that the server does not take, or nobody knows."""
    if not _has_expressions(draft, columns):
        return
    _columns(draft, columns, context, charset)
    unsteady = _unsteady(columns, context)
    for column in draft.columns:
        for item in column.checks if column.made is None else ():
            if context.server.has("check-constraints") and not context.server.mariadb:
                # MySQL: the CHECK of a column names no other (asked of 9.7).
                _expect(
                    columns_of(item.expression.text, context.modes) <= {column.name.lower()}, item.span[0]
                )
    for item in [*draft.checks, *(check for column in draft.columns for check in column.checks)]:
        text = item.expression.text
        _expect(
            not any(name.casefold() in unsteady for name in columns_of(text, context.modes)), item.span[0]
        )
        # What stood before has been taken.
        if not context.server.mariadb and item.location is None:
            reading = read(text, context.modes)
            _expect(reading is None or reading.is_condition, item.span[0])
    for text, banned, at in _functions(draft, columns, keys, context):
        _expect(not _called(text) & banned, at)
    named = {column.name.casefold(): column for column in columns}
    for key in draft.keys if not context.server.mariadb else ():
        for part in key.parts:
            if part.expression is not None:
                expression_forms.key(part.expression.text, named, part.at, context)
    _filled(columns, _keyed(keys), unsteady, context, draft.name_at)
    if context.server.mariadb:
        expression_forms.stored(columns, keys, draft.name_at)


def _expect(fits: bool, at: int) -> None:
    """Raise Refused for an expression that does not fit its place: servers refuse most of them."""
    if not fits:
        raise Refused("whether a server takes this expression in its place is not known", at)


def _keyed(keys: Sequence[Key]) -> set[str]:
    return {(part.column or "").casefold() for key in keys for part in key.parts}


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
        or any(item is not None and item.kind is _EXPRESSION for item in map(_DEFAULT, columns))
    )


def _columns(
    draft: TableDraft, columns: Sequence[Column], context: Context, charset: tuple[str | None, str | None]
) -> None:
    """Columns that generated columns, defaults, CHECKs and functional keys name must exist."""
    by_name = {column.name.casefold(): column for column in columns}
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
    for item in (column.made for column in draft.columns if column.made is not None):
        if item.expression and item.expression not in ("row start", "row end"):
            used.append((item.expression, 0, "generated"))
        if item.default is not None and item.default.kind is DefaultKind.EXPRESSION:
            used.append((item.default.text, 0, "default"))
    for text, at, kind in used:
        if read(text, context.modes) is None:
            raise Refused(f"what the server makes of {text[:60]!r} is not known here", at)
        if (kind != "check" or context.server.has("check-constraints")) and _ROW.fullmatch(
            normal.expression(text, context.modes)
        ):
            raise Refused("a row is no value", at)
        if kind == "default" and context.server.mariadb and _SEQUENCE.search(text):
            continue
        if at and not draft.altered and context.server.mariadb:
            # MariaDB refuses another table's (asked of 10.11 and 11.8).
            words = tokens(text, context.modes)
            _expect(not any(word == "." for _, word in words), at)
        names = columns_of(text, context.modes)
        missing = next((name for name in names if name.casefold() not in by_name), None)
        if missing is not None:
            raise Refused(f"column {missing!r} does not exist", at, 1054, name=missing, kind=kind)
        if kind == "check" and not context.server.has("check-constraints"):
            continue
        used_here = [by_name[name.casefold()] for name in names]
        expression_forms.condition(text, used_here, context, at)
        expression_forms.texts(text, used_here, charset, context, at)


def _called(text: str) -> frozenset[str]:
    """Functions of an expression, under the names that are written and under the one that servers print;
    those that depend on the session without an argument stand as `week()`.
    """
    plain = normal.expression(text)
    return called(text) | called(plain) | {f"{name[0]}()" for name in _SHORT.finditer(plain)}


def of_session(text: str) -> bool:
    """Whether MariaDB takes a function of an expression for one of the session."""
    return bool(_called(text) & _named("mariadb_expressions", "stored"))


def _functions(
    draft: TableDraft, columns: Sequence[Column], keys: Sequence[Key], context: Context
) -> Iterator[tuple[str, frozenset[str], int]]:
    """Each expression with the functions that have no place in it, and where it stands. On MariaDB those
    whose value depends on the session have none in CHECKs, stored columns and virtual ones that have a key
    (`Item::check_vcol_func_processor`; asked of 10.11 and 11.8).
    """
    server, keyed = context.server, _keyed(keys)
    others = _named("group_functions")
    if server.mariadb:
        # A function that MySQL alone has is taken for a stored one, which no expression calls.
        others |= _named("mysql_only_functions") | _named("mariadb_expressions", "any")
        stored = checks = _named("mariadb_expressions", "stored")
        virtual = defaults = frozenset[str]()
    else:
        others |= _named("mariadb_only_functions")
        others |= _named("loadable_functions") if server.has("hashing-is-loadable") else frozenset()
        others |= _named("removed_functions") if server.has("data-dictionary") else frozenset()
        stored = virtual = _named("mysql_expressions", "generated")
        checks, defaults = (_named("mysql_expressions", name) for name in ("check", "default"))
    for check in [*draft.checks, *(item for column in draft.columns for item in column.checks)]:
        yield check.expression.text, checks | others, check.span[0]
    for column in draft.columns:
        at = column.span[0]
        if column.expression is not None:
            lasting = column.generated == "stored" or column.name.casefold() in keyed
            yield column.expression.text, (stored if lasting else virtual) | others, at
        if column.default is not None and column.default.expression is not None:
            yield column.default.expression.text, defaults | others, at
    for key in draft.keys if not server.mariadb else ():
        for part in key.parts:
            if part.expression is not None:
                yield part.expression.text, stored | others | {"default"}, part.at
    for made in columns if server.mariadb else ():
        if made.generated == "virtual" and made.expression and made.name.casefold() in keyed:
            yield made.expression, stored, draft.name_at


def _unsteady(columns: Sequence[Column], context: Context) -> set[str]:
    """AUTO_INCREMENT columns, and MariaDB's virtual columns that depend on one or on the session
    (`Item_field::check_vcol_func_processor`; asked of 10.11). A virtual column uses those in front of it.
    """
    result = {column.name.casefold() for column in columns if column.auto_increment}
    for column in columns if context.server.mariadb else ():
        if column.generated == "virtual" and column.expression:
            names = {name.casefold() for name in columns_of(column.expression, context.modes)}
            if names & result or of_session(column.expression):
                result.add(column.name.casefold())
    return result


def _filled(
    columns: Sequence[Column], keyed: set[str], unsteady: set[str], context: Context, at: int
) -> None:
    """Columns are filled in their order: what is computed uses none that is computed behind it, a default no
    generated column, and what is kept no AUTO_INCREMENT (asked of 9.7, 10.11, 11.8). Raises Refused.
    """
    place = {column.name.casefold(): index for index, column in enumerate(columns)}
    for index, item in enumerate(columns):
        text, own = _computed(item), item.generated is not None
        lasting = not context.server.mariadb or item.generated != "virtual" or item.name.casefold() in keyed
        for name in columns_of(text, context.modes) if text is not None else ():
            where = place.get(name.casefold())
            if where is None:
                continue
            other = columns[where]
            now = other.default is not None and other.default.kind is DefaultKind.CURRENT_TIMESTAMP
            moving = _computed(other) is not None or (now and not own)
            late = where >= index or (other.generated is not None and not own)
            _expect(not (moving and late) and not (lasting and name.casefold() in unsteady), at)


def _computed(column: Column) -> str | None:
    if column.expression is not None:
        return None if column.expression in ("row start", "row end") else column.expression
    if column.default is not None and column.default.kind is DefaultKind.EXPRESSION:
        return column.default.text
    return None


_CHAR_USING = re.compile(r"((?<![a-z_])char\([^()']*) using [a-z0-9]+\)", re.ASCII)
_WEEK = re.compile(r"(?<![a-z_])(week\((?:[^(),]|\([^()]*\))*)\)", re.ASCII)
#: What lasts of the sql_mode behind the words of an expression, and whose it is.
_LASTING = frozenset(("HIGH_NOT_PRECEDENCE", MARIADB, MYSQL))


def printed(text: str, context: Context) -> str:
    """The expression as SHOW CREATE TABLE prints it."""
    modes = context.modes
    if not context.server.mariadb:
        # MySQL prints no character set in CHAR(): what it reads back is a binary string; and WEEK's mode.
        return _WEEK.sub(r"\1,0)", _CHAR_USING.sub(r"\1)", normal.expression(text, modes)))
    if text.isascii():
        return normal.expression(text, modes)
    result = tokens(text, modes)
    # It prints bytes as \xNN behind an introducer, and reads them back as xNN.
    if any(kind == "word" and is_introducer(word) for kind, word in result):
        raise unasked("an expression of letters beyond ASCII with an introducer")
    return normal.expression(" ".join(value for _, value in result), context.modes & _LASTING)
