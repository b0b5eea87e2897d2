r"""Rows of SHOW REPLICA STATUS and the like as people paste them: `\G`, TSV, bars, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator

from schemacheck.errors import InputError

Row = dict[str, str]
_FIELD = re.compile(r"\s*(\w+):(.*)", re.DOTALL)


def rows(text: str, named: Container[str] = ()) -> Iterator[Row]:
    """The rows of any layout, lower-case names, NULL of JSON as ''. Two columns without a heading are name
    and value of `named`. Raises InputError.
    """
    stripped = text.lstrip("\ufeff \n\r")
    lines = [line for line in stripped.splitlines() if line.strip()]
    if stripped.startswith(("{", "[")):
        yield from _json(stripped)
    elif any(line.startswith("+-") for line in lines):
        bars = (line.strip() for line in lines if line.lstrip().startswith("|"))
        cells = [line.removeprefix("|").removesuffix("|").split("|") for line in bars]
        yield from _table([[cell.strip() for cell in line] for line in cells], named, exact=True)
    elif any(map(_begins_row, lines)) or ("\t" not in stripped and any(map(_FIELD.match, lines))):
        yield from _vertical(lines)
    else:
        yield from _table([line.split("\t") for line in lines], named)


def _begins_row(line: str) -> bool:
    """Whether a line is one of the client's between rows: `***... 1. row ***...`."""
    return line.startswith("*****") and "row" in line and line.rstrip().endswith("*****")


def _vertical(lines: list[str]) -> Iterator[Row]:
    row: Row = {}
    last = ""
    for line in lines:
        if re.match(r"^\*{5,}", line):
            if row:
                yield row
            row, last = {}, ""
        elif (match := _FIELD.match(line)) is not None:
            last = match[1].lower()
            row[last] = match[2].strip()
        elif last:
            # A message of several lines.
            row[last] += "\n" + line.strip()
    if row:
        yield row


def _table(cells: list[list[str]], named: Container[str], *, exact: bool = False) -> Iterator[Row]:
    """Rows under their heading; without `exact` empty cells at the end may be left out."""
    if not cells:
        return
    heading, body = [cell.strip().lower() for cell in cells[0]], cells[1:]
    if len(heading) == 2 and heading[0].rpartition(".")[2] in named and heading[1] not in named:
        heading, body = ["variable_name", "value"], cells  # mysql -N
    for line in body:
        if len(line) > len(heading) or (exact and len(line) < len(heading)):
            raise InputError(f"a row has {len(line)} cells under {len(heading)} headings: {' | '.join(line)}")
        yield {name: value.replace("\\\\", "\\") for name, value in zip(heading, line, strict=False)}


def _json(text: str) -> Iterator[Row]:
    try:
        try:
            loads = json.loads(text)
        except ValueError:
            loads = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON lines: {error}") from error
    for row in loads if isinstance(loads, list) else [loads]:
        if not isinstance(row, dict):
            raise InputError(f"not JSON rows: {json.dumps(row)[:60]} is no object")
        yield {str(name).lower(): "" if value is None else str(value) for name, value in row.items()}
