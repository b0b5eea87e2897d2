"""The grammar of keys, CHECK and foreign key constraints."""

from __future__ import annotations

from schemacheck.model.expression import canonical
from schemacheck.model.quote import quoted, string
from schemacheck.sql.ddl.draft import CheckDraft, Expr, ForeignDraft, KeyDraft, PartDraft
from schemacheck.sql.ddl.literal import option_number
from schemacheck.sql.flavor import Flavor
from schemacheck.sql.lexer import Refused, Tokens, unasked

#: Characters of a comment; without strict mode servers cut it, which is not followed.
_COMMENT = 1024
_USING = ("BTREE", "HASH", "RTREE")
#: What M of a VECTOR key may be.
_CONNECTIONS = frozenset(map(str, range(3, 201)))


def starts(t: Tokens, flavor: Flavor) -> bool:
    """Whether a key or constraint definition comes next (and not a column of that name)."""
    word = t.peek()
    if word in ("PRIMARY", "KEY", "INDEX", "UNIQUE", "FULLTEXT", "SPATIAL", "CONSTRAINT", "FOREIGN", "CHECK"):
        return True
    # Where the word is reserved, no column has its name.
    return (
        word == "VECTOR"
        and flavor.vector_index
        and (word in flavor.reserved or t.peek(1) in ("KEY", "INDEX"))
    )


def constraint(t: Tokens, flavor: Flavor) -> KeyDraft | CheckDraft | ForeignDraft | None:
    """One key or constraint. None for a CHECK that this server only parses."""
    first = t.at
    name: str | None = None
    if t.take("CONSTRAINT"):
        if flavor.mariadb and t.take("IF", "NOT", "EXISTS"):
            pass
        if t.peek() not in ("PRIMARY", "UNIQUE", "FOREIGN", "CHECK"):
            name = t.name(flavor.reserved)
    out: KeyDraft | CheckDraft | ForeignDraft
    if t.take("CHECK"):
        begin = t.at
        inner, last = t.skip_parentheses()
        if inner == last:
            raise t.fail("an expression is expected")
        flavor.check_expression(t, inner, last)
        check = CheckDraft(Expr(t.slice(inner, last), t.offset(begin)), name)
        if flavor.enforced:
            if t.take("NOT", "ENFORCED"):
                check.enforced = False
            else:
                t.take("ENFORCED")
        if not flavor.check_constraints:
            if not flavor.mariadb and canonical(t.slice(inner, last)) is None:
                raise Refused("whether the server reads this CHECK is not known", t.offset(begin))
            return None
        out = check
    elif t.take("FOREIGN"):
        t.need("KEY")
        if flavor.mariadb:
            t.take("IF", "NOT", "EXISTS")
        index_name = t.name(flavor.reserved) if t.peek() != "(" else None
        columns = _names(t, flavor)
        out = references(t, flavor, columns)
        out.name, out.index_name = name, index_name
    else:
        out = _key(t, flavor, name)
    out.span = (t.offset(first), t.last_end())
    return out


def _names(t: Tokens, flavor: Flavor) -> list[str]:
    t.need("(")
    names = [part(t, flavor).column or ""]
    while t.take(","):
        names.append(part(t, flavor).column or "")
    t.need(")")
    return names


def _key(t: Tokens, flavor: Flavor, constraint_name: str | None) -> KeyDraft:
    kind = "index"
    if t.take("PRIMARY"):
        t.need("KEY")
        kind = "primary"
    elif t.take("UNIQUE"):
        kind = "unique"
        t.take_any("KEY", "INDEX")
    elif constraint_name is not None:
        raise t.fail("a constraint is expected")
    elif word := t.take_any("FULLTEXT", "SPATIAL", "VECTOR"):
        kind = word.lower()
        t.take_any("KEY", "INDEX")
    elif t.take_any("KEY", "INDEX") is None:
        raise t.fail()
    out = KeyDraft(kind, [], constraint_name)
    if flavor.mariadb and t.take("IF", "NOT", "EXISTS"):
        out.if_not_exists = True
    if t.peek() != "(" and t.peek() != "USING" and not (t.peek() == "TYPE" and t.peek(1) in _USING):
        name = t.name(flavor.reserved)
        out.name = name
    if kind not in ("fulltext", "spatial") and t.take_any("USING", "TYPE"):
        _using(t, out)
    t.need("(")
    while True:
        out.parts.append(part(t, flavor))
        if t.take(","):
            if flavor.mariadb and t.peek(1) == "WITHOUT":
                raise Refused("WITHOUT OVERLAPS is not followed: only a server can tell", t.offset())
            continue
        break
    t.need(")")
    options(t, flavor, out)
    return out


