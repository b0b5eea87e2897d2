"""Binary logs against what the vendors' tools and the writing servers said of them.

A fact is one event of a truth file: header, checksum, the tool's label, SHOW BINLOG EVENTS' words,
the rows as the tool printed them. Facts too are the tables that a server held at a position: they are
made again out of the row events. Logs of servers before 5.0 (built by hand) are not read: unknown.
"""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

from schemacheck.binlog.decoder import decode
from schemacheck.binlog.errors import BinlogError, ChecksumMismatch, EncryptedLog, NotABinlog, TruncatedLog
from schemacheck.binlog.events.control import Rotate
from schemacheck.binlog.events.gtid import GtidList, MariadbGtid
from schemacheck.binlog.events.mariadb_zlib import column as uncompress
from schemacheck.binlog.events.payload import TransactionPayload
from schemacheck.binlog.events.rows import JsonDiffs, Row, Rows
from schemacheck.binlog.events.statement import IntVar, Query, Rand, RowsQuery, UserVar
from schemacheck.binlog.events.table_map import BLOB_COMPRESSED, GEOMETRY, VARCHAR_COMPRESSED, TableDefinition
from schemacheck.binlog.unpack import unpacked
from schemacheck.binlog.values import ABSENT

from .binlog_tables import judge_table
from .mysqlbinlog import changes, comment, label, shown

Counts = dict[str, int]


def load(path: Path) -> dict[str, Any]:
    raw = path.read_bytes()
    return json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)


def log_beside(path: Path, name: str) -> bytes:
    """The log that a truth file is about, packed or not."""
    plain = path.parent / name
    return (
        plain.read_bytes() if plain.exists() else gzip.decompress((path.parent / f"{name}.gz").read_bytes())
    )


def judge_file(path: str | Path, show: int = 0) -> Counts:
    """Judge one truth file; the log stands beside it. `show`: how many differences are printed."""
    path = Path(path)
    truth = load(path)
    data = log_beside(path, truth["file"])
    counts = dict.fromkeys(("facts", "agreed", "wrong", "false_safe", "false_alarm", "unknown", "skipped"), 0)

    def fact(differences: list[str]) -> None:
        nonlocal show
        counts["facts"] += 1
        counts["wrong" if differences else "agreed"] += 1
        if differences and show > 0:
            show -= 1
            print(f"{truth['file']}: " + "; ".join(differences))

    events, error = read(data)
    if truth.get("format") in (1, 3):
        counts["facts"] = len(truth["events"])
        counts["unknown" if isinstance(error, NotABinlog) else "wrong"] = counts["facts"]
        return counts
    wanted = expected_events(truth)
    fact(judge_error(truth, wanted, error))
    judge_events(events, wanted, truth, fact)
    if error is None:
        for table in truth.get("tables", ()):
            fact(judge_table(events, table))
    return counts


def read(data: bytes) -> tuple[list[Any], BinlogError | None]:
    events = []
    try:
        for event in decode(data):
            events.append(event)  # noqa: PERF402 the events before the error count
    except BinlogError as error:
        return events, error
    return events, None


def expected_events(truth: dict[str, Any]) -> list[dict[str, Any]]:
    """Those that can be read: the truth of an encrypted or damaged file goes on behind the place where a
    reader must stop.
    """
    events = truth["events"]
    if "encrypted" in truth["file"]:
        return [] if truth["server"].startswith("mysql") else [e for e in events if e["position"] < 296]
    if "flipped" in truth:
        return [e for e in events if e["position"] < truth["flipped"]["event"]]
    return events


def judge_error(truth: dict[str, Any], wanted: list[dict[str, Any]], error: BinlogError | None) -> list[str]:
    kind: type[BinlogError] | None = None
    offset = None
    if "encrypted" in truth["file"]:
        kind, offset = EncryptedLog, wanted[-1]["position"] + wanted[-1]["size"] if wanted else 0
    elif "flipped" in truth:
        kind, offset = ChecksumMismatch, truth["flipped"]["event"]
    elif "cut_event" in truth:
        kind, offset = TruncatedLog, truth["cut_event"]["position"]
    if kind is None:
        return [f"error {error}"] if error else []
    if type(error) is kind and error.offset == offset:
        return []
    return [f"error {error!r}, wanted {kind.__name__} at {offset}"]


def judge_events(events: list[Any], wanted: list[dict[str, Any]], truth: dict[str, Any], fact: Any) -> None:
    if len(events) != len(wanted):
        fact([f"{len(events)} events, wanted {len(wanted)}"])
    rows: list[tuple[Rows, Row]] = []
    for event, want in zip(events, wanted, strict=False):
        differences = judge_header(event, want, truth) + judge_words(event, want)
        if isinstance(event, Rows):
            rows += [(event, row) for row in event.rows(signed(event))]
        if "rows" in want:
            differences += judge_rows(rows, want["rows"])
            rows = []
        if "inner" in want:
            assert isinstance(event, TransactionPayload)
            judge_events(list(unpacked(event)), want["inner"], truth, fact)
        fact([f"at {want.get('position', 'inner')}: {one}" for one in differences])


