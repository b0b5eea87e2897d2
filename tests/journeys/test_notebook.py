"""Somebody in a notebook asks the library: each cell's last value is shown as notebooks show it."""

from __future__ import annotations

import contextlib
import io
import re

import schemacheck
from tests.journeys.transcript import Journey

CELLS = [
    "import schemacheck",
    'schemacheck.check("today.sql", "tomorrow.sql")',
    (
        'today, tomorrow = schemacheck.open_schema("today.sql"), schemacheck.open_schema("tomorrow.sql")\n'
        'report = schemacheck.check(today, tomorrow, schemacheck.Link.of("mysql-8.4"))\n'
        "report"
    ),
    "print(schemacheck.render(report))",
    "[(d.finding.code, d.subject, d.effect.value, d.fix) for d in report.differences]",
    "report.verdict >= schemacheck.Effect.DIVERGES, schemacheck.exit_status(report)",
    'schemacheck.convert("int unsigned", "bigint", schemacheck.Link.of("mysql-8.4")).needs',
    "schemacheck.to_pandas(report)[['code', 'table', 'column', 'effect']].to_string(index=False)",
]
TODAY = """\
CREATE TABLE orders (
  id int NOT NULL PRIMARY KEY,
  qty int unsigned NOT NULL,
  note varchar(40) DEFAULT NULL
);
"""


def shown(value: object) -> str:
    """What a notebook shows: HTML where the value has it, one tag a line so that it can be read."""
    if isinstance(value, str):
        return value
    html = getattr(value, "_repr_html_", None)
    return re.sub(r"(</(?:p|tr|thead)>)", r"\1\n", html()) if html else repr(value)


def test_notebook(journey: Journey, monkeypatch) -> None:
    journey.write("today.sql", TODAY)
    journey.write("tomorrow.sql", TODAY.replace("int unsigned", "bigint").replace("(40)", "(20)"))
    monkeypatch.chdir(journey.folder)
    names: dict[str, object] = {}
    for cell in CELLS:
        *before, last = cell.split("\n")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec("\n".join(before), names)
            try:
                value = eval(last, names) if not last.startswith("import ") else exec(last, names)
            except schemacheck.UsageError as error:  # a notebook goes on behind it
                value = f"{type(error).__name__}: {error}"
        journey.cell(cell, printed.getvalue() + (shown(value) if value is not None else ""))
    journey.end()
