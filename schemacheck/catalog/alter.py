"""ALTER TABLE on a table: what each part does to its columns, keys and options."""

from __future__ import annotations

from collections.abc import Iterable

from schemacheck.catalog import name_rules, partition_changes, referring
from schemacheck.catalog.change import Changed
from schemacheck.catalog.changing import convert
from schemacheck.catalog.context import Context, drops_checks
from schemacheck.catalog.defaults import canonical, in_parentheses
from schemacheck.dataclass import replace
from schemacheck.model import quote
from schemacheck.model.partitioning import UNKNOWN
from schemacheck.model.table import DEFAULT_NULL, Column, DefaultKind
from schemacheck.sql.ddl import actions as alter
from schemacheck.sql.ddl.draft import (
    CheckDraft,
    ColumnDraft,
    DefaultDraft,
    ForeignDraft,
    KeyDraft,
    TableOptions,
)
from schemacheck.sql.lexer import Refused


def run(actions: tuple[alter.Action, ...], context: Context, changed: Changed) -> None:
    """All parts of the statement, in order. Raises Refused."""
    changed.actions = actions
    changed.only_renamed = all(isinstance(one, alter.Rename) for one in actions)
    changed.copies = any(
        isinstance(one, alter.Other) and one.words == ("ALGORITHM", "COPY") for one in actions
    )
    changed.rebuilds = _rebuilds(actions)
    if context.server.has("data-dictionary"):
        _needed(actions, changed)
    for action in actions:
        _run(action, context, changed)


def _rebuilds(actions: tuple[alter.Action, ...]) -> bool:
    """Whether a part beside CONVERT TO makes the server write the definition anew: every one does but a CHECK
    that is forgotten, LOCK, and an ALGORITHM other than COPY (asked of 5.6.24).
    """
    return any(
        one.words == ("ALGORITHM", "COPY") or one.words[0] not in ("ALGORITHM", "LOCK")
        if isinstance(one, alter.Other)
        else not isinstance(one, alter.Convert)
        and not (isinstance(one, alter.Add) and isinstance(one.draft, CheckDraft))
        for one in actions
    )


def _needed(actions: tuple[alter.Action, ...], changed: Changed) -> None:
    """MySQL 8 and later ask for the columns of foreign keys before they look for what else is dropped or
    added, but behind the columns that are changed (asked of 9.7). Raises Refused (1828).
    """
    olds = [one.old for one in actions if isinstance(one, alter.ReplaceColumn)]
    if any(changed.find(old) is None for old in olds):
        return
    drops = [one for one in actions if isinstance(one, alter.Drop)]
    gone = {one.name.casefold() for one in drops if one.kind == "COLUMN"}
    unbound = {one.name.casefold() for one in drops if one.kind not in ("COLUMN", "INDEX")}
    for key in changed.table.foreign_keys:
        name = next((one for one in key.columns if one.casefold() in gone), None)
        if name is not None and key.name.casefold() not in unbound:
            raise referring.needed(referring.Reference(changed.table, key), name)


def _run(action: alter.Action, context: Context, changed: Changed) -> None:
    at = action.at
    match action:
        case alter.AddColumn():
            changed.write(action.draft, at, quiet=action.if_not_exists)
        case alter.ReplaceColumn():
            changed.write(action.draft, at, old=action.old, quiet=action.if_exists)
        case alter.RenameColumn():
            found = changed.find(action.old)
            new = replace(found, name=action.new) if found is not None else None
            changed.set(action.old, new, at, quiet=action.if_exists)
        case alter.SetColumn():
            _set_column(action, context, changed)
        case alter.Add(draft=KeyDraft() as draft):
            changed.add_key(draft)
        case alter.Add(draft=CheckDraft()) if drops_checks(context.server):
            pass
        case alter.Add(draft=CheckDraft() as draft):
            name_rules.unused(
                draft.name,
                [one.name for one in (*changed.checks, *changed.added_checks)],
                at,
                context.server,
                "check",
            )
            changed.added_checks.append(draft)
        case alter.Add(draft=ForeignDraft() as draft):
            name_rules.unused(
                draft.name,
                [one.name for one in changed.foreign_keys],
                at,
                context.server,
                "foreign-key",
                context.database or "...",
            )
            changed.foreign_keys.append(draft)
        case alter.Drop(kind="COLUMN"):
            changed.drop_column(action.name, at, if_exists=action.if_exists)
        case alter.Drop(kind="INDEX"):
            changed.drop_key(action.name, at, if_exists=action.if_exists)
        case alter.Drop(kind="FOREIGN KEY"):
            changed.drop_foreign_key(action.name, at, if_exists=action.if_exists)
        case alter.Drop():
            changed.drop_constraint(action.name, at, if_exists=action.if_exists)
        case alter.RenameKey():
            changed.rename_key(action.old, action.new, at, if_exists=action.if_exists)
        case alter.ShowKey():
            changed.show_key(action.name, at, visible=action.visible, if_exists=action.if_exists)
        case alter.Enforce():
            changed.enforce(action.name, at, enforced=action.enforced)
        case alter.Versioning():
            changed.version(on=action.on)
        case alter.Rename():
            changed.renamed = action.to
        case alter.Convert():
            convert(changed, action.options, context, at)
        case alter.Options():
            _keep_second_engine(changed, action.options, at)
            changed.set_options(action.options, at)
        case alter.PartitionBy(options=None):
            if changed.partitioning is None and changed.table.partitioning != UNKNOWN:
                raise Refused("the table is not partitioned", at, 1505)
            changed.partitioning, changed.repartitioned = None, True
        case alter.PartitionBy(options=given) if given is not None:
            changed.partitioning, changed.repartitioned = given.partitioning, True
        case alter.Other(partitions=said) if said is not None and changed.table.partitioning != UNKNOWN:
            changed.partitioning = partition_changes.changed(
                changed.partitioning, action.words[0], said, at, context.server
            )
        case alter.Other(words=("DISCARD" | "IMPORT", what)) if what != "PARTITION":
            raise Refused(f"what a table is without its {what} is not followed", at)
        case alter.Other(words=("SECONDARY_LOAD" | "SECONDARY_UNLOAD", *_)):
            if _second_engine(changed.table.options) is None:
                raise Refused("the table has no secondary engine", at, 3889)
        case alter.Other(words=("ORDER", _), columns=names):
            changed.ordered = names
        case alter.Other(words=("CONVERT", what)):
            raise Refused(f"CONVERT {what} makes another table of rows: it is not followed", at)
        case alter.Other(words=(verb, "PERIOD")):
            why = f"{verb} PERIOD is not followed: give the table as SHOW CREATE TABLE prints it"
            raise Refused(why, at)


