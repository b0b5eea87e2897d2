"""Records facts: cases are asked of two servers that may be lost, over a real channel, as `prove` asks them.

    python -m tests.facts.record CASES.jsonl OUT.jsonl --local
    python -m tests.facts.record CASES.jsonl OUT.jsonl --source-server DSN --replica-server DSN

A case is a line with the question's fields of README.md beside this file; what the generators here print is
such lines. The answers are written in the facts' format, behind a line that names the servers: they can be
judged (`python -m tests.facts OUT.jsonl`) and kept (`python -m tests.facts.compact`). Both servers have
explicit_defaults_for_timestamp=ON, as all facts do. A run ends where a server does not come back.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from schemacheck.cli import live_access, scratch_servers
from schemacheck.errors import InputError, UsageError
from schemacheck.inputs.connection import Refused, Session, connected
from schemacheck.inputs.endpoint import Endpoint
from schemacheck.model.quote import quoted, string
from schemacheck.prove.channel import Channel
from schemacheck.prove.scratch import Scratch

DATABASE = "rpl"
#: Facts say `test` where a message names the database.
SHOWN_AS = "test"
#: Rows of a table, characters of a value that are kept.
ROWS, LONGEST = 50, 300
#: Seconds for a statement of a case, and until a server that died must be there again.
PATIENCE = 120.0
_BYTES = ("binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob", "vector")
_SHAPES = (
    "geometry", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon",
    "geometrycollection", "geomcollection",
)  # fmt: skip
_FAMILY = re.compile(r"\A(mysql|mariadb)\D*(\d+\.\d+)", re.ASCII)
_MODES = ("replica_type_conversions", "slave_type_conversions")


class Recorder:
    """Answers cases, one at a time: each finds empty databases and default settings."""

    def __init__(self, ends: tuple[Scratch, Scratch]) -> None:
        self.source, self.replica = ends
        self.default_modes = [_default_mode(end) for end in ends]
        for end in ends:
            end.databases.add(DATABASE)
            end.set_global("explicit_defaults_for_timestamp", "ON")
        self.before = dict(self.replica.variables)
        self.changed: set[str] = set()
        self.channel = Channel(*ends)

    def header(self) -> dict[str, str]:
        """The line that names the servers."""
        named = {
            side: _FAMILY.sub(r"\1-\2", f"{end.server.flavor}-{end.version}")
            for side, end in (("source", self.source), ("replica", self.replica))
        }
        return {
            "source": _FAMILY.match(named["source"])[0],
            "replica": _FAMILY.match(named["replica"])[0],
            "via": "replication",
            "source_version": self.source.version.split("-")[0],
            "replica_version": self.replica.version.split("-")[0],
            "default_charset": "utf8mb4",
        }

    def answer(self, case: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a fact's answer. Raises InputError where a server or the channel fails."""
        for end in (self.source, self.replica):
            end.session.renew()
        refused = self._settings(case)
        if refused:
            return {"outcome": "mode_unsupported", "message": refused}
        with (
            connected(self.source.endpoint, PATIENCE) as ours,
            connected(self.replica.endpoint, PATIENCE) as theirs,
        ):
            for session, side, mode in zip(
                (theirs, ours), ("replica", "source"), self.default_modes[::-1], strict=True
            ):
                error = _made(session, side, case, mode)
                if error:
                    return {"outcome": "ddl_refused", f"{side}_ddl_error": error}
            return self._replicated(ours, case)

    def _settings(self, case: Mapping[str, Any]) -> str:
        """Set what the case wants of the replica; the refusal, or ''."""
        wanted = {name: _text(value) for name, value in (case.get("replica_globals") or {}).items()}
        mode = case.get("sql_mode")
        wanted.setdefault("sql_mode", self.default_modes[1] if mode is None else mode)
        known = next(name for name in _MODES if name in self.before)
        wanted[known] = case.get("modes") or ""
        for name in self.changed - set(wanted):
            wanted[name] = self.before[name]
        before = dict(self.replica.variables)
        try:
            for name, value in wanted.items():
                self.replica.set_global(name, value)
        except UsageError as error:
            return str(error)
        self.changed.update(wanted)
        if before != self.replica.variables:
            self.channel.restart_applier()
        metadata = case.get("binlog_row_metadata") or "MINIMAL"
        if "binlog_row_metadata" in self.source.variables:
            self.source.set_global("binlog_row_metadata", metadata)
        return ""

    def _replicated(self, ours: Session, case: Mapping[str, Any]) -> dict[str, Any]:
        """The case's statements, logged, and what became of them at both ends."""
        out: dict[str, Any] = {}
        mode = case.get("source_sql_mode")
        _ask(ours, f"SET SESSION sql_mode = {string(self.default_modes[0] if mode is None else mode)}")
        for name, standard in (("binlog_row_image", "FULL"), ("binlog_format", "ROW")):
            if name in self.source.variables:
                _ask(ours, f"SET SESSION {name} = {string(case.get(name) or standard)}")
        for name, value in (case.get("source_vars") or {}).items():
            _ask(ours, f"SET SESSION {name} = {string(value) if isinstance(value, str) else value}")
        begin = self.source.position()
        _ask(ours, "SET SESSION sql_log_bin = 1")
        failed = []
        for place, statement in enumerate(_list(case.get("source_sql"))):
            try:
                _ask(ours, statement)
            except Refused as error:
                failed.append([place, error.number])
                out["source_error"] = f"{error.number}: {error.text}"
                if not case.get("source_goes_on"):
                    break
        _ask(ours, "SET SESSION sql_log_bin = 0")
        if failed:
            out["source_failed"] = failed
        end = self.source.position()
        if begin == end and not failed:
            out["no_events"] = True
        if begin[0] == end[0] and case.get("binlog_format") != "STATEMENT":
            events = self.source.events(*begin) if begin != end else []
            named = (re.search(rf"\({DATABASE}\.(.*)\)\Z", e[1]) for e in events if e[0] == "Table_map")
            out["row_tables"] = sorted({found[1] for found in named if found})
            if case.get("binlog_format") == "MIXED":
                texts = [text for kind, text in events if kind == "Query"]
                out["row_statements"] = [
                    place
                    for place, statement in enumerate(_list(case.get("source_sql")))
                    if not any(statement in text for text in texts)
                ]
        out["source"] = tables_of(self.source)
        stopped = self.channel.wait()
        if failed and not case.get("source_may_fail"):
            out["outcome"] = "source_refused"
        elif stopped is None:
            out["outcome"] = "applied"
        elif stopped.receiver:
            raise InputError(f"{self.replica.name}: the link itself stops: {stopped.message}")
        else:
            out |= {"outcome": "error", "errno": stopped.number, "message": _plain(stopped.message)}
        if stopped is not None:
            self.channel.begin_again()
        out["replica"] = tables_of(self.replica)
        return out


