"""What MySQL refuses of tables that name a tablespace (asked of 9.7). Whether a tablespace of a user's own is
there, a script does not tell.
"""

from __future__ import annotations

from schemacheck.catalog.context import Context
from schemacheck.model import quote
from schemacheck.sql.ddl.draft import PartitioningDraft, TableDraft, TableOptions
from schemacheck.sql.lexer import Refused

_OWN_FILE, _TEMPORARY, _RESERVED = "innodb_file_per_table", "innodb_temporary", "mysql"
_SYSTEM = frozenset(("innodb_system", _TEMPORARY))


def check(draft: TableDraft, engine: str, context: Context) -> None:
    """Refuse what a shared tablespace does not take, the server's own, and a secondary engine beside one that
    goes with none. Raises Refused.
    """
    if engine != "InnoDB" and "SECONDARY_ENGINE" in draft.options.written:
        raise Refused(f"{engine} goes with no secondary engine", draft.name_at, "SC002", 1178)
    given = draft.options.written.get("TABLESPACE")
    if given is None or not context.server.has("data-dictionary"):
        return
    at = draft.name_at
    _named(given, at)
    name = _plain(given)
    if engine != "InnoDB":
        return
    if not draft.options.others.get("encryption", "n"):
        raise Refused("ENCRYPTION is 'Y' or 'N' beside TABLESPACE", at, "SC002", 3184)
    if name == _OWN_FILE:
        return
    encrypted = _option(draft.options, "ENCRYPTION").lower() == "y"
    if encrypted and name in _SYSTEM:
        why = f"no table of tablespace {name!r} is encrypted"
        raise Refused(why, at, "SC002", 1478 if name == _TEMPORARY else 3825)
    if draft.options.partitioning is not None:
        raise _shared(at)
    if _option(draft.options, "DATA DIRECTORY"):
        raise Refused("DATA DIRECTORY beside TABLESPACE", at, "SC002", 1478)
    if name == _TEMPORARY and not draft.temporary:
        raise Refused(f"tablespace {name!r} has temporary tables alone", at, "SC002", 1478)
    if name not in _SYSTEM:
        return
    block = _option(draft.options, "KEY_BLOCK_SIZE") or "0"
    if draft.options.row_format == "COMPRESSED" or block != "0":
        raise Refused(f"tablespace {name!r} has no compressed rows", at, "SC002", 1478)
    if _option(draft.options, "COMPRESSION").lower() not in ("", "none"):
        raise Refused(f"tablespace {name!r} has no compressed pages", at, "SC002", 1031)


def of_partitions(draft: PartitioningDraft, context: Context) -> None:
    """Refuse partitions in a tablespace of more than one table. Raises Refused."""
    if not context.server.has("data-dictionary"):
        return
    for part in draft.parts or ():
        for one in (part, *(part.subs or ())):
            if one.tablespace is not None:
                _named(one.tablespace, one.at)
                if _plain(one.tablespace) != _OWN_FILE:
                    raise _shared(one.at)


def _shared(at: int) -> Refused:
    return Refused("a partitioned table in a shared tablespace", at, "SC002", 1478)


def _named(given: str, at: int) -> None:
    name = _plain(given)
    if not name:
        raise Refused("a tablespace has a name", at, "SC001", 1064)
    if name == _RESERVED:
        raise Refused(f"no table is made in tablespace {_RESERVED!r}", at, "SC002", 3723)


def _plain(given: str) -> str:
    """A name or string without quotes."""
    return quote.unquote(given) if given[:1] in ("`", "'", '"') else given


def _option(options: TableOptions, name: str) -> str:
    """An option as it is written, without quotes; '' where it is not."""
    return _plain(options.written.get(name, ""))
