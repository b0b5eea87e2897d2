"""Decisions by the key of a pair are the decisions about the whole pair."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from schemacheck.fleet import decide, definition, pair_key
from schemacheck.fleet.texts import Texts, signature
from schemacheck.model import Link

FIELD, LINE, NULL = definition.FIELD, definition.LINE, definition.NULL
TYPES = (
    "tinyint", "tinyint(1)", "smallint", "smallint unsigned", "mediumint", "int", "int(10) unsigned zerofill",
    "bigint", "bigint unsigned", "decimal(10,2)", "decimal(12,4)",
    "float", "double", "double(10,2)", "bit(1)", "bit(8)", "date", "year", "time", "time(6)", "datetime",
    "datetime(3)", "timestamp", "timestamp(6)", "json",
    "binary(16)", "varbinary(255)", "tinyblob", "blob", "longblob",
)  # fmt: skip
TEXTS = (
    "char(10)",
    "char(255)",
    "varchar(20)",
    "varchar(255)",
    "varchar(300)",
    "tinytext",
    "text",
    "mediumtext",
    "enum('a','b')",
    "enum('a','c','b')",
    "set('a','b')",
)
CHARSETS = (
    ("utf8mb4", "utf8mb4_general_ci"),
    ("utf8mb4", "utf8mb4_bin"),
    ("latin1", "latin1_swedish_ci"),
    ("utf8mb3", "utf8mb3_bin"),
    ("ucs2", "ucs2_general_ci"),
)
LINKS = [
    Link.of(server, slave_type_conversions=modes, **more)
    for server in ("mysql-5.1.73", "mysql-5.6.24", "mysql-8.0.36", "mysql-9.7.4", "mariadb-10.11.11",
        "mariadb-11.8.6")
    for modes in ("", "ALL_NON_LOSSY", "ALL_LOSSY,ALL_NON_LOSSY")
    for more in ({}, {"sql_mode": ""}, {"binlog_row_image": "MINIMAL"}, {"binlog_row_image": "NOBLOB"},
        {"binlog_format": "STATEMENT"})
    if not (server == "mysql-5.1.73" and modes)
]  # fmt: skip


def column(rng: random.Random, name: str, key: str = "") -> list[str]:
    """What a line carries of a column: name, type, nullable, default, extra, character set, collation, key,
    and three nulls.
    """
    character = rng.random() < 0.4
    charset, collation = rng.choice(CHARSETS) if character else (NULL, NULL)
    kind = rng.choice(TEXTS if character else TYPES)
    default = rng.choice((NULL, NULL, "1", "", "0")) if "blob" not in kind and "text" not in kind else NULL
    return [
        name,
        kind,
        rng.choice(("YES", "NO")),
        default,
        rng.choice(("", "", "", "on update CURRENT_TIMESTAMP")) if "stamp" in kind else "",
        charset,
        collation,
        key,
        NULL,
        NULL,
        NULL,
    ]


def drifted(rng: random.Random, fields: list[str]) -> list[str]:
    """The same column as it may be on the replica."""
    other = column(rng, fields[0], fields[7])
    what = rng.randrange(6)
    if what == 0:
        return [*fields[:2], other[2], *fields[3:]]
    if what == 1:
        return [*fields[:3], other[3], *fields[4:]]
    if what == 2 and fields[5] != NULL:
        return [*fields[:5], *rng.choice(CHARSETS), *fields[7:]]
    if what == 3:
        return [*fields[:7], rng.choice(("", "UNI", "MUL", "PRI")), *fields[8:]]
    return other


def text(columns: list[list[str]], rest: list[str]) -> str:
    return "w" + LINE.join(
        [f"C{at:06d}{FIELD}{FIELD.join(fields)}" for at, fields in enumerate(columns, 1)] + rest
    )


def tables(rng: random.Random) -> tuple[str, str]:
    """A table with or without keys, told by STATISTICS or by COLUMN_KEY, and the same with up to four drifted
    columns.
    """
    names = rng.sample(
        ["id", "A_b", "b", "Zed", "m1", "c9", "a", "$x", "q", "r", "s", "kk"], rng.randrange(1, 12)
    )
    keys = {
        name: rng.choice(("PRI", "UNI", "UNI", "MUL", "")) if rng.random() < 0.35 else "" for name in names
    }
    ours = [column(rng, name, keys[name]) for name in names]
    if keys[names[0]] == "PRI" and rng.random() < 0.5:
        ours[0][1:7] = ["bigint", "NO", NULL, "auto_increment", NULL, NULL]
    theirs = list(ours)
    for at in rng.sample(range(len(ours)), min(len(ours), rng.randrange(5))):
        theirs[at] = drifted(rng, theirs[at])
    rest = []
    if rng.random() < 0.5:
        for number in range(rng.randrange(3)):
            key = (
                "PRIMARY" if number == 0 and rng.random() < 0.5 else rng.choice(("k", "B", "a")) + str(number)
            )
            unique = "0" if key == "PRIMARY" or rng.random() < 0.5 else "1"
            for part, name in enumerate(rng.sample(names, rng.randrange(1, min(3, len(names)) + 1)), 1):
                rest.append(
                    "S"
                    + FIELD.join(
                        (
                            key,
                            f"{part:06d}",
                            unique,
                            name,
                            rng.choice((NULL, NULL, "4")),
                            "A",
                            "BTREE",
                            "YES",
                            NULL,
                            NULL,
                        )
                    )
                )
        rest.sort()
    if rng.random() < 0.7:
        rest.append(
            "T" + FIELD.join(("BASE TABLE", rng.choice(("InnoDB", "MyISAM")), "utf8mb4_general_ci", ""))
        )
    return text(ours, rest), text(theirs, rest)


def answered(
    pairs: list[tuple[str, str]], links: list[Link], folder: Path, *, plain: bool
) -> list[dict[str, object]]:
    """What the job's worker says of each pair on the link of its place."""
    import pyarrow as pa

    Texts(str(folder)).write(0, {signature(one): one for pair in pairs for one in pair})
    s_db, s_tbl, r_db, r_tbl = decide.TOKENS
    rows = [
        {"decision": str(number), "profile": number % len(links), "filter": None, "s_origin": 0,
        "s_sig": signature(source), "r_origin": 0, "r_sig": signature(replica), "plain": plain,
         "s_db": s_db, "s_tbl": s_tbl, "r_db": r_db, "r_tbl": r_tbl, "partly": None, "near_db": None,
         "near_tbl": None, "twin_db": None, "twin_tbl": None}
        for number, (source, replica) in enumerate(pairs)
    ]  # fmt: skip
    (batch,) = decide.answers(links, [], str(folder), pa.RecordBatch.from_pylist(rows))
    return list(batch.to_pylist())


