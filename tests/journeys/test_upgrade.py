"""An application's servers are upgraded, the replica first.

On two real servers that may be lost, the older one first, as root without a password:

    SCHEMACHECK_PAIR='mysql://root@127.0.0.1:3306 mysql://root@127.0.0.1:3307' \
        .venv/bin/python -m pytest tests/journeys/test_upgrade.py

(its transcript is recorded for MariaDB 10.11 and 11.8).
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from schemacheck.inputs.endpoint import Access, Endpoint
from tests.journeys.any_channel import AnyChannel
from tests.journeys.transcript import End, Journey

APP = """\
CREATE TABLE users (
  id int unsigned NOT NULL AUTO_INCREMENT,
  login varchar(60) NOT NULL DEFAULT '',
  email varchar(190) NOT NULL DEFAULT '',
  role enum('reader','author','admin') NOT NULL DEFAULT 'reader',
  settings text,
  registered datetime NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (id),
  UNIQUE KEY login (login),
  KEY email (email)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
CREATE TABLE posts (
  id bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  author_id int unsigned NOT NULL,
  title text NOT NULL,
  body longtext NOT NULL,
  price decimal(10,2) DEFAULT NULL,
  changed timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP
    ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (id),
  KEY author (author_id),
  CONSTRAINT posts_author FOREIGN KEY (author_id) REFERENCES users (id)
    ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
CREATE TABLE post_meta (
  meta_id bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  post_id bigint(20) unsigned NOT NULL DEFAULT '0',
  meta_key varchar(255) DEFAULT NULL,
  meta_value longtext,
  PRIMARY KEY (meta_id),
  KEY post_id (post_id),
  KEY meta_key (meta_key(191))
) ENGINE=InnoDB DEFAULT CHARSET=utf8 COLLATE=utf8_general_ci;
"""
CHANGE = "ALTER TABLE posts ADD COLUMN slug varchar(200) NULL;\n"
WRITES = (
    "INSERT INTO users (login, role) VALUES ('ada', 'author'), ('é', 'reader')",
    "INSERT INTO posts (author_id, title, body) VALUES (1, 'one', REPEAT('ü', 9000)), (2, '', '')",
    "INSERT INTO post_meta (post_id, meta_key, meta_value) VALUES (1, 'views', '17')",
    "UPDATE users SET settings = 'dark' WHERE role = 'author'",
    "DELETE FROM users WHERE login = 'é'",
)


def test_upgrade_of_files(journey: Journey) -> None:
    journey.tell("MySQL 5.7 is to become 8.4, replicas first. Do they keep replicating meanwhile?")
    journey.write("app.sql", APP)
    versions = "--source-version 5.7.44 --replica-version 8.4.4"
    journey.run(f"schemacheck check app.sql app.sql {versions}")
    journey.tell("A release with a change is due while the versions differ.")
    journey.write("change.sql", CHANGE)
    journey.run(f"schemacheck plan app.sql change.sql {versions}")
    journey.tell("A replica is promoted. May the old source follow it?")
    journey.run("schemacheck check app.sql app.sql --source-version 8.4.4 --replica-version 5.7.44", status=1)
    journey.end()


@pytest.fixture
def pair(journey: Journey) -> Iterator[AnyChannel]:
    """The older server, and the newer one as its replica."""
    given = os.environ.get("SCHEMACHECK_PAIR", "").split()
    if not given:
        pytest.skip("SCHEMACHECK_PAIR names no two servers")
    ends = [
        End(name, Endpoint.parse(dsn, Access()))
        for name, dsn in zip(("source", "replica"), given, strict=True)
    ]
    channel = AnyChannel(*ends)
    for end in ends:
        journey.hide(end.endpoint.port, f"{end.name.upper()}_PORT")
    channel.begin()
    yield channel
    channel.close()


@pytest.mark.server
def test_upgrade(journey: Journey, pair: AnyChannel) -> None:
    pair.source.sql("CREATE DATABASE app CHARACTER SET utf8mb4", "USE app", *APP.split(";\n")[:-1])
    source, replica = f"{pair.source.dsn}/app", f"{pair.replica.dsn}/app"
    pair.source.sql("USE app", *WRITES)
    assert pair.wait() == 0
    journey.tell(
        "The replica has been upgraded and follows. Are its definitions and rows those of the source?"
    )
    journey.run(f"schemacheck check {source} {replica}")
    pair.assert_equal("app")
    journey.tell("A release with a change is due while the versions differ.")
    journey.write("change.sql", CHANGE)
    journey.run(f"schemacheck plan {source} change.sql --replica-schema {replica}")
    pair.source.sql("USE app", CHANGE, *WRITES[3:])
    assert pair.wait() == 0
    pair.assert_equal("app")
    journey.tell("The replica is promoted. May the old source follow it?")
    journey.run(f"schemacheck check {replica} {source}", status=1)
    journey.end()