def _default_mode(end: Scratch) -> str:
    """The sql_mode that this version has by itself; all facts begin with it."""
    given = end.variables["sql_mode"]
    end.ask("SET GLOBAL sql_mode = DEFAULT")
    found = str(end.ask("SELECT @@GLOBAL.sql_mode")[0][0])
    end.ask(f"SET GLOBAL sql_mode = {string(given)}")
    end.set_global("sql_mode", found)
    return found


def _made(session: Session, side: str, case: Mapping[str, Any], mode: str) -> str:
    """Make one end's tables anew, unlogged; the refusal, or ''."""
    for statement in (
        "SET SESSION sql_log_bin = 0",
        f"SET SESSION sql_mode = {string(mode)}",
        "SET SESSION foreign_key_checks = 0",
        f"DROP DATABASE IF EXISTS {quoted(DATABASE)}",
        f"CREATE DATABASE {quoted(DATABASE)} CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci",
        f"USE {quoted(DATABASE)}",
        "SET SESSION foreign_key_checks = 1",
    ):
        _ask(session, statement)
    try:
        for part in ("pre", "ddl", "setup"):
            for statement in _list(case.get(f"{side}_{part}")):
                _ask(session, statement)
    except Refused as error:
        return f"{error.number}: {error.text}"
    return ""


def tables_of(end: Scratch) -> dict[str, Any]:
    """Table -> [columns, rows] of the case's database; [columns, `READ number`] where it cannot be read."""
    found = end.ask(
        "SELECT table_name, column_name, data_type, character_set_name FROM information_schema.columns "
        f"JOIN information_schema.tables USING (table_schema, table_name) WHERE table_schema = "
        f"{string(DATABASE)} AND table_type <> 'VIEW' AND table_type <> 'SEQUENCE' "
        "ORDER BY table_name, ordinal_position"
    )
    tables: dict[str, list[tuple[str, str, str | None]]] = {}
    for table, column, base, charset in found:
        tables.setdefault(str(table), []).append((str(column), str(base).lower(), charset))
    return {name: [[c for c, _, _ in columns], _rows(end, name, columns)] for name, columns in tables.items()}


