"""Recorded facts as evidence: a profile of the rows that a source held, and what then happened to them.

`python -m tests.evidence.recorded [--every K] FILE...` holds the law over whole files: what `bites` says
happened, and what is absent did not.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from schemacheck.dataclass import replace
from schemacheck.engine.gate import blocking
from schemacheck.evidence.decide import with_evidence
from schemacheck.model import ColumnType, Effect, Finding, Link, PairReport, Report, Table, TableKind
from schemacheck.model.column_type import GEOMETRIES
from schemacheck.model.evidence import Bite
from schemacheck.profile.document import (
    ColumnProfile,
    Duplicates,
    Log,
    Profile,
    ServerOf,
    StatementProfile,
    TableProfile,
    Writes,
    definition_of,
)
from schemacheck.prove import arrived
from schemacheck.prove.arrived import Record, plain
from schemacheck.sql.statements.features import features
from tests.facts.definitions import answers_of, ends_of, read_facts

TAKEN = "2026-01-31T12:00:00+00:00"
_CUT = re.compile(r"\.\.\.len=(\d+),md5=\w+$")
_PYTHON = {"latin1": "cp1252", "ucs2": "utf-16-be", "utf16": "utf-16-be"}
_INSERT = re.compile(r"INSERT INTO (?!.*(?:DUPLICATE|SELECT))", re.IGNORECASE | re.DOTALL)
Row = Sequence[str | None]


def column_profile(kind: ColumnType, values: Iterable[str | None]) -> ColumnProfile:
    """What a profile measures of these values."""
    every = list(values)
    there = [value for value in every if value is not None]
    found: dict[str, Any] = {"nulls": len(every) - len(there)}
    if not there or kind.base in GEOMETRIES:
        return ColumnProfile(kind.sql(), **found)
    if kind.is_integer or kind.base in ("decimal", "float", "double", "year", "bit"):
        numbers = [Decimal(int(v, 16)) if v.startswith("0x") else Decimal(v) for v in there]
        found |= {"minimum": min(numbers), "maximum": max(numbers)}
        found["fraction"] = max(max(-int(n.normalize().as_tuple().exponent), 0) for n in numbers)
    elif kind.base in ("date", "time", "datetime", "timestamp"):
        found |= {"minimum": min(there), "maximum": max(there)}
        found["fraction"] = max(len(v.partition(".")[2].rstrip("0")) for v in there)
    elif kind.base == "enum":
        folded = [member.casefold() for member in kind.members]
        found["members"] = Counter(folded.index(v.casefold()) + 1 if v else 0 for v in there)
    elif kind.base == "set":
        folded = [member.casefold() for member in kind.members]
        found["members"] = Counter(folded.index(m.casefold()) for v in there if v for m in v.split(","))
    else:
        found |= _text(kind, there)
    return ColumnProfile(kind.sql(), **found)


def _text(kind: ColumnType, values: list[str]) -> dict[str, Any]:
    sizes = []
    for value in values:
        cut = _CUT.search(value)
        bytes_ = value.startswith("0x") and (kind.charset in (None, "binary"))
        if cut:
            sizes.append((int(cut[1]), int(cut[1])))
        elif bytes_:
            sizes.append((len(value) // 2 - 1,) * 2)
        else:
            sizes.append((len(value), len(value.encode(_PYTHON.get(kind.charset or "", "utf-8"), "replace"))))
    return {
        "longest_characters": max(size[0] for size in sizes),
        "longest_bytes": max(size[1] for size in sizes),
        "blanks": sum(value.endswith(" ") for value in values),
        "outside": {
            "ascii": sum(not value.isascii() for value in values),
            "utf8mb3": sum(any(ord(letter) > 0xFFFF for letter in value) for value in values),
        },
    }


def table_profile(table: Table, names: Sequence[str], rows: Sequence[Row]) -> TableProfile:
    """A whole profile of rows of a table, whose columns are named."""
    columns = {
        name: column_profile(column.type, [row[place] for row in rows])
        for place, name in enumerate(names)
        if (column := table.column(name)) is not None
    }
    return TableProfile(
        table.database or "", table.name, TAKEN, columns, definition_of(table), complete=True, rows=len(rows),
    )  # fmt: skip


def profile(*tables: TableProfile, flavor: str = "mysql") -> Profile:
    """The data of a source with these tables."""
    return Profile("data", ServerOf(flavor, "8.0.36"), TAKEN, TAKEN, tables)


def with_rows(pair: PairReport, link: Link, names: Sequence[str], rows: Sequence[Row]) -> PairReport:
    """The pair with what a profile of these rows says."""
    assert pair.source is not None
    report = Report(link, (pair,))
    held = profile(table_profile(pair.source, names, rows), flavor=link.source.flavor)
    return with_evidence(report, [held]).pairs[0]


def inserts_only(record: Record) -> bool:
    """Whether the recorded rows are all that was ever written."""
    statements = record.get("source_sql") or []
    texts = [statements] if isinstance(statements, str) else statements
    return bool(texts) and all(map(_INSERT.match, texts))


def judge(record: Record, header: Record) -> Iterator[tuple[str, str]]:
    """What the law says of a fact: (kind, why). `bites` and `absent` held, `no bite` and `missed` did not."""
    prepared = record.get("source_setup") or record.get("replica_setup")
    rows_only = record.get("binlog_format", "ROW") == "ROW" and not prepared and inserts_only(record)
    tables = rows_of(record)
    if record["outcome"] not in ("applied", "error") or not tables or not rows_only:
        return
    given, answers = ends_of(record, header), answers_of(record, header)
    if isinstance(given, str) or isinstance(answers, str):
        return
    asked = [pair for pair in answers if pair.source is not None and pair.table in tables]
    if any(f.effect is Effect.UNKNOWN for pair in answers for f in pair.findings):
        return
    try:
        whole = [with_rows(pair, given[2], *tables[pair.table]) for pair in asked]
    except (InvalidOperation, ValueError, LookupError):
        return
    matter = [(one, one.evidence) for pair in whole for one in pair.findings if one.evidence is not None]
    absent = all(evidence.absent for _, evidence in matter)
    stops = [one for one, seen in matter if one.effect is Effect.STOPS and seen.bite is Bite.BITES]
    if record["outcome"] == "error":
        if absent:
            yield "missed", f"{record.get('errno')} {record['id']}"
        elif stops:
            yield "bites", stops[0].code
        return
    differs = any(rows.differ() for rows in arrived.tables_of(record, _bits(asked)))
    for one in stops:
        # What is read with the wrong length may stop the applier or arrive as other values.
        held = one.code in ("SC205", "SC207", "SC209") and differs
        yield ("bites" if held else "no bite"), f"{one.code} {record['id']}"
    if absent and matter and differs:
        yield "missed", f"rows {record['id']}"
    if not stops and matter and len(asked) == 1 and "source_rows" in record:
        yield from _by_row(record, asked[0], given[2])


def rows_of(record: Record) -> dict[str, tuple[list[str], list[Row]]]:
    """Columns and rows of the source's tables, as far as they were recorded."""
    if record.get("source_rows"):
        return {record.get("table", "t"): (record["source_cols"], record["source_rows"])}
    source = record.get("source")
    held = source if isinstance(source, dict) else {}
    return {name: (one[0], one[1]) for name, one in held.items() if isinstance(one, list) and len(one) == 2}


