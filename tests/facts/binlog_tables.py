"""Tables made out of row events, compared with what SELECT * gave on the server that wrote the log."""

from __future__ import annotations

import re
import struct
from collections import Counter
from decimal import Decimal
from typing import Any

from schemacheck.binlog.events.load import ExecuteLoadQuery
from schemacheck.binlog.events.payload import TransactionPayload
from schemacheck.binlog.events.rows import JsonDiffs, Rows
from schemacheck.binlog.events.statement import Query
from schemacheck.binlog.unpack import unpacked
from schemacheck.binlog.values import ABSENT
from schemacheck.binlog.values.json import Json

#: Character sets of the test tables' columns that are not UTF-8, where the log does not tell.
CODECS = ("utf-8", "latin-1")


def flat(events: list[Any], position: int) -> Any:
    """All events before a position, those inside payloads too."""
    for event in events:
        if event.header.position >= position:
            return
        if isinstance(event, TransactionPayload):
            yield from unpacked(event)
        else:
            yield event


def judge_table(events: list[Any], truth: dict[str, Any]) -> list[str]:
    types = [kind or "" for _, kind in truth["columns"]]
    unsigned = tuple("unsigned" in kind for kind in types)
    rows: list[list[Any]] = []
    chosen: list[int] = list(range(len(types)))
    name = truth["table"].split(".")[1]
    created = False
    for event in flat(events, truth["position"]):
        if isinstance(event, Query | ExecuteLoadQuery) and re.search(rf"\b{re.escape(name)}\b", event.query):
            created = created or event.query.lstrip().upper().startswith("CREATE")
            if re.match(r"(?i)\s*(insert|update|delete|replace|load)\b", event.query):
                return []  # written by statements too: the rows are not all in the log
        if not isinstance(event, Rows) or event.table is None or event.table.qualified_name != truth["table"]:
            continue
        columns = event.table.columns()
        width = len(columns)
        if columns[0].name is not None:  # SELECT * leaves invisible columns out
            by_name = {column.name: n for n, column in enumerate(columns)}
            chosen = [by_name[column] for column, _ in truth["columns"] if column in by_name]
        signs = tuple(
            n in chosen and chosen.index(n) < len(unsigned) and unsigned[chosen.index(n)]
            for n in range(width)
        )
        for row in event.rows(signs):
            if not created:
                return []  # the table's first rows are in an earlier log
            if row.before is not None:
                found = next((r for r in rows if matches(r, row.before)), None)
                if found is None:
                    return [f"{truth['table']}: no row {row.before}"]
                if row.after is None:
                    rows.remove(found)
                else:
                    before = [
                        old if new is ABSENT else new for old, new in zip(found, row.before, strict=True)
                    ]
                    found[:] = [patched(old, new) for old, new in zip(before, row.after, strict=True)]
            else:
                assert row.after is not None
                rows.append([None if value is ABSENT else value for value in row.after])
    mine = Counter(
        tuple(Choice(row[n], kind) for n, kind in zip(chosen, types, strict=False) if n < len(row))
        for row in rows
    )
    wanted = [tuple(row) for row in truth["rows"]]
    if sum(mine.values()) != len(wanted):
        return [f"{truth['table']} at {truth['position']}: {sum(mine.values())} rows, wanted {len(wanted)}"]
    differences = []
    left = list(mine.elements())
    for row in wanted:
        found_row = next(
            (r for r in left if all(cell in choice for cell, choice in zip(row, r, strict=False))), None
        )
        if found_row is None:
            closest = max(
                left, key=lambda r: sum(cell in choice for cell, choice in zip(row, r, strict=False))
            )
            bad = [
                (n, types[n], choice, cell)
                for n, (cell, choice) in enumerate(zip(row, closest, strict=False))
                if cell not in choice
            ]
            differences.append(f"{truth['table']} at {truth['position']}: {bad[:3]}")
            left.remove(closest)
        else:
            left.remove(found_row)
    return differences


def matches(row: list[Any], before: tuple[Any, ...]) -> bool:
    return all(value is ABSENT or old in (value, "*") for old, value in zip(row, before, strict=True))


def patched(old: Any, new: Any) -> Any:
    """Absent: unchanged. JSON changes are not applied here: '*' stands for any document."""
    if new is ABSENT:
        return old
    if isinstance(new, JsonDiffs):
        return old if new == "[]" else Json("*")
    return new


class Choice:
    """A value with the texts in which SELECT may show it."""

    def __init__(self, value: Any, kind: str) -> None:
        self.value, self.kind = value, kind

    def __hash__(self) -> int:
        return hash((repr(self.value), self.kind))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Choice) and (repr(self.value), self.kind) == (repr(other.value), other.kind)

    def __repr__(self) -> str:
        return repr(self.value)

    def __contains__(self, text: str | None) -> bool:
        value, kind = self.value, self.kind
        if value is None or text is None:
            return value is text
        if isinstance(value, Json):
            return value in ("*", text)
        if kind.startswith(("enum", "set")):
            return text == members(value, kind)
        if kind.startswith("bit"):
            return text == "0x" + value.to_bytes((int(kind[4:-1]) + 7) // 8, "big").hex().upper()
        if kind.startswith("year"):
            return text == f"{value:04d}"
        if isinstance(value, int):
            return int(text) == value
        if isinstance(value, float):
            # The server prints FLOAT with six digits, (M,D) with D of them.
            digits = kind.partition(",")[2].rstrip(") unsigedzrofl")
            if digits:
                return f"{value:.{digits}f}" == text
            return float(text) == value or (
                f"{float(text):.5e}" == f"{value:.5e}" and kind.startswith("float")
            )
        if isinstance(value, Decimal):
            return Decimal(text) == value
        if isinstance(value, tuple):
            return text == "0x" + struct.pack(f"<{len(value)}f", *value).hex().upper()
        if isinstance(value, bytes):
            return text in texts(value, kind)
        return bool(text == value)


def texts(value: bytes, kind: str) -> set[str]:
    """Bytes as SELECT may show them: hexadecimal, or text in some character set."""
    found = {"0x" + value.hex().upper()}
    if kind.startswith("binary("):
        found.add("0x" + value.ljust(int(kind[7:-1]), b"\0").hex().upper())
    if kind == "uuid":
        h = (value.ljust(16, b"\0")).hex()
        found |= {
            h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:],
            *uuid_orders(value.ljust(16, b"\0")),
        }
    if kind in ("inet4", "inet6"):
        import ipaddress

        address = ipaddress.ip_address(value.ljust(4 if kind == "inet4" else 16, b"\0"))
        mapped = getattr(address, "ipv4_mapped", None)
        found |= {str(address), f"::ffff:{mapped}"}
    for codec in (*CODECS, "utf-16-be", "cp1252", "cp932"):
        try:
            found.add(value.decode(codec))
        except UnicodeDecodeError:
            continue
    return found


def uuid_orders(raw: bytes) -> set[str]:
    """MariaDB stores a UUID with its groups turned round: node, clock, time high, mid, low."""
    h = raw.hex()
    return {f"{h[24:32]}-{h[20:24]}-{h[16:20]}-{h[12:16]}-{h[:12]}"}


def members(value: int, kind: str) -> str:
    names = [m.replace("''", "'") for m in re.findall(r"'((?:[^']|'')*)'", kind)]
    if kind.startswith("enum"):
        return names[value - 1] if value else ""
    return ",".join(name for n, name in enumerate(names) if value >> n & 1)
