"""The library's functions: text or tables in, a Report out. No files, no network; bad DDL is `unknown`,
misuse raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeAlias, cast

from schemacheck.dataclass import dataclass, replace
from schemacheck.engine import gate
from schemacheck.errors import UsageError
from schemacheck.link.releases import newer
from schemacheck.link.session import without_zones
from schemacheck.model import (
    ColumnType,
    Effect,
    Example,
    Finding,
    InputProblem,
    Link,
    Report,
    Schema,
    Server,
    ServerError,
    Table,
    fingerprint,
)
from schemacheck.model import charset as charsets

if TYPE_CHECKING:
    import pandas as pd
    from sqlglot import exp

    from schemacheck.model.replicated import RefusedStatement

__all__ = [
    "Conversion",
    "Given",
    "assumptions",
    "check",
    "convert",
    "exit_status",
    "fingerprints",
    "link_of",
    "parse",
    "render",
    "rows",
    "to_pandas",
]

#: What stands for one side of a check: DDL text, a table, several tables, or a whole Schema.
Given: TypeAlias = "str | Table | Schema | Iterable[Table] | exp.Create | Iterable[exp.Create]"

#: What is no DDL but the name of a file or of a server.
_PATH = re.compile(r"[^\n(;]+\.(?:sql|ddl|tsv|csv|jsonl?|xml|parquet)(?:\.gz|\.zst)?|\w+://\S+")

#: Variables that decide verdicts, and the ends of the link that have them.
_DECIDING = (
    ("slave_type_conversions", ("replica",)),
    ("binlog_format", ("source",)),
    ("binlog_row_image", ("source",)),
    ("binlog_row_metadata", ("source",)),
    ("sql_mode", ("source", "replica")),
    ("character_set_server", ("source", "replica")),
    ("lower_case_table_names", ("source", "replica")),
    ("explicit_defaults_for_timestamp", ("source", "replica")),
    ("gtid_mode", ("source", "replica")),
)
#: Of these, what decides only where the ends differ.
_DECIDING_APART = ("gtid_mode",)


def parse(
    text: str, server: Server | str | None = None, *, file: str = "-", database: str | None = None
) -> Schema:
    """The tables that DDL text defines, in order, and what of it was not understood.

    `server` (a Server, or text as `mysql-8.0.36`) decides defaults and the grammar; `file` stands
    in locations; `database` is the default database. Raises UnknownServer, and UsageError where
    `text` is no text, or a path.

    >>> parse("CREATE TABLE t (a int)", "mysql-8.0").tables[0].columns[0].type.sql()
    'int'
    """
    if not isinstance(text, str):
        raise UsageError(f"parse takes DDL text, not {type(text).__name__}; decode bytes first")
    if _PATH.fullmatch(text):
        raise UsageError(
            f"{text!r} is a path, not DDL: schemacheck.open_schema({text!r}) reads what is there"
        )
    from schemacheck import catalog

    return catalog.read(text, _server(server), file=file, database=database)


def check(
    source: Given,
    replica: Given,
    link: Link | None = None,
    *,
    allow_empty: bool = False,
    change: str | None = None,
    database: str | None = None,
) -> Report:
    """Decide whether the replica's tables keep replicating from the source's.

    >>> report = check("CREATE TABLE t (a bigint)", "CREATE TABLE t (a int)", Link.of("mysql-8.4"))
    >>> report.verdict.value, [(one.finding.code, one.fix) for one in report.differences]
    ('stops', [('SC202', 'ALTER TABLE `t` MODIFY COLUMN `a` bigint NULL DEFAULT NULL;')])

    Each side is DDL text, a Table, several Tables, a Schema, or one or several `sqlglot.exp.Create` trees
    (read through the MySQL text that sqlglot generates from them; a problem says what such trees do not
    hold). Without `link` both servers are what the Schemas say about themselves, else MySQL 8.4 (the LTS).
    Every setting that nobody gave is named in `Report.assumptions`. A side without any table is a problem
    unless `allow_empty`.

    `change` is SQL text that the source is going to run under the default database `database`: its
    definitions run on both ends in order, a statement that the replica refuses is a finding (SC707), one that
    the source refuses is a problem, and the tables that are left are compared. Raises UsageError where an
    argument is of another kind.
    """
    from schemacheck import engine
    from schemacheck.engine.programs import with_programs

    given = _link(link) or link_of(source, replica)
    _of_one_family(source, given.source, "source")
    _of_one_family(replica, given.replica, "replica")
    sides = _schema(source, given.source, "source"), _schema(replica, given.replica, "replica")
    problems = (*sides[0].problems, *_empty(*sides, allowed=allow_empty))
    of_replica = sides[1].problems
    refused: tuple[RefusedStatement | None, ...] = ()
    if change is not None:
        from schemacheck.replay.change import replay

        if not isinstance(change, str):
            raise UsageError(f"change is SQL text, not {type(change).__name__}; decode bytes first")
        after = replay(sides[0], sides[1], [("change", change)], given, database=database)
        sides, refused = (after.source, after.replica), (after.refused, *after.differing)
        problems = (*problems, *after.problems)
    report = engine.check(sides[0].tables, sides[1].tables, given, problems, of_replica)
    report = engine.with_refused(report, *refused)
    report = with_programs(report, *sides)
    named = link is not None or any(isinstance(side, Schema) and side.server for side in (source, replica))
    return replace(
        report,
        assumptions=(*report.assumptions, *assumptions(given, servers=link is None)),
        assumed_servers=() if named else ("source", "replica"),
    )


def _of_one_family(side: Given, server: Server, role: str) -> None:
    """Raise UsageError where a side that was read from a server is another one's than the link's end."""
    listed = side.server if isinstance(side, Schema) else None
    if listed is not None and listed.family != server.family:
        raise UsageError(f"the {role}'s side was read from {listed}, and the link's {role} is {server}")


def _empty(source: Schema, replica: Schema, *, allowed: bool) -> list[InputProblem]:
    """A problem for each side without a table that says nothing about why."""
    return [
        InputProblem("SC003", f"no table on the {side}'s side, so nothing is compared", skipped=allowed)
        for side, schema in (("source", source), ("replica", replica))
        if not schema.tables and all(problem.skipped for problem in schema.problems)
    ]


def link_of(source: Given, replica: Given) -> Link:
    """The link between two sides as far as they say what servers they come from."""
    told = [side.server if isinstance(side, Schema) else None for side in (source, replica)]
    ends = [end and end.released(other) for end, other in (told, reversed(told))]
    nobody = Server.parse("mysql")
    first, second = (
        (server or replace(opposite or nobody, settings=())).like(opposite)
        for server, opposite in (ends, reversed(ends))
    )
    return Link(first, second)


def assumptions(link: Link, *, servers: bool = False) -> tuple[str, ...]:
    """Each deciding setting that nobody gave, with the version's default that holds:
    `binlog_format = ROW`. `servers`: the servers themselves were not named either.

    >>> assumptions(Link.of("mysql-8.4", binlog_row_image="FULL"))[:2]
    ("slave_type_conversions = ''", 'binlog_format = ROW')
    """
    ends = {"source": link.source, "replica": link.replica}
    out = [f"{role} server = {server}" for role, server in ends.items()] if servers else []
    out += (*newer(link), *without_zones(link))
    for name, roles in _DECIDING:
        values = {role: ends[role].setting(name) or "''" for role in roles if not ends[role].given(name)}
        if name in _DECIDING_APART and len({ends[role].setting(name) for role in roles}) == 1:
            continue
        if len(values) == 2 and len(set(values.values())) == 1:
            out.append(f"{name} = {values['source']} (both servers)")
        else:
            out += [
                f"{role} {name} = {value}" if len(roles) > 1 else f"{name} = {value}"
                for role, value in values.items()
            ]
    return tuple(out)


@dataclass(frozen=True, slots=True)
class Conversion:
    """One source column's type written into one replica column's type.

    `kind` is the server's class of the conversion (`exact`, `non-lossy`, `lossy`, `impossible`,
    ...), `needs` the word of slave_type_conversions that permits it (None: none needed, or none
    helps), `permitted` whether the link's setting does; `effect` is what the replica does under
    that setting, with its error or an example of a changed value; `values` says what becomes of
    values where the conversion is carried out.
    """

    source: ColumnType
    replica: ColumnType
    kind: str
    needs: str | None
    permitted: bool
    effect: Effect
    values: str
    example: Example | None = None
    note: str = ""
    error: ServerError | None = None
    findings: tuple[Finding, ...] = ()


def convert(source: str | ColumnType, replica: str | ColumnType, link: Link | None = None) -> Conversion:
    """What the replica makes of a column that has another type there.

    Types are text (`int unsigned`) or ColumnTypes; character types without a character set have
    their server's default one. Raises UsageError on a type that no server accepts.

    >>> found = convert("int unsigned", "bigint", Link.of("mysql-8.4"))
    >>> found.kind, found.needs, found.effect.value, found.error.number
    ('non-lossy', 'ALL_NON_LOSSY', 'stops', 13146)
    """
    given = _link(link) or Link.of("mysql")
    return _convert(_type(source, given.source), _type(replica, given.replica), given)


@lru_cache(maxsize=65536)
def _convert(source: ColumnType, replica: ColumnType, link: Link) -> Conversion:
    from schemacheck import engine
    from schemacheck.conversion import classify, needed_mode, outcome, permitted
    from schemacheck.model import Column

    kind = classify(source, replica, link.source, link.replica)
    allowed = permitted(kind, link.type_conversions, link.replica)
    carried_out = kind.value not in ("impossible", "unreadable")
    becomes = outcome(source, replica, kind, link) if carried_out else None
    pair = engine.check_pair(Table("t", (Column("c", source),)), Table("t", (Column("c", replica),)), link)
    worst = max(pair.findings, key=lambda f: f.effect, default=None)
    example = (
        Example(becomes.source, becomes.replica) if becomes and becomes.changed and becomes.source else None
    )
    return Conversion(
        source, replica, kind.value, needed_mode(kind), allowed, pair.verdict,
        becomes.what.value if becomes else "none is written", example, becomes.note if becomes else "",
        worst.error if worst else None, pair.findings,
    )  # fmt: skip


def render(report: Report, name: str = "text") -> str:
    """The report in an output format: `text`, `json`, `html`, ... Raises UsageError on another name.

    >>> print(render(check("CREATE TABLE t (a int)", "CREATE TABLE t (a int)"), "concise"), end="")
    1 table: 1 ok; smallest replica_type_conversions: ''
    """
    from schemacheck import outputs

    return outputs.render(report, name)


def rows(report: Report) -> list[dict[str, str]]:
    """One flat row of text per finding, for a DataFrame, a spreadsheet or a database table.

    >>> rows(check("CREATE TABLE t (a bigint)", "CREATE TABLE t (a int)"))[0]["code"]
    'SC202'
    """
    from schemacheck.outputs import csv

    return csv.rows(report)


def to_pandas(report: Report) -> pd.DataFrame:
    """`rows` as a DataFrame, columns also without findings. Raises UsageError without pandas."""
    try:
        import pandas as pd
    except ImportError:
        raise UsageError("a DataFrame needs pandas: pip install pandas, or use rows(report)") from None
    from schemacheck.outputs import csv

    return pd.DataFrame(csv.rows(report), columns=list(csv.COLUMNS))


def exit_status(report: Report) -> int:
    """What `schemacheck check` would return: 0 passed, 1 findings, 3 only unknowns in the way.

    >>> exit_status(check("CREATE TABLE t (a int)", "no SQL at all"))
    3
    """
    return gate.exit_status(report)


def fingerprints(findings: Sequence[Finding]) -> list[str]:
    """A stable identity per finding, in order: the same after a file was reformatted.

    >>> len(fingerprints(check("CREATE TABLE t (a bigint)", "CREATE TABLE t (a int)").findings))
    1
    """
    return fingerprint.fingerprints(findings)


def _server(server: Server | str | None) -> Server:
    if isinstance(server, Server):
        return server
    return Server.parse(server or "mysql")


def _schema(given: Given, server: Server, file: str) -> Schema:
    if isinstance(given, Schema):
        return given
    if isinstance(given, str):
        return parse(given, server, file=file)
    if isinstance(given, Table):
        return Schema((given,))
    from schemacheck.inputs import sqlglot_tree

    if sqlglot_tree.is_tree(given):
        return sqlglot_tree.read((cast("exp.Create", given),), server, file=file)
    parts = tuple(given) if isinstance(given, Iterable) else None
    if parts and all(map(sqlglot_tree.is_tree, parts)):
        return sqlglot_tree.read(cast("tuple[exp.Create, ...]", parts), server, file=file)
    tables = tuple(part for part in parts or () if isinstance(part, Table))
    if parts is None or len(tables) < len(parts):
        message = (
            "a side of a check is DDL text, a Table, Tables, a Schema or trees (sqlglot.exp.Create), "
            f"not {type(given).__name__}"
        )
        if isinstance(given, PurePath):
            message += "; open_schema(path) reads a file or a directory"
        raise UsageError(message)
    return Schema(tables)


def _link(given: Link | None) -> Link | None:
    if given is not None and not isinstance(given, Link):
        raise UsageError(f"link is a Link (Link.of('mysql-8.0')); got {type(given).__name__}")
    return given


def _type(given: str | ColumnType, server: Server) -> ColumnType:
    if not isinstance(given, str | ColumnType):
        raise UsageError(f"a type is text or a ColumnType; got {type(given).__name__}")
    try:
        read = (
            ColumnType.parse(given, charset=server.setting("character_set_server") or None)
            if isinstance(given, str)
            else given
        )
    except ValueError as error:
        raise UsageError(str(error)) from None
    if read.charset and not charsets.known(read.charset):
        raise UsageError(f"the character set {read.charset!r} is not known")
    return read
