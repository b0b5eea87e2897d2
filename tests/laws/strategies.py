"""Strategies for types, columns, keys, tables, servers and links."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from schemacheck.model import (
    Check,
    Column,
    ColumnType,
    Default,
    DefaultKind,
    ForeignKey,
    Key,
    KeyKind,
    KeyPart,
    Link,
    Server,
    Table,
)

MYSQL = (
    "mysql-5.1.73",
    "mysql-5.5.68",
    "mysql-5.6.12",
    "mysql-5.6.51",
    "mysql-5.7.44",
    "mysql-8.0.36",
    "mysql-8.4.9",
    "mysql-9.7.4",
)
MARIADB = ("mariadb-5.5.68", "mariadb-10.1.48", "mariadb-10.11.19", "mariadb-11.8.6", "mariadb-12.2.0")
PERCONA = ("percona-5.7.44", "percona-8.0.46")
SERVERS = (*MYSQL, *MARIADB, *PERCONA)
#: Servers whose appliers know slave_type_conversions.
CONVERTING = tuple(name for name in SERVERS if not name.startswith("mysql-5.1"))
MODES = ("ALL_LOSSY", "ALL_NON_LOSSY", "ALL_SIGNED", "ALL_UNSIGNED")
CHARSETS = ("latin1", "ascii", "utf8mb3", "utf8mb4", "ucs2", "gbk")

_WORDS = st.sampled_from(["a", "b", "c", "new", "paid", "x y", "it's", "é"])


@st.composite
def types(draw: st.DrawFn, *, keyed: bool = False) -> ColumnType:
    """Any type that every server of SERVERS can hold; `keyed`: one that may be in a key without a prefix."""
    families = ["integer", "decimal", "real", "bit", "temporal", "date", "string", "binary", "enum", "set"]
    family = draw(st.sampled_from(families if keyed else [*families, "text", "blob", "geometry"]))
    charset = draw(st.sampled_from(CHARSETS))
    if family == "integer":
        text = draw(st.sampled_from(["tinyint", "smallint", "mediumint", "int", "bigint"])) + draw(
            st.sampled_from(["", " unsigned", " unsigned zerofill"])
        )
    elif family == "decimal":
        precision = draw(st.integers(1, 65))
        text = f"decimal({precision},{draw(st.integers(0, min(30, precision)))})" + draw(
            st.sampled_from(["", " unsigned"])
        )
    elif family == "real":
        scale = draw(st.integers(0, 10))
        text = draw(st.sampled_from(["float", "double"])) + draw(
            st.sampled_from(["", f"({draw(st.integers(scale + 1, 40))},{scale})"])
        )
    elif family == "bit":
        text = f"bit({draw(st.integers(1, 64))})"
    elif family == "temporal":
        text = f"{draw(st.sampled_from(['time', 'datetime', 'timestamp']))}({draw(st.integers(0, 6))})"
    elif family == "date":
        text = draw(st.sampled_from(["date", "year"]))
    elif family in ("string", "binary"):
        word = draw(st.sampled_from(["char", "varchar"] if family == "string" else ["binary", "varbinary"]))
        text = f"{word}({draw(st.integers(1, 255))})"
    elif family in ("enum", "set"):
        members = draw(st.lists(_WORDS, min_size=1, max_size=5, unique=True))
        text = family + "(" + ",".join("'" + m.replace("'", "''") + "'" for m in members) + ")"
    elif family == "text":
        text = draw(st.sampled_from(["tinytext", "text", "mediumtext", "longtext"]))
    elif family == "blob":
        text = draw(st.sampled_from(["tinyblob", "blob", "mediumblob", "longblob"]))
    else:
        text = draw(st.sampled_from(["geometry", "point", "linestring", "polygon"]))
    return ColumnType.parse(text, charset=charset)


def _names() -> st.SearchStrategy[str]:
    return st.sampled_from(["a", "b", "c", "d", "e", "id", "note", "odd name"])


@st.composite
def columns(draw: st.DrawFn, name: str) -> Column:
    """A column with or without NULL, default, AUTO_INCREMENT left out."""
    kind = draw(types())
    nullable = draw(st.booleans())
    default = draw(
        st.sampled_from(
            [Default(DefaultKind.NULL)] if nullable else [None, None, Default(DefaultKind.LITERAL, "1")]
        )
    )
    return Column(name, kind, nullable=nullable, default=default)


@st.composite
def tables(draw: st.DrawFn, name: str = "t", *, most: int = 5) -> Table:
    """A table of one to `most` columns with keys, a CHECK or a foreign key now and then."""
    names = draw(st.lists(_names(), min_size=1, max_size=most, unique=True))
    listed = [draw(columns(column)) for column in names]
    keys = []
    if draw(st.booleans()):
        part = draw(st.sampled_from(names))
        listed = [
            replace(c, type=draw(types(keyed=True)), nullable=False, default=None) if c.name == part else c
            for c in listed
        ]
        keys.append(Key(KeyKind.PRIMARY, (KeyPart(part),), "PRIMARY"))
    if draw(st.booleans()):
        part = draw(st.sampled_from(names))
        length = (
            3 if next(c for c in listed if c.name == part).type.base in ("varchar", "text", "blob") else None
        )
        keys.append(
            Key(draw(st.sampled_from([KeyKind.UNIQUE, KeyKind.INDEX])), (KeyPart(part, length),), "k")
        )
    checks = (Check("a > 0", "positive"),) if draw(st.booleans()) and "a" in names else ()
    foreign = (ForeignKey((names[0],), "parent", ("id",), name="fk"),) if draw(st.integers(0, 3)) == 0 else ()
    return Table(name, tuple(listed), "shop", tuple(keys), checks, foreign, engine="InnoDB")


def servers(names: tuple[str, ...] = SERVERS) -> st.SearchStrategy[Server]:
    return st.sampled_from(names).map(Server.parse)


def known_modes(server: Server) -> set[str]:
    """The words of slave_type_conversions that this server accepts."""
    return {
        word
        for word in MODES
        if not Link(server, server.with_settings({"slave_type_conversions": word})).refused_modes
    }


@st.composite
def links(
    draw: st.DrawFn,
    names: tuple[str, ...] = SERVERS,
    *,
    same: bool = False,
    formats: tuple[str, ...] = ("ROW",),
) -> Link:
    """Two servers, or one at both ends, with any setting of each deciding variable."""
    source = draw(servers(names))
    replica = source if same else draw(servers(names))
    modes = ",".join(sorted(draw(st.sets(st.sampled_from(MODES))) & known_modes(replica)))
    both = {
        "binlog_format": draw(st.sampled_from(formats)),
        "sql_mode": draw(st.sampled_from(["", "STRICT_TRANS_TABLES"])),
    }
    image = {"binlog_row_image": draw(st.sampled_from(["FULL", "MINIMAL", "NOBLOB"]))}
    return Link(
        source.with_settings(both | image), replica.with_settings(both | {"slave_type_conversions": modes})
    )


@st.composite
def changed(draw: st.DrawFn, table: Table) -> Table:
    """A table that grew out of another one by one to three changes of its columns."""
    listed = list(table.columns)
    for _ in range(draw(st.integers(1, 3))):
        change = draw(st.sampled_from(["type", "drop", "add", "swap", "null", "name"]))
        place = draw(st.integers(0, len(listed) - 1))
        if change == "type":
            listed[place] = replace(listed[place], type=draw(types(keyed=True)))
        elif change == "drop" and len(listed) > 1:
            del listed[place]
        elif change == "add":
            listed.insert(place, draw(columns(f"new{len(listed)}")))
        elif change == "swap":
            listed[0], listed[place] = listed[place], listed[0]
        elif change == "null":
            listed[place] = replace(listed[place], nullable=not listed[place].nullable, default=None)
        else:
            listed[place] = replace(listed[place], name=f"other{place}")
    kept = {c.name for c in listed}
    keys = tuple(k for k in table.keys if all(p.column in kept for p in k.parts))
    return replace(table, columns=tuple(listed), keys=keys, checks=table.checks if "a" in kept else ())
