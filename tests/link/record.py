"""Ask two servers that may be lost what becomes of link cases, and write their answers.

    python -m tests.link.record OUT [SOURCE REPLICA] [--set NAME]... [--only REGEX] [--limit N] [--as S R]

SOURCE and REPLICA are mysql://user@host:port/ (an account that may do everything, from loopback), and lose
all databases, accounts and logs; without them two servers of this machine's own binary are started, as
`prove --local` does. A set is a module of this folder with `for_pair`; cases that OUT has are not
asked again. One answer a line, as `tests/facts/links.py` reads them: the case, `outcome`, `errno`,
`message`, `rows_equal`. Cases with start options (`--name`) and those that a server does not take are left
out and counted.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import re
import time
from pathlib import Path
from typing import Any

from schemacheck.errors import SchemacheckError, UsageError
from schemacheck.inputs.connection import Refused, connected
from schemacheck.inputs.endpoint import Endpoint
from schemacheck.model.quote import quoted, string
from schemacheck.prove.scratch import Scratch
from schemacheck.scratch import program, start
from schemacheck.scratch.server import SYSTEM
from schemacheck.scratch.where import program_maker

SETS = ("cases", "aspects", "combinations", "variables", "operations", "options", "further")
#: Seconds in which a channel must come to its end, and in which one that has read everything must be still.
PATIENCE, STILL = 8.0, 0.8
#: Seconds for all of one session.
SESSION = 120.0
KEPT = ("id", "what", "source_settings", "replica_settings", "session", "replica_session", "user", "position",
        "channel", "tables", "statements")  # fmt: skip
Case = dict[str, Any]


class NotHereError(Exception):
    """The case cannot be asked of these two servers."""


class End:
    """One server, and how it is set back between two cases."""

    def __init__(self, endpoint: Endpoint, name: str) -> None:
        self.endpoint = endpoint
        self.fixed = name
        self.sessions = contextlib.ExitStack()
        self.open()

    def open(self) -> None:
        """A new session, so that what the last one had set is gone."""
        self.sessions.close()
        self.scratch = Scratch(self.sessions.enter_context(connected(self.endpoint, SESSION)))
        self.ask("SET SESSION sql_mode = @@GLOBAL.sql_mode")
        self.ask("SET NAMES utf8mb4")
        server = self.scratch.server
        self.name = self.fixed or f"{server.flavor}-{server.version[0]}.{server.version[1]}"

    def ask(self, text: str) -> list[tuple[Any, ...]]:
        return self.scratch.ask(text)

    def try_to(self, *texts: str) -> None:
        """The first of these statements that the server takes."""
        for text in texts:
            try:
                self.ask(text)
            except Refused:
                continue
            return

    def clean(self) -> None:
        """No channel, databases, accounts or logs; settings as they were."""
        for text in ("STOP SLAVE", "RESET SLAVE ALL"):
            self.try_to(self.scratch.word(text))
        self.scratch.put_back()
        self.open()
        self.ask("SET SESSION sql_log_bin = 0")
        for (name,) in self.ask("SHOW DATABASES"):
            if name not in SYSTEM:
                self.ask(f"DROP DATABASE {quoted(name)}")
        mine = self.endpoint.user
        for user, host in self.ask("SELECT user, host FROM mysql.user"):
            if user not in (mine, "root", "", "PUBLIC") and not user.startswith(("mysql.", "mariadb.")):
                self.try_to(f"DROP USER {string(user)}@{string(host)}", f"DROP ROLE {quoted(user)}")
        self.try_to("RESET BINARY LOGS AND GTIDS", "RESET MASTER")
        if self.scratch.server.mariadb:
            self.try_to("SET GLOBAL gtid_slave_pos = ''")
        self.open()

    def take(self, settings: dict[str, Any], statements: list[str]) -> None:
        """Global variables, then statements in a new session. Raises NotHereError."""
        try:
            for name, value in settings.items():
                if name.startswith("--"):
                    raise NotHereError(f"{name} is an option of the start")
                self.scratch.set_global(name, "" if value is None else str(value))
            before = self.scratch.settings
            self.open()
            self.scratch.settings = before
            self.ask("USE d")
            for text in statements:
                self.ask(text)
        except (Refused, UsageError) as error:
            raise NotHereError(f"{self.name}: {error}") from None

    def begin(self, tables: list[str]) -> None:
        """Database d with its tables, unlogged. Raises NotHereError."""
        self.ask("SET SESSION sql_log_bin = 0")
        self.try_to("SET SESSION sql_require_primary_key = 0")
        self.ask("CREATE DATABASE d CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
        self.ask("USE d")
        try:
            for text in tables:
                self.ask(text)
        except Refused as error:
            raise NotHereError(f"{self.name}: {error}") from None

    def rows(self) -> dict[str, Any]:
        """Every row of the base tables of d, without a generated key."""
        self.try_to("SET SESSION sql_mode = ''")
        found = {}
        for name, kind in self.ask(
            "SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'd'"
        ):
            if kind not in ("BASE TABLE", "SYSTEM VERSIONED"):
                continue
            columns = self.ask(
                "SELECT column_name FROM information_schema.columns WHERE table_schema = 'd' "
                f"AND table_name = {string(name)} ORDER BY ordinal_position"
            )
            names = [f"HEX({quoted(column)})" for (column,) in columns if column != "my_row_id"]
            found[name] = sorted(map(repr, self.ask(f"SELECT {', '.join(names)} FROM d.{quoted(name)}")))
        return found


def account(end: End, user: dict[str, Any]) -> None:
    """The replication account of a case. Raises NotHereError."""
    name = string(user.get("account", user.get("name", "repl"))) + "@'127.0.0.1'"
    if user.get("name") == "root":
        return
    password, plugin = string(user.get("password", "secret")), user.get("plugin")
    by = f"IDENTIFIED BY {password}"
    if plugin:
        mariadb = end.scratch.server.mariadb
        by = f"VIA {plugin} USING PASSWORD({password})" if mariadb else f"WITH {plugin} BY {password}"
        by = f"IDENTIFIED {by}"
    end.ask("SET SESSION sql_log_bin = 0")
    try:
        end.ask(f"CREATE USER {name} {by}")
        end.ask(f"GRANT {user.get('grant', 'REPLICATION SLAVE')} ON *.* TO {name}")
        if user.get("require"):
            end.ask(f"ALTER USER {name} REQUIRE {user['require']}")
    except Refused as error:
        raise NotHereError(f"account: {error}") from None


def change(case: Case, source: End, replica: End, file: str, position: int) -> str:
    """CHANGE MASTER of a case, in the replica's words."""
    word = "SOURCE" if replica.scratch.server.has("channel-words-source") else "MASTER"
    user = case["user"]
    given: dict[str, Any] = {
        "HOST": "127.0.0.1", "PORT": source.endpoint.port, "USER": user.get("name", "repl"),
        "PASSWORD": user.get("password", "secret"),
    }  # fmt: skip
    if case["position"] == "file":
        given |= {"LOG_FILE": file, "LOG_POS": position}
    elif case["position"] == "gtid":
        given |= {"USE_GTID": "slave_pos"} if replica.scratch.server.mariadb else {"AUTO_POSITION": 1}
    options = {f"{word}_{name}": value for name, value in given.items()} | case["channel"]
    bare = re.compile(r"ON|OFF|LOCAL|STREAM|GENERATE|\(.*")

    def written(name: str, value: Any) -> str:
        plain = isinstance(value, int) or bare.fullmatch(value) or name.endswith("USE_GTID")
        return f"{name} = {str(value).lstrip('@') if plain or value[:1] == '@' else string(value)}"

    verb = "CHANGE REPLICATION SOURCE TO " if word == "SOURCE" else "CHANGE MASTER TO "
    return verb + ", ".join(written(name, value) for name, value in options.items())


