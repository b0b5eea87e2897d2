"""Rails: `db/structure.sql`, which mysqldump writes and to which Rails adds the versions that were applied
(ActiveRecord's `dump_schema_information`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.inputs.histories.folder import Found, Kind

if TYPE_CHECKING:
    from schemacheck.inputs.histories.folder import Script
    from schemacheck.inputs.piece import HistoryOptions

NAME = "rails"

_ROWS = "INSERT INTO `schema_migrations` (version) VALUES"


def holds(script: Script) -> bool:
    """The rows that Rails adds. dbmate's are alike, with a comment before them."""
    return NAME in script.marks and _ROWS in script.text and "Dbmate" not in script.text


def of_script(script: Script, options: HistoryOptions) -> Found:
    """The whole schema, as one step."""
    del options
    folder = Found(NAME)
    folder.migrations.append(script.migration("structure", "as Rails dumped it", script.whole()))
    return folder


KIND = Kind(NAME, "Rails: structure.sql with its schema_migrations", holds=holds, of_script=of_script)
