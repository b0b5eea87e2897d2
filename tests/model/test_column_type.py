"""Type text: the one reader, its laws, and character sets."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemacheck.model import BadType, ColumnType, Server
from schemacheck.model import charset as charsets
from schemacheck.model.column_type import Among
from schemacheck.model.quote import unquote
from schemacheck.model.type_facts import ADDRESSES, TYPES, address
from schemacheck.model.type_text import Written, _Reader, read

PLAIN = st.one_of(
    st.sampled_from(("int", "bigint unsigned", "double", "float", "date", "year", "json", "text", "longblob",
    "geometry", "point", "time(3)", "datetime", "timestamp(6)")),
    st.builds(lambda p, s: f"decimal({max(p, s)},{s})", st.integers(1, 65), st.integers(0, 30)),
    st.builds(lambda n: f"varchar({n})", st.integers(0, 16_000)),
    st.builds(lambda n: f"bit({n})", st.integers(1, 64)),
    st.builds(lambda n: f"binary({n})", st.integers(0, 255)),
    st.builds(lambda m: "enum(" + ",".join("'" + x.replace("'", "''") + "'" for x in m) + ")",
    st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\\\0 ", exclude_categories=["C", "Z"]),
    min_size=1, max_size=5), min_size=1, max_size=5, unique=True)),
)  # fmt: skip


@given(PLAIN)
def test_what_is_printed_reads_as_the_same_type(text: str) -> None:
    kind = ColumnType.parse(text, charset="utf8mb4", collation="utf8mb4_bin")
    assert ColumnType.parse(kind.plain(), charset="utf8mb4", collation="utf8mb4_bin") == kind
    assert (
        ColumnType.parse(
            text.upper() if "'" not in text else text, charset="utf8mb4", collation="utf8mb4_bin"
        )
        == kind
    )


@given(
    st.sampled_from(("enum", "set", "ENUM", "set ")),
    st.lists(st.text(st.sampled_from("ab, '()\\é/*\n"), max_size=4), max_size=4),
    st.sampled_from(("", " ", " charset latin1", ")", ",", "'")),
    st.booleans(),
)
def test_plain_lists_read_as_all_others_do(
    word: str, members: list[str], behind: str, backslash: bool
) -> None:
    quoted = ("'" + one.replace("'", "''") + "'" for one in members)
    text = f"{word}({','.join(quoted)}){behind}"
    assert _read(lambda: read(text, backslash=backslash)) == _read(
        lambda: _Reader(text, backslash=backslash).read()
    )


def _read(how: Callable[[], Written]) -> Written | str:
    try:
        return how()
    except BadType as error:
        return str(error)


@pytest.mark.parametrize(
    "text", ["", "nosuch", "varchar", "int(", "int(5", "enum()", "enum('a'", "int unsigned foo", "date(3)",
    "double(5)", "bool(1)", "text unsigned", "tinytext(5)", "decimal(1,2,3)",
    "binary(3) character set latin1", "int 'x'"]
)  # fmt: skip
def test_bad_types(text: str) -> None:
    with pytest.raises(BadType):
        ColumnType.parse(text)


def test_information_schema_spellings() -> None:
    assert ColumnType.parse("varchar(50) /*M!100301 COMPRESSED*/", charset="latin1").compressed
    assert ColumnType.parse("datetime /* mariadb-5.3 */").old_format
    assert ColumnType.parse("timestamp /* 5.5 binary format */").old_format
    assert ColumnType.parse("enum('/* a */','it''s')").members == ("/* a */", "it's")
    assert ColumnType.parse("int(11)") == ColumnType.parse("int")


@pytest.mark.parametrize("made", ["enum('{}')", "set('a','{}')", "varchar({})", "decimal(60,{})"])
def test_types_are_told_apart_by_their_hashes(made: str) -> None:
    # Where many have one hash, each search among a fleet's types looks at all of these.
    kinds = {ColumnType.parse(made.format(n), charset="utf8mb4") for n in range(30)}
    assert len(set(map(hash, kinds))) == len(kinds) == 30


@pytest.mark.parametrize(("literal", "value"), [("''", ""), ("'a''b'", "a'b"), (r"'\''", "'"), (r"'\\n'",
r"\n"), (r"'\n\t\0\Z\q'", "\n\t\0\x1aq"), (r"'\%\_'", r"\%\_"), ('"a""b\'"', "a\"b'")])  # fmt: skip
def test_unquote(literal: str, value: str) -> None:
    assert unquote(literal) == value


def test_unquote_without_backslashes() -> None:
    assert unquote(r"'a\''b'", backslash=False) == r"a\'b"


def test_default_collations_by_server() -> None:
    of = {name: Server.parse(name) for name in ("mysql-5.7", "mysql-8.0", "mariadb-10.11", "mariadb-11.8")}
    found = {
        name: charsets.default_collation("utf8mb4", server.flavor, server.version)
        for name, server in of.items()
    }
    assert found == {
        "mysql-5.7": "utf8mb4_general_ci",
        "mysql-8.0": "utf8mb4_0900_ai_ci",
        "mariadb-10.11": "utf8mb4_general_ci",
        "mariadb-11.8": "utf8mb4_uca1400_ai_ci",
    }


@pytest.mark.parametrize(
    ("collation", "server", "there"),
    [
        ("utf8mb4_0900_ai_ci", "mysql-8.0", True), ("utf8mb4_0900_ai_ci", "mysql-5.7", False),
        ("utf8mb4_0900_ai_ci", "mariadb-10.11", False),
        ("utf8mb4_0900_ai_ci", "mariadb-11.8", True), ("utf8_bin", "mysql-8.0", True), ("uca1400_ai_ci",
        "mariadb-10.11", True), ("latin1_nope", "mysql-8.0", False),
        ("gb18030_bin", "mysql-5.6", False), ("utf8mb4_thai_520_w2", "mariadb-10.11", True),
    ],
)  # fmt: skip
def test_collations_by_server(collation: str, server: str, there: bool) -> None:
    assert charsets.has_collation(collation, Server.parse(server).has) is there


def test_charsets_by_server() -> None:
    assert charsets.has_charset("gb18030", Server.parse("mysql-8.0").has)
    assert not charsets.has_charset("gb18030", Server.parse("mariadb-11.8").has)
    assert charsets.of_collation("utf8_bin") == "utf8mb3"
    assert charsets.of_collation("uca1400_ai_ci") is None
    assert charsets.max_bytes("utf8") == 3


def test_questions_are_of_types_that_there_are() -> None:
    questions = [value for value in vars(ColumnType).values() if isinstance(value, Among)]
    assert len(questions) > 30
    assert {base for question in questions for base in question.bases} <= TYPES.keys()


@pytest.mark.parametrize("base", TYPES)
def test_every_type_is_read_with_as_many_numbers_as_it_takes(base: str) -> None:
    for count in TYPES[base].numbers:
        text = f"{base}({','.join('41'[:count])})" if count else base
        if base in ("varchar", "varbinary") and not count:
            continue
        text = f"{base}('a')" if base in ("enum", "set") else text
        assert ColumnType.parse(text, charset="utf8mb4").base in (base, f"tiny{base}")
    with pytest.raises(BadType):
        ColumnType.parse(f"{base}(1,2,3)", charset="utf8mb4")


@pytest.mark.parametrize("base", ADDRESSES)
def test_the_sample_of_an_address_is_one(base: str) -> None:
    assert address(base, TYPES[base].sample) == TYPES[base].sample
    assert address(base, TYPES[base].zero or "") == TYPES[base].zero