def ask(case: Case, source: End, replica: End) -> dict[str, Any]:
    """One case's answer. Raises NotHereError."""
    for end in (replica, source):
        end.clean()
    account(source, case["user"])
    for end in (source, replica):
        end.begin(case["tables"])
    replica.take(case["replica_settings"], ["SET SESSION sql_log_bin = 0", *case["replica_session"]])
    source.take(case["source_settings"], case["session"])
    file, position = source.scratch.position()
    refused = []
    for text in case["statements"]:
        try:
            source.ask(text)
        except Refused as error:
            refused.append([text[:200], error.number, error.text[:200]])
    if refused and (case.get("needs_all", True) or len(refused) == len(case["statements"])):
        number, said = refused[0][1:]
        return {"outcome": "source_refused", "errno": number, "message": said, "source_refused": refused}
    more = {"source_refused": refused} if refused else {}
    try:
        replica.ask(change(case, source, replica, file, position))
        replica.ask(replica.scratch.word("START SLAVE"))
    except Refused as error:
        return {"outcome": "refused", "errno": error.number, "message": error.text, **more}
    answer = _outcome(replica, *source.scratch.position())
    for end in (source, replica):
        end.open()
    return {**answer, "rows_equal": source.rows() == replica.rows(), **more}


def _outcome(replica: End, file: str, position: int) -> dict[str, Any]:
    """Until the replica has everything, or one of its threads has stopped."""
    since, still, threads = time.monotonic(), 0.0, {}
    while time.monotonic() - since < PATIENCE:
        time.sleep(0.12)
        threads = replica.scratch.status()
        for thread, kind in (("SQL", "sql_stops"), ("IO", "io_stops")):
            number = int(threads.get(f"Last_{thread}_Errno") or 0)
            stopped = threads.get(f"Slave_{thread}_Running") == "No" and time.monotonic() - since > 1
            if number or stopped:
                return {"outcome": kind, "errno": number, "message": str(threads[f"Last_{thread}_Error"])}
        done = threads["Relay_Master_Log_File"], int(threads["Exec_Master_Log_Pos"])
        read = threads["Master_Log_File"], int(threads["Read_Master_Log_Pos"])
        idle = read == (file, position) and "has read all relay log" in str(
            threads["Slave_SQL_Running_State"]
        )
        still = (still or time.monotonic()) if done >= (file, position) or idle else 0.0
        if still and time.monotonic() - still > STILL:
            return {"outcome": "runs", "errno": 0, "message": ""}
    return {"outcome": "stuck", "errno": 0, "message": str(threads.get("Slave_SQL_Running_State"))}


