"""The tools of `schemacheck mcp`, with JSON schemas: they read text and files, and never write."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import dataclass
from schemacheck.errors import InputError, UsageError

if TYPE_CHECKING:
    from schemacheck.model import Link, Schema, Server

Json = dict[str, Any]

_TEXT = {"type": "string"}
_SETTINGS = {
    "type": "object",
    "additionalProperties": {"type": "string"},
    "description": "Server variables, as SHOW GLOBAL VARIABLES prints them.",
}
_LINK: Json = {
    "source_version": {**_TEXT, "description": "As mysql-8.0.36 or mariadb-10.11."},
    "replica_version": {**_TEXT, "description": "The replica's, where it is another one."},
    "source_settings": _SETTINGS,
    "replica_settings": _SETTINGS,
}


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: `run` takes what fits `takes` and readable folders; raises SchemacheckError."""

    name: str
    about: str
    takes: Json
    gives: Json
    run: Callable[[Json, Sequence[Path]], Json]


def _object(properties: Json, *required: str, more: bool = False) -> Json:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": more,
    }


def _side(name: str, what: str) -> Json:
    return {
        f"{name}_sql": {**_TEXT, "description": f"{what}, as SQL text."},
        f"{name}_path": {
            **_TEXT,
            "description": f"{what}: a file or a folder below a root, instead of text.",
        },
    }


#: Characters; no system opens a longer one.
_LONGEST_PATH = 4096


def _inside(given: str, roots: Sequence[Path]) -> tuple[Path, Path]:
    """The path, without links, and the root that it lies in. Raises InputError where it lies in none."""
    if "\0" not in given and len(given) < _LONGEST_PATH:
        for root in roots:
            place = (root / given).resolve()
            if place.is_relative_to(root) and place.exists():
                return place, root
    shown = ", ".join(map(str, roots)) or "none was given: start with --root DIR"
    raise InputError(
        f"{given[:200]!r} is no file or folder below the roots ({shown}); definitions may be given as text"
    )


def _schema(arguments: Json, name: str, server: Server, roots: Sequence[Path]) -> Schema:
    import schemacheck

    text, path = arguments.get(f"{name}_sql"), arguments.get(f"{name}_path")
    if (text is None) is (path is None):
        raise UsageError(f"give either {name}_sql or {name}_path")
    if path is not None:
        place, root = _inside(path, roots)
        return schemacheck.open_schema(place, server=server, within=str(root))
    return schemacheck.parse(str(text), server, file=name)


def _link(arguments: Json) -> Link:
    from schemacheck.model import Link, Server

    ours = str(arguments.get("source_version", "mysql"))
    theirs = str(arguments.get("replica_version", ours))
    return Link(
        Server.parse(ours, arguments.get("source_settings", {})),
        Server.parse(theirs, arguments.get("replica_settings", {})),
    )


def _check(arguments: Json, roots: Sequence[Path]) -> Json:
    import schemacheck
    from schemacheck.outputs import _document

    link = _link(arguments)
    source = _schema(arguments, "source", link.source, roots)
    replica = _schema(arguments, "replica", link.replica, roots)
    return _document.document(schemacheck.check(source, replica, link))


def _runs(arguments: Json, _roots: Sequence[Path]) -> Json:
    import datetime as dt

    from schemacheck import engine
    from schemacheck.cli.commands import link
    from schemacheck.link import Ends
    from schemacheck.link.releases import remarks

    ends = Ends(_link(arguments))
    return link.document(ends, engine.preflight(ends), remarks(ends.link, dt.datetime.now(tz=dt.UTC).date()))


def _plan(arguments: Json, roots: Sequence[Path]) -> Json:
    from schemacheck.plan import document, plan, plan_change

    link = _link(arguments)
    old = _schema(arguments, "current", link.source, roots)
    if "migration_sql" in arguments:
        if "next_sql" in arguments or "next_path" in arguments:
            raise UsageError("give either migration_sql or what the definitions will be (next_*)")
        made = plan_change(old, arguments["migration_sql"], link, database=arguments.get("database"))
    else:
        new = _schema(arguments, "next", link.source, roots)
        if old.tables and not new.tables and not new.problems:
            raise InputError("no table in what the definitions will be: say DROP TABLE in migration_sql")
        made = plan(old, new, link)
    return document.document(made)


def _explain(arguments: Json, _roots: Sequence[Path]) -> Json:
    from schemacheck import rules
    from schemacheck.cli.commands import explain
    from schemacheck.diagnose.known import known

    word = arguments["code"]
    rule = rules.find(word)
    if rule is not None:
        return {"code": rule.code, "title": rule.title, "page": explain.page(rule)}
    if known(word) is not None:
        return {"code": word, "title": f"error {word}", "page": explain.error_page(word)}
    raise explain.unknown(word)


