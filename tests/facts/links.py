"""Recorded links (`links-<source>[-to-<replica>].jsonl.gz`) against `schemacheck.link`: does the channel run,
and are rows equal?

`judge_file(path)` reads settings, session, account, channel and statements of a case; what happened is looked
at only to judge. `unknown` counts what the model does not decide, each with its reason.
"""

from __future__ import annotations

import gzip
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from schemacheck import catalog
from schemacheck.link import Account, Channel, Ends, Kind, Outcome, literal
from schemacheck.link.connect import connects
from schemacheck.model import Link, Server
from schemacheck.workload import run_script
from tests.link.cases import SOURCE_IDS

COUNTERS = ("facts", "agreed", "false_safe", "false_alarm", "unknown", "wrong", "skipped")
#: The servers that were asked, and what the lab gave them at their start.
VERSIONS = {
    "mysql-5.6": "mysql-5.6.24", "mysql-9.7": "mysql-9.7.4", "mariadb-10.11": "mariadb-10.11.19",
    "mariadb-11.8": "mariadb-11.8.6", "mariadb-10.5": "mariadb-10.5.29",
}  # fmt: skip
LAB = {"log_bin": "ON"}
#: The character set and collation of the database in which a case's tables are.
CHARSET = ("utf8mb4", "utf8mb4_general_ci")


def lines(path: str | Path) -> Iterator[dict[str, Any]]:
    """The cases of a file; its heading is left out."""
    opener = lzma.open if str(path).endswith(".xz") else gzip.open
    with opener(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            case = json.loads(line)
            if "outcome" in case:
                yield case


@cache
def _plain(name: str) -> Server:
    return Server.told(VERSIONS.get(name, name), LAB)


def server_of(name: str, settings: Mapping[str, Any]) -> Server:
    """A server with its settings; start options lose their dashes."""
    given = {key.removeprefix("--").replace("-", "_"): str(value) for key, value in settings.items()}
    return _plain(name).with_told(given)


def ends_of(case: Mapping[str, Any]) -> Ends:
    """The link of a case."""
    ids = SOURCE_IDS[case["source"]], str(int(SOURCE_IDS[case["replica"]]) + 1)
    logged = f"0-{ids[0]}-{len(case['statements'])}"
    source = server_of(
        case["source"],
        {
            "server_id": ids[0],
            "bind_address": "127.0.0.1",
            "port": ids[0],
            "gtid_binlog_pos": logged,
            **case["source_settings"],
            **_globals(case["session"]),
        },
    )
    replica = server_of(
        case["replica"],
        {
            "server_id": ids[1],
            "gtid_executed": "",
            **case["replica_settings"],
            **_globals(case["replica_session"]),
        },
    )
    user = case["user"]
    options = {key: _written(key, value) for key, value in case["channel"].items()}
    account = Account(user.get("plugin", ""), cached=bool(user.get("logged_in_before")))
    return Ends(Link(source, replica), Channel(options, case["position"]), account)


def of_account(case: Mapping[str, Any]) -> bool:
    """Whether a case is about an account that is not as the tool takes it to be: nobody can tell it so."""
    keys = {key.partition("_")[2] for key in case["channel"]} & {"USER", "PASSWORD"}
    name = re.escape(case["user"].get("name", "repl"))
    on_account = re.compile(rf"(?i)\s*(ALTER|DROP|RENAME|GRANT|REVOKE|SET|UPDATE)\b.*\b{name}\b")
    return bool(keys or set(case["user"]) - {"plugin", "logged_in_before"}) or any(
        map(on_account.match, case["session"])
    )


def _written(name: str, value: Any) -> str:
    """The literal of a channel option that the recorder has sent (`@`: as it is)."""
    plain = isinstance(value, int) or value in ("ON", "OFF", "LOCAL", "STREAM", "GENERATE")
    if plain or "_USE_GTID" in name or value[:1] in ("(", "@"):
        return str(value).lstrip("@")
    return literal.written(value)


def _globals(statements: Sequence[str]) -> dict[str, str]:
    """GTIDs that a case sets for a whole server."""
    return {
        found.group(1): found.group(2)
        for text in statements
        if (found := re.fullmatch(r"SET GLOBAL (gtid_\w+)='([^']*)'", text)) is not None
    }


def predict(case: Mapping[str, Any]) -> Outcome:
    """What is said of a case whose statements come as a file, as users have them. Unknown of what the replica
    alone has run, and of a position within the log: a file cannot tell.
    """
    if of_account(case):
        return Outcome(Kind.UNKNOWN, why="the account is another one than the tool takes it to be")
    ends = ends_of(case)
    found = connects(ends)
    if found is not None:
        return found
    assert ends.channel is not None
    if (literal.number(ends.channel.option("LOG_POS") or "") or 4) > 4:
        why = "whether an event begins at the given position, only the log tells"
        return Outcome(Kind.UNKNOWN, "SC906", 0, why)
    if case["replica_session"]:
        return Outcome(Kind.UNKNOWN, why="what the replica has run by itself stands in no file")
    tables = _script(case["tables"])
    source, replica = (
        catalog.read(tables, server, database="d", charsets={"d": CHARSET})
        for server in (ends.source, ends.replica)
    )
    text = _script([*case["session"], *case["statements"]])
    return run_script(ends, text, (source, replica), database="d").outcome


def _script(statements: Sequence[str]) -> str:
    return "".join(f"{text.rstrip().rstrip(';')};\n" for text in statements)


def verdict(case: Mapping[str, Any]) -> tuple[str, str]:
    """(counter, why) of one case."""
    said = predict(case)
    bad = case["outcome"] != "runs"
    differs = not bad and case.get("rows_equal") is False
    what = f"{case['outcome']} {case['errno']}" + (" rows differ" if differs else "")
    why = f"said {said.kind.value} {said.number} ({said.rule} {said.why[:90]}), recorded {what}"
    if said.kind is Kind.UNKNOWN:
        return "unknown", why
    if said.kind is Kind.RUNS:
        return ("false_safe" if bad or differs else "agreed"), why
    if not bad and not differs:
        return "false_alarm", why
    if differs or said.kind is Kind.DIVERGES:
        return ("agreed" if differs and said.kind is Kind.DIVERGES else "wrong"), why
    return ("agreed" if said.kind.value == case["outcome"] and said.number == case["errno"] else "wrong"), why


def counted(case: Mapping[str, Any]) -> bool:
    """Whether a line is a case: no second run, and the source took its statements."""
    return not case.get("again") and case["outcome"] not in ("source_refused", "stuck")


def judge_cases(cases: Iterable[Mapping[str, Any]]) -> tuple[Counter[str], list[tuple[str, str, str]]]:
    """Counters, and (counter, case, why) of what does not agree."""
    counts: Counter[str] = Counter()
    shown = []
    for case in cases:
        if not counted(case):
            counts["skipped"] += 1
            continue
        counter, why = verdict(case)
        counts["facts"] += 1
        counts[counter] += 1
        if counter != "agreed":
            shown.append((counter, f"{case['source']}>{case['replica']} {case['id']}", why))
    return counts, shown


def judge_file(path: str | Path, *, show: int = 0) -> dict[str, int]:
    """Judge every case of a file; prints `show` cases of each kind of disagreement."""
    counts, shown = judge_cases(lines(path))
    seen: Counter[str] = Counter()
    for counter, case, why in shown:
        seen[counter] += 1
        if seen[counter] <= show:
            print(f"    {counter} {case}: {why}")
    return {name: counts[name] for name in COUNTERS}
