"""What a person with a stopped replica does: look first, the fix, the way back, when skipping is harmless.
Texts are in `rules/stops.yaml`, with names that `fields` finds; the first fix counts of which all is known.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

from schemacheck.binlog.events.rows import Image
from schemacheck.conversion.error import conversion_failed
from schemacheck.conversion.wire import image
from schemacheck.dataclass import dataclass, replace
from schemacheck.diagnose import row
from schemacheck.diagnose.definitions import foreign
from schemacheck.diagnose.known import Known
from schemacheck.diagnose.live import Live
from schemacheck.diagnose.names import parts
from schemacheck.diagnose.status import Status
from schemacheck.model import Column, Finding, Link, Server, Table, TableKind
from schemacheck.model.definition_sql import add, created, modify, rename, table_name
from schemacheck.model.difference import Difference
from schemacheck.model.quote import quoted, string

_ABSENT = re.compile(r"Table '[^']+' doesn't exist.*Query: '", re.DOTALL)
#: The rule of unique keys: it has SQL where the replica compares by another collation.
_COLLATED = "SC401"
_MOVED = re.compile(r" FIRST;| AFTER `")
_EVENT = re.compile(r"Could not execute (Write|Update|Delete)_(?:compressed_)?rows")
_ENTRY = re.compile(r"Duplicate entry '(.*)' for key '((?:[^']|'(?=\w))+)'", re.DOTALL)
_PROGRAM = re.compile(r"(FUNCTION|PROCEDURE) (.+?)\.(.+?) does not exist")
_TYPES = re.compile(r"from type '([^']*)' to type '([^']*)'|received type (\d+), \S+ has type (\d+)")
#: Of a type's name in an error: the sizes that not every version tells.
_SIZE = re.compile("^(tiny|medium|long)(?=blob|text)")
_WORKERS = "performance_schema.replication_applier_status_by_worker"
_NO_SKIP = ("Nothing can", "Nothing need", "Nothing is")
#: What is said of skipping a transaction that is good: the applier is started again.
_GOOD = "Nothing need be skipped."
_ACTIONS = {"Write": "insert", "Update": "update", "Delete": "delete"}
LOG_OFF, LOG_ON = "SET SESSION sql_log_bin = 0;", "SET SESSION sql_log_bin = 1;"


@dataclass(frozen=True, slots=True)
class Step:
    """Lines that are typed at a place: `both ends`, `source`, `replica` (SQL) or `shell`."""

    on: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """`advice` says the fix, `fix` is its SQL; `equal`: the definitions are no longer the cause."""

    happened: str
    look: tuple[Step, ...] = ()
    advice: str = ""
    fix: tuple[Step, ...] = ()
    back: tuple[Step, ...] = ()
    skip: str = ""
    skip_sql: tuple[Step, ...] = ()
    equal: bool = False


def answer(status: Status, thread: str, entry: Known, fields: Mapping[str, str]) -> Answer:
    """The answer for one stopped thread."""
    happened = next((text for line in entry.happened if (text := _filled(line, fields))), entry.what)
    if thread == "IO":
        return Answer(happened, advice=entry.way, skip=entry.skip)
    start = _start(status)
    if "alike" in fields:
        skip = _skip(status, start)
        happened = f"The replica has the statement's change already: {fields['alike']} is alike on both ends."
        advice = "Skip the statement: nothing is lost."
        return Answer(happened, _log_command(status), advice, skip, skip_sql=skip)
    if status.file:
        fields = {**fields, "again": _fetched_again(status, start)}
    fix = next((fix for fix in entry.fixes if _filled(" ".join((fix.why, *fix.sql)), fields)), None)
    good = entry.skip == _GOOD
    places: dict[str, list[str]] = {}
    if _WORKERS in status.sql_message:  # the coordinator tells only where its workers' words are
        places["replica"] = [f"SELECT * FROM {_WORKERS} WHERE LAST_ERROR_NUMBER <> 0;"]  # noqa: S608 to be read
    for line in entry.look:
        place, _, text = line.rpartition(": ")
        if text := _filled(text, fields):
            places.setdefault(place or "both ends", []).append(text)
    notes = fields.get("otherwise") or fields.get("since") or ""
    shown = Answer(
        happened,
        (
            *(Step(place, tuple(lines)) for place, lines in places.items()),
            *(() if good else _log_command(status)),
        ),
        " ".join(filter(None, (notes, _filled(fix.why, fields) if fix else entry.way))),
        (Step("replica", (start,)),) if good and fix is None else (),
        skip=entry.skip,
        skip_sql=() if entry.skip.startswith(_NO_SKIP) else _skip(status, start),
    )
    if fix is None and "mended" in fields and "otherwise" not in fields and entry.of_definitions:
        advice = f"{fields['mended']} {notes}".rstrip()
        return Answer(happened, shown.look, advice, (Step("replica", (start,)),), equal=True)
    if fix is None or not fix.sql:
        return shown
    sql, back = (
        "\n".join(_filled(line, fields) for line in ("{use}", *lines)).strip().split("\n")
        for lines in (fix.sql, fix.back)
    )
    return replace(
        shown,
        fix=(Step("replica", (LOG_OFF, *sql, LOG_ON, start)),),
        back=(Step("replica, unlogged", tuple(back)),) if _filled(" ".join(fix.back), fields) else (),
    )


def _filled(line: str, fields: Mapping[str, str]) -> str:
    """The line with its names filled in; '' where one is not known."""
    try:
        return line.format_map(fields)
    except KeyError:
        return ""


def _start(status: Status) -> str:
    if status.words == "mariadb":
        return "START SLAVE" + (f" {string(status.channel)}" if status.channel else "") + ";"
    channel = f" FOR CHANNEL {string(status.channel)}" if status.channel else ""
    return f"START {'SLAVE' if status.words == 'mysql-slave' else 'REPLICA'}{channel};"


def _fetched_again(status: Status, start: str) -> str:
    """What throws the relay log away and has the source send it anew from the stopped transaction on."""
    stop, between = start.replace("START", "STOP", 1), ""
    if status.by_gtid and status.words != "mariadb":
        between = start.replace("START", "RESET", 1)
    elif not status.by_gtid:
        word = "SOURCE" if status.words == "mysql" else "MASTER"
        verb = "REPLICATION SOURCE" if status.words == "mysql" else "MASTER"
        _, named, channel = start.partition(" FOR CHANNEL ")
        if status.words == "mariadb" and status.channel:
            verb += f" {string(status.channel)}"
        place = f"{word}_LOG_FILE = {string(status.file)}, {word}_LOG_POS = {status.position}"
        between = f"CHANGE {verb} TO {place}{named}{channel.rstrip(';')};"
    return " ".join(filter(None, (stop, between, start)))


def _skip(status: Status, start: str) -> tuple[Step, ...]:
    """An empty transaction with this GTID; without GTIDs, and on MariaDB, a counter."""
    if status.gtids:
        if not status.gtid:
            return ()
        named = f"SET SESSION gtid_next = '{status.gtid}'; BEGIN; COMMIT;"
        return (Step("replica", (named, "SET SESSION gtid_next = 'AUTOMATIC';", start)),)
    several = status.channel and status.words == "mariadb"
    connection = f"SET SESSION default_master_connection = {string(status.channel)};"
    lines = ("SET GLOBAL sql_slave_skip_counter = 1;", start)
    return (Step("replica", (connection, *lines) if several else lines),)


def _log_command(status: Status) -> tuple[Step, ...]:
    """What prints the stopped transaction of the source's log."""
    if not status.file:
        return ()
    host, port, user = (shlex.quote(word or "...") for word in status.source)
    program = "mariadb-binlog" if status.words == "mariadb" else "mysqlbinlog"
    only = f"--include-gtids={status.gtid}" if status.gtid else ""
    stop = f"--stop-position={status.end}" if status.end > status.position else ""
    words = [
        f"{program} -R -h {host} -P {port} -u {user} -p -vv", "--base64-output=DECODE-ROWS",
        f"--start-position={status.position}", stop, only, shlex.quote(status.file),
    ]  # fmt: skip
    return (Step("shell", (" ".join(filter(None, words)),)),)


