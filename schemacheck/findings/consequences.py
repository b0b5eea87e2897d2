"""What follows from the findings about a pair: generated columns take part in a change, later statements meet
other rows, and an idempotent applier goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.alignment.foreign_keys import constraint_text, described
from schemacheck.alignment.pair import Pair
from schemacheck.conversion.error import ANY
from schemacheck.dataclass import replace
from schemacheck.findings.later_statements import failed_statements, later_statements
from schemacheck.findings.on_pair import on_table, side
from schemacheck.model import Effect, Example, Finding, Side

#: Of every table between MariaDB and MySQL, with what follows from it.
DIALECT = "SC806"
#: The rule about foreign keys.
FOREIGN_KEY = "SC405"
_CHANGES = (Effect.LOSSY, Effect.DIVERGES)
_INCOMPLETE = Effect.INCOMPLETE
#: ER_DUP_ENTRY and ER_KEY_NOT_FOUND: slave_exec_mode=IDEMPOTENT goes on (handler errors in
#: idempotent_error_code).
_FORGIVEN = (1062, 1032, 1451, 1452)
_ERRORS = {1062: "duplicate-key", 1032: "key-not-found"}
_WORD = re.compile(r"`([^`]+)`|([A-Za-z_$][\w$]*)")


def consequences(pair: Pair, findings: list[Finding]) -> list[Finding]:
    """The findings, with those that follow from them."""
    if not pair.terms.idempotent:
        for finding in findings:
            if finding.effect > _INCOMPLETE:
                break
        else:
            return findings  # nothing changes, nothing fails
    out = findings + _computed_from(pair, findings)
    if pair.logs_rows:
        out = [_may_stop(pair, finding) for finding in out]
        out += _without_parent(pair, out)
    if pair.logs_statements and any(f.effect > _INCOMPLETE for f in out):
        out += [statement.by("SC803", "statement-rows") for statement in failed_statements(pair)]
    if pair.logs_statements and any(f.effect in _CHANGES and f.code != DIALECT for f in out):
        out += [statement.by("SC803", "statement-rows") for statement in later_statements(pair)]
    if pair.logs_rows and pair.terms.idempotent:
        out = [item for finding in out for item in _goes_on(pair, finding)]
    return out


def _computed_from(pair: Pair, findings: list[Finding]) -> list[Finding]:
    """Generated columns of the replica whose expression reads a column that changes."""
    changed = {
        f.column.casefold(): f
        for f in findings
        if f.column and f.example is not None and f.effect in _CHANGES
    }
    out: list[Finding] = []
    for column in pair.replica.columns if changed else ():
        if not column.generated:
            continue
        name = column.name.casefold()
        if name in changed:
            continue
        words = {(a or b).casefold() for a, b in _WORD.findall(column.expression or "")}
        cause = next((changed[word] for word in words if word in changed), None)
        cell = next((c for c in pair.cells if c.replica is column), None)
        if cause is None or cause.example is None or cell is None:
            continue
        finding = on_table(
            pair,
            cause.effect,
            f"the replica computes {cell.source.name} as ({column.expression}) from "
            f"{cause.column}, whose values change on the way",
            column=cell.source.name,
            source=side(pair.source, cell.source),
            replica=side(pair.replica, column),
            setting=cause.setting,
            remedy=cause.remedy,
            remedy_sql=cause.remedy_sql,
            example=Example(
                f"({column.expression}) of {cause.example.source}",
                f"({column.expression}) of {cause.example.replica}",
            ),
            reference="recorded on MySQL 9.7, MariaDB 10.11 and 11.8",
        ).by(cause.code, cause.rule)
        changed[name] = finding
        out.append(finding)
    return out


def _without_parent(pair: Pair, findings: list[Finding]) -> Iterator[Finding]:
    """The replica's foreign keys over changed columns: no parent has the other value."""
    enforced = pair.replica.enforced_keys
    if not enforced:
        return
    changed = {
        f.column.casefold(): f
        for f in findings
        if f.column and f.example is not None and f.effect in _CHANGES
    }
    named = {f.column for f in findings if f.code == FOREIGN_KEY and f.error is not None}
    into = {cell.replica.name.casefold(): cell.source.name.casefold() for cell in pair.cells}
    for key in enforced if changed else ():
        column = next((column for column in key.columns if into.get(column.casefold()) in changed), None)
        if column is None or key.columns[0] in named:
            continue
        text = constraint_text(
            key, pair.replica.database, pair.replica.name, key.columns, key.ref_table, key.ref_columns
        )
        cause = changed[into[column.casefold()]]
        yield on_table(
            pair,
            Effect.UNSUPPORTED,
            f"the foreign key {described(key)} uses {column}, whose values change on the "
            f"way: a value that {key.ref_table} does not have stops the applier",
            column=column,
            replica=Side(key.location or pair.replica.location, described(key)),
            error=pair.error("no-referenced-row", key=text),
            depends_on_rows=True,
            setting=cause.setting,
            remedy=cause.remedy,
            remedy_sql=cause.remedy_sql,
            reference="recorded on MySQL 9.7",
        ).by(FOREIGN_KEY, "foreign-key")