def log_of(record: Record, link: Link) -> Profile:
    """The log of a fact's statements, each as it was written."""
    statements = record.get("source_sql") or []
    mode = record.get("source_sql_mode")
    strict = mode is None or "STRICT" in mode or "TRADITIONAL" in mode
    places = {place for place, _ in record.get("source_failed") or ()}
    maybe = bool(record.get("source_may_fail")) and "source_failed" not in record
    found = []
    for number, text in enumerate([statements] if isinstance(statements, str) else statements):
        one = features(text, link.source, database="test", strict=strict)
        # Under MIXED a statement may be in the log as rows alone.
        if one is not None and number not in record.get("row_statements", ()):
            marks = (*one.features, *(("fails",) if maybe or number in places else ()))
            found.append(
                StatementProfile(
                    text, one.tables, 1, marks, one.inserted, one.updated,
                    one.read, one.calls, one.queried, one.ordered,
                )
            )  # fmt: skip
    server = ServerOf(link.source.flavor, "8.0.36")
    formats = ("statement",) if link.binlog_format == "STATEMENT" else ("row", "statement")
    # Which rows MIXED logs is told of some facts only.
    tables = record.get("row_tables", list(rows_of(record))) if link.binlog_format == "MIXED" else []
    by_statements = {name.partition(".")[2] for one in found for name in one.tables}
    rows = tuple(
        TableProfile(
            "test", name, TAKEN, {}, complete=True,
            writes=Writes(int(name in by_statements), *[int(name in tables)] * 3),
        )
        for name in {*tables, *by_statements}
    )  # fmt: skip
    return Profile("binlog", server, TAKEN, TAKEN, rows, tuple(found), log=Log(formats, complete=True))