def fields(
    status: Status,
    message: str,
    table: str,
    source: Table | None,
    replica: Table | None,
    column: str,
    findings: Sequence[Finding],
    harm: Sequence[Difference],
    live: Live,
    server: Server | None,
    sources: Sequence[Table] = (),
) -> dict[str, str]:
    """What the error's text, the definitions and the log tell, by the names of `rules/stops.yaml`."""
    out = {"use": ""}
    database, bare = parts(table, filter(None, (source, replica)))
    if database:
        out |= {"table": f"{quoted(database)}.{quoted(bare)}", "plain": table, "schema": quoted(database)}
        out |= {"pattern": string(bare), "dump": "mariadb-dump" if status.words == "mariadb" else "mysqldump"}
        if replica is not None and replica.database is None:
            out["use"] = f"USE {quoted(database)};"
    if source is None and _ABSENT.search(message) and bare not in message.partition("Query: '")[2]:
        # The statement names another table: not a row of this one, but what the replica does beside it.
        out = {"use": "", "schema": quoted(database), "pattern": string(bare), "hidden": table}
        out["hidden_pattern"] = string(f"%{bare}%")
    if column:
        out["column"] = column
    types = _TYPES.search(message)
    if types and types[1]:
        out |= {"here": types[1], "there": types[2]}
    event, entry = _EVENT.search(message), _ENTRY.search(message)
    changed: tuple[Image, ...] = ()
    if event:
        out["action"] = _ACTIONS[event[1]]
        if source is not None:
            changed = row.images(live.log(), source, out["action"], status.end)
    if entry and not re.search(r"(?i)Query: '\s*(ALTER|CREATE)", message):
        name = entry[2].removeprefix(f"{bare}.")
        out |= {"entry": entry[1], "key": name, "primary" if name == "PRIMARY" else "other_key": name}
        inserted = changed[0] if len(changed) == 1 and out.get("action") == "insert" else None
        out |= _duplicate(name, entry[1], inserted, source, replica)
    elif changed and source is not None and (where := row.condition(changed, source)):
        out |= {"where": where} | ({"row": where} if len(changed) == 1 else {})
        if out["action"] != "insert" and (missing := row.insert(changed, source)):
            out["insert"] = "\n".join(missing)
    if source is not None and replica is not None and server is not None:
        out |= _of_column(message, source, replica, column, findings, harm, server)
        if "entry" in out and "alter" in out and any(f.remedy_sql and f.code == _COLLATED for f in findings):
            out["recollate"] = out["alter"]
    none = replica is None or replica.kind is not TableKind.TABLE
    if none and source is not None and source.kind is TableKind.TABLE and server is not None:
        text = source.text or live.definition(f"TABLE {out['table']}")
        out |= {"create": f"USE {quoted(database)};\n{created(text, server)}"} if text else {}
    return out | _program(message, live) | foreign(message, table, sources, changed, live)


