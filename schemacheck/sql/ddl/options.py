"""The grammar of table options."""

from __future__ import annotations

from schemacheck.model.charset import canonical, canonical_collation, of_collation
from schemacheck.model.quote import string
from schemacheck.sql.cut import TokenType
from schemacheck.sql.ddl.draft import TableOptions
from schemacheck.sql.ddl.literal import option_number
from schemacheck.sql.flavor import Flavor
from schemacheck.sql.lexer import Refused, Tokens, unasked

_NUMBERS = frozenset(
    (
        "MAX_ROWS",
        "MIN_ROWS",
        "AVG_ROW_LENGTH",
        "AUTO_INCREMENT",
        "CHECKSUM",
        "TABLE_CHECKSUM",
        "DELAY_KEY_WRITE",
        "KEY_BLOCK_SIZE",
    )
)
_NUMBER_OR_DEFAULT = frozenset(("PACK_KEYS", "STATS_AUTO_RECALC", "STATS_PERSISTENT", "STATS_SAMPLE_PAGES"))
_VALUES = {"STATS_SAMPLE_PAGES": range(1, 65_536)}
_STRINGS = frozenset(("COMMENT", "PASSWORD", "CONNECTION"))
_MYSQL_STRINGS = frozenset(("COMPRESSION", "ENCRYPTION"))
#: What stores a table elsewhere, or is of rare engines.
_RARE = frozenset((
    "SECONDARY_ENGINE", "ENGINE_ATTRIBUTE", "SECONDARY_ENGINE_ATTRIBUTE", "AUTOEXTEND_SIZE", "INSERT_METHOD",
    "UNION", "STORAGE", "DATA", "INDEX", "SEQUENCE",
))  # fmt: skip
_ROW_FORMATS = ("DEFAULT", "FIXED", "DYNAMIC", "COMPRESSED", "REDUNDANT", "COMPACT", "PAGE")


def options(t: Tokens, flavor: Flavor, out: TableOptions) -> None:
    """All table options up to something else; commas between them are optional."""
    comma = False
    while option(t, flavor, out):
        comma = t.take(",")
    if comma:
        raise t.fail("a table option is expected")


#: Options that `TableOptions` has by themselves, or that say nothing of the definition.
_BY_THEMSELVES = frozenset((
    "DEFAULT", "CHARSET", "COLLATE", "CHARACTER", "CHAR", "ENGINE", "TYPE", "WITH", "ROW_FORMAT",
    "AUTO_INCREMENT", "START",
))  # fmt: skip


def option(t: Tokens, flavor: Flavor, out: TableOptions) -> bool:
    """One table option; False where none follows."""
    at, word, own = t.at, t.peek(), len(out.engine_options)
    if not _option(t, flavor, out):
        return False
    if word not in _BY_THEMSELVES:
        value = at + 1 + (at + 1 < t.at and t.words[at + 1] == "=")
        name = t.raw(at)
        # MariaDB's own options of engines keep their case.
        out.written[name if len(out.engine_options) > own else name.upper()] = (
            string(out.comment or "")
            if word == "COMMENT"
            else " ".join(t.raw(index) for index in range(value, t.at))
        )
    return True


