"""Trees of sqlglot's parser as tables: MySQL's SQL is generated from the tree, and read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck import catalog
from schemacheck.model.location import Location
from schemacheck.model.problem import InputProblem
from schemacheck.model.schema import Schema
from schemacheck.model.server import Server

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot import exp

#: What a tree does not hold, whoever reads it (measured: tests/sql/test_sqlglot.py).
LOST = (
    "sqlglot's parser makes INT8 a TINYINT, REAL a FLOAT and LONG a BIGINT, and leaves out NATIONAL, "
    "VISIBLE and some partitions: where the text has one of these give the text"
)


def is_tree(given: object) -> bool:
    """Whether a value is a tree of sqlglot, which is not imported for that."""
    return any(
        kind.__module__.split(".")[0] == "sqlglot" and kind.__name__ in ("Expression", "Expr")
        for kind in type(given).__mro__
    )


def read(trees: Sequence[exp.Expression], server: Server, *, file: str) -> Schema:
    """The tables of CREATE statements given as trees; what sqlglot cannot write, or is no CREATE, is a
    problem. Locations count in the generated text.
    """
    from sqlglot import ErrorLevel, exp
    from sqlglot.dialects.mysql import MySQL

    texts: list[str] = []
    problems: list[InputProblem] = []
    for number, tree in enumerate(trees, 1):
        place = Location(file, number)
        if not isinstance(tree, exp.Create):
            message = f"tree {number} is a {type(tree).__name__}: only exp.Create is read"
            problems.append(InputProblem("SC002", message, place))
            continue
        generator = MySQL().generator(unsupported_level=ErrorLevel.IGNORE, comments=False)
        texts.append(generator.generate(tree))
        name = tree.find(exp.Table)
        problems += [
            InputProblem(
                "SC002", f"sqlglot cannot write this tree in MySQL's SQL: {why}", place,
                (name.db or None) if name else None, name.name if name else None,
            )
            for why in generator.unsupported_messages
        ]  # fmt: skip
    if texts:
        problems.append(InputProblem("SC002", LOST, Location(file), skipped=True))
    schema = catalog.read(";\n".join(texts), server, file=file)
    return Schema(schema.tables, (*problems, *schema.problems), events=schema.events)
