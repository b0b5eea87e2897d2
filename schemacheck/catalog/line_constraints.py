"""CHECKs and foreign keys of a table whose columns and keys are made of lines that came before."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from schemacheck.catalog import assemble, converted, expression_rules, name_rules, naming, references
from schemacheck.catalog.context import Context, drops_checks
from schemacheck.model.table import Check, Column, ForeignKey, Key, Table
from schemacheck.sql.ddl.draft import TableDraft

#: The columns of a key from the first on, as one of a foreign key must have them: folded, '' for one of
#: which it has a part, or which it has in another order.
Lead = list[str]


def constraints(
    rest: TableDraft, columns: list[Column], keys: Sequence[Key], leads: Sequence[Lead], context: Context,
    database: str | None, charset: tuple[str | None, str | None],
    find: Callable[[str | None, str], Table | None],
) -> tuple[tuple[Check, ...], tuple[ForeignKey, ...]] | None:  # fmt: skip
    """The CHECKs and foreign keys of `rest`, whose columns have no expressions, in an InnoDB table of
    `charset` and collation; None where a foreign key has no key, or leaves columns out. Raises Refused.
    """
    foreign, server = rest.foreign_keys, context.server
    for one in foreign:
        wanted = [name.casefold() for name in one.columns]
        if not one.ref_columns or not any(lead[: len(wanted)] == wanted for lead in leads):
            return None
    checks = [] if drops_checks(server) else rest.checks
    for each in checks:
        name_rules.constraint(each.name or "", each.span[0])
    scope = None
    if rest.checks:
        expression_rules.check(rest, columns, keys, context)
        scope = converted.scope_of(columns, checks, keys, context, *charset)
    references.well_formed(foreign, partitioned=False)
    references.unchecked(foreign, checks, context)
    own = rest.database or database, rest.name
    references.check(foreign, columns, keys, context, own, find, altered=False, in_place=False)
    made = [(assemble.check(each, context, scope), each.column is not None) for each in checks]
    return (
        tuple(naming.checks(rest.name, made, context)),
        tuple(
            naming.foreign_keys(
                rest.name, [assemble.foreign(one, context, columns) for one in foreign], context
            )
        ),
    )
