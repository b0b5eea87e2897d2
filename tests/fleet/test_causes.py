"""What is told of a fleet's findings by their cause."""

from __future__ import annotations

import pyarrow as pa

from schemacheck.fleet import causes

_PLACE = {"source": "a", "replica": "b", "channel": "", "database": "shop", "table": "orders"}
_ALL = {"rule": "r", "remedy_sql": "", "bite": "", "bite_absent": False, "source_type": "int"}


def _finding(code: str, effect: str, column: str, remedy: str, **more: str) -> dict[str, object]:
    text = {"message": f"about {column}", "replica_type": column}
    return {
        **_PLACE,
        **_ALL,
        **text,
        "code": code,
        "effect": effect,
        "column": column,
        "remedy": remedy,
        **more,
    }


def test_columns_that_a_missing_column_moves_are_no_causes_of_their_own():
    moves = "Add place behind note."
    rows = [
        _finding("SC102", "diverges", "place", moves),
        _finding("SC203", "stops", "qty", moves),
        _finding("SC202", "stops", "note", "Widen note."),
        _finding("SC203", "stops", "qty", moves, table="other"),
    ]
    listed, number, _ = causes.of(pa.Table.from_pylist(rows), {}, 1, 10)
    assert number == 3
    assert sorted((cause["code"], cause["effect"], cause["first"]["table"]) for cause in listed) == [
        ("SC102", "stops", "orders"), ("SC202", "stops", "orders"), ("SC203", "stops", "other"),
    ]  # fmt: skip
