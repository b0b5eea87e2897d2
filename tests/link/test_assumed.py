"""What nobody gave stops no link; what one end's input tells holds for the end that tells nothing."""

from __future__ import annotations

import pytest

from schemacheck import Link, Schema, Server, check, parse
from schemacheck.cli import main
from schemacheck.cli.linking import Wanted, link
from schemacheck.engine import preflight
from schemacheck.library import link_of
from schemacheck.link import Account, Channel, Ends
from schemacheck.model import Effect

GTID = "gtid_mode"


@pytest.mark.parametrize(
    ("source", "replica", "given", "told"),
    [
        ("mysql-8.0", "mysql-9.7", ({}, {}), Effect.COMPATIBLE),
        ("mysql-8.0", "mysql-9.7", ({GTID: "OFF"}, {}), Effect.COMPATIBLE),
        ("mysql-8.0", "mysql-9.7", ({}, {GTID: "ON"}), Effect.COMPATIBLE),
        ("mysql-8.0", "mysql-9.7", ({GTID: "OFF"}, {GTID: "ON"}), Effect.STOPS),
        ("mysql-9.7", "mysql-8.0", ({GTID: "ON"}, {GTID: "OFF"}), Effect.STOPS),
        ("mysql-9.7", "mysql-9.7", ({}, {}), None),
        # MariaDB has no such variable: its transactions are anonymous to MySQL, whatever was given.
        ("mariadb-10.11", "mysql-9.7", ({}, {}), Effect.COMPATIBLE),
        ("mariadb-10.11", "mysql-9.7", ({}, {GTID: "ON"}), Effect.STOPS),
    ],
)
def test_a_gtid_mode_that_nobody_gave_is_a_note(
    source: str, replica: str, given: tuple[dict[str, str], dict[str, str]], told: Effect | None
) -> None:
    ends = Link(Server.parse(source, given[0]), Server.parse(replica, given[1]))
    effects = {finding.code: finding for finding in preflight(Ends(ends))}
    assert (effects["SC905"].effect if "SC905" in effects else None) is told
    if told is Effect.COMPATIBLE:
        assert "gtid_mode was not given (give --" in effects["SC905"].message
        assert "SC905" not in {
            f.code for f in check("CREATE TABLE t (a INT)", "CREATE TABLE t (a INT)", ends).findings
        }


@pytest.mark.parametrize(
    ("source", "replica", "channel", "code"),
    [
        ("mysql-5.6", "mariadb-11.8", {}, "SC903"),
        ("mariadb-10.11", "mariadb-11.8", {"MASTER_SSL": "1"}, "SC903"),
        ("mysql-8.0", "mysql-8.4", {}, "SC902"),
    ],
)
def test_a_certificate_and_an_account_that_nobody_gave_are_notes(
    source: str, replica: str, channel: dict[str, str], code: str
) -> None:
    ends = Ends(Link.of(source, replica), Channel(channel), Account())
    (told,) = (finding for finding in preflight(ends) if finding.code == code)
    assert (told.effect, "was not given" in told.message) == (Effect.COMPATIBLE, True)


LIVE = Server.told(
    "mariadb-10.11",
    {"server_id": "1", "character_set_server": "latin1", "slave_type_conversions": "ALL_LOSSY"},
)


def test_an_end_that_tells_nothing_is_set_up_like_the_other_one() -> None:
    for taken in (
        link_of(Schema(server=LIVE), "CREATE TABLE t (a INT)").replica,
        link(Wanted(), Schema(server=LIVE), Schema())[0].replica,
        link(Wanted(), Schema(), Schema(server=LIVE))[0].source,
        # A dump's header tells a version and no settings.
        link(Wanted(), Schema(server=LIVE), Schema(server=Server.parse("mariadb-10.11")))[0].replica,
        link(Wanted({"replica": ("mariadb-11.4", "")}), Schema(server=LIVE), Schema())[0].replica,
    ):
        assert dict(taken.settings) == {"character_set_server": "latin1"}
    other = link(Wanted({"replica": ("mysql-8.4", "")}), Schema(server=LIVE), Schema())[0].replica
    assert (other.series, other.settings) == ("8.4", ())


@pytest.mark.parametrize(
    ("named", "told", "ends"),
    [
        # The header of both files is corrected by the one option.
        ({"source": "mysql-8.0"}, ("mysql-5.5", "mysql-5.5"), ("8.0", "8.0")),
        ({"source": "mysql-8.0"}, ("mysql-5.5", "mysql-5.6"), ("8.0", "5.6")),
        ({"replica": "mysql-8.0"}, ("mysql-5.5", "mysql-5.5"), ("8.0", "8.0")),
        ({"source": "mysql-8.0", "replica": "mysql-5.7"}, ("mysql-5.5", "mysql-5.5"), ("8.0", "5.7")),
        ({}, ("mysql-5.5", None), ("5.5", "5.5")),
        ({}, (None, None), ("8.4", "8.4")),
    ],
)
def test_what_is_given_wins_over_what_a_file_says(
    named: dict[str, str], told: tuple[str | None, str | None], ends: tuple[str, str]
) -> None:
    wanted = Wanted({side: (name, f"--{side}-version") for side, name in named.items()})
    made, _ = link(wanted, *(Schema(server=Server.parse(one) if one else None) for one in told))
    assert (made.source.series, made.replica.series) == ends


