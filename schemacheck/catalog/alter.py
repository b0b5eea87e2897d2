"""ALTER TABLE on a table: what each part does to its columns, keys and options."""

from __future__ import annotations

from schemacheck.catalog import name_rules, partition_changes
from schemacheck.catalog.change import Changed
from schemacheck.catalog.changing import convert
from schemacheck.catalog.context import Context, drops_checks
from schemacheck.catalog.defaults import canonical, in_parentheses
from schemacheck.dataclass import replace
from schemacheck.model.partitioning import UNKNOWN
from schemacheck.model.table import DEFAULT_NULL, Column, DefaultKind
from schemacheck.sql.ddl import actions as alter
from schemacheck.sql.ddl.draft import CheckDraft, ColumnDraft, DefaultDraft, ForeignDraft, KeyDraft
from schemacheck.sql.lexer import Refused

#: Parts that leave columns, keys and options as they are.
_IDLE = frozenset(("ALGORITHM", "LOCK", "FORCE", "DISABLE", "ENABLE", "WITH", "WITHOUT"))


def run(actions: tuple[alter.Action, ...], context: Context, changed: Changed) -> None:
    """All parts of the statement, in order. Raises Refused."""
    changed.actions = actions
    changed.copies = any(
        isinstance(action, alter.Other) and action.words == ("ALGORITHM", "COPY") for action in actions
    )
    for action in actions:
        _run(action, context, changed)


def _run(action: alter.Action, context: Context, changed: Changed) -> None:
    at = action.at
    match action:
        case alter.AddColumn():
            changed.write(action.draft, at, quiet=action.if_not_exists)
        case alter.ReplaceColumn():
            changed.write(action.draft, at, old=action.old, quiet=action.if_exists)
        case alter.RenameColumn():
            column = changed.find(action.old)
            new = replace(column, name=action.new) if column is not None else None
            changed.set(action.old, new, at, quiet=action.if_exists)
        case alter.SetColumn():
            _set_column(action, context, changed)
        case alter.Add(draft=KeyDraft() as draft):
            changed.add_key(draft)
        case alter.Add(draft=CheckDraft()) if drops_checks(context.server):
            pass
        case alter.Add(draft=CheckDraft() as draft):
            checks = (*changed.checks, *changed.added_checks)
            name_rules.unused(draft.name, [check.name for check in checks], at)
            changed.added_checks.append(draft)
        case alter.Add(draft=ForeignDraft() as draft):
            name_rules.unused(draft.name, [key.name for key in changed.foreign_keys], at)
            name_rules.not_gone(draft.name, [key.name for key in changed.table.foreign_keys], at)
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
            changed.set_options(action.options, at)
        case alter.PartitionBy(options=None):
            if changed.partitioning is None and changed.table.partitioning != UNKNOWN:
                raise Refused("the table is not partitioned", at, 1505)
            changed.partitioning, changed.repartitioned = None, True
        case alter.PartitionBy(options=given) if given is not None:
            changed.partitioning, changed.repartitioned = given.partitioning, True
        case alter.Other(partitions=partition_change) if (
            partition_change is not None and changed.table.partitioning != UNKNOWN
        ):
            changed.partitioning = partition_changes.changed(
                changed.partitioning, action.words[0], partition_change, at, context.server
            )
        case alter.Other(words=(verb, what)) if what != "PERIOD" and (
            verb in _IDLE or action.partitions is not None
        ):
            pass
        case _:
            raise Refused("what this part of ALTER TABLE does is not followed", at)


def _set_column(action: alter.SetColumn, context: Context, changed: Changed) -> None:
    column, given = changed.find(action.name), action.default
    made = column
    mysql_8 = context.server.has("data-dictionary") and not context.server.mariadb
    twice = any(
        item.draft.name.casefold() == action.name.casefold()
        for item in changed.actions
        if isinstance(item, alter.AddColumn | alter.ReplaceColumn)
    )
    if twice and context.server.mariadb:
        raise Refused(
            f"a default of column {action.name!r}, which the statement defines, is not followed", action.at
        )
    if mysql_8 and given is not None:
        given = in_parentheses(given)
    if column is None:
        pass
    elif action.invisible is not None:
        made = replace(column, invisible=action.invisible)
    elif column.auto_increment or column.generated is not None or (_is_now(column) and not mysql_8):
        raise Refused(f"what another default makes of column {column.name!r} is not known", action.at)
    elif _takes_none(column, given, context):
        raise Refused(f"column {column.name!r} has no default", action.at, 1101, name=column.name)
    elif given is None:
        # MySQL leaves none, MariaDB takes NULL (asked of 5.6, 9.7 and 10.11).
        made = replace(column, default=DEFAULT_NULL if column.nullable and context.server.mariadb else None)
    else:
        draft = ColumnDraft(
            column.name, column.type.text or column.type.sql(), None if column.nullable else False, given
        )
        made = replace(column, default=canonical(draft, column.type, context))
    changed.set(action.name, made, action.at, quiet=action.if_exists)


def _takes_none(column: Column, given: DefaultDraft | None, context: Context) -> bool:
    """Whether MySQL refuses what ALTER COLUMN gives a BLOB, TEXT, GEOMETRY, JSON or VECTOR: 5.6 whatever it
    is, DROP DEFAULT too, 8.0 and later any literal, NULL too (asked of 5.6 and 9.7).
    """
    type_ = column.type
    wide = type_.is_off_page
    if context.server.mariadb or not wide:
        return False
    return not context.server.has("data-dictionary") or (given is not None and given.expression is None)


def _is_now(column: Column) -> bool:
    return column.default is not None and column.default.kind is DefaultKind.CURRENT_TIMESTAMP