def judge_header(event: Any, want: dict[str, Any], truth: dict[str, Any]) -> list[str]:
    header = event.header
    found = {
        "position": header.position, "timestamp": header.timestamp, "type": header.code,
        "server_id": header.server_id,
        "size": header.size, "flags": header.flags, "log_pos": header.log_pos, "end_position": header.log_pos,
    }  # fmt: skip
    if want.get("payload_end"):
        found["size"] += 4  # the tool counts a checksum that is not there
    if header.checksum is not None:
        found["crc32"] = f"0x{header.checksum:08x}"
    skip = set()
    if want.get("payload_end"):
        skip = {"crc32"}  # the tool computes one for events that have none
    if header.code == 164:
        skip = {
            "flags",
            "crc32",
        }  # the tool read this file over the network, where the event is marked ignorable
    if want.get("show_end_log_pos"):
        skip |= {"end_position"}
    return [
        f"{key} {found.get(key)}, wanted {want[key]}"
        for key in (
            "position",
            "timestamp",
            "type",
            "server_id",
            "size",
            "flags",
            "log_pos",
            "end_position",
            "crc32",
        )
        if key in want and key not in skip and found.get(key) != want[key]
    ]


def judge_words(event: Any, want: dict[str, Any]) -> list[str]:
    differences = []
    said = want.get("label")
    if said and said.split()[0] not in ("Intvar", "Rand", "User_var", "Ignorable", "Gtid", "XA", "XID"):
        mine = label(event)
        if event.header.code in (33, 34, 42):
            mine = mine.rsplit("\t", 1)[0]
        said = said.removesuffix("\txid=0")  # mariadb-binlog prints 0 where there is none
        if mine.replace("``", "`") != said.replace("``", "`"):
            differences.append(f"label {mine!r}, wanted {said!r}")
    said = want.get("info")
    if said is not None and isinstance(event, UserVar):
        # The server adds the names of character set and collation, of which only the number is in the log.
        said = re.sub(r"X'(\w+)'", r"0x\1", re.sub(r"=_\w+ (.*) COLLATE \w+$", r"=\1", said))
    if said is not None and isinstance(event, Query) and not event.query.startswith("set "):
        said = re.sub(r"^(use `\w+`; )set [a-z_=0-9, ]+; ", r"\1", said)  # MariaDB adds what flags2 says
    if said is not None and said not in info(event):
        differences.append(f"info {info(event)!r}, wanted {said!r}")
    return differences


def info(event: Any) -> str:
    """What SHOW BINLOG EVENTS says of an event; several wordings of one event joined."""
    if isinstance(event, Query):
        query = re.sub(
            "[\U00010000-\U0010ffff]", "????", event.query
        )  # MariaDB's SHOW BINLOG EVENTS is utf8mb3
        query = query if "????" in query and "\\U" not in query else event.query
        text = (
            query
            if not event.database or event.header.flags & 8
            else f"use `{event.database}`; {event.query}\nuse `{event.database}`; {query}"
        )
        return f"{text} /* xid={event.variables().get('ddl_xid')} */"[:1500] + f"\n{text[:1500]}"
    return _info_of_others(event) + "\n" + label(event)


def _info_of_others(event: Any) -> str:
    code = event.header.code
    if isinstance(event, IntVar):
        value = (
            event.value - (1 << 64) if event.value >> 63 and event.kind == "LAST_INSERT_ID" else event.value
        )
        return f"{event.kind}={value}"
    if isinstance(event, Rand):
        return f"rand_seed1={event.seed1},rand_seed2={event.seed2}"
    if isinstance(event, UserVar):
        return user_var(event)
    if isinstance(event, RowsQuery):
        return (event.query if code == 160 else f"# {event.query}")[:1500]
    if isinstance(event, Rotate):
        return f"{event.next_log};pos={event.position}"
    if isinstance(event, MariadbGtid):
        begin = "" if event.flags & 1 else "BEGIN "
        words = {2: " START ALTER", 4: f" COMMIT ALTER id={event.start_alter}"}.get(
            event.extra_flags & 14, ""
        )
        xid = f"XA START {xid_text(event.xid)} " if event.xid and event.flags & 64 else ""
        tail = f" cid={event.commit_id}" if event.commit_id is not None else ""
        return f"{xid or begin}GTID {event.gtid}{tail}{words}"
    if isinstance(event, GtidList):
        return "[" + ",".join(sorted(event.gtids)) + "]"
    if code in (33, 34, 42):
        return f"SET @@SESSION.GTID_NEXT= '{event.gtid}'"
    if code == 15:
        return f"Server ver: {event.server_version}, Binlog ver: {event.binlog_version}"
    if code == 16:
        return f"COMMIT /* xid={event.xid} */"
    if code == 18:
        text = event.query if not event.database else f"use `{event.database}`; {event.query}"
        return f"{text} ;file_id={event.file_id}"[:1500] + "\n" + text[:1500]
    if code in (9, 17):
        return f";file_id={event.file_id};block_len={len(event.block)}"
    if code == 11:
        return f";file_id={event.file_id}"
    if code == 19:
        return f"table_id: {event.table_id} ({event.table.qualified_name})"
    if isinstance(event, Rows):
        return f"table_id: {event.table_id}" + (
            f" flags: {' '.join(event.flag_names)}" if event.flag_names else ""
        )
    if code == 35:
        return previous(event)
    if code == 40:
        return f"compression='{event.compression_name}', decompressed_size={event.uncompressed_size} bytes"
    return ""


