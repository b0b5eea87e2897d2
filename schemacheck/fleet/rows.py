"""Rows of information_schema, read and normalised by the engine, become one definition text per table.

Everything here is native to Spark SQL; no Python runs per row. Result of `definitions`: `origin`
(number of the dump), `db`, `tbl`, `definition` (see definition.py), `odd` (above 0 where only Python can
tell whether the rows make sense), `repeated` (rows that came more than once), `n_rows`, `n_bytes`
(TABLES' estimates, null where unknown).
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812 the name that every Spark program uses

from schemacheck import knowledge
from schemacheck.errors import InputError
from schemacheck.fleet.definition import BROKEN, BY_NAME, FIELD, LINE, NULL, OWN, View
from schemacheck.inputs.column_row import REQUIRED
from schemacheck.inputs.rows import SYSTEM
from schemacheck.model import column_type as types

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from schemacheck.fleet.session import Engine
    from schemacheck.fleet.snapshots import Dump, File

_WHERE = ("origin", "db", "tbl")
#: `odd` of a table with a broken row.
MARKED = 3
#: Type texts that every server prints this way and every reader understands; anything else is looked at by Python.
_BARE = (*types.INTEGERS, *types.TEXTS, *types.BLOBS, *types.TEMPORALS, "date", "year", "float", "double", "json")
_PLAIN_TYPE = (
    rf"^((({'|'.join(_BARE)}|decimal)(\([0-9]{{1,4}}(,[0-9]{{1,2}})?\))?( unsigned)?( zerofill)?)"
    r"|((var)?(char|binary)|bit)\([0-9]{1,5}\)|(enum|set)\('[^'\\]*'(,'[^'\\]*')*\))$"
)
#: Types whose character set must be said.
_TEXT_TYPE = rf"^((var)?char\(|({'|'.join(types.TEXTS)})$)"
_PLAIN_EXTRA = ("", "auto_increment", "DEFAULT_GENERATED", "on update CURRENT_TIMESTAMP", "on update current_timestamp()", "DEFAULT_GENERATED on update CURRENT_TIMESTAMP")
_PLAIN_ENGINE = ("InnoDB", "MyISAM", "Aria")
#: Characters that separate fields of a definition; a value that has one is not read natively.
_RESERVED = "[\\x00-\\x03\\x1e\\x1f]"


def definitions(engine: Engine, dumps: Sequence[Dump], farm: Path) -> tuple[DataFrame, DataFrame | None]:
    """One row per table of every dump, and the broken rows (`origin`, `view`, `value`), None where a view cannot have any.

    `farm` is an empty folder for links to the files: one folder per dump, which both engines read
    as a column (`origin=7`).
    """
    groups: dict[tuple[str, tuple[str, ...], str], list[tuple[int, File]]] = defaultdict(list)
    for dump in dumps:
        for file in dump.native:
            ending = "".join(Path(file.path).suffixes[-2:]) if file.path.endswith(".gz") else Path(file.path).suffix
            groups[file.view, file.heading, ending].append((dump.origin, file))
    lines, broken = [], []
    owners: dict[bool, list[DataFrame]] = defaultdict(list)
    checks = []
    for number, ((view, heading, ending), files) in enumerate(sorted(groups.items())):
        folder = farm / f"{number}-{view}"
        _link(folder, files, ending)
        if heading:
            rows, bad = _tsv(engine, folder, heading)
            broken += [bad.select("origin", F.lit(view).alias("view"), "value")] if bad is not None else []
            if bad is not None:
                lines.append(_broken_lines(bad, heading))
        else:
            rows = _parquet(engine, folder)
        _complete(view, rows.columns, files[0][1].path)
        dialect = "w" if heading else "n"
        if view == "check_constraints" and "TABLE_NAME" not in rows.columns:
            checks.append((rows, dialect))
            continue
        if view == "table_constraints":
            rows = rows.filter(F.upper("CONSTRAINT_TYPE") == "CHECK")
            owners[True].append(rows.select("origin", "CONSTRAINT_SCHEMA", "CONSTRAINT_NAME", "TABLE_NAME"))
        lines.append(_lines(BY_NAME[view], rows, dialect))
    for rows, dialect in checks:
        if owners[True]:
            named = reduce(lambda a, b: a.unionByName(b), owners[True])
            lines.append(_lines(BY_NAME["check_constraints"], rows.join(named, ["origin", "CONSTRAINT_SCHEMA", "CONSTRAINT_NAME"]), dialect))
    grouped = reduce(lambda a, b: a.unionByName(b), lines).groupBy(*_WHERE).agg(
        F.max("dialect").alias("dialect"),
        F.array_distinct(F.sort_array(F.collect_list("line"))).alias("lines"),
        F.count("line").alias("count"),
        F.max("odd").alias("odd"),
        F.max("ordinal").alias("last"),
        F.count("ordinal").alias("columns"),
        F.bit_or(F.expr("shiftleft(1L, least(coalesce(ordinal, 0), 62))")).alias("seen"),
        F.max("n_rows").alias("n_rows"),
        F.max("n_bytes").alias("n_bytes"),
    )  # fmt: skip
    # Ordinals 1..n, each once: the bits 1..n are set, by n rows. (Bit 0 is set by lines of other views.)
    whole = (F.col("columns") == F.col("last")) & (F.col("last") < 62) & (F.expr("seen | 1L") == F.expr("shiftleft(1L, last + 1) - 1"))
    made = grouped.select(
        *_WHERE,
        F.concat(F.coalesce("dialect", F.lit("w")), F.array_join("lines", LINE)).alias("definition"),
        F.when(whole & (F.col("odd") == 0), 0).otherwise(F.greatest("odd", F.lit(1))).alias("odd"),
        (F.col("count") - F.size("lines")).alias("repeated"),
        "n_rows",
        "n_bytes",
    ).filter(F.col("definition").substr(2, 1).isin("C", BROKEN) | F.col("definition").contains(LINE + "C"))  # fmt: skip
    return made, reduce(lambda a, b: a.unionByName(b), broken) if broken else None


def _complete(view: str, given: Iterable[str], file: str) -> None:
    """Raises InputError where a view lacks a column without which its rows mean nothing."""
    needed = REQUIRED if view == "columns" else (*BY_NAME[view].order, *(() if view == "check_constraints" else ("TABLE_NAME",)))
    missing = [name for name in needed if name not in set(given)]
    if missing:
        message = f"{file}: {view.upper()} rows need the column{'s' * (len(missing) > 1)} {', '.join(missing)}; dump them too"
        raise InputError(message)


def _link(folder: Path, files: Iterable[tuple[int, File]], ending: str) -> None:
    """Links `origin=N/K.tsv` to the files. A folder per dump is what both engines turn into a column."""
    for place, (origin, file) in enumerate(files):
        home = folder / f"origin={origin}"
        home.mkdir(parents=True, exist_ok=True)
        (home / f"{place}{ending}").symlink_to(os.path.realpath(file.path))


def _tsv(engine: Engine, folder: Path, heading: tuple[str, ...]) -> tuple[DataFrame, DataFrame | None]:
    """Rows of `mysql --batch` files with one heading, the word NULL as null; and the lines that do not fit it.

    No CSV reader's quoting is wanted: a quote is a character like any other in this format.
    """
    wanted = [name for name in heading if name in _WANTED]
    text = engine.spark.read.text(str(folder)).select(F.col("origin").cast("int").alias("origin"), F.rtrim(F.col("value"), F.lit("\r")).alias("value"))
    tabs = F.length("value") - F.length(F.replace("value", F.lit("\t"), F.lit("")))
    # The heading's own spelling may have any case; a row cannot look like it.
    is_heading = F.upper("value") == "\t".join(heading)
    good = (tabs == len(heading) - 1) & ~F.col("value").rlike(_RESERVED)
    bad = text.filter(~good & ~is_heading & (F.col("value") != ""))
    if engine.name == "sail":
        # Splitting text is slow there and its CSV reader is not, but fails on the first broken row: it is used where there is none.
        if bad.limit(1).count() == 0:
            schema = ", ".join(f"`{name}` string" for name in heading) + ", origin int"
            fields = engine.spark.read.options(header=True, sep="\t", quote="\x02", escape="\x03").schema(schema).csv(str(folder))
            return fields.select("origin", *[_value(F.coalesce(F.rtrim(F.col(name), F.lit("\r")), F.lit(""))).alias(name) for name in wanted]), None
        parts = [F.split_part("value", F.lit("\t"), F.lit(heading.index(name) + 1)) for name in wanted]
    else:
        text = text.withColumn("fields", F.split("value", "\t", -1))
        parts = [F.col("fields")[heading.index(name)] for name in wanted]
    rows = text.filter(good & ~is_heading)
    return rows.select("origin", *[_value(part).alias(name) for part, name in zip(parts, wanted, strict=True)]), bad


def _value(field: Column) -> Column:
    """A field's value: the bare word NULL is null."""
    return F.when(field == "NULL", F.lit(None)).otherwise(field)


