"""ALTER TABLE on a table: what each part does to its columns, keys and options."""

from __future__ import annotations

from dataclasses import replace

from schemacheck.catalog.change import Changed, convert
from schemacheck.catalog.context import Context
from schemacheck.catalog.defaults import canonical
from schemacheck.model.table import DEFAULT_NULL
from schemacheck.sql.ddl import actions as alter
from schemacheck.sql.ddl.draft import CheckDraft, ColumnDraft, ForeignDraft, KeyDraft
from schemacheck.sql.lexer import Refused


def run(actions: tuple[alter.Action, ...], context: Context, changed: Changed) -> None:
    """All parts of the statement. Raises Refused.

    Servers look up the columns that are changed in the table as it was, each for one part only; keys and
    constraints are added to the columns as they become (`mysql_prepare_alter_table`, asked of MariaDB 10.11).
    """
    _check_columns(actions, changed)
    _check_way(actions)
    added = []
    for action in actions:
        if isinstance(action, alter.Add):
            added.append(action)
        else:
            _run(action, context, changed)
    changed.rename_columns()
    for action in added:
        _run(action, context, changed)


def _check_way(actions: tuple[alter.Action, ...]) -> None:
    """Some servers refuse some changes of columns in place, or beside writers (1845, 1846)."""
    ways = {one.words for one in actions if isinstance(one, alter.Other)}
    careful = {("ALGORITHM", "INSTANT"), ("ALGORITHM", "INPLACE"), ("ALGORITHM", "NOCOPY"), ("LOCK", "NONE"),
               ("LOCK", "SHARED")}  # fmt: skip
    changes = [one for one in actions if isinstance(one, (alter.ReplaceColumn, alter.Convert))]
    if changes and ways & careful:
        why = "whether the server changes a column in this way is not known: leave out ALGORITHM and LOCK"
        raise Refused(why, changes[0].at, "SC002")


def _check_columns(actions: tuple[alter.Action, ...], changed: Changed) -> None:
    """No column is changed by two parts, none that was not there, and none is put behind a name that goes or
    a column that moves later.
    """
    if len(actions) < 2:
        return
    before = {one.name.casefold() for one in changed.columns}
    taken: set[str] = set()
    left: set[str] = set()
    moved: set[str] = set()
    made: set[str] = set()
    for action in reversed(actions):
        if isinstance(action, (alter.AddColumn, alter.ReplaceColumn)):
            made.add(action.draft.name.casefold())
            position = (action.draft.position or "").casefold()
            if position in moved:
                raise Refused(f"column {position!r} moves later in this statement", action.at, "SC002")
        name, new = _changes(action)
        if name is None:
            continue
        if name not in before and isinstance(action, alter.Drop) and not action.if_exists:
            why = f"column {action.name!r} does not exist"
            raise Refused(why, action.at, "SC002", 1091, name=action.name, kind="COLUMN")
        if name in taken or (name not in before and not getattr(action, "if_exists", False)):
            why = f"column {name!r} is changed twice, or is not there before this statement"
            raise Refused(why, action.at, "SC002", 1054, name=name)
        taken.add(name)
        if new != name:
            left.add(name)
            made.add(new)
        if isinstance(action, alter.ReplaceColumn) and action.draft.position is not None:
            moved.add(new)
    for action in actions:
        if isinstance(action, (alter.AddColumn, alter.ReplaceColumn)):
            position = (action.draft.position or "").casefold()
            if position in left - made:
                raise Refused(f"column {position!r} is renamed or dropped here", action.at, "SC002", 1054)


def _changes(action: alter.Action) -> tuple[str | None, str]:
    """The column that a part changes, and its name behind it ('' where it goes), folded."""
    match action:
        case alter.ReplaceColumn():
            return action.old.casefold(), action.draft.name.casefold()
        case alter.RenameColumn():
            return action.old.casefold(), action.new.casefold()
        case alter.SetColumn():
            return action.name.casefold(), action.name.casefold()
        case alter.Drop(kind="COLUMN"):
            return action.name.casefold(), ""
    return None, ""


def _run(action: alter.Action, context: Context, changed: Changed) -> None:
    at = action.at
    match action:
        case alter.AddColumn():
            changed.add_column(action.draft, if_not_exists=action.if_not_exists)
        case alter.ReplaceColumn():
            changed.replace_column(action.old, action.draft, if_exists=action.if_exists)
        case alter.RenameColumn():
            changed.rename_column(action.old, action.new, at, if_exists=action.if_exists)
        case alter.SetColumn():
            _set_column(action, context, changed)
        case alter.Add(draft=KeyDraft() as draft):
            changed.add_key(draft)
        case alter.Add(draft=CheckDraft() as draft):
            _unused(draft.name, [one.name for one in changed.checks], at, context, "check")
            changed.checks.append(draft)
        case alter.Add(draft=ForeignDraft() as draft):
            _unused(draft.name, [one.name for one in changed.foreign_keys], at, context, "foreign-key")
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
            if action.options.charset == "":
                action.options.charset = context.charset
            convert(changed, action.options, context, at)
        case alter.Options():
            changed.set_options(action.options, at)
        case alter.PartitionBy(options=None):
            changed.unpartitioned = True
        case alter.PartitionBy(options=given) if given is not None:
            changed.options.partitioned, changed.options.partitioning = given.partitioned, given.partitioning
            changed.options.partition_sql = given.partition_sql
            changed.options.partition_columns = given.partition_columns
            changed.options.partition_by_key = given.partition_by_key
        case alter.Other(words=(verb, what)) if (
            "PARTITION" in (verb, what) or verb in ("COALESCE", "REORGANIZE")
        ) and not changed.table.partitioning:
            raise Refused("the table has no partitions", at, "SC002", 1505)
        case alter.Other(words=("DISCARD" | "IMPORT", what)):
            raise Refused(f"what a table is without its {what} is not followed", at, "SC002")
        case alter.Other(words=("CONVERT", what)):
            raise Refused(f"CONVERT {what} makes another table of rows: it is not followed", at, "SC002")


def _set_column(action: alter.SetColumn, context: Context, changed: Changed) -> None:
    """ALTER COLUMN."""
    found = changed.find(action.name)
    if found is None:
        if action.if_exists:
            return
        raise Refused(f"column {action.name!r} does not exist", action.at, "SC002", 1054, name=action.name)
    if action.invisible is not None:
        changed.put(replace(found, invisible=action.invisible))
    elif action.default is None:
        changed.put(replace(found, default=DEFAULT_NULL if found.nullable else None))
    else:
        draft = ColumnDraft(
            found.name, found.type.text or found.type.sql(), None if found.nullable else False, action.default
        )
        changed.put(replace(found, default=canonical(draft, found.type, context)))


def _unused(name: str | None, taken: list[str | None], at: int, context: Context, kind: str) -> None:
    """A constraint's name must be new among those of its kind (asked of four servers; 3822 by the manual).
    Raises Refused.
    """
    if name is None or name.casefold() not in {one.casefold() for one in taken if one}:
        return
    server = context.server
    if kind == "check":
        # MySQL before 8.0.16 keeps none.
        number = 3822 if server.has("checks-row-events") else 1826
    elif server.has("data-dictionary"):
        number = 1826
    else:
        number = 1005 if server.mariadb else 1022
    raise Refused(f"constraint {name!r} exists", at, "SC002", number, name=name)