def _using(t: Tokens, out: KeyDraft) -> None:
    word = t.take_any(*_USING)
    if word is None:
        raise t.fail("BTREE or HASH expected")
    out.using = word
    out.attributes.append(f"USING {word}")


def options(t: Tokens, flavor: Flavor, out: KeyDraft) -> None:
    """What may stand behind a key's parts."""
    while True:
        word = t.peek()
        if word in ("USING", "TYPE"):
            if out.kind in ("fulltext", "spatial"):
                raise t.fail("a FULLTEXT or SPATIAL key has no USING")
            t.at += 1
            _using(t, out)
        elif word == "KEY_BLOCK_SIZE":
            t.at += 1
            t.take("=")
            size = option_number(t)
            out.attributes.append(f"KEY_BLOCK_SIZE={size}")
        elif word == "COMMENT":
            t.at += 1
            text, at = t.one_string(), t.at - 1
            if len(text) > _COMMENT:
                raise unasked("so long a comment of a key", at)
            out.attributes.append(f"COMMENT {string(text)}")
        elif word == "WITH" and t.peek(1) == "PARSER" and out.kind == "fulltext":
            t.at += 2
            out.parser = t.name()
            out.attributes.append(f"WITH PARSER {quoted(out.parser)}")
        elif word == "VISIBLE" and flavor.mariadb and flavor.ignored_index:
            t.at += 1
        elif word in ("VISIBLE", "INVISIBLE") and flavor.invisible_index:
            t.at += 1
            out.visible = word == "VISIBLE"
        elif word in ("IGNORED", "NOT") and flavor.ignored_index:
            t.at += 1
            if word == "NOT":
                t.need("IGNORED")
            out.visible = word == "NOT"
        elif word not in ("ALGORITHM", "LOCK") and t.peek(1) == "=" and t.is_name():
            _vector_option(t, out)
        else:
            return


def _vector_option(t: Tokens, out: KeyDraft) -> None:
    """M and DISTANCE of MariaDB's VECTOR keys, with values that 11.8 takes. Raises Refused for others."""
    at, name = t.offset(), t.name().lower()
    t.need("=")
    if t.is_string():
        value = t.string().lower()
    else:
        value = t.name().lower() if t.is_name() else str(option_number(t))
    known = value in ("euclidean", "cosine") if name == "distance" else value in _CONNECTIONS and name == "m"
    if not known or out.kind != "vector" or any(text.startswith(f"{name}=") for text in out.attributes):
        raise Refused(f"what the server makes of {name} = {value[:40]!r} of a key is not known", at)
    out.attributes.append(f"{name}={value}")


def part(t: Tokens, flavor: Flavor) -> PartDraft:
    """`column[(length)] [ASC|DESC]` or `(expression) [ASC|DESC]`."""
    at = t.offset()
    if t.peek() == "(":
        if not flavor.functional_index:
            raise t.fail("a column's name is expected")
        first, last = t.skip_parentheses()
        flavor.check_expression(t, first, last)
        out = PartDraft(None, expression=Expr(t.slice(first, last), at), at=at)
    else:
        out = PartDraft(t.name(flavor.reserved), at=at)
        if t.peek() == "(":
            t.at += 1
            out.length = t.integer()
            t.need(")")
    out.ordered = t.peek() in ("ASC", "DESC")
    if t.take("DESC"):
        out.descending = flavor.descending_index
    else:
        t.take("ASC")
    return out


def references(t: Tokens, flavor: Flavor, columns: list[str]) -> ForeignDraft:
    """`REFERENCES table (columns) MATCH ... ON ...`."""
    t.need("REFERENCES")
    name = t.name(flavor.reserved)
    database = None
    if t.take("."):
        database, name = name, t.name()
    out = ForeignDraft(columns, database, name, [])
    if t.peek() == "(":
        out.ref_columns = _names(t, flavor)
    if t.take("MATCH") and t.take_any("FULL", "PARTIAL", "SIMPLE") is None:
        raise t.fail()
    words: set[str] = set()
    while t.take("ON"):
        word = t.take_any("DELETE", "UPDATE")
        if word is None or word in words:
            raise t.fail()
        words.add(word)
        action = _action(t)
        if word == "DELETE":
            out.on_delete = action
        else:
            out.on_update = action
    return out


def _action(t: Tokens) -> str:
    if t.take("SET"):
        word = t.take_any("NULL", "DEFAULT")
        if word:
            return f"SET {word}"
    elif t.take("NO"):
        t.need("ACTION")
        return "RESTRICT"
    elif word := t.take_any("RESTRICT", "CASCADE"):
        return word
    raise t.fail()