def _unescaped(text: Column) -> Column:
    r"""\t, \n, \0 and \\ of `mysql --batch` undone, where there is a backslash at all."""
    plain = F.replace(text, F.lit("\\\\"), F.lit("\x03"))
    for written, meant in (("\\t", "\t"), ("\\n", "\n"), ("\\0", "\ufffd")):
        plain = F.replace(plain, F.lit(written), F.lit(meant))
    return F.when(F.instr(text, "\\") > 0, F.replace(plain, F.lit("\x03"), F.lit("\\"))).otherwise(text)


def _parquet(engine: Engine, folder: Path) -> DataFrame:
    """Rows of Parquet files, headings in upper case, every value as text."""
    found = engine.spark.read.parquet(str(folder))
    kept = [name for name in found.columns if name.upper() in _WANTED]
    return found.select(F.col("origin").cast("int").alias("origin"), *[F.col(f"`{name}`").cast("string").alias(name.upper()) for name in kept])


def _broken_lines(bad: DataFrame, heading: tuple[str, ...]) -> DataFrame:
    """A line for the table that a broken row begins with, so that the table is not taken for whole; for '' where it names none."""
    names = ("TABLE_SCHEMA", "TABLE_NAME")
    parts = [F.split_part("value", F.lit("\t"), F.lit(heading.index(name) + 1)) if name in heading else F.lit("") for name in names]
    return bad.select(
        "origin", parts[0].alias("db"), parts[1].alias("tbl"), F.lit(None).cast("string").alias("dialect"),
        F.lit(BROKEN + "a row of this table is broken; the input problems name its line").alias("line"), F.lit(MARKED).alias("odd"), *[F.lit(None).cast(t).alias(n) for n, t in _NUMBERS],
    )  # fmt: skip


