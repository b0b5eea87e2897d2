"""`schemacheck watch` through an hour of simulated time: drift that comes and goes, ends that vanish."""

from __future__ import annotations

import re

import pytest

import schemacheck
from schemacheck.cli import dispatch, watching
from schemacheck.cli.commands import watch
from schemacheck.errors import InputError, UsageError
from schemacheck.system import alert

GOOD = "CREATE TABLE shop.t (id int PRIMARY KEY, qty int unsigned);"
DRIFTED = "CREATE TABLE shop.t (id int PRIMARY KEY, qty int);"
START = 1_700_000_000.0


class Clock:
    """The module `time` of `watch` alone: other threads of the process keep theirs.

    `events` run when their second is slept over.
    """

    def __init__(self, events):
        self.now, self.events = 0.0, sorted(events, key=lambda event: event[0])

    def time(self):
        return START + self.now

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds
        while self.events and self.events[0][0] <= self.now:
            self.events.pop(0)[1]()


def arguments(*words: object):
    return dispatch.parser_of("watch").parse_args(["--no-config", *map(str, words)])


def numbers(text: str, name: str) -> dict[str, float]:
    found = re.findall(rf"^schemacheck_{name}(?:\{{(.*)\}})? (\S+)$", text, re.MULTILINE)
    return {re.sub(r',?(source|replica)="[^"]*"', "", labels): float(value) for labels, value in found}


def test_an_hour(tmp_path, monkeypatch, capsys):
    source, replica, file = tmp_path / "source", tmp_path / "replica", tmp_path / "drift.prom"
    for folder in (source, replica):
        folder.mkdir()
        (folder / "t.sql").write_text(GOOD)
    pages: dict[float, str] = {}

    def note_page(second: float) -> tuple[float, object]:
        return second, lambda: pages.update({second: file.read_text()})

    clock = Clock(
        [
            (600, lambda: (replica / "t.sql").write_text(DRIFTED)),
            note_page(659),
            (1200, lambda: replica.rename(tmp_path / "away")),
            note_page(1259),
            (1800, lambda: (tmp_path / "away").rename(replica)),
            (2400, lambda: (replica / "t.sql").write_text(GOOD)),
        ]
    )
    monkeypatch.setattr(watch, "time", clock)
    args = arguments(
        source, replica, "--source-version", "mysql-8.0", "--interval", 60, "--looks", 61,
        "--prometheus", file,
    )  # fmt: skip
    assert watch.run(args) == 0
    assert clock.now == 3600
    out, err = capsys.readouterr()
    kinds = [re.search(r"UTC (new \w+|gone \w+|not read|read again)", line)[1] for line in out.splitlines()]
    assert kinds == ["new diverges", "not read", "read again", "gone diverges"]
    assert "table compared every" in err
    drifted, gone, last = pages[659], pages[1259], file.read_text()
    assert numbers(drifted, "drift_findings")['effect="diverges"'] == 1
    assert numbers(drifted, "exit_status") == {"": 1}
    assert (numbers(drifted, "up"), numbers(gone, "up"), numbers(last, "up")) == ({"": 1}, {"": 0}, {"": 1})
    assert numbers(gone, "drift_findings")['effect="diverges"'] == 1
    assert numbers(last, "looks_total") == {'result="read"': 51, 'result="failed"': 10}
    assert numbers(last, "changes_total") == {'kind="new"': 1, 'kind="gone"': 1}
    assert numbers(last, "look_timestamp_seconds") == {"": START + 3600}
    for line in last.splitlines():
        assert re.fullmatch(r"# (HELP|TYPE) \S+ .+|schemacheck_\w+\{[^}]*\} [\d.]+", line), line


def test_a_slow_look_delays_the_next_and_none_is_made_up_for(tmp_path, monkeypatch):
    clock = Clock([])
    monkeypatch.setattr(watch, "time", clock)
    begun = []

    def look():
        begun.append(clock.now)
        clock.now += 150 if len(begun) == 1 else 1
        raise InputError("gone")

    args = arguments("a", "b", "--interval", 60, "--looks", 4)
    assert watch.watched(args, watching.Watch(look)) == 2
    assert begun == [0, 150, 210, 270]


def test_an_interval_is_more_than_nothing(capsys):
    with pytest.raises(SystemExit) as left:
        arguments("a", "b", "--interval", 0)
    assert left.value.code == 2
    assert "--interval: '0': give a number of seconds, more than 0" in capsys.readouterr().err


def test_misuse():
    with pytest.raises(UsageError):
        watch.run(arguments("a", "b", "--looks", 0))


def test_an_address_is_never_repeated():
    with pytest.raises(UsageError) as told:
        alert.checked("ftp://user:secret@host/")
    assert "secret" not in str(told.value)
    with pytest.raises(InputError) as refused:
        alert.post("http://127.0.0.1:9/secret-token", {})
    assert "secret" not in str(refused.value)


def test_labels_are_escaped():
    assert alert.metric("up", 1, source='a"b\\c\nd') == 'schemacheck_up{source="a\\"b\\\\c\\nd"} 1'


def test_columns_that_a_missing_one_moves_are_not_told_apart():
    source = "CREATE TABLE shop.t (id INT PRIMARY KEY, a INT, b VARCHAR(9), c DATE);"
    report = schemacheck.check(source, source.replace(" a INT,", ""), schemacheck.Link.of("mysql-8.0"))
    change = watching.Watch(lambda: report).once(0.0)
    assert [(finding.code, finding.effect.value) for finding in change.new] == [("SC102", "stops")]
