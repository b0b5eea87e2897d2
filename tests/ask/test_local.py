"""Questions to a MariaDB server of this machine."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from schemacheck import catalog
from schemacheck.ask.asking import Asker
from schemacheck.ask.book import Book
from schemacheck.ask.fact import Fact
from schemacheck.catalog.asked import NoAnswers, answered_by
from schemacheck.inputs.endpoint import Access
from schemacheck.model import Server

pytestmark = pytest.mark.server

DATE = "date DEFAULT (TIMESTAMP('2020-01-01'))"
SCRIPTS = (
    f"CREATE TABLE t (d {DATE}, PRIMARY KEY (d));",
    """CREATE TABLE t (a varchar(9) CHARACTER SET latin1 CHECK (a <> CONCAT(_utf8mb4'x', a)));
    ALTER TABLE t ADD b int, RENAME INDEX k TO l;""",
    f"""CREATE DATABASE d CHARACTER SET latin2; USE d; CREATE TABLE p (id int PRIMARY KEY) ENGINE=InnoDB;
    CREATE TABLE t (a int, FOREIGN KEY (a) REFERENCES p (id));
    ALTER TABLE t ADD e {DATE}, RENAME TO u; ALTER TABLE u ADD f varchar(3);""",
    f"""CREATE TABLE t (a int) PARTITION BY HASH (a) PARTITIONS 3;
    CREATE TABLE u (a int, d {DATE}) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (3));""",
)


def test_what_is_answered_is_what_the_server_makes_of_it(server: Server) -> None:
    book = Book()
    with ExitStack() as stack:
        asker = Asker("local", Access(), stack)
        for _ in range(3):
            book.begin()
            with answered_by(book):
                found = [catalog.read(script, server) for script in SCRIPTS]
            for question, answer in asker.ask(list(book.open)):
                assert isinstance(answer, Fact), (question, answer)
                book.add(answer)
    messages = [[one.message.partition(" (asked")[0] for one in schema.problems] for schema in found]
    assert [len(one) for one in messages] == [0, 1, 0, 0]
    assert "[error" in messages[1][0]
    moved = found[2].tables
    assert [(one.database, one.name, bool(one.asked)) for one in moved] == [
        ("d", "p", False),
        ("d", "u", True),
    ]
    assert [(c.name, c.type.base, c.type.charset) for c in moved[1].columns][1:] == [
        ("e", "date", None), ("f", "varchar", "latin2"),
    ]  # fmt: skip
    assert moved[1].foreign_keys[0].ref_table == "p"
    assert [one.partitioning is None for one in found[3].tables] == [False, False]


NOTE = "schemacheck: note: 1 statement not understood: --ask local lets a server of this version say\n"


def schemacheck(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "schemacheck", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_pull_request_is_decided_by_the_base_branchs_answers_alone(tmp_path: Path, server: Server) -> None:
    def git(*words: str) -> None:
        given = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *given, *words], cwd=tmp_path, check=True, capture_output=True)

    version = f"{server.flavor}-{server.version_text}"
    (tmp_path / "schemacheck.yaml").write_text(f"versions: {version}\n")
    for name in ("a.sql", "b.sql"):
        (tmp_path / name).write_text(SCRIPTS[0])
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "first")
    check = ("check", "a.sql", "b.sql", "--config", "git:main:")
    undecided = schemacheck(tmp_path, *check)
    assert undecided.returncode == 3
    assert undecided.stderr == NOTE
    decided = schemacheck(tmp_path, *check, "--ask", "local")
    assert (decided.returncode, decided.stderr) == (0, "")
    # What the change brings counts for nothing: neither its facts nor a configuration that asks.
    with (tmp_path / "schemacheck.yaml").open("a") as file:
        file.write("ask: local\n")
    theirs = schemacheck(tmp_path, *check)
    assert theirs.returncode == 3
    assert "setting ask: local" in theirs.stdout
    assert "file of answers facts.jsonl" in theirs.stdout
    git("add", ".schemacheck")
    git("commit", "-qm", "answers")
    after = schemacheck(tmp_path, *check, "--format", "json")
    assert after.returncode == 0
    said = [one for one in json.loads(after.stdout)["assumptions"] if "asked" in one]
    assert said == [
        f"t: asked {server} ({json.loads((tmp_path / '.schemacheck/facts.jsonl').read_text())['asked'][:10]})"
    ]


def test_a_version_that_is_not_there_is_an_error_or_stays_open(tmp_path: Path, server: Server) -> None:
    (tmp_path / "a.sql").write_text(SCRIPTS[0])
    nowhere = schemacheck(
        tmp_path, "check", "a.sql", "a.sql", "--source-version", "mariadb-10.3", "--ask", "local"
    )
    assert nowhere.returncode == 2
    assert "MariaDB 10.3" in nowhere.stderr
    version = f"{server.flavor}-{server.version_text}"
    half = ("check", "a.sql", "a.sql", "--source-version", version, "--replica-version", "mariadb-10.3")
    found = schemacheck(tmp_path, *half, "--ask", "local")
    assert found.returncode == 3
    assert "note: no answer to CREATE TABLE t" in found.stderr
    assert len((tmp_path / ".schemacheck/facts.jsonl").read_text().splitlines()) == 1


def test_answers_are_added_to_those_that_are_there(tmp_path: Path, server: Server) -> None:
    version = f"{server.flavor}-{server.version_text}"
    for script in (SCRIPTS[0], SCRIPTS[3]):
        (tmp_path / "a.sql").write_text(script)
        (tmp_path / "b.sql").write_text(script)
        done = schemacheck(tmp_path, "check", "a.sql", "b.sql", "--source-version", version, "--ask", "local")
        assert (done.returncode, done.stderr) == (0, "")
    assert len((tmp_path / ".schemacheck/facts.jsonl").read_text().splitlines()) == 2


def test_what_a_server_cannot_tell_of_its_own_is_no_answer(server: Server) -> None:
    """A catalogue with bytes that are no text: the next question is answered by the same server."""
    nobody = NoAnswers()
    with answered_by(nobody):
        catalog.read(f"CREATE TABLE t (a binary(16) DEFAULT x'00FF00', d {DATE});", server)
        catalog.read(SCRIPTS[3], server)
    with ExitStack() as stack:
        (_, first), (_, second) = Asker("local", Access(), stack).ask(list(nobody.open))
    assert "does not tell what it has made" in str(first)
    assert isinstance(second, Fact)
