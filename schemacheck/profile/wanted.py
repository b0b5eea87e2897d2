"""What is to be measured: the columns, conditions and keys that findings are about."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from schemacheck.dataclass import dataclass, field
from schemacheck.errors import InputError
from schemacheck.model import charset
from schemacheck.model.quote import quoted

#: Bytes of a report.
LARGEST = 1 << 28
#: The words of `conversion.affected.condition`, beside names of character sets and of one column.
_WORDS = (
    "NOT|OR|IN|ABS|ROUND|CHAR_LENGTH|LENGTH|TRIM|TRAILING|FROM|CONVERT|USING|CAST|AS|BINARY|DATE|MICROSECOND"
)
_PIECE = re.compile(
    rf"(?P<name>`(?:[^`]|``)*`)|(?:{_WORDS})\b|(?P<set>[a-z][a-z0-9]*)|-?\d+(?:\.\d+)?|' '|[+*%&<>=(), ]"
)
_KEY = re.compile(r"(?:primary|unique) key \((.+)\)", re.DOTALL)
_PART = re.compile(r"([^(),]+)(?:\((\d+)\))?", re.DOTALL)
_COLLATED = re.compile(r"\bcollate (\w+)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WantedKey:
    """Columns whose values are to be alike in no two rows: (name, prefix length or None), and the collations
    by which they are compared, by name (else their own).
    """

    parts: tuple[tuple[str, int | None], ...]
    collations: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class WantedTable:
    """Of one table: columns (lower case; None: all), SQL conditions by column, keys."""

    columns: set[str] | None = field(default_factory=set)
    conditions: dict[str, list[str]] = field(default_factory=dict)
    keys: list[WantedKey] = field(default_factory=list)

    def wants(self, column: str) -> bool:
        """Whether a column is measured."""
        return self.columns is None or column.casefold() in self.columns


#: By (database, table) in lower case.
Wanted = Mapping[tuple[str, str], WantedTable]


def from_report(path: str) -> Wanted:
    """What the findings of a report of `check --format json` are about. Raises InputError.

    A report may be anybody's: of its SQL only conditions made of known words go to a server.
    """
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(LARGEST + 1)
        return of_document(json.loads(data) if len(data) <= LARGEST else None)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise InputError(f"{path}: not a report of schemacheck check --format json") from None


def of_document(report: Any) -> Wanted:
    """What the findings of a report, as its JSON has it, are about. Raises TypeError or KeyError for another
    document.
    """
    wanted: dict[tuple[str, str], WantedTable] = {}
    for item in report["tables"]:
        database, name, listed = item["database"], item["table"], item["findings"]
        findings = [f for f in listed if isinstance(f, dict)] if isinstance(listed, list) else []
        table = wanted.setdefault((str(database).casefold(), str(name).casefold()), WantedTable())
        collations = {
            str(finding.get("column")): match[1]
            for finding in findings
            if (match := _COLLATED.search(_replica(finding)))
        }
        for finding in findings:
            if finding.get("effect") != "compatible":
                _add(table, finding, collations)
    return {name: table for name, table in wanted.items() if table.columns != set() or table.keys}


def _replica(finding: Mapping[str, Any]) -> str:
    """The replica's column or key, as the report writes it."""
    side = finding.get("replica")
    return str(side.get("text")) if isinstance(side, dict) else ""


def _add(table: WantedTable, finding: Mapping[str, Any], collations: Mapping[str, str]) -> None:
    column = finding.get("column")
    if not isinstance(column, str):
        table.columns = None
        return
    folded = column.casefold()
    if table.columns is not None:
        table.columns.add(folded)
    rows = finding.get("affected_rows")
    condition = where(column, str(rows.get("source"))) if isinstance(rows, dict) else None
    if condition and condition not in table.conditions.setdefault(folded, []):
        table.conditions[folded].append(condition)
    key = _KEY.fullmatch(_replica(finding))
    if key and finding.get("rule") == "stricter-unique-key":
        parts = [match for part in key[1].split(", ") if (match := _PART.fullmatch(part.strip()))]
        if len(parts) == key[1].count(", ") + 1:
            listed = tuple((part[1], int(part[2]) if part[2] else None) for part in parts)
            table.keys.append(
                WantedKey(listed, {name: collations[name] for name, _ in listed if name in collations})
            )


def where(column: str, query: str) -> str | None:
    """The condition of a query that a finding names, if it is one of ours over this column alone."""
    condition = query.partition(" WHERE ")[2].removesuffix(";")
    at = 0
    while at < len(condition):
        piece = _PIECE.match(condition, at)
        if piece is None or (piece["name"] and piece["name"] != quoted(column)):
            return None
        if piece["set"] and not charset.known(piece["set"]):
            return None
        at = piece.end()
    return condition or None
