"""What a change sets off: triggers of its tables, stored functions and default expressions, as the source
has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.link import dialect
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model.table import DefaultKind
from schemacheck.sql.statements import Statement, parse
from schemacheck.workload import defaults
from schemacheck.workload.state import Workload

_HEAD = re.compile(
    r"^\s*(RETURNS\s+\w+(\s*\([^)]*\))?(\s+(UNSIGNED|CHARSET\s+\w+))?)?\s*"
    r"(MODIFIES\s+SQL\s+DATA|DETERMINISTIC|NOT\s+DETERMINISTIC|CONTAINS\s+SQL|READS\s+SQL\s+DATA|NO\s+SQL|"
    r"SQL\s+SECURITY\s+\w+|COMMENT\s+'[^']*'|LANGUAGE\s+SQL|\s)*"
    r"(BEGIN\b)?",
    re.IGNORECASE,
)
#: What stands before the first statement of a loop, or of a branch.
_LOOP = re.compile(
    r"^(?:\w+\s*:\s*)?(?:WHILE\b.*?\bDO\b|LOOP\b|REPEAT\b|BEGIN\b)\s*", re.IGNORECASE | re.DOTALL
)
_BRANCH = re.compile(r"^(?:(?:IF|ELSEIF|CASE|WHEN)\b.*?\bTHEN\b|ELSE\b)\s*", re.IGNORECASE | re.DOTALL)
#: First words of what changes no table in a body.
_QUIET = frozenset((
    "SET", "SELECT", "OPEN", "FETCH", "CLOSE", "END", "UNTIL", "LEAVE", "ITERATE", "SIGNAL", "RESIGNAL",
    "DECLARE", "RETURN", "DO",
))  # fmt: skip
_FIRES = {"insert": "INSERT", "replace": "INSERT", "load": "INSERT", "update": "UPDATE", "delete": "DELETE"}


def pieces(body: str) -> list[str]:
    """The statements of a body, without the words around them."""
    plain = _HEAD.sub("", body, count=1)
    cut = [re.sub(r"\bEND\s*$", "", piece, flags=re.IGNORECASE).strip() for piece in plain.split(";")]
    return [piece for piece in cut if piece and not piece.upper().startswith("DECLARE")]


def flow(body: list[str]) -> Iterator[tuple[str, bool]]:
    """(statement, whether only some runs reach it) of a body's pieces, without loops and branches, and
    without what changes no table.
    """
    branches = 0
    for piece in body:
        text, found = piece, True
        while found:
            found = False
            for pattern in (_LOOP, _BRANCH):
                head = pattern.match(text)
                if head is not None and head.group().strip():
                    starts = head.group().lstrip().upper().startswith(("IF", "CASE"))
                    branches += int(pattern is _BRANCH and starts)
                    text, found = text[head.end() :], True
        if re.match(r"END\s+(IF|CASE)\b", text, re.IGNORECASE):
            branches -= 1
        elif text and re.split(r"\W", text, maxsplit=1)[0].upper() not in _QUIET:
            yield text, branches > 0


def bodies(work: Workload, statement: Statement, text: str) -> list[str]:
    """The statements that a change runs by triggers of the source's tables and by stored functions."""
    found: list[str] = []
    event = _FIRES.get(statement.verb.partition("-")[0], "")
    for ref in statement.refs:
        table = work.source.table(ref.name) if ref.updated is not False else None
        for trigger in table.triggers if table is not None else ():
            if trigger.event.upper() == event:
                found += [one for one, _ in flow(pieces(trigger.body))] + pieces(trigger.body)
        if table is not None and event == "INSERT":
            found += [
                column.default.text
                for column in defaults.left_out(text, table)
                if column.default is not None and column.default.kind is DefaultKind.EXPRESSION
            ]
    for word in dict.fromkeys(dialect.CALL.findall(dialect.plain(text)) if work.routines else ()):
        found += work.routines.get(word.casefold(), [])
    return found


def of_the_source(work: Workload, statement: Statement) -> str | None:
    """A trigger that the source alone has and that the change fires there."""
    event = _FIRES.get(statement.verb.partition("-")[0], "")
    tables = [work.source.table(ref.name) for ref in statement.refs if ref.updated is not False]
    for trigger in (one for table in tables if table is not None for one in table.triggers):
        if trigger.event.upper() == event and ("trigger", trigger.name.casefold()) in work.objects.here:
            return trigger.name
    return None


def function_apart(work: Workload, text: str) -> Outcome | None:
    """A stored function that one end alone has, or that each has made for itself."""
    words = {word.casefold() for word in dialect.CALL.findall(dialect.plain(text))} if work.apart else set()
    for name in sorted(words & work.apart):
        if ("function", name) in work.objects.here and ("function", name) not in work.objects.there:
            why = f"the replica has no function {name}"
            return Outcome(Kind.SQL, "SC941", 1305, why, "Create the function on the replica")
        return Outcome(Kind.UNKNOWN, "SC941", 0, f"each end has made the function {name} for itself")
    return None


def changes(work: Workload, texts: list[str]) -> list[Statement]:
    """Those of them that change tables, parsed."""
    parsed = [parse(text, work.ends.source) for text in texts]
    return [one for one in parsed if _FIRES.get(one.verb.partition("-")[0])]


def counts(work: Workload, statement: Statement, fired: list[str]) -> bool:
    """Whether the change takes numbers of an AUTO_INCREMENT column in an order that is the source's own:
    by a trigger or function, or by INSERT ... SELECT (BINLOG_STMT_UNSAFE_AUTOINC_COLUMNS,
    BINLOG_STMT_UNSAFE_WRITE_AUTOINC_SELECT).
    """
    written = [ref.name for one in changes(work, fired) for ref in one.refs if ref.updated is not False]
    if statement.verb in ("insert", "replace") and any(ref.updated is False for ref in statement.refs):
        written += [ref.name for ref in statement.refs if ref.updated is not False]
    tables = [work.source.table(name) for name in written]
    return any(t is not None and any(c.auto_increment for c in t.columns) for t in tables)
