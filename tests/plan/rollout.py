"""Carries out the runbook of a plan, step by step, on a real source and replica that are written all the
while: nothing may stop, and both ends must hold the same rows and definitions at its end. The same with each
step's rollback.

`python -m tests.plan.rollout SERVER SOURCE_PORT REPLICA_PORT [--unlogged] [--rollback] [--count N] [--skip N]
[--still] [--pairs FILE]` runs the recorded pairs of one table; `--still` writes between the steps only.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemacheck import catalog
from schemacheck.model import Link, Server, Table
from schemacheck.model.column_type import ColumnType
from schemacheck.plan import Plan, plan
from schemacheck.plan.fits import NO_ROW, NONE
from schemacheck.plan.model import RunbookStep, StepKind
from schemacheck.plan.verdict import exit_status
from tests.plan.carried_out import CHARSET, Lab, connect, meaning

DATABASE = "plan_rollout"


class Stopped(Exception):
    """Something of a rollout did not go as the runbook says."""


class Unfit(Exception):
    """Rows do not fit the new definition: a look before the step says so, or the first server refuses."""


#: What a server says of rows that a new definition does not take; nothing has changed then.
_UNFIT = (1062, 1138, 1264, 1265, 1292, 1366, 1406, 1452, 1526, 1748, 3819, 4025)


@dataclass(frozen=True, slots=True)
class Outcome:
    """'equal', 'none' (no way is offered), 'unfit' (rows stand in the way, and nothing was changed),
    'refused' (the pair is none here), 'wrong'."""

    verdict: str
    why: str = ""
    steps: int = 0
    rows: int = 0


class Writer(threading.Thread):
    """Writes rows of a table as it stands at the moment, until it is told to stop."""

    def __init__(
        self, connection: Any, table: str, seed: int, old: Table | None = None, new: Table | None = None
    ) -> None:
        super().__init__(daemon=True)
        sides = [one for one in (old, new) if one is not None]
        #: The types of a column on both sides.
        self.types: dict[str, list[ColumnType]] = {}
        for one in sides:
            for column in one.columns:
                self.types.setdefault(column.name, []).append(column.type)
        self.never_null = {c.name for one in sides for c in one.columns if not c.nullable}
        self.own = {p.column for one in sides for key in one.keys if key.unique for p in key.parts}
        self.bound = {name for one in sides for key in one.enforced_keys for name in key.columns}
        self.connection, self.table = connection, table
        self.draw = random.Random(seed)
        self.numbers: dict[str, int] = {}
        self.ends = threading.Event()
        self.rows = 0

    def run(self) -> None:
        while not self.ends.is_set():
            self.once()
            time.sleep(0.004)

    def once(self) -> None:
        import pymysql

        # A row that the table does not take as it stands is not written on either end.
        with contextlib.suppress(pymysql.MySQLError), self.connection.cursor() as cursor:
            for sql in self.statements(cursor):
                with contextlib.suppress(pymysql.err.IntegrityError, pymysql.err.DataError):
                    self.rows += cursor.execute(sql)

    def statements(self, cursor: Any) -> Iterator[str]:
        cursor.execute(f"SHOW COLUMNS FROM {DATABASE}.`{self.table}`")
        columns = [
            (name, kind, null == "YES" and name not in self.never_null)
            for name, kind, null, _, _, extra in cursor.fetchall()
            if "GENERATED" not in extra.upper().replace("DEFAULT_GENERATED", "")
        ]
        names = ", ".join(f"`{n}`" for n, _, _ in columns)
        values = ", ".join(itertools.starmap(self.value, columns))
        yield f"INSERT INTO {DATABASE}.`{self.table}` ({names}) VALUES ({values})"
        name, kind, null = self.draw.choice(columns)
        if self.draw.random() < 0.4:
            new = f"`{name}` = {self.value(name, kind, null)}"
            yield f"UPDATE {DATABASE}.`{self.table}` SET {new} ORDER BY 1 LIMIT 1"
        if self.draw.random() < 0.2:
            yield f"DELETE FROM {DATABASE}.`{self.table}` ORDER BY 1 LIMIT 1"

    def value(self, name: str, kind: str, null: bool) -> str:
        """A value that the column takes, and will take when it is changed."""
        draw, types = self.draw, self.types.get(name, [])
        if null and (name in self.bound or draw.random() < 0.2):
            return "NULL"
        base = re.match(r"\w+", kind)[0]
        if base in ("enum", "set"):
            members = re.findall(r"'((?:[^']|'')*)'", kind)
            kept = [m for m in members if all(not t.members or m in t.members for t in types)]
            return f"'{draw.choice(kept or members)}'"
        if base == "json":
            return "'{\"a\": 1}'"
        number = self.numbers[name] = self.numbers.get(name, 0) + 1
        if base in ("char", "varchar", "tinytext", "text", "mediumtext", "longtext"):
            size = min((t.length for t in types if t.is_character and t.length), default=8)
            text = "".join(draw.choice("abcdefgé" if draw.random() < 0.1 else "abcdefg") for _ in range(8))
            return f"'{(str(number) + text)[:size]}'" if name in self.own else f"'{text[:size]}'"
        if base in ("binary", "varbinary", "blob", "tinyblob", "mediumblob", "longblob"):
            return f"0x{draw.randrange(16, 256):02x}"
        fixed = {
            "date": f"'2020-02-{draw.randint(1, 28):02d}'", "time": f"'10:11:{draw.randint(0, 59):02d}'",
            "year": str(draw.randint(2010, 2030)), "bit": "b'1'", "point": "ST_GeomFromText('POINT(1 1)')",
            "float": "1.5", "double": "2.25", "decimal": f"{draw.randint(0, 9)}.5", "uuid": "uuid()",
            "inet6": f"'::{draw.randint(1, 99)}'",
        }  # fmt: skip
        if base in ("datetime", "timestamp"):
            return f"'2021-03-04 05:06:{draw.randint(0, 59):02d}'"
        if base in fixed:
            return fixed[base]
        if name in self.own:
            return str(number)
        return str(draw.randint(1, 50))


class Channel:
    """A source and its replica."""

    def __init__(self, version: str, source: int, replica: int, password: str = "") -> None:
        self.password = password
        self.ports = (source, replica)
        self.ends = [Lab(connect(port, password), version) for port in self.ports]
        for end in self.ends:
            end.ask("SET SESSION sql_log_bin = 0")
        self.servers: list[Server] = [end.server for end in self.ends]
        self.word = "REPLICA" if self.servers[1].has("replica-words") else "SLAVE"
        self.begin()

    def begin(self) -> None:
        """The channel anew, from the source's end."""
        source, replica = self.ends
        new = self.word == "REPLICA"
        for sql in (f"STOP {self.word}", f"RESET {self.word} ALL"):
            with contextlib.suppress(Exception):
                replica.ask(sql)
        show = "SHOW BINARY LOG STATUS" if self.servers[0].has("binary-log-status") else "SHOW MASTER STATUS"
        file, position = source.ask(show)[0][:2]
        change, prefix = ("CHANGE REPLICATION SOURCE TO", "SOURCE") if new else ("CHANGE MASTER TO", "MASTER")
        more = ", GET_SOURCE_PUBLIC_KEY=1" if new else ""
        user = f", {prefix}_PASSWORD='{self.password}'" if self.password else ""
        replica.ask(
            f"{change} {prefix}_HOST='127.0.0.1', {prefix}_PORT={self.ports[0]}, {prefix}_USER='root', "
            f"{prefix}_LOG_FILE='{file}', {prefix}_LOG_POS={position}, {prefix}_CONNECT_RETRY=1{user}{more}"
        )
        replica.ask(f"START {self.word}")

    def setup(self, statements: Sequence[str]) -> str:
        """The same definitions on both ends, unlogged; the refusal, or ''."""
        for end in self.ends:
            end.ask("SET SESSION sql_log_bin = 0")
            refused = end.fresh(DATABASE, statements)
            if refused:
                return refused
        return ""

    def state(self) -> dict[str, Any]:
        import pymysql

        with self.ends[1].connection.cursor(pymysql.cursors.DictCursor) as cursor:
            cursor.execute(f"SHOW {self.word} STATUS")
            return dict(cursor.fetchone())

    def trouble(self) -> str:
        found = self.state()
        number = found.get("Last_SQL_Errno") or found.get("Last_IO_Errno")
        return f"{number}: {found.get('Last_SQL_Error') or found.get('Last_IO_Error')}" if number else ""

    def settled(self) -> None:
        """Until the replica has everything. Raises Stopped."""
        source = self.ends[0]
        show = "SHOW BINARY LOG STATUS" if self.servers[0].has("binary-log-status") else "SHOW MASTER STATUS"
        file, position = source.ask(show)[0][:2]
        name = "SOURCE_POS_WAIT" if self.word == "REPLICA" else "MASTER_POS_WAIT"
        found = self.ends[1].ask(f"SELECT {name}('{file}', {position}, 60)")[0][0]
        if found is None or int(found) < 0 or self.trouble():
            raise Stopped(f"the replica does not get there: {found} {self.trouble()}")

    # -- steps ----------------------------------------------------------------------------------

    def run(self, step: RunbookStep, marks: dict[str, str]) -> None:
        """One step as a person would do it, in a session of its own. Raises Stopped."""
        if step.kind is StepKind.STOP:
            raise Stopped(step.text)
        with self.session(step.side) as session:
            for look in step.before:
                self.look(session, look.sql, look.expect)
            for sql in step.sql:
                rows = self.ask(session, filled(sql, marks))
                if step.kind is StepKind.MARK:
                    self.mark(sql, rows, marks)
                elif step.kind is StepKind.WAIT and (rows[0][0] is None or int(rows[0][0]) < 0):
                    raise Stopped(f"{sql} shows {rows}: {self.trouble()}")
            if step.kind is StepKind.RUN:
                for look in step.after:
                    self.look(session, look.sql, look.expect)
        if self.trouble():
            raise Stopped(f"after step {step.number}: {self.trouble()}")

    def back(self, step: RunbookStep) -> None:
        with self.session(step.side) as session:
            for sql in step.rollback:
                self.ask(session, sql)
        if self.trouble():
            raise Stopped(f"after the rollback of step {step.number}: {self.trouble()}")

    @contextlib.contextmanager
    def session(self, side: str) -> Iterator[Any]:
        connection = connect(self.ports[side != "source"], self.password)
        try:
            connection.select_db(DATABASE)
            yield connection
        finally:
            connection.close()

    def ask(self, session: Any, sql: str) -> list[tuple[Any, ...]]:
        import pymysql

        for again in range(4):
            try:
                with session.cursor() as cursor:
                    cursor.execute(sql.removesuffix("\\G").rstrip(";"))
                    return list(cursor.fetchall())
            except pymysql.MySQLError as error:
                # The runbook says so: nothing has changed, try again.
                if error.args[0] == 1205 and again < 3:
                    continue
                if error.args[0] in _UNFIT:
                    raise Unfit(f"{error.args[0]} {error.args[1]} in {sql}") from None
                raise Stopped(f"{error.args[0]} {error.args[1]} in {sql}") from None
        return []

    def look(self, session: Any, sql: str, expect: str) -> None:
        if " STATUS" in sql and "SHOW" in sql:
            # The threads are up a moment after START.
            for _ in range(100):
                found = self.state()
                running = [found.get(k) for k in found if k.endswith(("IO_Running", "SQL_Running"))]
                if running == ["Yes", "Yes"] or self.trouble():
                    break
                time.sleep(0.05)
            if running != ["Yes", "Yes"]:
                raise Stopped(f"{expect} is not so: {running} {self.trouble()}")
            return
        rows = self.ask(session, sql)
        if (expect == NONE and rows[0][0]) or (expect == NO_ROW and rows):
            raise Unfit(f"{sql} shows {rows[0]}")
        if not rows and expect != NO_ROW and "TABLE_SCHEMA" not in sql:
            raise Stopped(f"{sql} shows nothing")

    def mark(self, sql: str, rows: list[tuple[Any, ...]], marks: dict[str, str]) -> None:
        if "@@GLOBAL" in sql:
            marks["<gtids>"] = str(rows[0][0])
        else:
            marks["<file>"], marks["<position>"] = str(rows[0][0]), str(rows[0][1])

    # -- comparing ------------------------------------------------------------------------------

    def compared(self, table: str) -> str:
        """How the two ends differ; '' where they do not."""
        shown, rows = [], []
        for end in self.ends:
            end.session()
            text = end.ask(f"SHOW CREATE TABLE {DATABASE}.`{table}`")[0][1]
            shown.append(meaning(text))
            rows.append(sorted(map(repr, end.ask(f"SELECT * FROM {DATABASE}.`{table}`"))))
        if shown[0] != shown[1]:
            return f"definitions differ: {shown}"
        if rows[0] != rows[1]:
            here = [r for r in rows[0] if r not in rows[1]][:3]
            there = [r for r in rows[1] if r not in rows[0]][:3]
            return f"rows differ: source {here} replica {there}"
        return ""

    def rollout(
        self,
        old: str,
        new: str,
        *,
        unlogged: bool,
        rollback: bool = False,
        still: bool = False,
        seed: int = 1,
    ) -> Outcome:
        """One pair of definitions of one table, rolled out."""
        table = re.match(r"CREATE TABLE `?([^`\s(]+)", old)[1]
        refused = self.setup([old])
        if refused:
            return Outcome("refused", refused)
        found = self.plan(old, new, unlogged=unlogged)
        if exit_status(found) or not found.runbook:
            return Outcome("none")
        runs = [s.number for s in found.runbook if s.kind is StepKind.RUN]
        stops = runs if rollback else [None]
        rows = 0
        for stop in stops:
            if stop is not None and (
                self.setup([old])
                or not all(s.rollback for s in found.runbook if s.number <= stop and s.kind is StepKind.RUN)
            ):
                continue
            done, why = self.carry(found, table, stop, still=still, seed=seed)
            rows += done
            if why:
                verdict = "unfit" if why.startswith("unfit: ") else "wrong"
                return Outcome(verdict, why, len(found.runbook), rows)
        return Outcome("equal", "", len(found.runbook), rows)

    def plan(self, old: str, new: str, *, unlogged: bool) -> Plan:
        sides = [
            catalog.read(text, self.servers[0], database=DATABASE, charsets={DATABASE: CHARSET})
            for text in (old, new)
        ]
        return plan(*sides, Link(*self.servers), unlogged=unlogged)

    def carry(self, found: Plan, table: str, stop: int | None, *, still: bool, seed: int) -> tuple[int, str]:
        """The runbook up to a step (None: to its end) and, from a step, back again: (rows that were written,
        what went wrong)."""
        sides = next(((one.old, one.new) for one in found.tables), (None, None))
        writer = Writer(connect(self.ports[0], self.password), table, seed, *sides)
        marks: dict[str, str] = {}
        try:
            for _ in range(6):
                writer.once()
            if not still:
                writer.start()
            for step in found.runbook:
                self.run(step, marks)
                if still:
                    writer.once()
                    writer.once()
                if step.number == stop:
                    break
            if stop is not None:
                self.settled()
                for step in reversed(found.runbook[:stop]):
                    if step.rollback:
                        self.back(step)
                        for _ in range(3):
                            writer.once() if still else time.sleep(0.01)
                        self.settled()
            self.finish(writer)
            self.settled()
            return writer.rows, self.compared(table)
        except Unfit as unfit:
            self.finish(writer)
            return writer.rows, self.unchanged(str(unfit))
        except Stopped as stopped:
            self.finish(writer)
            self.begin()
            return writer.rows, str(stopped)
        finally:
            writer.connection.close()

    def unchanged(self, why: str) -> str:
        """What is left where rows stood in the way; '' never."""
        self.ends[1].ask(f"START {self.word} SQL_THREAD")
        try:
            self.settled()
        except Stopped as stopped:
            self.begin()
            return f"{why}, and then {stopped}"
        return f"unfit: {why}"

    def finish(self, writer: Writer) -> None:
        writer.ends.set()
        if writer.is_alive():
            writer.join()


