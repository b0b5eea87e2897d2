"""Tables that name a tablespace."""

from __future__ import annotations

from schemacheck.catalog.context import Context
from schemacheck.model import quote
from schemacheck.sql.ddl.draft import TableDraft
from schemacheck.sql.lexer import Refused

#: Those that every server has, and takes a plain table in.
_PLAIN = frozenset(("innodb_file_per_table", "innodb_system"))
#: What a shared tablespace may refuse beside it.
_BESIDE = frozenset(("ENCRYPTION", "DATA DIRECTORY", "KEY_BLOCK_SIZE", "COMPRESSION"))


def check(draft: TableDraft, engine: str, context: Context) -> None:
    """Refuse a secondary engine beside one that goes with none, and a table of which it is not known whether
    its tablespace takes it. A tablespace of a user's own is taken to be there. Raises Refused.
    """
    options, at = draft.options, draft.name_at
    if engine != "InnoDB" and "SECONDARY_ENGINE" in options.written:
        raise Refused(f"{engine} goes with no secondary engine", at, 1178)
    given = options.written.get("TABLESPACE")
    parts = options.partitioning.parts if options.partitioning is not None else None
    ends = [one for part in parts or () for one in (part, *(part.subs or ()))]
    named = [one.tablespace for one in ends if one.tablespace is not None] + ([given] if given else [])
    if not named or not context.server.has("data-dictionary"):
        return
    names = {quote.unquote(name) if name[:1] in ("`", "'", '"') else name for name in named}
    shared = names - {"innodb_file_per_table"}
    odd = options.row_format == "COMPRESSED" or draft.temporary or bool(_BESIDE & set(options.written))
    if names & {"", "mysql", "innodb_temporary"} or (shared and (odd or options.partitioning is not None)):
        why = f"whether the server makes a table in tablespace {min(names)!r} is not known: only it can tell"
        raise Refused(why, at)
