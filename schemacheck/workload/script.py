"""The statements of a file on a link: cut as the source's client cuts them, run, and where they end."""

from __future__ import annotations

from schemacheck.dataclass import dataclass, replace
from schemacheck.knowledge.characters import BLANK
from schemacheck.link.connect import connects
from schemacheck.link.ends import Ends
from schemacheck.link.installation import connecting
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.link.session import Session
from schemacheck.model import Effect, Finding, Server
from schemacheck.sql import script
from schemacheck.sql.statements import parse_script
from schemacheck.sql.statements.value import UseStatement
from schemacheck.workload.decided import undecided
from schemacheck.workload.run import run

#: What `--tables` may hold.
_DEFINITIONS = frozenset({"create-table", "create-table-like", "alter-table", "create-index", "use"})
#: Rules about what sessions bring along, and about events of row changes.
_OF_SESSIONS = ("SC911", "SC912", "SC913", "SC924")


@dataclass(frozen=True, slots=True)
class Cut:
    """One statement of a file, without comments before it, and its line. `trouble`: why it is not read."""

    text: str
    line: int
    use: str = ""
    verb: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What becomes of the statements of a file: `count` of them; `line` of that which decides (None: none
    does), in the tables' file where `in_tables`.
    """

    outcome: Outcome
    count: int
    line: int | None = None
    in_tables: bool = False


def cut(text: str, server: Server) -> tuple[Cut, ...]:
    """The statements of a file, in order."""
    odd = {
        one.start: "it is not closed at the end" if one.open else "the client joins words in it"
        for one in script.statements(text, lambda: server)
        if one.open or one.altered
    }
    found = []
    for one in parse_script(text, server):
        behind = _behind_comments(one.text)
        trouble = odd.pop(one.start, "") or (one.problems[0] if one.problems else "")
        if not trouble and not text.startswith(one.text, one.start):
            trouble = "EXECUTE IMMEDIATE is not followed"
        line = text.count("\n", 0, one.start + behind) + 1
        use = one.database if isinstance(one, UseStatement) else ""
        found.append(Cut(one.text[behind:].strip(), line, use, one.verb, trouble))
    found += [Cut(text[at:], text.count("\n", 0, at) + 1, trouble=why) for at, why in odd.items()]
    return tuple(sorted(found, key=lambda one: one.line))


def of_others(findings: tuple[Finding, ...], answer: Answer | None) -> tuple[Finding, ...]:
    """Findings about a link: what sessions and events of some kind do is a note where it is decided what
    becomes of the statements that there are.
    """
    if answer is None or answer.outcome.kind is Kind.UNKNOWN:
        return findings
    return tuple(
        replace(
            finding, effect=Effect.COMPATIBLE, depends_on_rows=True,
            message=f"of other statements than those given: {finding.message}",
        )
        if finding.code in _OF_SESSIONS and finding.effect > Effect.COMPATIBLE
        else finding
        for finding in findings
    )  # fmt: skip


def _behind_comments(text: str) -> int:
    at = 0
    while at < len(text):
        if text[at] in BLANK:
            at += 1
        elif text[at] == "#" or (text.startswith("--", at) and text[at + 2 : at + 3] in (*BLANK, "")):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end + 1
        elif text.startswith("/*", at) and not text.startswith(("/*!", "/*M!", "/*+"), at):
            end = text.find("*/", at + 2)
            at = len(text) if end < 0 else end + 2
        else:
            break
    return at


def run_script(
    ends: Ends, statements: tuple[Cut, ...], tables: tuple[Cut, ...] = (), *, database: str = ""
) -> Answer:
    """Run the statements of a file on a link whose ends have the same `tables`, which may hold rows.

    `database` is the default one; else it is the first that USE names. Kind.UNKNOWN wherever the model of
    workloads does not cover a statement, the source refuses it, or it reaches for another database.
    """
    ends = connecting(ends)
    if (unconnected := connects(ends)) is not None:
        return Answer(unconnected, len(statements))
    home = database or next((one.use for one in (*tables, *statements) if one.use), "")
    for one in tables:
        wrong = one.trouble or ("" if one.verb in _DEFINITIONS else "it is no definition of a table")
        if not wrong and one.use and one.use != home:
            wrong = f"statements are followed in one database, {home}"
        if wrong:
            return Answer(Outcome(Kind.UNKNOWN, why=wrong), len(statements), one.line, in_tables=True)
    whole = next((at for at, one in enumerate(statements) if one.trouble), len(statements))
    outcome = run(
        ends, Session.plain(ends.source), [one.text for one in tables if not one.use], (), (),
        [one.text for one in statements[:whole]], database=home, undecided=undecided,
    )  # fmt: skip
    open_end = outcome.kind is Kind.UNKNOWN and outcome.statement is None
    if whole < len(statements) and (outcome.kind is Kind.RUNS or open_end):
        outcome = Outcome(Kind.UNKNOWN, why=statements[whole].trouble, statement=whole)
    line = statements[outcome.statement].line if outcome.statement is not None else None
    return Answer(outcome, len(statements), line)
