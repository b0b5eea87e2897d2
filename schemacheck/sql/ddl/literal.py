"""What comes after DEFAULT and ON UPDATE: literals, CURRENT_TIMESTAMP, expressions."""

from __future__ import annotations

from schemacheck.sql.cut import FUNCTIONS, TokenType
from schemacheck.sql.ddl.draft import DefaultDraft, Expr
from schemacheck.sql.flavor import Flavor
from schemacheck.sql.lexer import MAX_DIGITS, Refused, Tokens

#: Words for CURRENT_TIMESTAMP.
NOW = frozenset(("CURRENT_TIMESTAMP", "NOW", "LOCALTIME", "LOCALTIMESTAMP"))


def now(t: Tokens) -> int | None:
    """CURRENT_TIMESTAMP, NOW(), ... with its fraction digits; None: it has none."""
    word = t.take_any(*NOW)
    if word is None:
        raise t.fail("CURRENT_TIMESTAMP expected")
    digits = None
    if t.peek() == "(":
        t.at += 1
        if t.peek() != ")":
            digits = t.integer()
        t.need(")")
    elif word == "NOW":
        raise t.fail("NOW needs parentheses")
    return digits


def option_number(t: Tokens) -> int:
    """Consume a table option's number: of 1e3 and 1.5 the digits before the sign count (`ulong_num` and
    `ulonglong_num` of sql_yacc.yy; asked of 10.11 and 9.7). Raises Refused.
    """
    if t.kind() is TokenType.HEX_STRING:
        raise Refused("which number 0x... is to an option is not known: only a server can tell", t.offset())
    raw = t.raw(t.at) if not t.end else ""
    digits = raw[: len(raw) - len(raw.lstrip("0123456789"))] if t.is_number() else ""
    if not digits or len(digits) > MAX_DIGITS:
        raise t.fail("a number is expected")
    t.at += 1
    return int(digits)


def default(t: Tokens, flavor: Flavor) -> DefaultDraft:
    """What comes after DEFAULT."""
    at = t.offset()
    word = t.peek()
    if word == "(":
        if not flavor.default_expression:
            raise t.fail("this server takes no expression as DEFAULT")
        first, last = t.skip_parentheses()
        if first == last:
            raise t.fail("an expression is expected")
        (flavor.check_calls if flavor.mariadb else flavor.check_expression)(t, first, last)
        return DefaultDraft("expression", "", at, expression=Expr(t.slice(first, last), at))
    if word in NOW and not (word == "NOW" and t.peek(1) != "("):
        return DefaultDraft("now", str(now(t) or 0), at, introducer=word.lower())
    result = literal(t)
    if result is not None:
        return result
    if flavor.bare_default:
        return _bare_default(t, at)
    raise t.fail("a literal is expected")


def literal(t: Tokens) -> DefaultDraft | None:
    """NULL, TRUE, FALSE, a string, number, hex, bit or temporal literal; None where something else comes."""
    at = t.offset()
    word = t.peek()
    kind = t.kind()
    if t.is_string():
        return DefaultDraft("string", t.string(), at)
    if word == "NULL":
        t.at += 1
        return DefaultDraft("null", "", at)
    if word in ("TRUE", "FALSE"):
        t.at += 1
        return DefaultDraft("number", "1" if word == "TRUE" else "0", at)
    if word in ("+", "-") or kind is TokenType.NUMBER:
        return _number(t, at)
    if kind in (TokenType.HEX_STRING, TokenType.BIT_STRING):
        return _binary(t, at)
    if kind is TokenType.NATIONAL_STRING:
        t.at += 1
        text = t.items[t.at - 1].text
        return DefaultDraft("string", text, at, introducer="utf8mb3")
    if (
        word.startswith("_")
        and not t.is_name()
        and (t.is_string(1) or t.kind(1) in (TokenType.HEX_STRING, TokenType.BIT_STRING))
    ):
        t.at += 1
        result = literal(t)
        if result is not None:
            result.introducer = word[1:].lower()
            result.at = at
        return result
    if word in ("DATE", "TIME", "TIMESTAMP") and t.is_string(1):
        t.at += 1
        return DefaultDraft("temporal", t.string(), at, introducer=word.lower())
    if word == "{":
        raise Refused("a literal in braces is not followed", at)
    return None


def literal_of(text: str) -> DefaultDraft | None:
    """A text that is one literal; None for any other."""
    t = Tokens(text)
    try:
        result = literal(t) if not t.end else None
    except Refused:
        return None
    return result if t.end else None


def _number(t: Tokens, at: int) -> DefaultDraft:
    first = t.at
    while t.peek() in ("+", "-"):
        t.at += 1
    signs = "".join(t.words[first : t.at])
    if len(signs) > 1:
        raise t.fail("a number is expected")
    if not t.is_number():
        raise t.fail("a number is expected")
    t.at += 1
    return DefaultDraft("number", ("-" if signs == "-" else "") + t.raw(t.at - 1), at)


def _binary(t: Tokens, at: int) -> DefaultDraft:
    token = t.items[t.at]
    t.at += 1
    raw = t.raw(t.at - 1)
    kind = "bit" if token.token_type is TokenType.BIT_STRING else "hexstring" if raw[1] == "'" else "hex"
    # The digits as they are written: leading zeros count.
    digits = raw[2:-1] if raw[1] == "'" else raw[2:]
    return DefaultDraft(kind, digits, at)


def _bare_default(t: Tokens, at: int) -> DefaultDraft:
    """MariaDB's DEFAULT expression without parentheses: a function call or a column."""
    first = t.at
    if t.peek() in ("CASE", "NEXT", "INTERVAL"):
        raise Refused(f"a DEFAULT with {t.peek()} is not followed: write it in parentheses", at)
    if t.take_any(*FUNCTIONS) is None:
        t.name()
    while t.take("."):
        t.name()
    if t.peek() == "(":
        t.skip_parentheses()
    return DefaultDraft("expression", "", at, expression=Expr(t.slice(first, t.at), at, bare=True))