_NUMBERS = (("ordinal", "int"), ("n_rows", "bigint"), ("n_bytes", "bigint"))
_SIZES = ("TABLE_ROWS", "DATA_LENGTH", "INDEX_LENGTH")
_WANTED = frozenset(
    {"TABLE_SCHEMA", "TABLE_NAME", "CONSTRAINT_SCHEMA", *_SIZES, *(name for view in BY_NAME.values() for name in (*view.order, *view.carried))}
)


def _lines(view: View, rows: DataFrame, dialect: str) -> DataFrame:
    """One line per row: the letter, then what orders it, then what it carries."""
    given = set(rows.columns)
    own = F.col(view.database)

    def text(name: str) -> Column:
        if name not in given:
            return F.lit(NULL)
        if name == "REFERENCED_TABLE_SCHEMA":
            return F.coalesce(F.when(F.col(name) == own, F.lit(OWN)).otherwise(F.col(name)), F.lit(NULL))
        return F.coalesce(F.col(name), F.lit(NULL))

    def order(name: str) -> Column:
        value = text(name)
        return F.when(F.length(value) < 6, F.lpad(value, 6, "0")).otherwise(value) if name in ("ORDINAL_POSITION", "SEQ_IN_INDEX") else value

    if view.name == "key_column_usage":
        rows = rows.filter(F.col("REFERENCED_TABLE_NAME").isNotNull())
    line = F.concat(F.lit(view.letter), F.concat_ws(FIELD, *map(order, view.order), *map(text, view.carried)))
    numbers = {name: F.lit(None).cast(kind) for name, kind in _NUMBERS}
    if view.name == "columns":
        numbers["ordinal"] = F.expr("try_cast(ORDINAL_POSITION as int)")
    if view.name == "tables" and "TABLE_ROWS" in given:
        numbers["n_rows"] = F.expr("try_cast(TABLE_ROWS as bigint)")
        sizes = [f"coalesce(try_cast({name} as bigint), 0)" for name in _SIZES[1:] if name in given]
        numbers["n_bytes"] = F.expr(" + ".join(sizes) or "cast(null as bigint)")
    decoded = _unescaped if dialect == "w" else lambda text: text
    return rows.filter(~F.lower(own).isin(*SYSTEM)).select(
        "origin", decoded(own).alias("db"), decoded(F.col("TABLE_NAME")).alias("tbl"), F.lit(dialect if view.letter == "C" else None).cast("string").alias("dialect"),
        decoded(line).alias("line"), F.when(_plain(view, given), 0).otherwise(1).alias("odd"), *[numbers[name].alias(name) for name, _ in _NUMBERS],
    )  # fmt: skip


