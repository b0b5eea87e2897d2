"""Definitions are not understood: a server of this machine says what they are, and its answers stay."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from schemacheck.errors import UsageError
from schemacheck.scratch import program
from tests.journeys.transcript import Journey

OLD = """\
CREATE TABLE parts (
  id int NOT NULL PRIMARY KEY,
  code varchar(20) CHARACTER SET latin1,
  name varchar(40),
  search varchar(90) AS (CONCAT(name, ' ', code)) STORED
) DEFAULT CHARSET=utf8mb4;
"""


@pytest.mark.server
def test_ask(journey: Journey) -> None:
    try:
        server = program.any_of_them().server
    except UsageError as error:
        pytest.skip(str(error))
    journey.hide(server.version_text, "VERSION")
    journey.hide(datetime.now(UTC).date().isoformat(), "TODAY")
    journey.tell("My replica still has the narrower column. What will it do?")
    journey.write("source.sql", OLD.replace("code varchar(20)", "code varchar(30)"))
    journey.write("replica.sql", OLD)
    check = f"schemacheck check source.sql replica.sql --source-version {server.flavor}-{server.version_text}"
    journey.run(check, status=3)
    journey.tell("A server of this version is installed here.")
    journey.run(f"{check} --ask local", status=1)
    journey.tell("What it said is kept. My colleagues have no server, and neither has the CI.")
    facts = [
        json.loads(line) for line in (journey.folder / ".schemacheck/facts.jsonl").read_text().splitlines()
    ]
    assert [one["statement"].split("(")[0] for one in facts] == ["CREATE TABLE parts "] * 2
    journey.run(
        "git init -q -b main && git add . && git -c user.name=a -c user.email=a@b commit -qm 'Ask a server'"
    )
    journey.run(f"PATH=$(dirname $(which schemacheck)):/usr/bin {check} -q", status=1)
    journey.tell("A migration that copies rows into a new table: in which order?")
    journey.write("change.sql", "CREATE TABLE codes AS SELECT DISTINCT code FROM parts;\n")
    plan = check.replace("check source.sql replica.sql", "plan source.sql change.sql")
    journey.run(f"{plan} -q", status=3)
    journey.run(f"{plan} -q --ask local")
    journey.run(f"{plan} -q")
    journey.tell("Another version is another question.")
    journey.run("schemacheck check source.sql replica.sql --source-version mariadb-10.5 -q", status=3)
    journey.tell("Somebody improves an answer by hand.")
    journey.run("sed -i 's/varchar(30)/varchar(20)/' .schemacheck/facts.jsonl")
    journey.run(f"{check} -q", status=2)
    journey.end()
