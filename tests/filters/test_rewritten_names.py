"""A database that is rewritten: rows go to the other one, statements that name the first one do not (asked of
9.7.4, MariaDB 10.11.19 and 11.8.9 over channels).
"""

from __future__ import annotations

import pytest

from schemacheck import Link
from schemacheck.filters.tables import Reach, TableFilter
from schemacheck.model.filters import FilterSet


@pytest.mark.parametrize("server", ["mysql-9.7", "mariadb-10.11", "mariadb-11.8"])
@pytest.mark.parametrize("log", ["ROW", "STATEMENT", "MIXED"])
def test_statements_that_name_the_database(server: str, log: str) -> None:
    filters = TableFilter(FilterSet(rewrite_db=(("a", "c"),)), Link.of(server, binlog_format=log))
    state = filters.state("a", "t")
    assert (state.replica_database, state.state is Reach.PARTLY) == ("c", log != "ROW")
    assert ("go to a.t, not to c" in state.reason) is (log != "ROW")
    assert filters.state("b", "t").state is Reach.REPLICATED
