"""The grammar of one column definition: name, type, attributes."""

from __future__ import annotations

import re

from schemacheck.model.charset import canonical_collation, of_collation
from schemacheck.model.expression import canonical
from schemacheck.sql.cut import TokenType
from schemacheck.sql.ddl import key as keys
from schemacheck.sql.ddl.draft import CheckDraft, ColumnDraft, Expr
from schemacheck.sql.ddl.literal import default, now
from schemacheck.sql.flavor import Flavor
from schemacheck.sql.lexer import Refused, Tokens

#: Words that go on behind a type's first word.
_TYPE_TAIL = frozenset(("PRECISION", "VARYING", "VARCHAR", "VARCHARACTER", "CHAR", "CHARACTER", "VARBINARY"))
#: Attributes that are not followed.
_RARE = frozenset(("SERIAL", "COLUMN_FORMAT", "STORAGE", "ENGINE_ATTRIBUTE", "SECONDARY_ENGINE_ATTRIBUTE"))
_TYPE_ATTRIBUTES = frozenset(("UNSIGNED", "SIGNED", "ZEROFILL", "ASCII", "UNICODE", "BYTE", "BINARY"))
#: Of them, those that name a character set.
_CHARSETS = frozenset(("ASCII", "UNICODE", "BYTE"))


def column(t: Tokens, flavor: Flavor) -> ColumnDraft:
    """`name type attributes`, up to the comma or parenthesis that ends it."""
    first = t.at
    name = t.name(flavor.reserved)
    if t.peek() == "." and t.kind() is TokenType.DOT:
        raise t.fail("a column's name has no table before it here")
    out = ColumnDraft(name)
    definition(t, flavor, out)
    out.span = (t.offset(first), t.last_end())
    return out


#: BINARY behind a type, which is no character set.
_BINARY = re.compile(r"(?<!charset)(?<!set)\s+binary\b", re.IGNORECASE | re.ASCII)
#: The types that MariaDB takes COLLATE BINARY behind.
_TEXT = re.compile(r"(?:n|var|national\s+|long\s+)*char|\w*text\b|enum|set", re.IGNORECASE | re.ASCII)


def definition(t: Tokens, flavor: Flavor, out: ColumnDraft) -> None:
    """Type and attributes into `out`."""
    out.type_at = t.offset()
    type_of(t, flavor, out)
    if flavor.mariadb and t.take("REF_SYSTEM_ID"):
        # MariaDB has it behind a geometry's type alone.
        t.need("=")
        out.srid = t.integer()
    if t.peek() == "COLLATE" and not (
        flavor.mariadb
        and (_BINARY.search(out.type_text) or (t.peek(1) == "BINARY" and not _TEXT.match(out.type_text)))
    ):
        _collate(t, flavor, out)
    if t.take("GENERATED"):
        t.need("ALWAYS")
        _generated(t, flavor, out)
    elif t.peek() == "AS":
        _generated(t, flavor, out)
    while _attribute(t, flavor, out):
        pass
    if flavor.mariadb and out.generated is not None:
        _only_generated(t, out)


def _only_generated(t: Tokens, out: ColumnDraft) -> None:
    """MariaDB's generated columns take few attributes."""
    if (
        out.nullable is not None
        or "primary" in out.keys
        or out.default is not None
        or out.auto_increment
        or out.on_update is not None
    ):
        raise Refused(
            f"column {out.name!r}: a generated column does not take this attribute", t.offset(), code="SC001"
        )


def _collate(t: Tokens, flavor: Flavor, out: ColumnDraft) -> None:
    at = t.offset()
    t.need("COLLATE")
    if flavor.mariadb:
        t.take("=")
    if t.peek() == "BINARY" and not flavor.collate_binary:
        raise t.fail()
    if t.peek() == "DEFAULT" and not flavor.mariadb:
        raise t.fail()
    before = out.collation
    out.collation = t.string() if t.is_string() else t.name()
    same = canonical_collation if flavor.mariadb else of_collation
    if before is not None and (flavor.one_collate or same(before) != same(out.collation)):
        number = 1064 if flavor.one_collate else 1302 if flavor.mariadb else 1253
        raise Refused(f"two collations: {before} and {out.collation}", at, number)


_NOT_IN_TYPES = frozenset((TokenType.IDENTIFIER, TokenType.NATIONAL_STRING))


