"""A stranger has the definitions of two servers in two files, makes some mistakes, and ends with a pair that
replicates.
"""

from __future__ import annotations

from tests.journeys.transcript import Journey

SOURCE = """\
CREATE TABLE orders (
  id int NOT NULL AUTO_INCREMENT,
  customer_id bigint NOT NULL,
  coupon varchar(20) DEFAULT NULL,
  status enum('new','paid','sent') NOT NULL DEFAULT 'new',
  note varchar(200) DEFAULT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4;
CREATE TABLE customers (
  id bigint NOT NULL,
  email varchar(100) NOT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4;
"""


def test_two_files(journey: Journey) -> None:
    journey.tell("The definitions of my two servers. Does the replica keep up?")
    journey.write("a.sql", SOURCE)
    old = SOURCE.replace("  customer_id bigint", "  customer_id int").replace(
        "'paid','sent'", "'sent','paid'"
    )
    journey.write("b.sql", old.replace("  coupon varchar(20) DEFAULT NULL,\n", "").replace("(100)", "(80)"))

    journey.tell("First tries.")
    journey.run("schemacheck check a.sql", status=2)
    journey.run("schemacheck chek a.sql b.sq", status=2)
    journey.run("schemacheck check a.sql b.sq", status=2)
    journey.run("schemacheck check a.sql b.sql --sorce-version 8.0", status=2)
    printed = journey.run("schemacheck check a.sql b.sql --source-version 8.0", status=1)
    assert max(map(len, (line for line in printed.splitlines() if "  fix" not in line))) <= 80

    journey.tell("A column in the middle moves others. What is that rule?")
    journey.run("schemacheck explain SC102 | head -12")

    journey.tell("The fixes as a script. Nothing is run yet; I read it first.")
    journey.run("schemacheck check a.sql b.sql --source-version 8.0 --fix-sql fix.sql -q", status=1)
    journey.run("cat fix.sql")

    journey.tell("What would the replica be after it?")
    journey.run("cat b.sql fix.sql > fixed.sql")
    journey.run("schemacheck check a.sql fixed.sql --source-version 8.0 --fix-sql more.sql", status=1)
    journey.tell("The members of status stood beside another column before. Once more.")
    journey.run("cat more.sql >> fixed.sql")
    journey.run("schemacheck check a.sql fixed.sql --source-version 8.0")
    journey.end()
