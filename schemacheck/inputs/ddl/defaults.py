"""Defaults in one spelling: the value that the column would hold."""

from __future__ import annotations

from schemacheck.inputs.ddl.context import Context
from schemacheck.inputs.ddl.draft import DefaultDraft
from schemacheck.model.column_type import ColumnType
from schemacheck.model.normal import expression as normal
from schemacheck.model.table import Default, DefaultKind


def canonical(draft: DefaultDraft, kind: ColumnType, context: Context) -> Default:
    """The Default of a column of this type. Raises Refused for a value that the type does not take."""
    del kind, context
    if draft.kind == "null":
        return Default(DefaultKind.NULL)
    if draft.kind == "now":
        return Default(DefaultKind.CURRENT_TIMESTAMP)
    if draft.expression is not None:
        return Default(DefaultKind.EXPRESSION, normal(draft.expression.text))
    return Default(DefaultKind.LITERAL, draft.text)