def data_of(record: Record, pairs: Iterable[PairReport], flavor: str) -> Iterator[Profile]:
    """The source's rows, where nothing else than the statements changes them."""
    tables = rows_of(record)
    for pair in pairs:
        if pair.source is not None and pair.table in tables and pair.source.kind is TableKind.TABLE:
            try:
                held = table_profile(pair.source, *tables[pair.table])
                held = replace(held, duplicates=tuple(_duplicates(pair, *tables[pair.table])))
            except (InvalidOperation, ValueError, LookupError):
                continue
            yield profile(held, flavor=flavor)


def _duplicates(pair: PairReport, names: Sequence[str], rows: Sequence[Row]) -> Iterator[Duplicates]:
    """Rows that are alike under the replica's unique keys of whole columns, compared without case."""
    for key in pair.replica.keys if pair.replica else ():
        parts = [part.column for part in key.parts if part.column in names and not part.length]
        if not key.unique or len(parts) != len(key.parts) or pair.source is None:
            continue
        places = [names.index(str(part)) for part in parts]
        values = [tuple((row[place] or "").casefold().rstrip() for place in places) for row in rows]
        alike = [number for number in Counter(values).values() if number > 1]
        texts = {
            c.type.collation for part in parts if part and (c := pair.source.column(part)) and c.type.charset
        }
        collation = next(iter(texts), None)
        yield Duplicates(tuple(map(str, parts)), len(alike), sum(alike), collation)


def judge_statements(record: Record, header: Record) -> Iterator[tuple[str, str]]:
    """The law over a fact whose statements were logged. By format: `red` and `left` have findings at the gate
    before and behind the evidence, `true` really stopped or differed; by rule: what is left.
    """
    prepared = record.get("source_setup") or record.get("replica_setup")
    if (
        record["outcome"] not in ("applied", "error")
        or prepared
        or "source_sql" not in record
        or record.get("binlog_format", "ROW") == "ROW"
    ):
        return
    given, answers = ends_of(record, header), answers_of(record, header)
    if isinstance(given, str) or isinstance(answers, str):
        return
    if any(f.effect is Effect.UNKNOWN for pair in answers for f in pair.findings):
        return
    if any(text.lstrip().upper().startswith("CALL") for text in record["source_sql"]):
        return  # a log has the statements of a procedure, not its call
    report = Report(given[2], answers)
    red = bool(blocking(report))
    told = with_evidence(
        report,
        [log_of(record, given[2]), *data_of(record, answers, given[2].source.flavor)],
        only_biting=True,
    )
    left = blocking(told)
    harmed = record["outcome"] == "error" or any(
        rows.differ() for rows in arrived.tables_of(record, _bits(answers))
    )
    for kind, there in (("all", True), ("red", red), ("left", left), ("true", harmed)):
        if there:
            yield f"{kind} {given[2].binlog_format}", ""
    yield from ((code, "") for code in {f.code for f in left})
    blamed = {f.table for f in blocking(report)}
    where = {rows.table for rows in arrived.tables_of(record, _bits(answers)) if rows.differ()}
    if record["outcome"] == "error":
        where = set(re.findall(r"table \W?\w+\W+(\w+)", record.get("message") or "")[:1])
    if harmed and not left and (where & blamed or not where):
        yield "missed", f"{record.get('errno')} {record['id']}"
    bites = [
        f.code for f in left if f.evidence and f.evidence.bite is Bite.BITES and f.effect > Effect.DIVERGES
    ]
    rows_told = record.get("binlog_format") == "STATEMENT" or "row_tables" in record
    if bites and not harmed and rows_told:
        yield "no bite", f"{bites[0]} {record['id']}"