def _may_stop(pair: Pair, finding: Finding) -> Finding:
    """After it rows are duplicates or not found: the first such error is the finding's own."""
    if finding.error is not None or finding.effect not in _CHANGES:
        return finding
    if not finding.also and _defaults_stay(pair, finding):
        finding = replace(finding, also=(1032,))
    if not finding.also:
        return finding
    name = _ERRORS.get(finding.also[0])
    event = "Update_rows" if name == "key-not-found" else "Write_rows"
    error = name and pair.error(name, event=event, key=ANY)
    return replace(finding, error=error, also=finding.also[1:], depends_on_rows=True) if error else finding


def _defaults_stay(pair: Pair, finding: Finding) -> bool:
    """Whether an insert may leave the column to the replica's own default, which is not changed as the values
    of later before images are, by which whole rows are searched (recorded on 5.6: INT UNSIGNED DEFAULT
    3000000000 to BIGINT UNSIGNED).
    """
    column = pair.source.column(finding.column) if finding.column else None
    partial = pair.terms.row_image == "MINIMAL" and pair.sent_key() is None
    return partial and column is not None and column.default is not None


def _goes_on(pair: Pair, finding: Finding) -> Iterator[Finding]:
    """An error that the applier passes over: the row is lost, or takes the place of another."""
    if finding.error is None or not finding.depends_on_rows or finding.error.number not in _FORGIVEN:
        yield finding
        return
    if finding.effect is Effect.STOPS:
        # An image without any column to search by stops an idempotent applier too (recorded on 9.7:
        # HA_ERR_END_OF_FILE).
        yield finding
    server = pair.link.replica
    misread = None
    if server.has("idempotent-update-is-misread"):
        misread = pair.error("corrupt-event", event="Update_rows")
    name = "replica_exec_mode" if pair.link.replica.has("replica-words") else "slave_exec_mode"
    carried = (
        "; keys carry that to other tables" if pair.replica.enforced_keys or pair.replica.incoming else ""
    )
    yield replace(
        finding,
        effect=Effect.DIVERGES,
        message=(
            f"{finding.message} (error {finding.error.number}); {name}=IDEMPOTENT hides "
            f"that error, and the tables hold other rows{carried}"
        ),
        error=misread,
        also=(),
        depends_on_rows=misread is not None,
        column=None,
        setting=f"{name}=IDEMPOTENT",
        example=Example("both rows, or the row as it was changed", "one of them, or none"),
    )


def as_one_way(finding: Finding) -> Finding:
    """Under MIXED a row event may never come: what stops every row event stops for some statements only."""
    if finding.effect is not Effect.STOPS or finding.depends_on_rows:
        return finding
    tail = (
        "; under binlog_format=MIXED this is so where the source logs rows (unsafe statements), a "
        "logged statement is executed"
    )
    return replace(finding, depends_on_rows=True, message=finding.message + tail)