def type_of(t: Tokens, flavor: Flavor, out: ColumnDraft) -> None:
    """Consume a type, into `out`. Raises Refused."""
    first = t.at
    word = t.peek()
    if not word or not t.is_name():
        raise t.fail("a type is expected")
    t.at += 1
    if t.peek() == "." and flavor.mariadb and word in ("MARIADB_SCHEMA", "ORACLE_SCHEMA", "MAXDB_SCHEMA"):
        raise Refused(f"what type {word.lower()} names is not known: write it without", t.offset())
    if word in ("DOUBLE", "LONG", "NATIONAL", "NCHAR", "CHAR", "CHARACTER"):
        while t.peek() in _TYPE_TAIL and not (
            word != "DOUBLE" and t.peek() in ("CHAR", "CHARACTER") and t.peek(1) == "SET"
        ):
            t.at += 1
    if t.peek() == "(":
        begin, end = t.skip_parentheses()
        if not _NOT_IN_TYPES.isdisjoint(t.kinds[begin:end]):
            raise t.fail("a type has neither names nor national strings in its parentheses")
        if "*" in t.words[begin:end] or "/" in t.words[begin:end]:
            raise t.fail("a type has values and commas alone in its parentheses")
    pieces: list[str] = []
    words: set[str] = set()
    while True:
        names_charset = t.peek() == "CHARSET" or (t.peek() in ("CHARACTER", "CHAR") and t.peek(1) == "SET")
        if names_charset or t.peek() in _TYPE_ATTRIBUTES:
            kind = "CHARSET" if names_charset or t.peek() in _CHARSETS else t.peek()
            if kind in words and (flavor.mariadb or kind in ("CHARSET", "BINARY")):
                raise t.fail("it stands here twice")
            words.add(kind)
        if t.peek() in _TYPE_ATTRIBUTES:
            t.at += 1
        elif names_charset:
            t.at += 1 if t.peek() == "CHARSET" else 2
            if not t.is_string():
                t.name()
            else:
                t.string()
        elif t.peek() == "COMPRESSED" and flavor.compressed and not out.compressed:
            # MariaDB lets COMPRESSED stand between the type and its character set, some versions behind it.
            if words and not flavor.late_compressed:
                raise t.fail("COMPRESSED stands in front of the character set")
            pieces.append(t.slice(first, t.at))
            t.at += 1
            if t.take("="):
                t.name()
            out.compressed, first = True, t.at
        else:
            break
    pieces.append(t.slice(first, t.at))
    out.type_text = " ".join(piece for piece in pieces if piece)


def _generated(t: Tokens, flavor: Flavor, out: ColumnDraft) -> None:
    if not flavor.generated:
        raise t.fail("this server has no generated columns")
    t.need("AS")
    if flavor.system_versioning and t.peek() == "ROW":
        raise Refused("columns of a period are not followed: only a server can tell", t.offset())
    at = t.at
    first, last = t.skip_parentheses()
    if first == last:
        raise t.fail("an expression is expected")
    flavor.check_expression(t, first, last)
    out.expression = _expression(t, first, last, at)
    words = ("VIRTUAL", "STORED", "PERSISTENT") if flavor.mariadb else ("VIRTUAL", "STORED")
    kind = t.take_any(*words)
    out.generated = "stored" if kind in ("STORED", "PERSISTENT") else "virtual"


