"""Suppressions in the SQL itself: `-- schemacheck: ignore[SC204] reason` at the end of a line or on the one
before; at the CREATE TABLE line or its closing parenthesis for the table; `ignore-file[...]` for the file.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable
from itertools import accumulate

from schemacheck.dataclass import dataclass, replace
from schemacheck.knowledge import characters
from schemacheck.model import Effect, Finding, Location, PairReport, Report, Tolerance, ToleratedBy
from schemacheck.model.policy import SuppressionUse
from schemacheck.policy.mark import accepts, remarks, tolerate
from schemacheck.policy.selection import counts
from schemacheck.sql.scan import comments

#: A file and a line of it, None for all.
_Place = tuple[str, int | None]

_WORDS = re.compile(
    r"(?:--|\#|/\*)\s*schemacheck\s*:\s*(?P<verb>[A-Za-z-]*)\s*(?:\[(?P<codes>[^\]]*)\])?\s*(?P<reason>.*?)\s*(?:\*/)?\Z",
    re.DOTALL | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment. `line` is the line that it speaks for, None for the whole file; `wrong` says why
    it cannot be understood; `about` is the text of that line and of the statement's first line."""

    location: Location
    codes: tuple[str, ...] = ()
    reason: str = ""
    line: int | None = None
    wrong: str = ""
    about: str = ""


def scan(text: str, file: str) -> tuple[Suppression, ...]:
    """All suppressions of a file's text, in order."""
    if "schemacheck" not in text:
        return ()
    lines = text.split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    next_lines, headings = _next_lines(lines), _headings(lines)
    abouts: dict[int, str] = {}
    edges: dict[int, tuple[int, int]] = {}
    out = []
    for token in comments(text):
        words = _WORDS.match(token.group())
        if words is None:
            continue
        first = bisect.bisect_right(starts, token.start())
        last = bisect.bisect_right(starts, token.end() - 1)
        at = Location(file, first, token.start() - starts[first - 1] + 1)
        # Each line is looked at once, however many comments it has.
        for number in (first, last):
            if number not in edges:
                edges[number] = _edges(lines[number - 1])
        alone = token.start() - starts[first - 1] <= edges[first][0]
        own_line = alone and token.end() - starts[last - 1] >= edges[last][1]
        line = next_lines[last] if own_line else last
        suppression = _suppression(words, at, line)
        if suppression.line is not None:
            if line not in abouts:
                abouts[line] = _about(lines, line, headings)
            suppression = replace(suppression, about=abouts[line])
        out.append(suppression)
    return tuple(out)


def _edges(line: str) -> tuple[int, int]:
    """Where the text of a line, which is not blank, begins and ends."""
    return len(line) - len(line.lstrip(characters.BLANK)), len(line.rstrip(characters.BLANK))


_VERB = re.compile(r"\b(?:CREATE|ALTER|RENAME)\b", re.IGNORECASE | re.ASCII)
_TABLE = re.compile(r"\bTABLE\b", re.IGNORECASE | re.ASCII)


def _headings(lines: list[str]) -> list[int]:
    """The numbers (from 0) of the lines in which a statement about a table begins."""
    headings = []
    for number, line in enumerate(lines):
        verb = _VERB.search(line)
        if verb and _TABLE.search(line, verb.end()):
            headings.append(number)
    return headings


def _about(lines: list[str], line: int, headings: list[int]) -> str:
    """What makes two comments in two versions of a file one: the line and its table."""
    before = bisect.bisect_left(headings, line)
    heading = lines[headings[before - 1]] if before else ""
    return f"{' '.join(characters.split(heading))}\n{' '.join(characters.split(lines[line - 1]))}"


def _suppression(words: re.Match[str], at: Location, line: int) -> Suppression:
    verb, inside, reason = words["verb"].lower(), words["codes"], " ".join(characters.split(words["reason"]))
    if verb not in ("ignore", "ignore-file"):
        return Suppression(
            at, wrong=f"{verb!r} is not an instruction; write ignore[CODE] or ignore-file[CODE]"
        )
    codes = tuple(filter(None, map(characters.strip, (inside or "").split(","))))
    if not codes:
        return Suppression(at, wrong=f"{verb} names no rule; write {verb}[CODE]")
    return Suppression(at, codes, reason, None if verb == "ignore-file" else line)


def _next_lines(lines: list[str]) -> list[int]:
    """For each line, counted from 1, the next one that says something; the last line where none does."""
    next_lines = [len(lines)] * (len(lines) + 1)
    for number in range(len(lines) - 1, -1, -1):
        text = characters.strip(lines[number])
        speaks = text and not text.startswith(("-- ", "--\t", "#")) and text != "--"
        next_lines[number] = number + 1 if speaks else next_lines[number + 1]
    return next_lines


def apply(
    report: Report,
    suppressions: Iterable[Suppression],
    select: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
) -> Report:
    """Mark what the comments mean; remark on each that means nothing or is wrong."""
    listed = list(suppressions)
    if not listed:
        return report
    by_place: dict[_Place, list[int]] = {}
    for number, suppression in enumerate(listed):
        by_place.setdefault((suppression.location.file, suppression.line), []).append(number)
    used: set[tuple[int, str]] = set()

    def decide(finding: Finding, pair: PairReport) -> Tolerance | None:
        tolerance = None
        numbers = {number for place in _places(finding, pair) for number in by_place.get(place, ())}
        for number in sorted(numbers):
            suppression = listed[number]
            codes = [code for code in suppression.codes if accepts(code, finding)]
            if codes:
                used.update((number, code) for code in codes)
                tolerance = tolerance or Tolerance(
                    ToleratedBy.COMMENT, suppression.reason, suppression.location
                )
        return tolerance

    marked = tolerate(report, decide)
    uses = []
    for number, suppression in enumerate(listed):
        if suppression.wrong:
            uses.append(SuppressionUse("comment", suppression.location, wrong=suppression.wrong))
        uses += [
            SuppressionUse(
                f"suppression of {code}", suppression.location, "its code", matched=(number, code) in used
            )
            for code in suppression.codes
            if counts(_probe(code), select, ignore)
        ]
    return replace(marked, remarks=(*marked.remarks, *remarks(uses)))


def _places(finding: Finding, pair: PairReport) -> set[_Place]:
    """Where a comment may stand: the definition's line, its statement's ends, or anywhere in the file."""
    places = [side.location for side in (finding.source, finding.replica) if side.location]
    result: set[_Place] = {(place.file, line) for place in places for line in (None, place.line)}
    for table in (pair.source, pair.replica):
        if table is not None and table.location is not None and table.location.line is not None:
            file, named, text = table.location.file, table.location.line, table.text or ""
            begin = named - text[: max(text.find(table.name), 0)].count("\n")
            result |= {(file, line) for line in (None, begin, named, begin + text.count("\n"))}
    return result


def _probe(code: str) -> Finding:
    """A finding that only has a code, to ask whether its rule counts this time."""
    return Finding(code.upper(), code.lower(), Effect.COMPATIBLE, "")
