"""Records that may not fit InnoDB's compressed pages."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.catalog import table_options
from schemacheck.catalog.context import Context
from schemacheck.catalog.rowsize import field_bytes, key_bytes
from schemacheck.model.storage_engine import page_size
from schemacheck.model.table import Column, Key
from schemacheck.sql.ddl.draft import TableDraft, TableOptions
from schemacheck.sql.lexer import Refused

#: What a page and each of its columns take beside the values.
_OWN, _EACH = 200, 4
#: Bytes of a long column that stay on the page of its record, with its length.
_LOCAL = {True: 258, False: 42}


def check(
    draft: TableDraft, columns: Sequence[Column], keys: Sequence[Key], engine: str, context: Context
) -> None:
    """Refuse an index whose records may not fit a compressed page (1118). Raises Refused."""
    server = context.server
    size = page(draft.options)
    old = not server.mariadb and not server.has("data-dictionary")
    if engine != "InnoDB" or size is None or not (table_options.is_strict(server) or old):
        return
    byname = {column.name.casefold(): column for column in columns}
    record = sum(_bytes(column, mariadb=server.mariadb) + _EACH for column in columns)
    widths = [
        sum(key_bytes(column, part.length) + _EACH for part in key.parts
            if (column := byname.get((part.column or "").casefold())) is not None)
        for key in keys
    ]  # fmt: skip
    # A page takes two records of an index, which has the columns of the primary key too.
    if max(record, 4 * max(widths, default=0)) + _OWN > size:
        why = f"whether records fit compressed pages of {size} bytes is not known: only a server can tell"
        raise Refused(why, draft.name_at)


def _bytes(column: Column, *, mariadb: bool) -> int:
    """The most bytes of a column on the page of its record."""
    kind = column.type
    if kind.charset is None and not kind.is_off_page:
        return field_bytes(kind)
    most = _LOCAL[mariadb] if kind.is_geometry or kind.is_json or kind.is_vector else key_bytes(column, None)
    return min(most, max(_LOCAL[mariadb], field_bytes(kind) if kind.is_char else 0))


def page(options: TableOptions) -> int | None:
    """`storage_engine.size` of a definition's options."""
    block = options.others.get("key_block_size") or options.written.get("KEY_BLOCK_SIZE", "0")
    return page_size(options.row_format, block)
