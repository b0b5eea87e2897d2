"""Rows that cannot be decoded are shown as bytes with the reason, and what is behind them is read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from schemacheck.binlog import DamagedEvent, decode
from schemacheck.binlog.cursor import Cursor
from schemacheck.binlog.errors import ShortRead
from schemacheck.binlog.events.rows import Rows
from schemacheck.binlog.listing import UNREADABLE, lines
from schemacheck.binlog.listing.record import record
from schemacheck.binlog.values import temporal
from tests.binlog.logs import log


def _first_rows() -> Rows:
    return next(e for e in decode(log("mysql-5.6-row-types")) if isinstance(e, Rows) and e.body)


def test_no_value_of_a_misread_row_is_shown():
    event = _first_rows()
    cut = replace(event, body=event.body[:-1])
    head, rows = lines(cut)
    assert "WRITE_ROWS_EVENT" in head
    assert rows.startswith(UNREADABLE)
    assert rows.endswith(f": {cut.body.hex()}")
    found = record(cut)
    assert "rows" not in found
    assert (found["bytes"], "contradicts its table map" in found["unreadable"]) == (cut.body.hex(), True)
    with pytest.raises(DamagedEvent):
        list(cut.rows())


@pytest.mark.parametrize(
    ("reader", "value", "size"),
    [
        (temporal.old_datetime, 20010203046061, 8),
        (temporal.old_datetime, 20011303040506, 8),
        (temporal.old_time, 8390000, 3),
    ],
)
def test_an_impossible_time_is_no_value(reader, value, size):
    with pytest.raises(ShortRead, match="old temporal"):
        reader(Cursor(value.to_bytes(size, "little")))


def test_possible_times_are_read():
    assert temporal.old_time(Cursor((8385959).to_bytes(3, "little"))) == "838:59:59"
    assert temporal.old_datetime(Cursor(bytes(8))) == "0000-00-00 00:00:00"
