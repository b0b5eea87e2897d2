"""One direction of a half-done rollout: rows of one definition on a table of the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from schemacheck.conversion.applied_default import instead_of_default, own_value, steady
from schemacheck.engine import check_pair
from schemacheck.engine.pairing import Matcher
from schemacheck.model import (
    Column,
    DefaultKind,
    Effect,
    Finding,
    Link,
    PairReport,
    PairState,
    Server,
    SmallestSetting,
    Table,
)
from schemacheck.model.expression import columns
from schemacheck.model.filters import FilterSet
from schemacheck.model.row_order import clustering
from schemacheck.plan.model import Obstacle, Passage, Renames
from schemacheck.replay.other_rows import own_fraction

#: FLOAT into DOUBLE: the same number in other digits, and just what the source's own ALTER makes of it.
_SAME_AS_ALTER = ("SC209", "float", "double")

Known = frozenset[tuple[str, str | None, Effect]]


def known(findings: Iterable[Finding]) -> Known:
    """What holds already before a change: it is not the change's doing."""
    return frozenset(map(mark, findings))


def mark(finding: Finding) -> tuple[str, str | None, Effect]:
    """What makes two findings about two states of a table the same."""
    return finding.code, finding.column and finding.column.casefold(), finding.effect


def harmless(finding: Finding) -> bool:
    """Whether the replica carries on and every value arrives in the columns that it has. What the
    manual forbids without any consequence on the server counts as harmless here, and is told as a caveat.
    """
    if (finding.code, finding.source.text, finding.replica.text) == _SAME_AS_ALTER:
        return True
    if finding.effect is Effect.UNSUPPORTED:
        return finding.error is None and finding.example is None and not finding.depends_on_rows
    return finding.effect <= Effect.INCOMPLETE


def decide(source: Table, replica: Table | None, link: Link, filters: FilterSet | None) -> PairReport:
    """The engine's answer; a table that the filters keep out is not replicated."""
    if filters is not None and not filters.empty:
        match = Matcher([replica] if replica else [], link, filters).match(source)
        if match.kept_out:
            return PairReport(
                source.database,
                source.name,
                PairState.NOT_REPLICATED,
                reason=match.kept_out,
                source=source,
                replica=replica,
            )
    return check_pair(source, replica, link.of_rows)


def passage(
    source: Table | None,
    replica: Table | None,
    link: Link,
    before: Known = frozenset(),
    filters: FilterSet | None = None,
) -> Passage:
    """Rows written on `source` arriving at `replica`, under the link's slave_type_conversions or, where
    that does not do, under the smallest one that does."""
    if source is None:
        return Passage(link, source, replica)
    report = decide(source, replica, link, filters)
    result = Passage(
        link, source, replica, report, None, _obstacles(report, before), _caveats(report, before)
    )
    if result.safe or report.smallest is None:
        return result
    for modes in _settings(report.smallest, link):
        changed = link.with_modes(modes)
        again = decide(source, replica, changed, filters)
        left = _obstacles(again, before)
        if len(left) < len(result.obstacles):
            result = Passage(link, source, replica, again, modes, left, _caveats(again, before))
        if result.safe:
            break
    return result


def _settings(smallest: SmallestSetting, link: Link) -> Iterator[str]:
    """Settings worth trying: the smallest one, else all that do not stop. What is set today is widened
    rather than replaced where that does: other tables may live on it."""
    worth = (
        [smallest.modes]
        if smallest.modes is not None
        else [modes for modes, effect in smallest.outcomes if effect < Effect.STOPS]
    )
    for modes in worth:
        wider = ",".join(sorted(link.type_conversions | {word for word in modes.split(",") if word}))
        yield from dict.fromkeys((wider, modes))


def _obstacles(report: PairReport, before: Known) -> tuple[Obstacle, ...]:
    return tuple(
        Obstacle(
            f.effect, " ".join(f.message.split()), f.code, f.column, f.error, f.example, f.depends_on_rows
        )
        for f in report.findings
        if not harmless(f) and mark(f) not in before
    )


def _caveats(report: PairReport, before: Known) -> tuple[str, ...]:
    return tuple(
        f.message
        for f in report.findings
        if f.effect > Effect.INCOMPLETE and harmless(f) and mark(f) not in before
    )


def replaced(old: Table, new: Table, renames: Renames = frozenset()) -> tuple[tuple[str, str], ...]:
    """(old name, new name) of columns that go and come at one position and are not one renamed column.
    A pair of definitions does not tell the two apart, and rows are replicated by position."""
    names, others = ({c.name.casefold() for c in t.columns} for t in (old, new))
    return tuple(
        (here.name, there.name)
        for here, there in zip(old.columns, new.columns, strict=False)
        if here.name.casefold() not in others
        and there.name.casefold() not in names
        and (here.name.casefold(), there.name.casefold()) not in renames
    )


