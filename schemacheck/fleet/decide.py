"""What runs in Python beside the engine: distinct pairs to verdicts, names through filters. No pyspark here.

`answers` and `routes` take and yield Arrow record batches; the links travel with them, so that a worker reads
no file but the facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from schemacheck.alignment import Match
from schemacheck.fleet import definition, pair_key
from schemacheck.fleet.pair_key import Answer
from schemacheck.fleet.texts import texts
from schemacheck.fleet.workers import arrow_schema
from schemacheck.gate import as_finding
from schemacheck.inputs.collector import collector_paused
from schemacheck.model import Effect, InputProblem, Link, PairReport, PairState, Table
from schemacheck.model.filters import FilterSet
from schemacheck.model.names import folded
from schemacheck.pairing import Router

if TYPE_CHECKING:
    import pyarrow as pa

#: What stands for the names in a decision that many pairs share: source database and table, replica database
#: and table.
TOKENS = pair_key.STAND_INS[:4]

#: Fields of one finding in a decision, all text but the numbers.
FINDING = (
    ("code", "string"), ("rule", "string"), ("effect", "string"), ("message", "string"), ("column", "string"),
    ("source_type", "string"), ("replica_type", "string"), ("source_ordinal", "int"), ("replica_ordinal",
    "int"), ("errno", "int"),
    ("error", "string"), ("error_symbol", "string"), ("depends_on_rows", "boolean"), ("setting", "string"),
    ("remedy", "string"),
    ("remedy_sql", "string"), ("example_source", "string"), ("example_replica", "string"), ("reference",
    "string"),
)  # fmt: skip
_FINDING_SQL = ", ".join(f"`{name}`: {kind}" for name, kind in FINDING)
#: The data set of decisions, as Spark SQL writes its columns.
_PLAIN_SQL = (
    "decision string, verdict string, state string, reason string, smallest string, smallest_reason "
    "string, outcomes string"
)
DECISION_SQL = f"{_PLAIN_SQL}, findings array<struct<{_FINDING_SQL}>>"
ROUTE_SQL = (
    "filter int, db string, tbl string, kept_out string, partly string, to_db string, to_tbl string, "
    "to_low_db string, to_low_tbl string"
)


def _decisions() -> pa.Schema:
    """The Arrow schema of DECISION_SQL."""
    import pyarrow as pa

    finding = pa.struct(list(arrow_schema(", ".join(f"{name} {kind}" for name, kind in FINDING))))
    return arrow_schema(_PLAIN_SQL).append(pa.field("findings", pa.list_(finding)))


def decide(
    links: Sequence[Link], filters: Sequence[tuple[FilterSet, Link]], rows: Sequence[Mapping[str, Any]]
) -> list[PairReport]:
    """The engine's answer for each row: `profile` (index of a link), `filter` (index of its filters, None),
    `source` and `replica` (definitions; replica None: no such table), `s_db`, `s_tbl`, `r_db`, `r_tbl`
    (names), `partly`, `near_db`, `near_tbl`, `twin_db`, `twin_tbl` (see Match; None where there is nothing to
    say).
    """
    with collector_paused():
        # Both ends of a pair one after the other: most of their lines are the same.
        ends = (
            (end, row[side])
            for row in rows
            for end, side in (
                (links[row["profile"]].source, "source"),
                (links[row["profile"]].replica, "replica"),
            )
        )
        read = definition.read((server, text) for server, text in ends if text is not None)
        routers: dict[tuple[int, int | None], Router] = {}
        found = []
        for row in rows:
            link = links[row["profile"]]
            source = read[link.source, row["source"]]
            replica = read[link.replica, row["replica"]] if row["replica"] is not None else None
            key = (row["profile"], row["filter"])
            if key not in routers:
                routers[key] = Router(links[key[0]], None if key[1] is None else filters[key[1]][0])
            found.append(_pair(source, replica, row, link, routers[key]))
    return found


def _pair(
    source: Table | InputProblem,
    replica: Table | InputProblem | None,
    row: Mapping[str, Any],
    link: Link,
    router: Router,
) -> PairReport:
    from schemacheck import engine

    database, name = row["s_db"] or None, row["s_tbl"]
    problem = next((side for side in (source, replica) if isinstance(side, InputProblem)), None)
    if problem is not None:
        end = "source" if problem is source else "replica"
        told = replace(
            problem, message=f"on the {end}: {problem.message}", database=database, table=name, location=None
        )
        return PairReport(database, name, PairState.UNREADABLE, (as_finding(told),), reason=told.message)
    assert isinstance(source, Table)
    theirs = replica.named(row["r_db"] or None, row["r_tbl"]) if isinstance(replica, Table) else None
    near = Table(row["near_tbl"], (), row["near_db"] or None) if row["near_tbl"] is not None else None
    twin = Table(row["twin_tbl"], (), row["twin_db"] or None) if row["twin_tbl"] is not None else None
    ours = source.named(database, name)
    return engine.check_match(
        Match(
            ours,
            theirs,
            link,
            partly=row["partly"] or "",
            near=near,
            twin=twin,
            hidden_parents=router.hidden_parents(ours, theirs),
        )
    )


def answers(
    links: Sequence[Link], filters: Sequence[tuple[FilterSet, Link]], folder: str, batch: pa.RecordBatch
) -> Iterator[pa.RecordBatch]:
    """Decisions for a batch of what `decide` takes, with `decision`; in place of the definitions `s_origin`
    and `s_sig`, `r_origin` and `r_sig` (null: no such table); `plain` says that both are whole and hold
    nothing that only the engine can judge, and that the names are stand-ins.
    """
    import pyarrow as pa

    known = texts(folder)
    rows = batch.to_pylist()
    for row in rows:
        row["source"] = known.get(row["s_origin"], row["s_sig"])
        row["replica"] = known.get(row["r_origin"], row["r_sig"]) if row["r_sig"] is not None else None
    with collector_paused():
        told = _by_pair_key(links, filters, rows)
        rest = [row for row, found in zip(rows, told, strict=True) if found is None]
        others = iter([plain(report) for report in decide(links, filters, rest)])
        made = [
            {"decision": row["decision"], **(found or next(others))}
            for row, found in zip(rows, told, strict=True)
        ]
        yield pa.RecordBatch.from_pylist(made, schema=_decisions())


#: Decisions about pair keys that this process has made; None where the whole pair has to be asked about.
_made: dict[tuple[Link, str, str, str, str], Answer | None] = {}
_KEPT = 50_000


def _by_pair_key(
    links: Sequence[Link], filters: Sequence[tuple[FilterSet, Link]], rows: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any] | None]:
    """The decision of each row whose pair key settles it."""
    if len(_made) > _KEPT:
        _made.clear()
    reduced = [
        pair_key.of(row["source"], row["replica"])
        if row["plain"] and pair_key.applies(links[row["profile"]])
        else None
        for row in rows
    ]
    keys = [
        (links[row["profile"]], row["r_db"], row["r_tbl"], found.source,
        found.replica) if found else None for row, found in zip(rows, reduced, strict=True)
    ]  # fmt: skip
    asked = {
        key: {**row, "source": found.source, "replica": found.replica}
        for row, found, key in zip(rows, reduced, keys,
            strict=True) if found is not None and key is not None and key not in _made
    }  # fmt: skip
    for new, report in zip(asked, decide(links, filters, list(asked.values())), strict=True):
        _made[new] = Answer.of(plain(report), report, new[0])
    told: list[dict[str, Any] | None] = []
    for row, found, key in zip(rows, reduced, keys, strict=True):
        answer = _made[key] if key is not None else None
        told.append(
            answer.for_pair(found, links[row["profile"]], row["s_db"], row["s_tbl"])
            if answer is not None and found is not None
            else None
        )
    return told


def plain(report: PairReport) -> dict[str, Any]:
    """A pair's report as the columns of the data set of decisions."""
    smallest = report.smallest
    return {
        "verdict": report.verdict.value,
        "state": report.state.value,
        "reason": report.reason or None,
        "smallest": smallest.modes if smallest else None,
        "smallest_reason": (smallest.reason or None) if smallest else None,
        "outcomes": ";".join(f"{modes}={effect.value}" for modes,
        effect in smallest.outcomes) if smallest else None,
        "findings": [
            {
                "code": f.code, "rule": f.rule, "effect": f.effect.value, "message": f.message,
                "column": f.column,
                "source_type": f.source.text, "replica_type": f.replica.text,
                "source_ordinal": f.source.location.ordinal if f.source.location else None,
                "replica_ordinal": f.replica.location.ordinal if f.replica.location else None,
                "errno": f.error.number if f.error else None, "error": f.error.message if f.error else None,
                "error_symbol": f.error.symbol or None if f.error else None,
                "depends_on_rows": f.depends_on_rows,
                "setting": f.setting, "remedy": f.remedy or None, "remedy_sql": f.remedy_sql,
                "example_source": f.example.source if f.example else None,
                "example_replica": f.example.replica if f.example else None,
                "reference": f.reference or None,
            }
            for f in report.findings
        ],
    }  # fmt: skip