def _option(t: Tokens, flavor: Flavor, out: TableOptions) -> bool:
    word = t.peek()
    if word in ("DEFAULT", "CHARSET", "COLLATE", "CHARACTER", "CHAR"):
        return charset(t, flavor, out)
    if word == "ENGINE" or (word == "TYPE" and flavor.type_option):
        _sign(t)
        out.engine = t.string() if t.is_string() else t.name()
    elif word in _NUMBERS:
        _sign(t)
        out.others[word.lower()] = str(option_number(t))
    elif word in _NUMBER_OR_DEFAULT:
        _sign(t)
        given = _VALUES.get(word, (0, 1))
        if not t.take("DEFAULT") and option_number(t) not in given:
            raise t.fail(f"{word} takes no such number")
    elif word in _STRINGS or (word in _MYSQL_STRINGS and flavor.mysql_table_options and not flavor.mariadb):
        _sign(t)
        value = t.string()
        if word == "COMMENT":
            out.comment = value
        elif word in _MYSQL_STRINGS:
            out.others[word.lower()] = value
    elif word == "ROW_FORMAT":
        _sign(t)
        out.row_format = t.take_any(*_ROW_FORMATS)
        if out.row_format is None or (out.row_format == "PAGE" and not flavor.mariadb):
            raise t.fail("a row format is expected")
    elif word == "TABLESPACE":
        t.at += 1
        if flavor.tablespace_sign:
            t.take("=")
        out.others["tablespace"] = t.string() if t.is_string() else t.name()
    elif word == "START" and t.peek(1) == "TRANSACTION" and flavor.start_transaction:
        t.at += 2
    elif word == "WITH" and t.peek(1) == "SYSTEM" and flavor.system_versioning:
        t.need("WITH", "SYSTEM", "VERSIONING")
        out.system_versioned = True
    elif word in _RARE:
        why = f"what the server makes of {word} is not known: only a server can tell"
        raise Refused(why, t.offset())
    elif flavor.mariadb and t.is_name() and _assigned(t):
        name = t.name().lower()
        out.engine_options.append(name)
        t.take("=")
        if not t.end:
            out.others[name] = t.items[t.at].text
            t.at += 1
    else:
        return False
    return True


def _sign(t: Tokens) -> None:
    t.at += 1
    t.take("=")


def _assigned(t: Tokens) -> bool:
    """Whether `name = value` or one of MariaDB's own options without the sign comes next."""
    if t.peek() in ("TRANSACTIONAL", "PAGE_CHECKSUM", "IETF_QUOTES"):
        return True
    return t.peek(1) == "=" and (
        t.is_string(2) or t.is_number(2) or t.is_name(2) or t.kind(2) is TokenType.HEX_STRING
    )


def charset(t: Tokens, flavor: Flavor, out: TableOptions) -> bool:
    """`[DEFAULT] CHARACTER SET x` or `[DEFAULT] COLLATE x`."""
    at = t.at
    t.take("DEFAULT")
    where = t.offset()
    if t.take("CHARSET") or t.take("CHARACTER", "SET") or t.take("CHAR", "SET"):
        t.take("=")
        out.charset_at = where
        charset = canonical(_set_or_collation(t))
        own = of_collation(out.collation) if out.collation and not flavor.mariadb else None
        if own not in (None, charset) or (out.charset and charset != out.charset):
            raise unasked(f"character set {charset} beside {out.collation or out.charset}", where)
        if flavor.charset_resets_collation:
            out.collation = None
        out.charset = charset
    elif t.take("COLLATE"):
        t.take("=")
        out.charset_at = where
        if t.peek() == "BINARY" and not flavor.collate_binary:
            raise t.fail()
        new = _set_or_collation(t)
        one_collation(out.collation, new, where, mariadb=flavor.mariadb)
        out.collation = new
    else:
        t.at = at
        return False
    return True


def _set_or_collation(t: Tokens) -> str:
    """The name of a character set or collation. DEFAULT is the database's, the character set's own or the
    table's, by server and statement (asked of 5.6, 10.11 and 11.8). Raises Refused.
    """
    if t.peek() == "DEFAULT":
        why = "which character set DEFAULT means is not known (name it): only a server can tell"
        raise Refused(why, t.offset())
    return (t.string() if t.is_string() else t.name()).lower()


def one_collation(before: str | None, new: str, at: int, *, mariadb: bool) -> None:
    """COLLATE twice: one to MariaDB, of one character set to MySQL. Raises Refused."""
    same = canonical_collation if mariadb else of_collation
    if before is not None and same(before) != same(new):
        raise unasked(f"COLLATE {before} beside {new}", at)
