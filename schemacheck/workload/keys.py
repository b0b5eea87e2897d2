"""Rows that only one end has: what becomes of a change of theirs."""

from __future__ import annotations

import re

from schemacheck.link.ends import on
from schemacheck.link.errors import fails
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.sql.statements import Statement
from schemacheck.workload import rows
from schemacheck.workload.state import Workload


def missing(work: Workload, name: str) -> bool:
    """Whether the replica lacks a table of this name, under its lower_case_table_names."""
    if name.casefold() in work.gone:
        return True
    if work.server.folds_names:
        return False
    table = work.replica.table(name)
    return table is not None and table.name != name


def change(work: Workload, statement: Statement, text: str, name: str, *, as_rows: bool) -> Outcome | None:
    """Rows that only one end has: what becomes of a change of theirs."""
    replica, state = work.server, work.rows
    if statement.verb in ("insert", "replace", "update", "load") and (held := _child(work, name)) is not None:
        return held
    if (folds := _collations(work, statement, name)) is not None:
        return folds
    if (fires := _trigger(work, statement, name, as_rows=as_rows)) is not None:
        return fires
    if _checked(work, name) and statement.verb in ("insert", "replace", "update", "load"):
        return Outcome(Kind.UNKNOWN, "SC404", 0, f"{name} has a CHECK on the replica alone: rows decide")
    more = _stricter(work, name)
    if more and statement.verb in ("insert", "replace", "update", "load"):
        return Outcome(Kind.UNKNOWN, "SC401", 0, f"{name} has a unique key on the replica alone: rows decide")
    idempotent = replica.setting("slave_exec_mode").upper() == "IDEMPOTENT"
    made = rows.inserted(text)
    key = rows.bare(name)
    if made is not None and statement.verb in ("insert", "replace"):
        work.filled.add(key.casefold())
        double = made[1] & state.extra.get(key, set())
        head = text.upper().split("INTO")[0]
        forgives = "IGNORE" in head or "ON DUPLICATE" in text.upper()
        if double and statement.verb == "insert" and forgives and not as_rows:
            state.stale.setdefault(key, set()).update(double)
            state.extra[key] -= double
        elif double and statement.verb == "insert":
            if as_rows and idempotent:
                state.extra[key] -= double
            else:
                return fails(
                    Kind.SQL,
                    "SC941",
                    "duplicate",
                    replica,
                    f"{name} has rows on the replica that the source does not have",
                    change="Make the rows of both ends equal before the channel starts",
                )
        elif statement.verb == "replace":
            for kind in (state.extra, state.stale):
                kind[key] = kind.get(key, set()) - made[1]
        if re.search(r"\bINSERT\s+ON\b", work.triggered.get(key.casefold(), ""), re.IGNORECASE) and (
            not as_rows
            or replica.setting("slave_run_triggers_for_rbr").upper() in ("YES", "LOGGING", "ENFORCE")
        ):
            state.stale.setdefault(key, set()).update(made[1])
        return None
    if statement.verb.startswith(("update", "delete")):
        return _searched(work, statement, text, key, as_rows=as_rows, idempotent=idempotent)
    return None


def _searched(
    work: Workload, statement: Statement, text: str, key: str, *, as_rows: bool, idempotent: bool
) -> Outcome | None:
    state, replica = work.rows, work.server
    one = rows.touched(text)
    absent = state.absent.get(key, set())
    hit = absent if one is None else absent & {one}
    deletes = statement.verb.startswith("delete")
    if hit and as_rows and not idempotent:
        return fails(
            Kind.SQL,
            "SC941",
            "not-found",
            replica,
            f"{key} lacks rows on the replica that the source changes",
            change="Make the rows of both ends equal before the channel starts",
        )
    if deletes:
        state.absent[key] = absent - hit
        # Row events name the source's rows: those that only the replica has stay.
        for kind in (state.stale,) if as_rows else (state.stale, state.extra):
            kind[key] = set() if one is None else kind.get(key, set()) - {one}
        if one is None and "WHERE" not in text.upper():
            work.filled.discard(key.casefold())
    else:
        stale = state.stale.get(key, set())
        state.stale[key] = set() if one is None else stale - {one}
    return None