def routes(filters: Sequence[tuple[FilterSet, Link]], batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Each name of a batch of (filter, db, tbl), followed through the link (see Route)."""
    import pyarrow as pa

    routers = [Router(link, chosen) for chosen, link in filters]
    rows = []
    for row in batch.to_pylist():
        way = routers[row["filter"]].route(row["db"] or None, row["tbl"])
        database, name = way.database or "", way.name
        names = {"to_db": database, "to_tbl": name, "to_low_db": folded(database), "to_low_tbl": folded(name)}
        rows.append({**row, "kept_out": way.kept_out or None, "partly": way.partly or None, **names})
    yield pa.RecordBatch.from_pylist(rows, schema=arrow_schema(ROUTE_SQL))


def settled(link: Link) -> PairReport | None:
    """What the engine says of equal tables on this link, whatever the table; None where it depends on the
    table.

    The engine itself is asked, about a table of every type and kind of column; only where it
    finds nothing in any of them are equal definitions on this link decided by their hash.
    """
    if (link.source.flavor, link.source.version) != (link.replica.flavor, link.replica.version):
        return None
    from schemacheck import engine

    reports = [engine.check_pair(table, table, link) for table in samples()]
    first = reports[0]
    same = all(
        not r.findings and r.state is PairState.COMPARED and r.smallest == first.smallest and not r.reason
        for r in reports
    )
    return replace(first, source=None, replica=None) if same and first.verdict is Effect.IDENTICAL else None


@lru_cache(maxsize=1)
def samples() -> tuple[Table, ...]:
    """Tables that together have every type that is read natively (rows.py), with and without keys, defaults
    and AUTO_INCREMENT.
    """
    from schemacheck.model import Column, ColumnType, Default, DefaultKind, Key, KeyKind, KeyPart

    texts = (
        "tinyint", "tinyint(1)", "smallint unsigned", "mediumint", "int", "int(10) unsigned zerofill",
        "bigint", "bigint unsigned", "decimal(10,2)",
        "decimal(65,30)", "float", "double", "double(10,2)", "bit(8)", "char(10)", "varchar(255)",
        "varchar(1000)", "varchar(16000)", "tinytext",
        "text", "mediumtext", "longtext", "binary(16)", "varbinary(255)", "varbinary(5000)", "tinyblob",
        "blob", "mediumblob", "longblob", "date", "year",
        "time", "time(6)", "datetime", "datetime(3)", "timestamp", "timestamp(6)", "enum('a','b')",
        "set('a','b')", "json",
    )  # fmt: skip
    sets = (
        ("utf8mb4", "utf8mb4_general_ci"),
        ("utf8mb3", "utf8mb3_bin"),
        ("latin1", "latin1_swedish_ci"),
        ("gbk", "gbk_chinese_ci"),
    )
    kinds = [
        ColumnType.parse(text, charset=charset, collation=collation)
        for text in texts
        for charset, collation in sets
    ]
    identity = Column("id", ColumnType.parse("bigint"), nullable=False, auto_increment=True)
    made = []
    for number, kind in enumerate(dict.fromkeys(kinds)):
        columns = (Column("a", kind, default=Default(DefaultKind.NULL)), Column("b", kind, nullable=False))
        made.append(Table(f"t{number}", columns, "d"))
        for engine in ("InnoDB", "MyISAM", "Aria"):
            keys = (
                Key(KeyKind.PRIMARY, (KeyPart("id"),), "PRIMARY"),
                Key(KeyKind.UNIQUE, (KeyPart("a", 4),), "u"),
                Key(KeyKind.INDEX, (KeyPart("b", 4),), "i"),
            )
            made.append(Table(f"t{number}k", (identity, *columns), "d", keys, engine=engine))
    now = Column(
        "at",
        ColumnType.parse("timestamp"),
        nullable=False,
        default=Default(DefaultKind.CURRENT_TIMESTAMP),
        on_update=True,
    )
    made.append(Table("now", (identity, now), "d"))
    return tuple(made)
