"""Whether rows of two equal tables on equal servers may differ all the same."""

from __future__ import annotations

from schemacheck.alignment.terms import Terms
from schemacheck.conversion.own_values import in_time_zone
from schemacheck.model import Table
from schemacheck.model.storage_engine import is_doubtful


def equal_tables_may_differ(source: Table, replica: Table, known: Terms) -> bool:
    """Triggers may run twice, or on one side alone; a partial image of MariaDB loses what REPLACE resets;
    rows without a primary key are changed in another order by MySQL 8.0; MariaDB 11 computes stored
    columns in its own time zone; rows that lie outside of the servers may be one and the same; and of some
    engines nothing is recorded.
    """
    if is_doubtful(source.engine):
        return True
    if source.triggers or replica.triggers or known.cut_replace:
        return True
    if known.own_foreign_keys and replica.foreign_keys:
        return True  # REPLACE of a parent row
    if known.own_time_zone and any(in_time_zone(replica)):
        return True
    return known.searched_by_hash and replica.primary_key is None