def _trigger(work: Workload, statement: Statement, name: str, *, as_rows: bool) -> Outcome | None:
    """A trigger that the replica alone has and that does more than to set columns of the row."""
    text = work.triggered.get(name.casefold(), "").upper()
    runs = work.server.setting("slave_run_triggers_for_rbr").upper() in ("YES", "LOGGING", "ENFORCE")
    event = {"replace": "INSERT", "load": "INSERT"}.get(statement.verb, statement.verb.upper().split("-")[0])
    if not text or (as_rows and not runs) or not re.search(rf"\b(BEFORE|AFTER)\s+{event}\b", text):
        return None
    if "SIGNAL" in text and " IF " not in text:
        why = f"a trigger of {name} on the replica signals an error"
        return Outcome(Kind.SQL, "SC941", 1644, why, "Drop the trigger")
    if re.search(r"\bSET\s+NEW\b|\bSET\s+@\w+", text):
        if event == "UPDATE" and "SET NEW" in text:
            work.lose(f"a trigger of {name} on the replica sets other values")
        return None
    return Outcome(Kind.UNKNOWN, "SC941", 0, f"what a trigger of {name} does on the replica alone")


def _child(work: Workload, name: str) -> Outcome | None:
    """A foreign key that the replica alone has: 1452 where its parent is empty, else rows decide."""
    mine, theirs = work.source.table(name), work.replica.table(name)
    if mine is None or theirs is None or work.session.get("foreign_key_checks").upper() in ("0", "OFF"):
        return None
    known = {key.columns for key in mine.foreign_keys}
    for key in theirs.foreign_keys:
        if key.columns in known:
            continue
        why = f"{name} has a foreign key to {key.ref_table} on the replica alone"
        if work.source.table(key.ref_table) is None and not work.rows.extra.get(key.ref_table):
            return Outcome(Kind.SQL, "SC941", 1452, why, "Drop the foreign key on the replica")
        return Outcome(Kind.UNKNOWN, "SC941", 0, f"{why}: rows decide")
    return None


def _checked(work: Workload, name: str) -> bool:
    """Whether the replica's table has a CHECK that the source's does not have."""
    mine, theirs = work.source.table(name), work.replica.table(name)
    if mine is None or theirs is None:
        return False
    known = {check.expression for check in mine.checks}
    # What MariaDB adds to a JSON column, every value of the source fulfils.
    return any(
        check.expression not in known and not check.expression.lower().startswith("json_valid(")
        for check in theirs.checks
    )


def _stricter(work: Workload, name: str) -> bool:
    """Whether the replica's table has a unique key that the source's does not have."""
    mine, theirs = work.source.table(name), work.replica.table(name)
    if mine is None or theirs is None:
        return False
    ours = {tuple(part.column for part in key.parts) for key in mine.keys if key.unique}
    return (
        any(tuple(part.column for part in key.parts) not in ours for key in theirs.keys if key.unique)
        and not theirs.gipk
    )


def too_long(work: Workload, text: str, name: str) -> Outcome | None:
    """innodb_default_row_format = REDUNDANT or COMPACT on the replica: a key part of more than 767 bytes."""
    replica, table = work.server, work.replica.table(name)
    short = replica.setting("innodb_default_row_format").upper() in ("REDUNDANT", "COMPACT", "0", "1")
    if table is None or not short or "ROW_FORMAT" in text.upper():
        return None
    types = {column.name: column.type for column in table.columns}
    for key in table.keys:
        for part in key.parts:
            kind = types.get(part.column or "")
            if kind is None or not (kind.is_text or kind.is_blob or kind.charset):
                continue
            size = kind.max_bytes if part.length is None else part.length * (4 if kind.charset else 1)
            if size > 767:
                why = f"a key of {name} is longer than innodb_default_row_format allows on the replica"
                strict = on(replica, "innodb_strict_mode") and replica.mariadb
                if replica.has("data-dictionary") or strict:
                    return Outcome(Kind.SQL, "SC943", 1709, why, "Set innodb_default_row_format alike")
                return Outcome(Kind.UNKNOWN, "SC943", 0, why)
    return None


def _collations(work: Workload, statement: Statement, name: str) -> Outcome | None:
    """A unique key over text whose collation is another on the replica: rows decide whether it is met twice
    (1062), or finds other rows.
    """
    mine, theirs = work.source.table(name), work.replica.table(name)
    if mine is None or theirs is None or statement.verb not in ("insert", "replace", "update", "load"):
        return None
    there = {column.name.casefold(): column.type for column in theirs.columns}
    unique = {(part.column or "").casefold() for key in mine.keys if key.unique for part in key.parts}
    for column in mine.columns:
        other = there.get(column.name.casefold())
        if (
            column.name.casefold() not in unique
            or other is None
            or not (column.type.charset and other.charset)
        ):
            continue
        if column.type.collation != other.collation and column.type.charset == other.charset:
            why = f"{name}.{column.name} has a unique key and another collation on the replica: rows decide"
            return Outcome(Kind.UNKNOWN, "SC401", 0, why)
    return None
