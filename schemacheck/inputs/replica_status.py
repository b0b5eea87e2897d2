"""The status of a live replica: SHOW ALL SLAVES STATUS (MariaDB), SHOW REPLICA STATUS or, before MySQL
8.0.22, SHOW SLAVE STATUS. Nothing is written on the server.
"""

from __future__ import annotations

from schemacheck.errors import InputError
from schemacheck.inputs.connection import Refused, connected
from schemacheck.inputs.endpoint import Access, Endpoint

#: Tried in this order: a server refuses what is another's, or another version's, by its grammar (1064).
STATEMENTS = ("SHOW ALL SLAVES STATUS", "SHOW REPLICA STATUS", "SHOW SLAVE STATUS")


def read(dsn: str, access: Access) -> list[dict[str, str]]:
    """One record for each channel, its fields by name; [] where the server is no replica.

    Raises InputError where the server cannot be reached, or refuses all the statements (the account
    needs REPLICATION CLIENT; MariaDB 10.5 and later REPLICA MONITOR).
    """
    endpoint = Endpoint.parse(dsn, access)
    refused = ""
    with connected(endpoint, access.seconds) as session:
        for sql in STATEMENTS:
            try:
                names, rows = session.query(sql, f"{sql} failed")
            except Refused as error:
                refused = str(error)
                continue
            return [
                {name: "" if value is None else _text(value) for name, value in zip(names, row, strict=True)}
                for row in rows
            ]
    raise InputError(f"{refused}; the account needs REPLICATION CLIENT (MariaDB: REPLICA MONITOR)")


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