def _duplicate(
    name: str, entry: str, inserted: Image | None, source: Table | None, replica: Table | None
) -> dict[str, str]:
    """What finds the row that the replica has; `drop_key` where only the replica has the key."""
    out = {}
    held = replica or source
    if held is None or not (places := row.key_columns(held, name)):
        return {}
    names = [quoted(held.columns[at].name) for at in places]
    if source is not None and inserted is not None and row.key_columns(source, name):
        out["where"] = row.condition((inserted,), source, name)
    elif "\\x" not in entry:
        left = names[0] if len(names) == 1 else f"CONCAT_WS('-', {', '.join(names)})"
        out["where"] = f"{left} = {string(entry)}"
    unique = [{part.column for part in key.parts} for key in source.keys if key.unique] if source else None
    if replica and unique is not None and {held.columns[at].name for at in places} not in unique:
        alter = f"ALTER TABLE {table_name(replica)}"
        out["drop_key"] = f"{alter} DROP INDEX {quoted(name)};"
        out["add_key"] = f"{alter} ADD UNIQUE KEY {quoted(name)} ({', '.join(names)});"
    return {name: text for name, text in out.items() if text}


def _of_column(
    message: str, source: Table, replica: Table, column: str, findings: Sequence[Finding],
    harm: Sequence[Difference], server: Server,
) -> dict[str, str]:  # fmt: skip
    """The ALTERs towards the source's column, with columns that harm later rows; and the way back."""
    out = {}
    alter = f"ALTER TABLE {table_name(replica)}"
    altered = [f for f in findings if f.remedy_sql and f.table == source.name]
    if altered or _TYPES.search(message):  # a column that another one moved has no fix of its own
        altered += [d.finding for d in harm if d.finding.remedy_sql and d.finding.column]
    if altered:
        out["alter"] = "\n".join(dict.fromkeys(f.remedy_sql or "" for f in altered))
        undone = []
        for finding in {f.column: f for f in altered}.values():
            name, old = finding.column or "", replica.column(finding.column or "")
            place = _place(replica, replica, old) if old and _MOVED.search(finding.remedy_sql or "") else ""
            undone.append(
                modify(replica, old, old, server, place) if old else f"{alter} DROP COLUMN {quoted(name)};"
            )
        if all(undone):
            out["undo"] = "\n".join(filter(None, undone))
    ours, theirs = source.column(column), replica.column(column)
    at = source.columns.index(ours) if ours is not None else len(replica.columns)
    other = replica.columns[at] if at < len(replica.columns) else None
    if ours and theirs is None and other and other.type == ours.type and not source.column(other.name):
        out["other"], out["rename"] = other.name, rename(replica, other, ours.name, server) or ""
        out["rename_back"] = rename(replica, replace(other, name=ours.name), other.name, server) or ""
    elif ours is not None and theirs is None:
        out["add"] = add(replica, ours, server, _place(source, replica, ours)) or ""
        out["drop"] = f"{alter} DROP COLUMN {quoted(ours.name)};"
        out["values"] = f"{table_name(source)} WHERE {quoted(ours.name)} IS NOT NULL"
    elif theirs and "default value" in message and not (theirs.nullable or theirs.has_default):
        given = ours if ours is not None and (ours.nullable or ours.has_default) else None
        out["default"] = modify(replica, theirs, given or replace(theirs, nullable=True), server) or ""
        out["no_default"] = modify(replica, theirs, theirs, server) or ""
    elif not altered and (theirs or not column):
        same = source.columns == replica.columns
        out["mended"] = f"The definitions {'are equal now' if same else 'do not lead to this error now'}."
        if theirs and theirs.nullable and "default value" in message:
            # It may have lost its DEFAULT NULL, which information_schema does not show.
            out["mended"] += (
                f" Where SHOW CREATE TABLE prints {theirs.name} without DEFAULT NULL, run first: "
                f"{alter} ALTER COLUMN {quoted(theirs.name)} SET DEFAULT NULL."
            )
    return {name: text for name, text in out.items() if text}


