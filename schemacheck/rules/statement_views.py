"""Statements meet another view.

## What it finds
Views of the source that the replica does not have, has with another query, or has as a table, under
STATEMENT or MIXED format; and views made under another collation, another definer, or another sql_mode that
changes how the query is read (PIPES_AS_CONCAT, ANSI_QUOTES).

## What the replica does
A statement that reads or writes a view is logged with the view's name. Without the view it ends with 1146.
With another query it reads and changes other rows, or the view refuses it (1369 CHECK OPTION, 1348, 1288,
1423). A view runs with the rights of its definer: without that account on the replica the applier stops
with error 1449. Under ROW the rows of the tables behind the view are logged, and the view does not matter.

## Example
    source:  CREATE TABLE t (a INT); CREATE VIEW v AS SELECT a FROM t;
    replica: CREATE TABLE t (a INT);

`INSERT INTO v VALUES (1)`.

## Fix
Create the source's view on the replica, or set binlog_format=ROW on the source.

## References
Recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment import Match
from schemacheck.conversion.trigger_body import (
    LACKS_PRIVILEGE,
    ONE_DEFINER,
    other_collation,
    other_definer,
    reading_modes,
)
from schemacheck.findings.on_match import on_match
from schemacheck.model import Effect, Example, Finding, Table, TableKind
from schemacheck.model.words import tokens
from schemacheck.rules import About, Rule

#: What another view, or a table in its place, says to a statement: columns that it lacks, values that it
#: needs, not updatable, invalid, no place for a row, other rows behind it.
_REFUSES = (
    1032, 1048, 1054, 1062, 1136, 1288, 1348, 1356, 1364, 1369, 1393, 1394,
    1395, 1423, 1443, 1451, 1452, 1471,
)  # fmt: skip
_REMEDY = "Create the source's view on the replica, or set binlog_format=ROW on the source"


def _check(match: Match) -> Iterator[Finding]:
    source, replica, link = match.source, match.replica, match.link
    if source.kind is not TableKind.VIEW or link.binlog_format == "ROW" or match.kept_out or match.unclear:
        return
    setting = f"binlog_format={link.binlog_format}"
    if replica is None:
        if match.near is None:
            yield on_match(
                match,
                Effect.STOPS,
                f"the view {source.name} does not exist on the replica: a statement that names it stops the "
                "applier",
                error=match.error("no-such-table"),
                depends_on_rows=True,
                setting=setting,
                remedy=_REMEDY,
                remedy_sql=f"{source.text.strip().rstrip(';')};" if source.text else None,
                reference="recorded on four servers",
            )
        return
    if replica.kind is TableKind.VIEW and (account := other_definer(source.made, replica.made)):
        yield on_match(
            match,
            Effect.STOPS,
            f"the view {source.name} has another definer on the replica, {account}: where that account does "
            "not exist there, or lacks a privilege, a statement that names the view stops the applier",
            texts=("view", "view"),
            error=match.error("no-such-definer", key=account),
            depends_on_rows=True,
            also=LACKS_PRIVILEGE,
            setting=setting,
            remedy=ONE_DEFINER,
        )
    if _same(source, replica):
        return
    kind = "another view" if replica.kind is TableKind.VIEW else f"a {replica.kind.value}"
    yield on_match(
        match,
        Effect.DIVERGES,
        f"the view {source.name} is {kind} on the replica: statements choose other rows "
        "there, and copy them to other tables",
        texts=("view", replica.kind.value),
        setting=setting,
        remedy=_REMEDY,
        example=Example(
            f"UPDATE {source.name}, all rows that the source's view shows", f"the rows of {kind}"
        ),
        reference="recorded on four servers",
    )
    yield on_match(
        match,
        Effect.STOPS,
        f"the view {source.name} is {kind} on the replica: a statement that it does not take stops "
        "the applier",
        texts=("view", replica.kind.value),
        error=match.error("view-check-failed"),
        depends_on_rows=True,
        also=_REFUSES,
        setting=setting,
        remedy=_REMEDY,
        reference="recorded on four servers",
    )


def _same(source: Table, replica: Table) -> bool:
    """Whether both are one view, as far as the input tells the queries."""
    if replica.kind is not TableKind.VIEW:
        return False
    names = [[column.name.casefold() for column in table.columns] for table in (source, replica)]
    if source.columns and replica.columns and names[0] != names[1]:
        return False
    if source.query is None or replica.query is None:
        return True
    collation = other_collation(source.query, source.made, replica.made)
    modes = [reading_modes(table.query or "", table.made) for table in (source, replica)]
    return (
        _words(source) == _words(replica)
        and modes[0] == modes[1]
        and not collation
        and source.made.read_only == replica.made.read_only
    )


def _words(table: Table) -> list[str]:
    """The words of the query without what makes no difference to it."""
    under = frozenset(table.made.modes or ())
    words = [text.strip("`") if kind == "name" else text for kind, text in tokens(table.query or "", under)]
    if words[-3:] == ["with", "check", "option"]:
        words.insert(-2, "cascaded")
    home = [(table.database or "").casefold(), "."]
    return [
        word
        for at, word in enumerate(words)
        if home not in (words[at : at + 2], words[max(at, 1) - 1 : at + 1])
    ]


RULE = Rule("SC807", "statement-views", _check, (About.MATCH,), evidence=lambda ask: ask.statements())