def taken_for(old: Table, new: Table, renames: Renames) -> tuple[Obstacle, ...]:
    """Columns whose values arrive in another column that stands in their place (recorded on four servers)."""
    return tuple(
        Obstacle(Effect.DIVERGES,
        f"{here} goes and {there} comes in its place: while one end has it, values of the one "
        f"arrive in the other, and are lost with the rest of the change", "", there, rows=True)
        for here, there in replaced(old, new, renames)
    )  # fmt: skip


def lost_values(old: Table, new: Table) -> tuple[Obstacle, ...]:
    """Source first: what the source writes into a new column before the replica has it is skipped there,
    and no ALTER brings it back (recorded on four servers: the ends differ after the rollout)."""
    return tuple(
        Obstacle(
            Effect.DIVERGES, f"{c.name}: values that the source writes before the replica has the "
                             f"column never reach it, the replica's own ALTER fills in "
            "the default; safe only where nothing writes the column before", "", c.name, rows=True,
        )
        for c in new.columns
        if old.column(c.name) is None and c.generated is None and len(new.columns) > len(old.columns) and c in new.columns[len(old.columns) :]  # noqa: E501
    )  # fmt: skip


def not_found(old: Table, new: Table, replica: Server) -> tuple[Obstacle, ...]:
    """Source first: rows of the replica have values in a column that the source has dropped. MariaDB looks
    rows up by a key of the replica, or compares them whole: without a key of columns that stay it finds none
    (1032; recorded on 10.11.19 and 11.8.6, not on MySQL 5.6.24 and 9.7.4).
    """
    if not replica.has("lookup-needs-replica-key"):
        return ()
    for key in old.keys:
        names = [p.column or "" for p in key.parts]
        parts = [old.column(name) for name in names]
        never_null = all(c is not None and not c.nullable for c in parts)
        if key.unique and never_null and all(map(new.column, names)):
            return ()
    why = (
        "without a key of other columns the applier compares whole rows; it does not find those whose value "
        "in this column is not its default (1032)"
    )
    return tuple(
        Obstacle(Effect.STOPS, f"{c.name}: {why}", "", c.name, rows=True)
        for c in old.columns
        if new.column(c.name) is None and c.generated is None
    )


def never_equal(old: Table, new: Table, link: Link) -> str:
    """Why even a replicated ALTER leaves other values on each server; '' where it does not."""
    numbered = [c.name for c in new.columns if c.auto_increment]
    if clustering(old) is None and numbered and not any(c.auto_increment for c in old.columns):
        return (
            f"{numbered[0]}: each server numbers the existing rows in the order in which it reads them, and "
            "no key gives that order. A replicated ALTER does so too: fill a new table by INSERT ... SELECT "
            "... ORDER BY all columns, and rename it"
        )
    for column in new.columns:
        default = column.default
        if default is not None and old.column(column.name) is None and own_value(column):
            return (
                f"{column.name}: every server that runs this ALTER fills the existing rows with its own "
                f"DEFAULT ({default.text}). So does a replica that gets the statement; MySQL refuses it "
                "there (error 1674)"
            )
        if old.column(column.name) is None and (why := own_fraction(column, link)):
            return why
    return ""


def own_values(old: Table, new: Table) -> tuple[Obstacle, ...]:
    """New columns that each server's ALTER fills with values of its own."""
    out = []
    for column in _added(old, new):
        default = column.default
        if column.auto_increment:
            why = "numbers the existing rows in its own order, and rows that arrive in between"
        elif default is not None and default.kind is DefaultKind.EXPRESSION and columns(default.text):
            why = (
                "computes it from the row as it is on that server when the ALTER runs; a row that is changed "
                "in between differs"
            )
        elif default is not None and (
            default.kind is DefaultKind.CURRENT_TIMESTAMP
            or (default.kind is DefaultKind.EXPRESSION and not steady(default.text))
        ):
            why = "fills the existing rows with a value that differs from run to run"
        else:
            continue
        out.append(
            Obstacle(
                Effect.DIVERGES,
                f"{column.name}: an ALTER that runs on each server by itself {why}",
                "",
                column.name,
                rows=True,
            )
        )
    return tuple(out)


def not_filled(old: Table, new: Table, replica: Server) -> tuple[Obstacle, ...]:
    """Replica first: new columns in which rows of the old definition do not get the default that the source's
    ALTER will give them.
    """
    out = []
    for column in _added(old, new):
        instead = instead_of_default(column, replica)
        if instead:
            text = (
                f"{column.name}: rows that arrive from a source without the column get {instead} "
                f"there ({replica}), and the default on the source by its own ALTER"
            )
            out.append(Obstacle(Effect.DIVERGES, text, "", column.name, rows=True))
    return tuple(out)


def _added(old: Table, new: Table) -> Iterator[Column]:
    return (c for c in new.columns if old.column(c.name) is None and c.generated is None)