def _place(source: Table, replica: Table, column: Column) -> str:
    """Behind the nearest column before it that the replica has."""
    before = source.columns[: source.columns.index(column)]
    near = next((column for column in reversed(before) if replica.column(column.name) is not None), None)
    return f" AFTER {quoted(near.name)}" if near is not None else " FIRST"


def contradiction(message: str, place: int, source: Table, replica: Table, link: Link) -> dict[str, str]:
    """What is said where an error names types that the given columns do not have: `otherwise` of the logged
    row's, `since` of the replica's, which was altered since or is another table.
    """
    here, there = source.columns[place].type, replica.columns[place].type
    expected = conversion_failed(place, here, there, link.source, link.replica, source.database, source.name)
    numbers = [
        f"type {image(column_type, end).real.value}"
        for column_type, end in ((here, link.source), (there, link.replica))
    ]
    listed, given = _types(message), _types(expected.message) or numbers  # 5.1 compares sizes of equal types
    if not listed:
        return {}
    if listed[0] != given[0]:
        text = f"The logged row has {listed[0]}, the given definition {here.sql()}, which is of another time."
        return {"otherwise": f"{text} The replica's column needs {listed[0]} until it has applied the ALTER."}
    text = f"The replica's column was {listed[1]} when it stopped, the given definition has {there.sql()}."
    return {"since": text} if listed[1] != given[1] else {}


def _types(message: str) -> list[str]:
    """The names of both types that an error has, without lengths (5.1: numbers); [] where it has none."""
    match = _TYPES.search(message)
    words = [word.strip("<") for word in match.groups() if word] if match else []
    plain = [_SIZE.sub("", re.split(r"[ (]", word)[0]) if word else "" for word in words]
    return [f"type {word}" if word.isdigit() else word for word in plain]


#: First words of a statement, and of an event, that run the triggers of its table.
_RUNS = frozenset(("INSERT", "REPLACE", "LOAD", "UPDATE", "DELETE"))
_IN_TRIGGER = re.compile(r"At line \d+ in ([^,]+), Error_code: 4094")


def triggers(message: str, replica: Table | None) -> str:
    """The replica's triggers out of which an error may have come that names no table of its own: the one that
    it names (MariaDB), else those of the statement's table.
    """
    named = _IN_TRIGGER.search(message)
    if named:
        return named[1]
    statement = message.partition(" Query: '")[2].split(None, 1)[:1]
    if replica is None or not statement or statement[0].upper() not in _RUNS or "CONSTRAINT `" in message:
        return ""
    return ", ".join(trigger.name for trigger in replica.triggers)


def _program(message: str, live: Live) -> dict[str, str]:
    """The routine that a statement uses, and its definition; `gone` where the statement drops it."""
    match = _PROGRAM.search(message)
    if match is None:
        return {}
    name = f"{match[1]} {quoted(match[2])}.{quoted(match[3])}"
    if re.search(r"(?i)Query: '\s*DROP ", message):
        return {"gone": name}
    text = live.definition(name)
    made = f"USE {quoted(match[2])};\nDELIMITER //\n{text}//\nDELIMITER ;"
    return {"program": name, "drop_program": f"DROP {name};"} | ({"create_program": made} if text else {})
