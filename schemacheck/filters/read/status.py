"""Filters out of what a server shows: SHOW REPLICA STATUS, SHOW VARIABLES, performance_schema, SHOW MASTER
STATUS.

A comma separates values in all of these, so a name that itself holds a comma cannot be determined from two
names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from schemacheck.errors import InputError
from schemacheck.filters.read.options import Collector, canonical
from schemacheck.filters.read.refusal import Given
from schemacheck.filters.read.result import FilterInput
from schemacheck.model import Server
from schemacheck.model.filters import OPTIONS

Row = dict[str, str]
_STATUS = {
    "replicate_do_domain_ids": "do-domain-ids", "replicate_ignore_domain_ids": "ignore-domain-ids",
    "do_domain_ids": "do-domain-ids",
    "ignore_domain_ids": "ignore-domain-ids", "binlog_do_db": "binlog-do-db",
    "binlog_ignore_db": "binlog-ignore-db",
} | {option.replace("-", "_"): option for option in OPTIONS if option.startswith("replicate")}  # fmt: skip


def parse(text: str, server: Server | None = None) -> FilterInput:
    r"""Filters from `\G` output, TSV with a heading, an ASCII table or JSON lines.

    Understood are rows of SHOW REPLICA|SLAVE|ALL SLAVES STATUS and SHOW MASTER STATUS (one column per
    option), of performance_schema.replication_applier_filters (FILTER_NAME, FILTER_RULE) and of
    variables (Variable_name, Value). Raises InputError where none of these is found.
    """
    collector = Collector(server, Given.STATEMENT)
    found = False
    settings: dict[str, str] = {}
    for row in rows(text):
        channel = row.get("channel_name", row.get("connection_name", ""))
        if "filter_name" in row:
            found = True
            if row["filter_name"].strip().lower() not in _STATUS:
                message = f"FILTER_NAME {row['filter_name']!r} is not a known filter"
                raise InputError(message)
            _add(collector, row["filter_name"], row.get("filter_rule", ""), channel)
        elif "variable_name" in row:
            name = row["variable_name"].lower()
            connection, dot, plain = name.rpartition(".")
            if plain in _STATUS:
                found = True
                _add(
                    collector,
                    plain,
                    row.get("value", row.get("variable_value", "")),
                    connection if dot else "",
                )
            else:
                settings[name] = row.get("value", row.get("variable_value", ""))
        else:
            for name, value in row.items():
                if name in _STATUS:
                    found = True
                    _add(collector, name, value, channel)
    if not found:
        message = (
            "no filters found: give SHOW REPLICA STATUS (\\G or TSV with its heading), "
            "replication_applier_filters or SHOW VARIABLES LIKE 'replicate%'"
        )
        raise InputError(message)
    return FilterInput(collector.result(inherit=False), tuple(sorted(settings.items())))


def _add(collector: Collector, name: str, value: str, channel: str) -> None:
    option = _STATUS.get(name.strip().lower()) or canonical(name)
    if option is None or value.strip() in ("", "NULL", "\\N"):
        return
    for item in values(option, value):
        collector.add(option, item, channel=channel)


def values(option: str, text: str) -> Iterable[str]:
    """The values in one shown text: `a,b`; `(a,b),(c,d)` or `a->b,c->d` for rewrite-db."""
    if option == "replicate-rewrite-db" and "->" not in text:
        return [f"{a.strip()}->{b.strip()}" for a, b in re.findall(r"\(([^,()]++),([^()]++)\)", text)]
    return [
        item.strip().strip("`") if option.endswith("-db") else item.strip()
        for item in text.split(",")
        if item.strip()
    ]


def rows(text: str) -> Iterator[Row]:
    """The rows of any of the layouts, with lower-case column names."""
    stripped = text.lstrip("\ufeff \n\r")
    if stripped.startswith(("{", "[")):
        yield from _json(stripped)
    elif any(map(_begins_row, text.split("\n"))) or re.search(
        r"^[^\S\n]*+Replicate_\w++:", text, re.MULTILINE
    ):
        yield from _vertical(text)
    elif stripped.startswith("+-"):
        lines = [line.rstrip() for line in stripped.splitlines() if line.startswith("|")]
        yield from _table(
            [
                [cell.strip() for cell in line.removeprefix("|").removesuffix("|").split("|")]
                for line in lines
            ],
            exact=True,
        )
    else:
        lines = [line for line in stripped.splitlines() if line.strip()]
        yield from _table([line.split("\t") for line in lines])


def _begins_row(line: str) -> bool:
    """Whether a line is one of the client's between rows: `***... 1. row ***...`."""
    return line.startswith("*****") and "row" in line and line.rstrip().endswith("*****")


def _vertical(text: str) -> Iterator[Row]:
    row: Row = {}
    for line in text.splitlines():
        if re.match(r"^\*{5,}", line):
            if row:
                yield row
            row = {}
            continue
        name, colon, value = line.partition(":")
        if colon and re.fullmatch(r"\s*\w+", name):
            row[name.strip().lower()] = value.strip()
    if row:
        yield row


def _table(cells: list[list[str]], *, exact: bool = False) -> Iterator[Row]:
    """Rows under their heading; with `exact` each has as many cells as it, else empty ones may be left out at
    the end.
    """
    if not cells:
        return
    heading = [cell.strip().lower() for cell in cells[0]]
    if len(heading) == 2 and heading[0].rpartition(".")[2] in _STATUS and heading[1] not in _STATUS:
        heading, body = ["variable_name", "value"], cells  # mysql -N
    else:
        body = cells[1:]
    for line in body:
        if len(line) > len(heading) or (exact and len(line) < len(heading)):
            message = f"a row has {len(line)} cells under {len(heading)} headings: {' | '.join(line)}"
            raise InputError(message)
        yield {name: value.replace("\\\\", "\\") for name, value in zip(heading, line, strict=False)}


def _json(text: str) -> Iterator[Row]:
    try:
        documents = (
            json.loads(text)
            if text.startswith("[")
            else [json.loads(line) for line in text.splitlines() if line.strip()]
        )
    except (ValueError, RecursionError) as error:
        message = f"not JSON lines: {error}"
        raise InputError(message) from error
    for document in documents:
        if not isinstance(document, dict):
            message = f"not JSON rows: {json.dumps(document)[:60]} is no object"
            raise InputError(message)
        yield {str(name).lower(): "" if value is None else str(value) for name, value in document.items()}