def _bits(pairs: Iterable[PairReport]) -> frozenset[str]:
    """`table.column` of BIT columns: their recorded bytes are one number."""
    return frozenset(
        f"{pair.table}.{column.name}".casefold()
        for pair in pairs
        if pair.source
        for column in pair.source.columns
        if column.type.base == "bit"
    )


def _by_row(record: Record, pair: PairReport, link: Link) -> Iterator[tuple[str, str]]:
    """Each row by itself as the evidence, against what arrived of it."""
    names, theirs = record["source_cols"], record.get("replica_rows") or []
    rows = record["source_rows"]
    if len(rows) != len(theirs) or record["replica_cols"][: len(names)] != names:
        return
    for row, came in zip(rows, theirs, strict=True):
        if len(names) > 1 and row[0] != came[0]:
            return
        for one in with_rows(pair, link, names, [row]).findings:
            if one.evidence is None or one.column not in names or not _of_value(one):
                continue
            place = names.index(one.column)
            same = _number(row[place]) == _number(came[place]) if _is_bits(pair, one) else False
            same = same or plain(row[place]) == plain(came[place])
            said = f"{one.code} {record['id']}: {row[place]!r:.60} arrives as {came[place]!r:.60}"
            if one.evidence.bite is Bite.BITES:
                yield ("no bite" if same else "bites"), said
            elif one.evidence.absent:
                yield ("absent" if same else "missed"), said


def _is_bits(pair: PairReport, finding: Finding) -> bool:
    column = pair.source.column(finding.column or "") if pair.source else None
    return column is not None and column.type.base == "bit"


def _number(text: str | None) -> int | None:
    return int(text, 16) if text and text.startswith("0x") else None


def _of_value(finding: Finding) -> bool:
    return finding.code in {f"SC{n}" for n in (204, 205, 206, 207, 208, 209, 210, 213, 214, 216, 301, 501)}


def judge_file(path: Path, every: int = 1) -> tuple[Counter[str], list[tuple[str, str]]]:
    """Counts by kind, and what breaks the law."""
    header, records = read_facts(path)
    counts: Counter[str] = Counter()
    broken: list[tuple[str, str]] = []
    for place, record in enumerate(records):
        if "id" not in record:
            header = record
            continue
        if place % every:
            continue
        for kind, why in (*judge(record, header), *judge_statements(record, header)):
            counts[kind] += 1
            if kind in ("no bite", "missed"):
                broken.append((kind, why))
    return counts, broken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    for path in options.files:
        counts, broken = judge_file(path, options.every)
        told = " ".join(f"{kind}={number}" for kind, number in sorted(counts.items()))
        print(f"{path.name}: {told}", flush=True)
        causes = Counter((kind, why.split()[0]) for kind, why in broken)
        print("  ", causes.most_common(20))
        for kind, why in broken[:: max(1, len(broken) // options.show)][: options.show]:
            print(f"  {kind}: {why}")


if __name__ == "__main__":
    main()