def test_a_plain_text_is_read_as_the_live_server_reads_it() -> None:
    text = "CREATE TABLE t (a VARCHAR(10))"
    live = Schema(parse(text, LIVE).tables, server=LIVE)
    assert check(live, text).verdict is check(text, live).verdict is Effect.IDENTICAL


@pytest.mark.parametrize(
    ("source", "replica", "given", "tables"),
    [
        # Asked of 10.11 and 11.8: s IN (SELECT a number) of a DELETE is another row on each.
        ("mariadb-10.11", "mariadb-11.8", {}, 1),
        ("mariadb-10.11", "mariadb-10.11", {}, 0),
        ("mariadb-10.11", "mariadb-11.8", {"binlog_format": "ROW"}, 0),
    ],
)
def test_what_a_default_of_mixed_may_do_is_one_sentence(
    source: str, replica: str, given: dict[str, str], tables: int
) -> None:
    text = "CREATE TABLE t (id INT PRIMARY KEY, s ENUM('a', 'b') CHARACTER SET ascii)"
    report = check(text, text, Link.of(source, replica, **given))
    said = [one for one in report.assumptions if "logs statements" in one]
    assert (report.verdict <= Effect.COMPATIBLE, len(said)) == (True, tables)
    mixed = check(text, text, Link.of(source, replica, binlog_format="MIXED"))
    assert (mixed.verdict > Effect.COMPATIBLE) is (source != replica)


@pytest.mark.parametrize(("image", "effect"), [("FULL", Effect.COMPATIBLE), ("MINIMAL", Effect.DIVERGES)])
def test_rows_of_one_event_are_a_note_of_equal_tables(image: str, effect: Effect) -> None:
    """Asked of 9.7.4: UPDATE t SET id = id + 1 ORDER BY id DESC stops it (1062), REPLACE, ON DUPLICATE KEY
    UPDATE and plain changes do not.
    """
    text = "CREATE TABLE t (id INT DEFAULT NULL, v INT, UNIQUE KEY k (id))"
    report = check(text, text, Link.of("mysql-9.7", binlog_row_image=image))
    assert (report.verdict, {f.code for f in report.findings}) == (effect, {"SC411"})


@pytest.mark.parametrize(
    ("replica", "stops"), [("mysql-9.7", True), ("mysql-8.0", True), ("mariadb-11.8", False)]
)
def test_a_server_id_of_0_is_refused_by_mysql(replica: str, stops: bool) -> None:
    ends = Link(Server.parse(replica), Server.parse(replica, {"server_id": "0"}))
    assert ("SC904" in {f.code for f in preflight(Ends(ends)) if f.effect is Effect.STOPS}) is stops


def test_an_option_that_gives_gtids_is_not_followed() -> None:
    link = Link(Server.parse("mariadb-10.11"), Server.parse("mysql-9.7", {GTID: "ON"}))
    channel = Channel({"ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS": "LOCAL", "SOURCE_SSL": "0"})
    effects = {f.code: f.effect for f in preflight(Ends(link, channel, Account("mysql_native_password")))}
    assert effects["SC901"] is Effect.UNKNOWN
    assert effects.get("SC905", Effect.COMPATIBLE) < Effect.STOPS


@pytest.mark.parametrize(
    ("replica", "given", "told"),
    [
        # A table keeps the size that it was made with: 1114 on one end alone.
        ("CREATE TABLE d.t (id int PRIMARY KEY) ENGINE=MEMORY;", (), "MEMORY tables were made under"),
        (
            "CREATE TABLE d.t (id int PRIMARY KEY);",
            ("--binlog-format", "MIXED", "-v"),
            "div_precision_increment",
        ),
    ],
)
def test_what_no_input_tells_is_a_named_assumption(replica, given, told, tmp_path, capsys) -> None:
    source, other = tmp_path / "s.sql", tmp_path / "r.sql"
    source.write_text(replica)
    other.write_text(replica)
    asked = ["check", str(source), str(other), "--source-version", "mysql-9.7", "--no-config", *given]
    assert main(asked) == 0
    assert told in " ".join(capsys.readouterr().out.partition("assumed:")[2].split())


def test_a_release_of_which_the_flavour_alone_is_told_is_a_named_assumption(tmp_path, capsys) -> None:
    source, replica = tmp_path / "s.sql", tmp_path / "r.sql"
    source.write_text("CREATE TABLE d.t (id int PRIMARY KEY);")
    replica.write_text("/*M!999999\\- enable the sandbox mode */\nCREATE TABLE d.t (id int PRIMARY KEY);")
    assert main(["check", str(source), str(replica), "--source-version", "mariadb-10.11", "--no-config"]) == 0
    told = " ".join(capsys.readouterr().out.partition("assumed:")[2].split())
    assert told.startswith("the replica is taken to be MariaDB 11.8")