def filled(sql: str, marks: dict[str, str]) -> str:
    for name, value in marks.items():
        sql = sql.replace(name, value)
    return sql


def pairs(server: str, file: str = "") -> list[dict[str, Any]]:
    """The pairs of one table that both sides have under the same name: recorded ones, or a file's."""
    from tests.plan.pairs import recorded

    out = []
    for one in map(json.loads, Path(file).read_text("utf-8").splitlines()) if file else recorded(server):
        if len(one["old"]) == len(one["new"]) == 1:
            names = [re.match(r"CREATE TABLE `?([^`\s(]+)", text) for text in (*one["old"], *one["new"])]
            if names[0] and names[1] and names[0][1] == names[1][1]:
                out.append(one)
    return out


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("source", type=int)
    parser.add_argument("replica", type=int)
    parser.add_argument("--unlogged", action="store_true")
    parser.add_argument("--rollback", action="store_true")
    parser.add_argument("--still", action="store_true")
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--pairs", default="", help="a file that tests.plan.pairs has made")
    given = parser.parse_args()
    channel = Channel(given.server, given.source, given.replica)
    counts: Counter[str] = Counter()
    steps = rows = 0
    for number, one in enumerate(pairs(given.server, given.pairs)[given.skip :]):
        if counts["equal"] + counts["wrong"] + counts["unfit"] >= given.count:
            break
        found = channel.rollout(
            one["old"][0], one["new"][0], unlogged=given.unlogged, rollback=given.rollback, still=given.still,
            seed=number,
        )  # fmt: skip
        counts[found.verdict] += 1
        steps, rows = steps + found.steps, rows + found.rows
        if found.verdict in ("wrong", "unfit"):
            print(
                f"--- {one['name']}: {found.verdict}: {found.why[:700]}\n"
                f"    old {one['old'][0]!r}\n    new {one['new'][0]!r}",
                flush=True,
            )
    print(given.server, vars(given), dict(counts), f"{steps} steps, {rows} rows written", flush=True)


if __name__ == "__main__":
    main()