def _rows(end: Scratch, table: str, columns: list[tuple[str, str, str | None]]) -> Any:
    shown = ", ".join(_shown(quoted(name), base, charset) for name, base, charset in columns)
    try:
        rows = end.ask(f"SELECT {shown} FROM {quoted(DATABASE)}.{quoted(table)} LIMIT {ROWS}")
    except Refused as error:
        return f"READ ({error.number}, {error.text!r})"
    return [[_value(v, base) for v, (_, base, _) in zip(row, columns, strict=True)] for row in rows]


def _shown(name: str, base: str, charset: str | None) -> str:
    """The digits of the bytes that a client would get."""
    if base in _BYTES or base in _SHAPES or (charset or "").startswith("utf8"):
        return f"HEX({name})"
    return f"HEX(CONVERT({name} USING utf8mb4))" if charset else f"HEX(CONCAT({name}))"


def _value(digits: str | None, base: str) -> str | None:
    """As facts have it: text, `0x...` for bytes, `bad:0x...` for text that is none, long ones cut."""
    if digits is None:
        return None
    raw = bytes.fromhex(digits)
    if base == "bit" or base in _BYTES or base in _SHAPES:
        text = f"0x{digits}"
    else:
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            text = f"bad:0x{digits}"
    if max(len(raw), len(text)) <= LONGEST:
        return text
    digest = hashlib.md5(raw, usedforsecurity=False).hexdigest()[:8]
    return f"{text[:24]}...len={len(raw)},md5={digest}"


def _ask(session: Session, statement: str) -> None:
    session.query(statement, "a statement failed")


def _list(given: str | list[str] | None) -> list[str]:
    return [given] if isinstance(given, str) and given else list(given or ())


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def _plain(message: str) -> str:
    """The message as facts have it: every database is `test`."""
    for quote in ("`", "'"):
        message = message.replace(f"{quote}{DATABASE}{quote}", f"{quote}{SHOWN_AS}{quote}")
    return message.replace(f"{DATABASE}.", f"{SHOWN_AS}.")


def _clear(args: argparse.Namespace) -> None:
    """End what a run has left on servers of which one has died. Raises InputError where it is not there."""
    for side in ("source", "replica"):
        endpoint = Endpoint.parse(getattr(args, f"{side}_server"), live_access.access(args, side))
        with connected(endpoint, PATIENCE) as session:
            end = Scratch(session)
            end.replicates = side == "replica"
            end.databases.add(DATABASE)
            end.put_back()


def recorded(args: argparse.Namespace, cases: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The header, then every case with its answer. A server that dies is `crash`; the run goes on when it is
    there again. Raises InputError where it does not come back.
    """
    waiting = iter(cases)
    named = died = False
    since = time.monotonic()
    while True:
        case = None
        try:
            if died:
                _clear(args)
            with scratch_servers.ends(args) as ends:
                recorder = Recorder(ends)
                if not named:
                    yield recorder.header()
                    named = True
                for case in waiting:
                    yield case | recorder.answer(case)
                    since = time.monotonic()
                return
        except InputError as error:
            if case is not None:
                yield case | {"outcome": "crash", "message": str(error)}
                died = not args.local
            elif args.local or time.monotonic() - since > PATIENCE:
                raise
            time.sleep(1)


def main(words: list[str]) -> int:
    """1 where a case has no answer."""
    parser = argparse.ArgumentParser(prog="python -m tests.facts.record")
    parser.add_argument("cases", type=Path)
    parser.add_argument("out", type=Path)
    scratch_servers.add(parser)
    live_access.add_arguments(parser)
    args = parser.parse_args(words)
    count: Counter[str] = Counter()
    try:
        scratch_servers.check(args)
        with args.cases.open(encoding="utf-8") as given, args.out.open("w", encoding="utf-8") as out:
            for line in recorded(args, map(json.loads, filter(str.strip, given))):
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
                out.flush()
                count[line.get("outcome", "")] += 1
    except (InputError, UsageError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    print(", ".join(f"{name}: {number}" for name, number in sorted(count.items()) if name))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