def previous(event: Any) -> str:
    by_source: dict[tuple[str, str], list[str]] = {}
    for one in event.ranges:
        by_source.setdefault((one.uuid, one.tag), []).append(str(one).split(":")[-1])
    texts: dict[str, str] = {}
    for (uuid, tag), numbers in by_source.items():
        texts[uuid] = texts.get(uuid, uuid) + (f":{tag}" if tag else "") + ":" + ":".join(numbers)
    return ",\n".join(texts.values()) + "\n" + ",".join(texts.values())


def xid_text(xid: tuple[int, bytes, bytes]) -> str:
    return f"X'{xid[1].hex()}',X'{xid[2].hex()}',{xid[0]}"


def user_var(event: UserVar) -> str:
    value = event.value
    name = f"@`{event.name}`="
    if value is None:
        return name + "NULL"
    if isinstance(value, bytes):
        return name + (f"0x{value.hex().upper()}" if value else '""')
    return f"{name}{value:.14g}\n{name}{value}" if isinstance(value, float) else f"{name}{value}"


def signed(event: Rows) -> tuple[bool, ...]:
    """The tools read all integers as signed ones and show the other reading in parentheses."""
    return (False,) * len(event.table.columns()) if event.table else ()


def judge_rows(found: list[tuple[Rows, Row]], wanted: list[dict[str, Any]]) -> list[str]:
    differences = []
    gave_up = any(
        cell["value"].startswith("!!")
        for row in wanted
        for part in ("before", "after")
        for cell in row.get(part, ())
        if "n" in cell
    )
    if len(found) != len(wanted) and not gave_up:
        return [f"{len(found)} rows, wanted {len(wanted)}"]
    for (event, row), want in zip(found, wanted, strict=False):
        table = event.table
        assert table is not None
        if event.action != want["op"] or f"`{table.database}`.`{table.name}`" != want["table"].replace(
            "``", "`"
        ):
            differences.append(
                f"{event.action} of {table.qualified_name}, wanted {want['op']} of {want['table']}"
            )
        for part in ("before", "after"):
            image = getattr(row, part)
            if (image is None) != (part not in want):
                differences.append(f"{part} {image}")
            elif image is not None:
                differences += judge_image(table, image, want[part])
    return differences


def judge_image(table: TableDefinition, image: Any, wanted: list[dict[str, Any]]) -> list[str]:
    columns = table.columns()
    found = {
        n: (value, column)
        for n, (value, column) in enumerate(zip(image, columns, strict=True), 1)
        if value is not ABSENT
    }
    cells: dict[int, list[Any]] = {}
    for cell in wanted:
        if "n" in cell:
            last = cells[cell["n"]] = [cell["value"], cell["type"]]
        else:  # JSON changes over several lines
            last[0] += cell["text"]
            last[1] = cell["type"]
    differences = []
    for number, (text, kind) in cells.items():
        if text.startswith("!!"):  # mysqlbinlog cannot print GEOMETRY and leaves the row there
            return differences if found[number][1].type == GEOMETRY else [f"@{number} is no GEOMETRY"]
        value, column = found.pop(number, (ABSENT, None))
        if value is ABSENT:
            differences.append(f"@{number} is absent")
            continue
        assert column is not None
        mine = changes(value, number) if isinstance(value, JsonDiffs) else shown(value, column)
        if column.type in (BLOB_COMPRESSED, VARCHAR_COMPRESSED) and isinstance(value, bytes):
            agreed = uncompress(unescape(text)) == value  # the tool prints the compressed bytes
        else:
            agreed = (
                mine == text
                or (isinstance(value, bytes) and mariadb_string(value) == text)
                or mine == re.sub(r"\s{3,}", "", text, count=1).replace("   '", " '")
            )
        if not agreed or comment(column, value) != kind:
            differences.append(f"@{number} {mine!r} {comment(column, value)}, wanted {text!r} {kind}")
    return differences + [f"@{number} is not in the truth" for number in found]


def mariadb_string(raw: bytes) -> str:
    """mariadb-binlog escapes neither quotes nor backslashes."""
    return (
        "'"
        + re.sub(
            r"[\x00-\x1f]", lambda m: f"\\x{ord(m.group()):02x}", raw.decode("utf-8", "backslashreplace")
        )
        + "'"
    )


def unescape(text: str) -> bytes:
    """The bytes behind the tool's text."""
    named = {"t": b"\t", "n": b"\n", "r": b"\r", "\\": b"\\", "'": b"'"}

    def one(match: re.Match[bytes]) -> bytes:
        word = match.group(1).decode()
        return bytes([int(word[1:], 16)]) if word.startswith("x") else named[word]

    return re.sub(rb"\\(x[0-9a-f]{2}|.)", one, text[1:-1].encode(), flags=re.DOTALL)
