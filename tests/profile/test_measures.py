"""A server that answers nonsense: an error with its name, no traceback."""

from __future__ import annotations

from typing import Any

import pytest

from schemacheck.errors import InputError
from schemacheck.inputs import open_schema
from schemacheck.inputs.endpoint import Endpoint
from schemacheck.profile.data import Options, _Reading

Answer = list[tuple[Any, ...]]


class Hostile:
    """A session whose answers to questions about rows are the same, whatever is asked."""

    endpoint = Endpoint("evil", 3306)

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def query(self, sql: str, _: str) -> tuple[list[str], Answer]:
        if sql.startswith("SET"):
            return [], []
        if "information_schema" in sql:
            return [], [("s", "t", "many", "x"), ("short",)]
        return ["rows"], self.answer


@pytest.mark.parametrize(
    "answer",
    [
        [], [()], [(1,)] * 2, [("x",) * 9], [("x", "y")], [(b"1", b"2")], [(None, "9" * 5000)], [(1, 2, 3)],
        [(float("nan"), float("inf"))], [(1, 10**400)],
    ],
    ids=range(10),
)  # fmt: skip
def test_nonsense_is_an_error_that_names_the_server(answer, tmp_path):
    (tmp_path / "t.sql").write_text("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(9)) ENGINE=InnoDB;")
    schema = open_schema(tmp_path / "t.sql", database="s")
    reading = _Reading(Hostile(answer), Options(), None, lambda _: None)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^evil:3306: "):
        list(reading.tables(schema))