@pytest.mark.parametrize("seed", range(8))
def test_the_pair_key_decides_as_the_whole(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    pairs = [tables(rng) for _ in range(500)]
    links = rng.sample(LINKS, len(LINKS))
    assert sum(pair_key.of(*pair) is not None for pair in pairs) > 400
    short = answered(pairs, links, tmp_path / "short", plain=True)
    for one, whole, pair in zip(
        short, answered(pairs, links, tmp_path / "whole", plain=False), pairs, strict=True
    ):
        assert one == whole, pair


def test_most_pairs_have_a_pair_key_and_few_different_ones(tmp_path: Path) -> None:
    """One changed column among any others, at any place, is decided once."""
    rng = random.Random(3)
    link = Link.of("mysql-8.0.36")
    found = set()
    for number in range(50):
        columns = [column(rng, f"c{place}") for place in range(rng.randrange(3, 12))]
        at = rng.randrange(1, len(columns) - 1)
        ours, theirs = (
            [
                *columns[:at],
                [columns[at][0], kind, "YES", NULL, "", NULL, NULL, "", NULL, NULL, NULL],
                *columns[at + 1 :],
            ]
            for kind in ("bigint", "int")
        )
        made = pair_key.of(text(ours, []), text(theirs, []))
        assert made is not None
        assert made.places == [at + 1, len(columns)]
        found.add((made.source, made.replica))
        (told,) = answered([(text(ours, []), text(theirs, []))], [link], tmp_path / str(number), plain=True)
        assert f"Column {at} of table" in told["findings"][0]["error"]
        assert (told["findings"][0]["column"], told["findings"][0]["source_ordinal"]) == (
            columns[at][0],
            at + 1,
        )
    assert len(found) == 1


def test_what_may_matter_has_no_pair_key() -> None:
    plain = [column(random.Random(1), name) for name in ("a", "b", "c")]
    changed = [[*plain[0][:2], "YES" if plain[0][2] == "NO" else "NO", *plain[0][3:]], *plain[1:]]
    assert pair_key.of(text(plain, []), text(changed, [])) is not None
    others = [
        (text(plain, []), text(plain[:2], [])),
        (text(plain, []), text([plain[1], plain[0], plain[2]], [])),
        (text(plain, []), text([["a b", *plain[0][1:]], *plain[1:]], [])),
        (text([["my_row_id", *plain[0][1:]], *plain[1:]], []), text([["my_row_id", *changed[0][1:]],
        *plain[1:]], [])),
        (text(plain, ["TBASE TABLE" + FIELD + "InnoDB"]), text(changed, ["TBASE TABLE" + FIELD + "MyISAM"])),
        (text(plain, ["Kf" + FIELD + "000001"]), text(changed, ["Kf" + FIELD + "000001"])),
        (text(plain, ["S" + FIELD.join(("k", "000001", "0", "gone", NULL, "A", "BTREE", "YES", NULL, NULL))]),
        ) * 2,
        (text(plain, ["S" + FIELD.join(("k", "000001", "0", "a", NULL, "A", "HASH", "YES", NULL, NULL))]),
        ) * 2,
        ("j{}", "j{}"),
    ]  # fmt: skip
    assert [pair_key.of(*pair) for pair in others] == [None] * len(others)
    servers = ("mysql-8.0.36", "mysql-8.4.9")
    assert not pair_key.applies(Link.of(*servers))
    assert [
        pair_key.applies(Link.of(servers[0], **settings))
        for settings in ({}, {"binlog_row_image": "MINIMAL"}, {"binlog_format": "MIXED"})
    ] == [True, False, False]
