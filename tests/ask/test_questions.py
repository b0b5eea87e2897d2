"""What is a question, what an answer does, and which facts apply: without any server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schemacheck import __version__, catalog
from schemacheck.ask.book import Book, load
from schemacheck.ask.fact import Fact, fact
from schemacheck.catalog.asked import NoAnswers, answered_by
from schemacheck.errors import InputError
from schemacheck.inputs import open_schema
from schemacheck.model import Link, Schema, Server
from schemacheck.model.question import Question
from schemacheck.plan import plan_change

MARIADB = Server.parse("mariadb-10.11.19")
#: What the model leaves to a server.
UNSURE = "d date DEFAULT (TIMESTAMP('2020-01-01'))"


def asked(text: str, server: Server = MARIADB, **more: object) -> list[Question]:
    nobody = NoAnswers()
    with answered_by(nobody):
        catalog.read(text, server, **more)
    return list(nobody.open)


def rows(*columns: tuple[str, str]) -> dict:
    """The answer of a MariaDB server about a table `t` of plain columns."""
    names = {"TABLE_SCHEMA": "schemacheck", "TABLE_NAME": "t"}
    table = {"TABLE_TYPE": "BASE TABLE", "ENGINE": "InnoDB", "TABLE_COLLATION": "latin1_swedish_ci"}
    told = [
        names
        | {
            "COLUMN_NAME": name, "ORDINAL_POSITION": place, "COLUMN_TYPE": kind, "IS_NULLABLE": "YES",
            "COLUMN_DEFAULT": "NULL", "EXTRA": "", "COLUMN_KEY": "",
            "COLLATION_NAME": "latin1_swedish_ci" if kind.startswith("enum") else None,
        }
        for place, (name, kind) in enumerate(columns, 1)
    ]  # fmt: skip
    listed = ",".join(f"`{name}` {kind} DEFAULT NULL" for name, kind in columns)
    shown = f"CREATE TABLE `t` ({listed}) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci"
    return {
        "rows": {"TABLES": [names | table | {"CREATE_OPTIONS": ""}], "COLUMNS": told},
        "shown": {"schemacheck.t": shown},
    }


def book(question: Question, answer: dict, server: Server = MARIADB) -> Book:
    return Book([fact(question, server, "10.11", "2026-11-26T01:00:00+00:00", answer)])


def read(text: str, answers: Book, server: Server = MARIADB) -> Schema:
    answers.begin()
    with answered_by(answers):
        return catalog.read(text, server)


def test_a_question_has_what_its_meaning_depends_on() -> None:
    script = f"""SET sql_mode = 'ANSI_QUOTES'; CREATE DATABASE shop CHARACTER SET latin2; USE shop;
        CREATE TABLE other (a int); CREATE TABLE "p" (id int primary key);
        CREATE TABLE t (a int, FOREIGN KEY (a) REFERENCES p (id)); ALTER TABLE t ADD {UNSURE};"""
    (question,) = asked(script)
    assert question.statement == f"ALTER TABLE t ADD {UNSURE}"
    assert [text for _, text in question.before] == [
        'CREATE TABLE "p" (id int primary key)',
        "CREATE TABLE t (a int, FOREIGN KEY (a) REFERENCES p (id))",
    ]
    assert question.databases == (("shop", "latin2", "latin2_general_ci"),)
    assert dict(question.settings)["sql_mode"] == "ANSI_QUOTES"
    assert question.server == MARIADB


def test_what_came_in_other_files_is_a_part_of_the_question() -> None:
    base = catalog.read("CREATE TABLE t (a int); RENAME TABLE t TO u; ALTER TABLE u ADD b int;", MARIADB)
    (question,) = asked(f"ALTER TABLE u ADD {UNSURE};", base=base)
    assert [text for _, text in question.before] == [
        "CREATE TABLE t (a int)", "RENAME TABLE t TO u", "ALTER TABLE u ADD b int",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "script",
    [
        f"ALTER TABLE nowhere ADD {UNSURE};",
        f"CREATE TABLE t ({UNSURE} COMMENT 'it",
        f"CREATE TABLE t ({UNSURE};",
        f"CREATE TEMPORARY TABLE t ({UNSURE});",
        "PREPARE s FROM \"CREATE TABLE t (d date DEFAULT (TIMESTAMP('2020-01-01')))\"; EXECUTE s;",
        "CALL make_tables();",
        "CREATE TABLE t (a int); CREATE TABLE t (a int);",
        "SOURCE other.sql",
    ],
)
def test_what_no_server_would_know_is_no_question(script: str) -> None:
    assert asked(script) == []


def test_what_rests_on_an_open_question_waits_for_its_answer() -> None:
    script = f"CREATE TABLE t ({UNSURE}); CREATE TABLE u LIKE t; ALTER TABLE u ADD e {UNSURE[2:]};"
    assert [one.statement for one in asked(script)] == [f"CREATE TABLE t ({UNSURE})"]


def test_too_much_before_it_is_no_question() -> None:
    changes = "".join(f"ALTER TABLE t ADD c{number} int;" for number in range(101))
    assert asked(f"CREATE TABLE t (a int); {changes} ALTER TABLE t ADD {UNSURE};") == []
    assert asked(f"CREATE TABLE t (a int, {UNSURE} COMMENT '{'x' * 200_000}');") == []


def test_other_settings_before_it_are_no_question() -> None:
    assert asked(f"CREATE TABLE t (a int); SET sql_mode = ''; ALTER TABLE t ADD {UNSURE};") == []


def test_an_answer_is_the_table_and_later_statements_go_on_from_it() -> None:
    script = f"CREATE TABLE t (a int);\nALTER TABLE t ADD {UNSURE};\nALTER TABLE t ADD b bigint;"
    (question,) = asked(script)
    known = book(question, rows(("a", "int(11)"), ("d", "date")))
    found = read(script, known)
    assert found.problems == ()
    (table,) = found.tables
    assert [column.name for column in table.columns] == ["a", "d", "b"]
    assert table.asked == "asked MariaDB 10.11.19 (2026-11-26)"
    assert (table.database, str(table.location)) == (None, "-:2:1")
    assert known.said == ("t: asked MariaDB 10.11.19 (2026-11-26)",)


def test_a_table_of_which_only_rows_are_understood_is_asked_about_again() -> None:
    script = (
        f"CREATE TABLE t (a int, {UNSURE});\nALTER TABLE t ADD b int;\nCREATE TABLE u LIKE t;\nDROP TABLE t;"
    )
    (first,) = asked(script)
    told = rows(("a", "int(11)"))
    known = book(first, told | {"shown": {"schemacheck.t": "CREATE TABLE t (a int FROB)"}})
    found = read(script, known)
    assert [(one.table, str(one.location)) for one in found.problems] == [("t", "-:2:1"), ("u", "-:3:1")]
    (second,) = known.open
    assert [text for _, text in second.before] == [first.statement]
    known.add(
        fact(
            second, MARIADB, "10.11.19", "2026-11-26T01:00:00+00:00", rows(("a", "int(11)"), ("b", "int(11)"))
        )
    )
    assert [(one.name, len(one.columns)) for one in read(script, known).tables] == [("u", 2)]


def test_a_refusal_is_the_servers_with_its_number() -> None:
    script = f"CREATE TABLE t (a int, {UNSURE});"
    (question,) = asked(script)
    (problem,) = read(
        script, book(question, {"error": 1067, "message": "Invalid default value for 'd'"})
    ).problems
    assert (
        problem.message == "Invalid default value for 'd' [error 1067] (asked MariaDB 10.11.19 (2026-11-26))"
    )
    assert problem.refusal is not None
    assert problem.table == "t"


def test_rows_that_are_not_understood_are_no_answer() -> None:
    script = f"CREATE TABLE t (a int, {UNSURE});"
    (question,) = asked(script)
    assert read(script, book(question, rows(("a", "a new type")))).tables == ()


def test_rows_that_lost_what_the_definition_has_are_no_answer() -> None:
    script = f"CREATE TABLE t (a int, {UNSURE});"
    (question,) = asked(script)
    answer = rows(("a", "enum('x','y')"))
    assert read(script, book(question, answer)).tables[0].columns[0].type.members == ("x", "y")
    lost = answer | {"shown": {"schemacheck.t": answer["shown"]["schemacheck.t"].replace("'x'", "'z'")}}
    assert read(script, book(question, lost)).tables == ()


@pytest.mark.parametrize(
    ("script", "server"),
    [
        (f"CREATE TABLE t (a int, {UNSURE} );", MARIADB),
        (f"SET sql_mode = ''; CREATE TABLE t (a int, {UNSURE});", MARIADB),
        (f"CREATE TABLE t (a int, {UNSURE});", Server.parse("mariadb-11.8")),
        (
            f"CREATE TABLE t (a int, {UNSURE});",
            Server.parse("mariadb-10.11.19", {"lower_case_table_names": "1"}),
        ),
        (f"CREATE DATABASE d; USE d; CREATE TABLE t (a int, {UNSURE});", MARIADB),
    ],
)
def test_a_fact_of_another_text_mode_or_version_does_not_apply(script: str, server: Server) -> None:
    (question,) = asked(f"CREATE TABLE t (a int, {UNSURE});")
    found = read(script, book(question, rows(("a", "int(11)"), ("d", "date"))), server)
    assert found.tables == ()


def test_a_fact_of_another_release_does_not_apply_and_two_that_differ_neither() -> None:
    script = f"CREATE TABLE t (a int, {UNSURE});"
    (question,) = asked(script)
    answer = rows(("a", "int(11)"), ("d", "date"))
    when = "2026-11-26T01:00:00+00:00"
    first = fact(question, MARIADB, "10.11.19", when, answer)
    old = Fact(first.server, first.key, first.document | {"schemacheck": "0.0.1"})
    assert read(script, Book([old])).tables == ()
    mysql = Server.parse("mysql-8.0.36")
    (question,) = asked("CREATE TABLE t (a int, CHECK (sha2(_latin1'x', 256) = a));", mysql)
    one, other = (Server.parse(f"mysql-8.0.{number}") for number in (35, 37))
    refused = {"error": 3812, "message": "no"}
    same = [fact(question, server, "8.0", when, refused) for server in (one, other)]
    assert "no [error 3812]" in read(question.statement, Book(same), mysql).problems[0].message
    taken = fact(question, other, "8.0", when, {"error": 1064, "message": "another"})
    assert "only a server" in read(question.statement, Book([same[0], taken]), mysql).problems[0].message
    exact = fact(question, mysql, "8.0.36", when, refused)
    assert (
        "no [error 3812]"
        in read(question.statement, Book([same[0], taken, exact]), mysql).problems[0].message
    )


def line() -> dict:
    (question,) = asked(f"CREATE TABLE t (a int, {UNSURE});")
    return fact(
        question, MARIADB, "10.11.19-MariaDB", "2026-11-26T01:00:00+00:00", rows(("a", "int(11)"))
    ).document


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            {"statement": "CREATE TABLE t (b int)"},
            "its seal does not fit: it was changed by hand, or is damaged",
        ),
        ({"answer": {"error": 1064, "message": "no"}}, "its seal does not fit"),
        ({"more": 1}, "a fact has the keys"),
        ({"fact": "rumour"}, "the kind 'rumour' is not known"),
    ],
)
def test_a_line_that_was_changed_by_hand_is_refused_with_its_place(
    tmp_path: Path, change: dict, why: str
) -> None:
    place = tmp_path / "facts.jsonl"
    place.write_text(json.dumps(line()) + "\n" + json.dumps(line() | change) + "\n")
    with pytest.raises(InputError, match=f"facts.jsonl:2: no fact: {why}"):
        load(str(place))


PAIR = {"replica": {"server": "mariadb-10.11.19", "version": "10.11.19"}, "question": {}}


@pytest.mark.parametrize(
    "change",
    [
        {"replica": {}}, {"replica": {"version": "1"}}, {"replica": {"server": "oracle-23"}},
        {"question": []}, {"answer": {}}, {"answer": "applied"}, {"server": 1},
    ],
)  # fmt: skip
def test_a_pair_of_another_form_is_none(tmp_path: Path, change: dict) -> None:
    from schemacheck.ask.fact import seal

    place = tmp_path / "facts.jsonl"
    heading = {name: line()[name] for name in ("server", "version", "schemacheck", "asked")}
    good = {"fact": "pair", **heading, **PAIR, "answer": {"outcome": "applied"}}
    for document in (good, good | change):
        place.write_text(json.dumps(document | {"seal": seal(document)}) + "\n")
        if document is good:
            assert len(load(str(place)).lines) == 1
    with pytest.raises(InputError, match=r"facts.jsonl:1: no fact"):
        load(str(place))


@pytest.mark.parametrize(
    "text",
    [
        "{", "[]", "null", '"text"', "[" * 100_000, '{"fact": 1, "fact": 2}', "\0", "{}",
        json.dumps(line() | {"server": "oracle-23"}), json.dumps(line() | {"before": "x"}),
        json.dumps(line() | {"settings": {"sql_mode": 1}}), json.dumps(line() | {"answer": {"error": "x"}}),
        json.dumps(line() | {"answer": {"error": 1 << 40, "message": ""}}),
        json.dumps(line() | {"answer": {"rows": {"COLUMNS": [{"COLUMN_NAME": [1]}]}, "shown": {}}}),
        json.dumps(line() | {"answer": {"rows": {}, "shown": {"t": None}}}),
    ],
)  # fmt: skip
def test_hostile_lines_are_refused_with_their_place(tmp_path: Path, text: str) -> None:
    place = tmp_path / "facts.jsonl"
    if text.startswith('{"fact": "definition"'):
        from schemacheck.ask.fact import seal

        document = json.loads(text)
        text = json.dumps(document | {"seal": seal(document)})
    place.write_text(text + "\n")
    with pytest.raises(InputError, match=r"facts\.jsonl:1: no fact: .*; remove the line, then ask again"):
        load(str(place))


def test_kept_answers_are_no_part_of_a_folders_definitions(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("CREATE TABLE t (a int);")
    (tmp_path / ".schemacheck").mkdir()
    (tmp_path / ".schemacheck" / "facts.jsonl").write_text(json.dumps(line()) + "\n")
    assert sum(one.count for one in open_schema(tmp_path).files) == 1


def test_a_file_keeps_what_it_holds_in_an_order_of_its_own(tmp_path: Path) -> None:
    questions = [asked(f"CREATE TABLE t{number} ({UNSURE});")[0] for number in (2, 1)]
    known = Book()
    for question, second in zip(questions, "01", strict=True):  # The later answer stands first.
        known.add(
            fact(
                question,
                MARIADB,
                "10.11.19-MariaDB",
                f"2026-11-26T01:00:0{second}+00:00",
                {"error": 1067, "message": "x"},
            )
        )
    place = tmp_path / ".schemacheck" / "facts.jsonl"
    known.write(place)
    lines = place.read_text().splitlines()
    assert ["t1" in one for one in lines] == [True, False]
    again = load(str(place))
    again.add(
        fact(
            questions[0],
            MARIADB,
            "10.11.19-MariaDB",
            "2026-11-27T01:00:00+00:00",
            {"error": 1067, "message": "y"},
        )
    )
    again.write(place)
    assert len(place.read_text().splitlines()) == 2
    assert all(json.loads(one)["schemacheck"] == __version__ for one in lines)


def test_a_statement_of_data_that_a_server_runs_hides_no_definition() -> None:
    script = """CREATE TABLE t (a int);
        INSERT INTO t SELECT ENCRYPT('x');
        DELETE FROM t WHERE ENCRYPT(a) = 1;
        CREATE TABLE u (b int);"""
    (first,) = asked(script)
    assert first.statement == "INSERT INTO t SELECT ENCRYPT('x')"
    known = book(first, rows(("a", "int(11)")))
    assert str(read(script, known).problems[0].location) == "-:3:9"
    (second,) = known.open
    when = "2026-11-26T01:00:00+00:00"
    known.add(fact(second, MARIADB, "10.11.19", when, {"rows": {}, "shown": {}}))
    assert read(script, known).problems == ()
    known.add(fact(second, MARIADB, "10.11.19", when, {"error": 1064, "message": "no such thing"}))
    (problem,) = read(script, known).problems
    assert "(no such thing [error 1064] (asked MariaDB 10.11.19 (2026-11-26)))" in problem.message


@pytest.mark.parametrize(
    "before", ["SET @a = 1;", "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1;"]
)
def test_what_data_depends_on_beside_tables_is_no_question(before: str) -> None:
    statement = "INSERT INTO t SELECT ENCRYPT(@a);" if "@" in before else "INSERT INTO t SELECT ENCRYPT('x');"
    assert asked(f"CREATE TABLE t (a int); {before} {statement} CREATE TABLE u (a int);") == []


def test_data_behind_the_last_definition_is_no_question() -> None:
    assert asked("CREATE TABLE t (a int); INSERT INTO t SELECT ENCRYPT('x');") == []


def test_children_are_a_part_of_the_question_about_their_parent() -> None:
    child = "CREATE TABLE c (a int, FOREIGN KEY (a) REFERENCES p (id))"
    (question,) = asked(f"CREATE TABLE p (id int PRIMARY KEY); {child}; ALTER TABLE p ADD {UNSURE};")
    assert [text for _, text in question.before] == ["CREATE TABLE p (id int PRIMARY KEY)", child]


def test_a_plan_takes_no_answer_to_a_statement_that_it_cannot_read() -> None:
    old = catalog.read("CREATE TABLE t (a int);", MARIADB)
    link = Link(MARIADB, MARIADB)
    for change, read_ in ((f"ALTER TABLE t ADD {UNSURE};", True), ("ALTER TABLE t FROB a;", False)):
        nobody = NoAnswers()
        with answered_by(nobody):
            catalog.read(change, MARIADB, base=old)
            (question,) = nobody.open
            nobody.begin()
            plan_change(old, [("c.sql", change)], link)
        assert list(nobody.open) == ([question] if read_ else [])


def test_a_constraints_name_that_another_table_has_is_refused() -> None:
    script = f"""CREATE TABLE p (id int PRIMARY KEY);
        CREATE TABLE c (a int, CONSTRAINT f FOREIGN KEY (a) REFERENCES p (id));
        CREATE TABLE t (b int, {UNSURE});"""
    *_, question = asked(script)
    answer = rows(("b", "int(11)"))
    table = {"TABLE_SCHEMA": "schemacheck", "TABLE_NAME": "t", "COLUMN_NAME": "b"}
    told = table | {"CONSTRAINT_SCHEMA": "schemacheck", "CONSTRAINT_NAME": "f", "ORDINAL_POSITION": 1}
    parent = {
        "REFERENCED_TABLE_SCHEMA": "schemacheck",
        "REFERENCED_TABLE_NAME": "p",
        "REFERENCED_COLUMN_NAME": "id",
    }
    key = {"NON_UNIQUE": 1, "INDEX_NAME": "f", "SEQ_IN_INDEX": 1, "COLLATION": "A", "INDEX_TYPE": "BTREE"}
    answer["rows"] |= {
        "STATISTICS": [table | key],
        "TABLE_CONSTRAINTS": [told | {"CONSTRAINT_TYPE": "FOREIGN KEY"}],
        "KEY_COLUMN_USAGE": [told | parent],
        "REFERENTIAL_CONSTRAINTS": [told | {"UPDATE_RULE": "RESTRICT", "DELETE_RULE": "RESTRICT"}],
    }
    bound = ", KEY `f` (`b`), CONSTRAINT `f` FOREIGN KEY (`b`) REFERENCES `p` (`id`)) ENGINE"
    answer["shown"] = {"schemacheck.t": answer["shown"]["schemacheck.t"].replace(") ENGINE", bound)}
    (problem,) = read(script, book(question, answer)).problems
    assert "foreign key 'f' is there in table c" in problem.message