def _second_engine(options: Iterable[tuple[str, str]]) -> str | None:
    """The SECONDARY_ENGINE among options, folded; None where there is none or NULL."""
    found = dict(options).get("SECONDARY_ENGINE", "NULL")
    plain = quote.unquote(found) if found[:1] in ("`", "'", '"') else found
    return None if found.upper() == "NULL" else plain.casefold()


def _keep_second_engine(changed: Changed, given: TableOptions, at: int) -> None:
    """Refuse another secondary engine than the table has, and another engine beside it (asked of 9.7)."""
    second, new = map(_second_engine, (changed.table.options, given.written.items()))
    if second is not None and new not in (None, second):
        raise Refused("the table has another secondary engine", at, 3889)
    if second is not None and given.engine is not None:
        raise Refused("a table with a secondary engine keeps its engine", at, 3889)


def _set_column(action: alter.SetColumn, context: Context, changed: Changed) -> None:
    """ALTER COLUMN."""
    found = changed.find(action.name)
    made = found
    mariadb = context.server.mariadb
    old = not mariadb and not context.server.has("data-dictionary")
    new = next((one.draft for one in changed.actions if isinstance(one, alter.AddColumn | alter.ReplaceColumn)
                and one.draft.name.casefold() == action.name.casefold()
                and (isinstance(one, alter.AddColumn) or one.draft.position is not None)), None)  # fmt: skip
    if new is not None and mariadb and action.invisible is None:
        # MariaDB gives a column that the same statement adds or moves the default (asked of 10.11 and 11.8).
        new.default, new.bare = action.default, action.default is None
        return
    given = action.default
    if context.server.has("data-dictionary") and not mariadb and given is not None:
        given = in_parentheses(given)
    if found is None:
        pass
    elif action.invisible is not None:
        made = replace(found, invisible=action.invisible)
    elif mariadb and found.generated is not None:
        # MariaDB takes the clause and forgets it.
        made = found
    elif action.default is not None and found.generated is not None and not mariadb:
        raise Refused(f"column {found.name!r} is generated: it has no default", action.at, 1221)
    elif _takes_none(found, given, context):
        raise Refused(f"column {found.name!r} has no default", action.at, 1101, name=found.name)
    elif old and action.default is not None and _is_now(found):
        # What the column is given at an INSERT stays (asked of 5.6.24).
        made = found
    elif given is None:
        kept = found.nullable and found.generated is None
        made = replace(found, default=DEFAULT_NULL if kept else None)
    else:
        draft = ColumnDraft(
            found.name, found.type.text or found.type.sql(), None if found.nullable else False, given
        )
        made = replace(found, default=canonical(draft, found.type, context))
        if found.auto_increment and not mariadb and given.expression is not None:
            raise Refused(f"column {found.name!r} has an invalid default value", action.at, 1067)
        if found.auto_increment:
            # It is read and forgotten (asked of four servers).
            made = found
    if mariadb and found is not None and made is not None and _is_now(found):
        # ON UPDATE goes with DEFAULT CURRENT_TIMESTAMP (asked of 10.11 and 11.8).
        made = replace(made, on_update=False)
    changed.set(action.name, made, action.at, quiet=action.if_exists)


def _takes_none(column: Column, given: DefaultDraft | None, context: Context) -> bool:
    """Whether MySQL refuses what ALTER COLUMN gives a BLOB, TEXT, GEOMETRY, JSON or VECTOR: 5.6 whatever it
    is, DROP DEFAULT too, 8.0 and later any literal, NULL too (asked of 5.6 and 9.7).
    """
    type_ = column.type
    wide = type_.is_text or type_.is_blob or type_.is_geometry or type_.base in ("json", "vector")
    if context.server.mariadb or not wide:
        return False
    return not context.server.has("data-dictionary") or (given is not None and given.expression is None)


def _is_now(column: Column) -> bool:
    return column.default is not None and column.default.kind is DefaultKind.CURRENT_TIMESTAMP