def record(source: End, replica: End, options: argparse.Namespace) -> tuple[int, int]:
    """Ask the cases; (those that were answered, those that could not be asked)."""
    sets = [importlib.import_module(f"tests.link.{name}") for name in options.sets or SETS]
    cases = [case for one in sets for case in one.for_pair(source.name, replica.name)]
    lines = options.out.read_text("utf-8").splitlines() if options.out.exists() else []
    had = {(line["source"], line["replica"], line["id"]) for line in map(json.loads, lines)}
    asked = left_out = 0
    with options.out.open("a", encoding="utf-8") as out:
        for case in cases:
            if (source.name, replica.name, case["id"]) in had or not re.search(options.only, case["id"]):
                continue
            if options.limit and asked >= options.limit:
                break
            try:
                answer = ask(case, source, replica)
            except (NotHereError, SchemacheckError) as error:
                left_out += 1
                print(f"not asked: {case['id']}: {error}")
                continue
            ends = {"source": source.name, "replica": replica.name}
            line = {**ends, **{key: case[key] for key in KEPT}, **answer}
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
            out.flush()
            asked += 1
    for end in (source, replica):
        end.clean()
    return asked, left_out


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.link.record", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("servers", nargs="*", metavar="SOURCE REPLICA")
    parser.add_argument("--set", action="append", choices=SETS, dest="sets", help="default: all")
    parser.add_argument("--only", default="", metavar="REGEX", help="cases whose name it finds")
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="at most so many")
    parser.add_argument(
        "--as", nargs=2, default=("", ""), metavar=("S", "R"), dest="names", help="their names"
    )
    options = parser.parse_args(arguments)
    if len(options.servers) not in (0, 2):
        parser.error("give SOURCE and REPLICA, or neither")
    with contextlib.ExitStack() as stack:
        if options.servers:
            places = [Endpoint.parse(dsn) for dsn in options.servers]
        else:
            places = list(stack.enter_context(start.pair(*[program_maker(program.any_of_them())] * 2)))
        source, replica = (End(place, name) for place, name in zip(places, options.names, strict=True))
        asked, left_out = record(source, replica, options)
    print(f"asked={asked} left_out={left_out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
