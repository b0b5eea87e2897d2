"""What kept answers of channels make of unknown pairs: without any server."""

from __future__ import annotations

import json

import pytest

from schemacheck import catalog, engine
from schemacheck.ask.book import Book
from schemacheck.ask.fact import pair, read, seal
from schemacheck.catalog.asked import NoAnswers, answered_by
from schemacheck.model import Effect, Finding, Link, Report, Server
from schemacheck.model.question import PairQuestion
from schemacheck.prove.doubt import settled

#: What of a number as a text is the same on both is not known.
TEXT = "CREATE TABLE t (id int PRIMARY KEY, a time(2), g varchar(20) GENERATED ALWAYS AS (a + 1) STORED);"
LINK = Link(
    Server.parse("mysql-8.0.36", {"binlog_format": "ROW"}),
    Server.parse("mariadb-11.8.9", {"binlog_format": "ROW"}),
)
ROWS = [["1", "12:34:56.12", "123457.12"], ["3", "12:34:56.12", "123457.12"]]
BOTH = {"outcome": "applied", "source": {"t": [["id", "a", "g"], ROWS]}}
WHEN = "2026-11-26T10:00:00+00:00"


def report(link: Link = LINK, text: str = TEXT) -> Report:
    source, replica = (catalog.read(text, end) for end in (link.source, link.replica))
    assert not (*source.problems, *replica.problems)
    return engine.check(source.tables, replica.tables, link)


def question(link: Link = LINK, text: str = TEXT) -> PairQuestion:
    """What is asked about a pair: its ordinary and extreme rows."""
    book = Book()
    book.of_pairs = True
    with answered_by(book):
        found = settled(report(link, text))
    assert found.verdict is Effect.UNKNOWN
    [one] = book.open
    assert isinstance(one, PairQuestion)
    return one


def decided(answer: dict, *, source: str = "mysql-8.0.40", replica: str = "mariadb-11.8.9") -> Finding:
    """The finding in doubt after an answer of these servers."""
    ends = ((Server.parse(source), source), (Server.parse(replica), replica))
    one = pair(*ends, WHEN, json.loads(question().text), answer)
    with answered_by(book := Book([one])):
        found = settled(report())
    assert bool(book.used) == (source == "mysql-8.0.40")
    [finding] = [f for f in found.findings if f.rule == "generated-column"]
    return finding


def test_the_question_is_all_that_the_answer_depends_on() -> None:
    asked = json.loads(question().text)
    assert asked["source_ddl"] == [TEXT.removesuffix(";")]
    assert asked["source_sql"][0] == "INSERT INTO `t` (`id`, `a`) VALUES (1, '03:04:02')"
    lossy = LINK.replica.with_settings({"slave_type_conversions": "ALL_LOSSY"})
    assert question(Link(LINK.source, lossy)) != question() == question()
    assert question(text=TEXT.replace("+ 1", "+ 2")) != question()


def test_where_nobody_is_asked_pairs_are_counted_alone(monkeypatch) -> None:
    """Their definitions are not written: that costs more than the check."""
    monkeypatch.setattr("schemacheck.prove.doubt.definitions", None)
    with answered_by(nobody := NoAnswers()):
        assert settled(report()) == report()
    assert len(nobody.open) == 1


def test_many_tables_that_foreign_keys_tie_together_are_no_question() -> None:
    ties = "".join(
        f"CREATE TABLE t{at} (id int PRIMARY KEY, FOREIGN KEY (id) REFERENCES t{at - 1 or ''} (id));"
        for at in range(1, 51)
    )
    book = Book()
    book.of_pairs = True
    for text, count in ((TEXT + ties[: ties.index("CREATE TABLE t50")], 1), (TEXT + ties, 0)):
        book.begin()
        with answered_by(book):
            settled(report(text=text))
        assert len(book.open) == count


def test_a_channel_that_stops_proves_failure() -> None:
    finding = decided(BOTH | {"outcome": "error", "errno": 1406, "message": "Data too long for column 'g'"})
    assert (finding.effect, finding.error and finding.error.number) == (Effect.STOPS, 1406)
    assert finding.depends_on_rows
    assert finding.message.startswith(
        "ordinary rows stop the applier (asked MySQL 8.0.40 to MariaDB 11.8.9 (2026-11-26)): each end"
    )


def test_rows_that_differ_prove_failure() -> None:
    there = [ROWS[0], ["3", "12:34:56.12", "123457.123"]]
    finding = decided(BOTH | {"replica": {"t": [["id", "a", "g"], there]}})
    assert finding.effect is Effect.DIVERGES
    assert finding.example is not None
    assert (finding.example.source, finding.example.replica) == ("123457.12", "123457.123")


def test_rows_that_arrive_prove_nothing_of_others() -> None:
    finding = decided(BOTH | {"replica": BOTH["source"]})
    assert finding.effect is Effect.UNKNOWN
    assert finding.message.endswith(
        "; 2 rows arrived equal (asked MySQL 8.0.40 to MariaDB 11.8.9 (2026-11-26))"
    )


def test_what_differs_elsewhere_is_no_answer() -> None:
    there = [ROWS[0], ["4", *ROWS[1][1:]]]
    finding = decided(BOTH | {"replica": {"t": [["id", "a", "g"], there]}})
    assert finding.effect is Effect.UNKNOWN
    assert "asked" not in finding.message.replace("nobody asked", "")


def test_other_servers_do_not_answer() -> None:
    error = {"outcome": "error", "errno": 1406, "message": "no"}
    assert decided(error, source="mysql-9.7.4").effect is Effect.UNKNOWN
    assert decided(error, source="mysql-5.7.44").effect is Effect.UNKNOWN


@pytest.mark.parametrize(
    "answer",
    [
        {}, {"outcome": "fine"}, {"outcome": "error"}, {"outcome": "error", "errno": "1", "message": "x"},
        {"outcome": "applied", "source": []}, {"outcome": "applied", "source": {"t": [["a"], [["1", "2"]]]}},
        {"outcome": "applied", "replica": {"t": [["a"], [[1]]]}},
        {"outcome": "applied", "replica": {"t": [["a"]]}},
    ],
)  # fmt: skip
def test_a_line_that_is_no_answer_is_refused(answer: dict) -> None:
    end = Server.parse("mariadb-10.11.19"), "10.11.19-MariaDB"
    line = pair(end, end, WHEN, {}, BOTH).document | {"answer": answer}
    with pytest.raises(ValueError, match="answer is of another form"):
        read(line | {"seal": seal(line)})
