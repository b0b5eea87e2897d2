"""Settings that a later definition meets: each is told once, where it matters, and nothing where it cannot
(asked of 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.9 over channels).
"""

from __future__ import annotations

import pytest

from schemacheck import Link, Server
from schemacheck.engine import preflight
from schemacheck.link import Ends, Kind, by_settings
from schemacheck.link.change import change
from schemacheck.link.ends import Channel
from schemacheck.model import Effect


@pytest.mark.parametrize(
    ("source", "replica", "told"),
    [
        ("mysql-9.7", "mysql-9.7 innodb_default_row_format=COMPACT", 1709),
        ("mysql-9.7 innodb_default_row_format=compact", "mysql-9.7", None),
        ("mysql-5.6 explicit_defaults_for_timestamp=ON",
         "mysql-9.7 innodb_default_row_format=redundant innodb_strict_mode=OFF", 1709),
        ("mysql-5.7", "mysql-5.6", 1709),
        ("mysql-5.6", "mysql-5.6", None),
        ("mysql-5.6", "mysql-5.6 innodb_large_prefix=ON", 1709),
        ("mysql-5.6", "mysql-5.6 innodb_file_format=Barracuda", 0),
        ("mysql-9.7 innodb_strict_mode=OFF", "mysql-9.7", 1031),
        ("mariadb-11.8 innodb_strict_mode=OFF", "mariadb-11.8", 1005),
        ("mysql-9.7", "mysql-9.7 innodb_strict_mode=OFF", None),
        ("mariadb-10.11", "mariadb-10.11 innodb_file_per_table=OFF", 1005),
        ("mysql-9.7 log_bin_trust_function_creators=ON", "mysql-9.7", 1418),
        ("mysql-9.7", "mysql-9.7 log_bin_trust_function_creators=ON", None),
        ("mysql-9.7", "mysql-9.7 default_storage_engine=MyISAM", 0),
        ("mariadb-11.8", "mariadb-11.8 innodb_force_primary_key=ON", 1173),
        ("mariadb-11.8 innodb_force_primary_key=ON", "mariadb-11.8 innodb_force_primary_key=ON", None),
        # The log carries these.
        ("mysql-9.7", "mysql-9.7 character_set_server=latin1", None),
        ("mysql-9.7", "mysql-9.7 default_collation_for_utf8mb4=utf8mb4_general_ci", None),
        ("mysql-9.7", "mysql-9.7 sql_require_primary_key=ON", None),
        ("mysql-9.7", "mysql-9.7 sql_generate_invisible_primary_key=ON", None),
        ("mysql-9.7", "mysql-9.7 explicit_defaults_for_timestamp=OFF", None),
        ("mysql-8.0", "mysql-8.4", None),
        ("mariadb-10.11", "mariadb-11.8", None),
        ("mariadb-11.8", "mariadb-11.8 character_set_collations=utf8mb4=utf8mb4_general_ci", None),
    ],
)  # fmt: skip
def test_what_a_later_definition_meets(source: str, replica: str, told: int | None) -> None:
    def end(text: str) -> Server:
        name, *settings = text.split()
        return Server.parse(name, {"gtid_mode": "ON"} | dict(each.split("=", 1) for each in settings))

    ends = Ends(Link(end(source), end(replica)))
    notes = [f for f in preflight(ends) if f.code in ("SC943", "SC945", "SC946")]
    assert [f.error.number if f.error else 0 for f in notes] == ([] if told is None else [told])
    assert all(f.effect is Effect.COMPATIBLE for f in notes)
    assert len(by_settings.later(ends)) == (told is not None and "=" in source + replica)


@pytest.mark.parametrize(
    ("word", "told"), [(None, 1), ("STREAM", 1), ("OFF", 0), ("ON", None), ("GENERATE", None)]
)
def test_the_channel_s_word_about_primary_keys(word: str | None, told: int | None) -> None:
    options = {} if word is None else {"REQUIRE_TABLE_PRIMARY_KEY_CHECK": word}
    replica = Server.parse("mysql-9.7", {"sql_require_primary_key": "ON"})
    ends = Ends(Link(Server.parse("mysql-5.6"), replica), Channel(options, "none"))
    if told is None:
        outcome = change(ends)
        assert getattr(outcome, "kind", None) is Kind.UNKNOWN
    else:
        assert change(ends) is None
        assert len([*by_settings.primary_keys(ends)]) == told


def test_databases_of_another_default(run, tmp_path) -> None:
    text = "CREATE DATABASE d CHARACTER SET utf8mb4;\nUSE d;\nCREATE TABLE t (a INT) CHARSET utf8mb4;\n"
    (tmp_path / "a.sql").write_text(text, "utf-8")
    (tmp_path / "b.sql").write_text(text.replace("utf8mb4;", "latin1;", 1), "utf-8")
    servers = ("--source-version", "mysql-9.7", "--replica-version", "mysql-9.7")
    why = "the default character set of d differs: a table that names none gets another one"
    for command in ("link", "check"):
        done = run(command, "a.sql", "b.sql", *servers)
        assert (done.status, why in done.out) == (0, True)
        assert why not in run(command, "a.sql", "a.sql", *servers).out
