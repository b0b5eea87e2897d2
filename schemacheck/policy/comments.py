"""Suppressions in the SQL itself: `-- schemacheck: ignore[SC204] reason`.

At the end of a line it speaks for what is defined there; on a line of its own for what comes next;
before or on the CREATE TABLE line, or on the closing parenthesis, for the whole table.
`ignore-file[...]` speaks for the whole file. Comments of all three kinds (`-- `, `#`, `/* */`)
count, text inside of strings does not.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from schemacheck.model import Effect, Finding, Location, PairReport, Report, Table, Tolerance, ToleratedBy
from schemacheck.model.policy import SuppressionUse
from schemacheck.policy.mark import accepts, remarks, tolerate
from schemacheck.policy.selection import counts

_TOKEN = re.compile(
    r"""(?P<quoted> '(?:[^'\\]|\\.|'')*' | "(?:[^"\\]|\\.|"")*" | `(?:[^`]|``)*` )
      | (?P<comment> --(?=\s|$)[^\n]* | \#[^\n]* | /\*.*?\*/ )""",
    re.VERBOSE | re.DOTALL,
)
_WORDS = re.compile(
    r"(?:--|\#|/\*)\s*schemacheck\s*:\s*(?P<verb>[A-Za-z-]*)\s*(?:\[(?P<codes>[^\]]*)\])?\s*(?P<reason>.*?)\s*(?:\*/)?\Z",
    re.DOTALL,
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
    starts = [0, *(m.end() for m in re.finditer("\n", text))]
    lines = text.split("\n")
    out = []
    for token in _TOKEN.finditer(text):
        words = _WORDS.match(token.group()) if token.lastgroup == "comment" else None
        if words is None:
            continue
        first = bisect.bisect_right(starts, token.start())
        last = bisect.bisect_right(starts, token.end() - 1)
        at = Location(file, first, token.start() - starts[first - 1] + 1)
        before = lines[first - 1][: at.column - 1 if at.column else 0]
        after = lines[last - 1][token.end() - starts[last - 1] :]
        own_line = not before.strip() and not after.strip()
        line = _next_line(lines, last) if own_line else last
        found = _suppression(words, at, line)
        out.append(replace(found, about=_about(lines, line)) if found.line is not None else found)
    return tuple(out)


_STATEMENT = re.compile(r"\b(?:CREATE|ALTER|RENAME)\b.*\bTABLE\b", re.IGNORECASE)


def _about(lines: list[str], line: int) -> str:
    """What makes two comments in two versions of a file the same one: the line, and the table that it belongs to."""
    heading = next((lines[n] for n in range(line - 1, -1, -1) if _STATEMENT.search(lines[n])), "")
    return f"{' '.join(heading.split())}\n{' '.join(lines[line - 1].split())}"


def _suppression(words: re.Match[str], at: Location, line: int) -> Suppression:
    verb, inside, reason = words["verb"].lower(), words["codes"], " ".join(words["reason"].split())
    if verb not in ("ignore", "ignore-file"):
        return Suppression(at, wrong=f"{verb!r} is no instruction; write ignore[CODE] or ignore-file[CODE]")
    codes = tuple(code.strip() for code in (inside or "").split(",") if code.strip())
    if not codes:
        return Suppression(at, wrong=f"{verb} names no rule; write {verb}[CODE]")
    return Suppression(at, codes, reason, None if verb == "ignore-file" else line)


def _next_line(lines: list[str], after: int) -> int:
    """The next line that says something, counted from 1; the last line where none does."""
    for number in range(after + 1, len(lines) + 1):
        text = lines[number - 1].strip()
        if text and not text.startswith(("-- ", "--\t", "#")) and text != "--":
            return number
    return len(lines)


@dataclass(frozen=True, slots=True)
class _Owner:
    """What is defined at a line: a table's part that starts at `line`, or (None) the table."""

    table: Table
    line: int | None


def apply(
    report: Report,
    suppressions: Iterable[Suppression],
    select: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
) -> Report:
    """Mark what the comments mean; add a remark for each that means nothing or is wrong.

    A comment about rules that `select` and `ignore` leave out of this check is not called unused.
    """
    listed = list(suppressions)
    if not listed:
        return report
    owners = [_owner(report, s) for s in listed]
    used: set[tuple[int, str]] = set()

    def decide(finding: Finding, pair: PairReport) -> Tolerance | None:
        found = None
        for number, (suppression, owner) in enumerate(zip(listed, owners, strict=True)):
            codes = [code for code in suppression.codes if accepts(code, finding)]
            if codes and _means(suppression, owner, finding, pair):
                used.update((number, code) for code in codes)
                found = found or Tolerance(ToleratedBy.COMMENT, suppression.reason, suppression.location)
        return found

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


def _probe(code: str) -> Finding:
    """A finding that only has a code, to ask whether its rule counts this time."""
    return Finding(code.upper(), code.lower(), Effect.COMPATIBLE, "")


def _means(suppression: Suppression, owner: _Owner | None, finding: Finding, pair: PairReport) -> bool:
    places = [side.location for side in (finding.source, finding.replica) if side.location]
    file = suppression.location.file
    if suppression.line is None:
        tables = [t.location.file for t in (pair.source, pair.replica) if t and t.location]
        return file in tables or any(place.file == file for place in places)
    if owner is not None and owner.line is None:
        return owner.table is pair.source or owner.table is pair.replica
    line = suppression.line if owner is None else owner.line
    return any(place.file == file and place.line == line for place in places)


def _owner(report: Report, suppression: Suppression) -> _Owner | None:
    """The table, and the part of it, that the suppression's line belongs to."""
    if suppression.line is None:
        return None
    best: tuple[int, Table] | None = None
    for pair in report.pairs:
        for table in (pair.source, pair.replica):
            if table is None or table.location is None or table.location.file != suppression.location.file:
                continue
            begin, end = _extent(table)
            if begin <= suppression.line <= end and (best is None or begin > best[0]):
                best = (begin, table)
    if best is None:
        return None
    table = best[1]
    named = table.location.line if table.location and table.location.line else 0
    if suppression.line <= named:
        return _Owner(table, None)
    parts = [
        p.location.line
        for group in (table.columns, table.keys, table.checks, table.foreign_keys)
        for p in group
        if p.location and p.location.line
    ]
    above = [line for line in parts if line <= suppression.line]
    if not above or _closes(table, suppression.line):
        return _Owner(table, None)
    return _Owner(table, max(above))


def _extent(table: Table) -> tuple[int, int]:
    """First and last line of a table's statement; (1, 0) where that is not known."""
    if table.location is None or table.location.line is None:
        return 1, 0
    lines = (table.text or "").split("\n")
    head = next((n for n, text in enumerate(lines) if table.name in text), 0)
    begin = table.location.line - head
    return begin, begin + len(lines) - 1


def _closes(table: Table, line: int) -> bool:
    """Whether the line is the one with the closing parenthesis of the definition."""
    lines = (table.text or "").split("\n")
    index = line - _extent(table)[0]
    return 0 <= index < len(lines) and lines[index].lstrip().startswith(")")