def _diagnose(arguments: Json, roots: Sequence[Path]) -> Json:
    from schemacheck.cli.commands import diagnose as command
    from schemacheck.diagnose import diagnose, statuses
    from schemacheck.model import Schema

    channels = statuses(arguments["status"])
    if not channels:
        raise UsageError(
            "status is what SHOW REPLICA STATUS or SHOW SLAVE STATUS prints; Last_SQL_Errno is missing"
        )
    link = _link(arguments)
    given = any(f"source_{kind}" in arguments or f"replica_{kind}" in arguments for kind in ("sql", "path"))
    sides = [
        _schema(arguments, name, server, roots) if given else Schema()
        for name, server in (("source", link.source), ("replica", link.replica))
    ]
    result = [
        command.entry(channel, diagnosis)
        for channel in channels
        for diagnosis in diagnose(channel, sides[0].tables, sides[1].tables, link if given else None)
    ]
    unread = [
        f"{problem.location or name}: {problem.message}"
        for name, side in zip(("source", "replica"), sides, strict=True)
        for problem in side.problems
        if not problem.skipped
    ]
    return {"errors": result, "not_understood": unread}


@cache
def _report() -> Json:
    path = Path(__file__).parents[1] / "schemas" / "report-1.schema.json"
    schema: Json = json.loads(path.read_text("utf-8"))
    return schema


def tools() -> tuple[Tool, ...]:
    """All tools, in the order in which they are listed."""
    anything = {"type": ["string", "null"]}
    record = {"code": _TEXT, "effect": _TEXT, "message": _TEXT, "remedy": _TEXT}
    finding = _object(record, "code", "effect", more=True)
    error = {
        **dict.fromkeys(("channel", "thread", "way"), _TEXT),
        **dict.fromkeys(("what", "table", "column"), anything),
        "number": {"type": "integer"},
        "rules": {"type": "array", "items": _TEXT},
    }
    return (
        Tool(
            "check",
            "Does a MySQL or MariaDB replica keep replicating from its source, and do the values stay the "
            "same? Compares the table definitions of both ends. exit_status 0 is the only pass; 3 means "
            "that something was not understood.",
            _object(
                {**_side("source", "The source's definitions"), **_side("replica", "The replica's"), **_LINK}
            ),
            _report(),
            _check,
        ),
        Tool(
            "link",
            "Does a replication link between two server versions run at all, whatever its tables are?",
            _object(_LINK, "source_version", "replica_version"),
            _object(
                {
                    "source": _TEXT,
                    "replica": _TEXT,
                    "binlog_format": _TEXT,
                    "runs": {"type": ["boolean", "null"], "description": "null: not decided, no pass."},
                    "findings": {"type": "array", "items": finding},
                    "remarks": {"type": "array", "items": _TEXT},
                },
                "runs",
                "findings",
            ),
            _runs,
        ),
        Tool(
            "plan",
            "In which order does a schema change reach the servers: replica first, source first, or not at "
            "all? Give the migration's SQL, or the definitions as they will be.",
            _object(
                {
                    **_side("current", "The definitions of today"),
                    **_side("next", "The definitions as they will be"),
                    "migration_sql": {
                        **_TEXT,
                        "description": "ALTER and other statements, instead of next_*.",
                    },
                    "database": {**_TEXT, "description": "The migration's default database."},
                    **_LINK,
                }
            ),
            _object(
                {
                    "order": _TEXT,
                    "exit_status": {"type": "integer"},
                    "summary": _TEXT,
                    "tables": {"type": "array"},
                    "runbook": {"type": "array"},
                },
                "order",
                "exit_status",
                "summary",
                more=True,
            ),
            _plan,
        ),
        Tool(
            "explain",
            "The page about a rule (SC204) or about an error that a replica stops with (1677): what it "
            "means, what to do.",
            _object(
                {"code": {**_TEXT, "description": "A rule's code or name, an error's number or symbol."}},
                "code",
            ),
            _object({"code": _TEXT, "title": _TEXT, "page": _TEXT}, "code", "title", "page"),
            _explain,
        ),
        Tool(
            "diagnose",
            "Why has a replica stopped, and what is the smallest safe fix? Reads the text of SHOW "
            "REPLICA STATUS; with both definitions it names the column.",
            _object(
                {
                    "status": {**_TEXT, "description": "What SHOW REPLICA STATUS\\G prints, or its JSON."},
                    **_side("source", "The source's definitions"),
                    **_side("replica", "The replica's"),
                    **_LINK,
                },
                "status",
            ),
            _object(
                {
                    "errors": {"type": "array", "items": _object(error, "number", more=True)},
                    "not_understood": {"type": "array", "items": _TEXT},
                },
                "errors",
            ),
            _diagnose,
        ),
    )