def _plain(view: View, given: set[str]) -> Column:
    """Whether a row certainly makes sense, so that equal tables need no second look. Decides nothing about replication."""
    if view.name == "columns":
        known = ("utf8", *knowledge.load("charsets")["charsets"])
        tests = [F.col("COLUMN_TYPE").rlike(_PLAIN_TYPE), F.length("COLUMN_NAME") > 0, F.length("ORDINAL_POSITION") < 3]
        if "IS_NULLABLE" in given:
            tests.append(F.col("IS_NULLABLE").isin("YES", "NO"))
        if "EXTRA" in given:
            tests.append(F.col("EXTRA").isNull() | F.col("EXTRA").isin(*_PLAIN_EXTRA))
        if "CHARACTER_SET_NAME" in given:
            tests.append((F.col("CHARACTER_SET_NAME").isNull() & ~F.col("COLUMN_TYPE").rlike(_TEXT_TYPE)) | F.col("CHARACTER_SET_NAME").isin(*known))
        else:
            tests.append(~F.col("COLUMN_TYPE").rlike(rf"{_TEXT_TYPE}|^(enum|set)\("))
        return F.coalesce(reduce(lambda a, b: a & b, tests), F.lit(False))  # noqa: FBT003 a literal
    if view.name == "tables":
        tests = [F.col("TABLE_TYPE") == "BASE TABLE"] if "TABLE_TYPE" in given else []
        if "ENGINE" in given:
            tests.append(F.col("ENGINE").isin(*_PLAIN_ENGINE))
        return F.coalesce(reduce(lambda a, b: a & b, tests, F.lit(True)), F.lit(False))  # noqa: FBT003 literals
    if view.name == "statistics" and "INDEX_TYPE" in given:
        return F.coalesce(F.col("INDEX_TYPE").isin("BTREE", "HASH"), F.lit(False))  # noqa: FBT003 a literal
    return F.lit(False)  # noqa: FBT003 a literal