def _attribute(t: Tokens, flavor: Flavor, out: ColumnDraft) -> bool:
    """One attribute; False where none follows."""
    word = t.peek()
    if not word:
        return False
    at = t.at
    if word == "NOT":
        t.at += 1
        if t.take("NULL"):
            out.nullable, out.null_last = False, False
        elif t.take("SECONDARY") and not flavor.mariadb:
            out.attributes.append("NOT SECONDARY")
        elif flavor.enforced and t.take("ENFORCED"):
            _enforced(t, out, on=False)
        else:
            raise t.fail()
    elif word == "NULL":
        t.at += 1
        out.nullable, out.null_last = True, True
    elif word == "DEFAULT":
        t.at += 1
        out.default = default(t, flavor)
    elif word == "ON":
        t.at += 1
        t.need("UPDATE")
        if flavor.mariadb and t.peek() in ("LOCALTIME", "LOCALTIMESTAMP"):
            # 10.11 takes it, 11.8 does not.
            why = "whether ON UPDATE takes this word is not known: write CURRENT_TIMESTAMP"
            raise Refused(why, t.offset())
        digits = now(t)
        out.on_update, out.on_update_digits = digits or 0, digits is not None
    elif word == "AUTO_INCREMENT":
        t.at += 1
        out.auto_increment, out.null_last = True, False
    elif word == "PRIMARY":
        t.at += 1
        t.take("KEY")
        if t.words[t.at - 1] != "KEY":
            raise t.fail("KEY expected")
        out.keys.append("primary")
    elif word == "KEY":
        t.at += 1
        out.keys.append("primary")
    elif word == "UNIQUE":
        t.at += 1
        t.take("KEY")
        out.keys.append("unique")
    elif word == "COMMENT":
        t.at += 1
        out.comment = t.one_string()
    elif word == "COLLATE":
        if flavor.mariadb and (out.generated is not None or t.peek(1) == "BINARY"):
            raise t.fail()
        _collate(t, flavor, out)
    elif word in ("CONSTRAINT", "CHECK"):
        # Where CHECK has no ENFORCED it ends the definition, but for MariaDB's REFERENCES.
        return _check(t, flavor, out) and (flavor.enforced or (flavor.mariadb and t.peek() == "REFERENCES"))
    elif word == "ENFORCED" and flavor.enforced:
        t.at += 1
        _enforced(t, out, on=True)
    elif word == "REFERENCES":
        first = t.at
        reference = keys.references(t, flavor, [out.name])
        reference.inline = True
        reference.span = (t.offset(first), t.last_end())
        out.references.append(reference)
        # It ends the definition.
        return False
    elif word == "INVISIBLE" and flavor.invisible:
        t.at += 1
        out.invisible = True
    elif word == "VISIBLE" and flavor.invisible and not flavor.mariadb:
        t.at += 1
        out.invisible = False
    elif word == "SRID" and flavor.srid:
        t.at += 1
        out.srid = t.integer()
    elif word == "COMPRESSED" and flavor.late_compressed:
        t.at += 1
        out.compressed = True
        if t.take("="):
            t.name()
    elif word in ("WITH", "WITHOUT") and flavor.system_versioning:
        t.at += 1
        t.need("SYSTEM", "VERSIONING")
        out.versioned = word == "WITH"
        out.attributes.append(f"{word} SYSTEM VERSIONING")
    elif word == "GENERATED" and flavor.system_versioning:
        t.need("GENERATED", "ALWAYS")
        _generated(t, flavor, out)
    elif word in _RARE or (flavor.mariadb and t.peek(1) == "="):
        why = f"what the server makes of {word} of a column is not known: only a server can tell"
        raise Refused(why, t.offset())
    else:
        t.at = at
        return False
    return True


def _enforced(t: Tokens, out: ColumnDraft, *, on: bool) -> None:
    if not out.checks:
        raise t.fail("ENFORCED without CHECK")
    out.checks[-1].enforced = on


def _check(t: Tokens, flavor: Flavor, out: ColumnDraft) -> bool:
    at = t.at
    name = None
    if t.take("CONSTRAINT"):
        if not flavor.enforced:
            raise t.fail("a column's CHECK has no name here")
        if t.peek() != "CHECK":
            name = t.name(flavor.reserved)
        if t.peek() != "CHECK":
            if flavor.inline_constraint_name and t.peek() == "REFERENCES":
                return True
            raise t.fail("CHECK expected")
    t.need("CHECK")
    begin = t.at
    first, last = t.skip_parentheses()
    if first == last:
        raise t.fail("an expression is expected")
    flavor.check_expression(t, first, last)
    check = CheckDraft(
        _expression(t, first, last, begin), name, column=out.name, span=(t.offset(at), t.last_end())
    )
    if flavor.check_constraints:
        out.checks.append(check)
    elif not flavor.mariadb:
        out.ignored_check = True
        if canonical(t.slice(first, last)) is None:
            raise Refused("whether the server reads this CHECK is not known", t.offset(at))
    return True


def _expression(t: Tokens, first: int, last: int, at: int) -> Expr:
    """An expression in parentheses, whose tokens are these. Raises Refused."""
    return Expr(t.slice(first, last), t.offset(at))
