"""What a pair's decision can depend on, without the rest: so that tables which differ alike are decided once.

Of two tables of one version with the same columns in the same order, equal columns that no key names take no
part in any rule under full row images: they are left out, and those that stay get stand-ins for their names.
Two things know of the others: an error that counts columns, which is asked again for the place in the whole
table, and the last column, which stays the last one. `tests/fleet/test_pair_key.py` compares decisions with
and without. A rule that looks at equal columns ends this: then `applies` must say no.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schemacheck.alignment.pair import terms
from schemacheck.conversion.error import conversion_failed
from schemacheck.fleet.definition import FIELD, LINE, NULL, index_of
from schemacheck.model import ColumnType, Link, PairReport

#: Characters that stand for names: those of tables (see decide.TOKENS), then of columns.
STAND_INS = tuple(map(chr, range(0x4DC0, 0x4E00)))
_COLUMNS = STAND_INS[4:]
ANY_STAND_IN = re.compile(f"[{STAND_INS[0]}-{STAND_INS[-1]}]")
_ORDINARY = re.compile(r"[0-9A-Za-z_$]+\Z")
#: A name that means something to the server.
_SPECIAL = "my_row_id"
#: Where fields stand in a line of STATISTICS.
_KEYED, _EXPRESSION, _INDEX_TYPE = (
    index_of("statistics", name) for name in ("COLUMN_NAME", "EXPRESSION", "INDEX_TYPE")
)
#: How lines end whose COLUMN_KEY is empty: with it, GENERATION_EXPRESSION, IS_GENERATED and SRS_ID, those of
#: MySQL first.
_UNKEYED = tuple(
    FIELD.join(("", key, expression, generated, srid)) for generated in (NULL, "NEVER", "") for srid in (NULL,
    "") for key in ("", NULL) for expression in ("", NULL)
)  # fmt: skip
#: What all columns behind the last one that matters come to.
_FILLER = FIELD.join(("", "int", "YES", NULL, "", NULL, NULL, "", "", NULL, NULL))


@dataclass(frozen=True, slots=True)
class PairKey:
    """Two definitions without what takes no part. `names` are those behind the stand-ins, `places` the
    columns' ordinals in the whole table.
    """

    source: str
    replica: str
    names: Mapping[int, str]
    places: Sequence[int]


def applies(link: Link) -> bool:
    """Whether equal columns take no part on this link."""
    known = terms(link)
    return (
        known.same_servers and known.row_format and not known.statement_format and known.row_image == "FULL"
    )


def of(source: str, replica: str) -> PairKey | None:
    """The pair key of two whole definitions whose rows the readers here understand; None where all of them
    may matter.
    """
    if source[0] != replica[0] or source[0] == "j":
        return None
    ours, theirs = source[1:].split(LINE), replica[1:].split(LINE)
    if len(ours) != len(theirs):
        return None
    kept: dict[int, tuple[list[str], list[str]]] = {}
    keyed: set[str] = set()
    rest = []
    count = 0
    for at, (here, there) in enumerate(zip(ours, theirs, strict=True)):
        if here[0] == "C":
            count += 1
            if here == there:
                # Most lines: looked at closely only where a key may name the column.
                if not here.endswith(_UNKEYED):
                    kept[at] = (_equal(here),) * 2
                continue
            left, right = here.split(FIELD), there.split(FIELD)
            if there[0] != "C" or left[:2] != right[:2]:
                return None
            kept[at] = left, right
        elif here != there or here[0] not in "TS":
            return None
        else:
            rest.append(here)
            if here[0] == "S":
                fields = here.split(FIELD)
                if fields[_INDEX_TYPE] != "BTREE" or fields[_EXPRESSION] not in ("", NULL):
                    return None
                keyed.add(fields[_KEYED])
    return _made(source[0], ours[:count], kept, keyed, rest)


def _equal(line: str) -> list[str]:
    """The fields of a column that both sides have alike and a key names: of these its name, its place and
    whether it may be NULL matter.
    """
    place, name, _, nullable, *rest = line.split(FIELD)
    return [place, name, "int", nullable, NULL, "", NULL, NULL, *rest[4:]]


def _made(
    dialect: str,
    columns: Sequence[str],
    kept: dict[int, tuple[list[str], list[str]]],
    keyed: set[str],
    rest: Sequence[str],
) -> PairKey | None:
    for at, line in enumerate(columns):
        if keyed and at not in kept and line.split(FIELD, 2)[1] in keyed:
            kept[at] = (_equal(line),) * 2
    order = sorted(kept)
    names = [kept[at][0][1] for at in order]
    last = len(columns) - 1
    if (
        len(names) >= len(_COLUMNS)
        or not all(map(_ORDINARY.match, names))
        or _SPECIAL in columns[0]
        or keyed - set(names)
    ):
        return None
    # Keys are kept in the order of names: stand-ins follow each other as the names do.
    stand_ins = dict(zip(sorted(names, key=str.casefold), _COLUMNS, strict=False))
    if len({name.casefold() for name in names}) < len(names):
        return None
    sides: list[list[str]] = [[], []]
    for number, at in enumerate(order, 1):
        for fields, side in zip(kept[at], sides, strict=True):
            side.append(FIELD.join((f"C{number:06d}", stand_ins[fields[1]], *fields[2:])))
    places = [at + 1 for at in order]
    if last not in kept:
        places.append(last + 1)
        filler = f"C{len(places):06d}{FIELD}{_COLUMNS[-1]}{_FILLER}"
        for side in sides:
            side.append(filler)
    lines = [_renamed(line, stand_ins) for line in rest]
    source, replica = (dialect + LINE.join((*side, *lines)) for side in sides)
    return PairKey(source, replica, {ord(stand_in): name for name, stand_in in stand_ins.items()}, places)


def _renamed(line: str, stand_ins: Mapping[str, str]) -> str:
    """A line of TABLES or STATISTICS with the column's stand-in."""
    if line[0] == "T":
        return line
    fields = line.split(FIELD)
    fields[_KEYED] = stand_ins[fields[_KEYED]]
    return FIELD.join(fields)


#: Fields of a finding that hold names.
_NAMED = (
    "message",
    "column",
    "source_type",
    "replica_type",
    "error",
    "setting",
    "remedy",
    "remedy_sql",
    "example_source",
    "example_replica",
    "reference",
)


@dataclass(frozen=True, slots=True)
class Answer:
    """The decision about a pair key, for every pair that has it. For each finding: the fields
    with stand-ins, and the types of a refused conversion, whose error counts columns.
    """

    plain: Mapping[str, Any]
    named: tuple[tuple[str, ...], ...]
    refused: tuple[tuple[ColumnType, ColumnType] | None, ...]

    @classmethod
    def of(cls, plain: Mapping[str, Any], report: PairReport, link: Link) -> Answer | None:
        """`plain` is the report as the data set of decisions has it. None where it says something of the
        table that has to be said in its own names.
        """
        if any(
            isinstance(plain[name], str) and ANY_STAND_IN.search(plain[name])
            for name in ("reason", "smallest", "smallest_reason", "outcomes")
        ):
            return None
        named = tuple(
            tuple(name for name in _NAMED if isinstance(one[name], str) and not one[name].isascii())
            for one in plain["findings"]
        )
        return cls(
            plain, named, tuple(_refused(report, number, link) for number in range(len(report.findings)))
        )

    def for_pair(self, key: PairKey, link: Link, database: str, table: str) -> dict[str, Any]:
        """The decision about one pair. `database` and `table` are the source's, or what stands for them."""
        findings = []
        for one, named, types in zip(self.plain["findings"], self.named, self.refused, strict=True):
            finding = dict(one)
            for name in named:
                finding[name] = finding[name].translate(key.names)
            for name in ("source_ordinal", "replica_ordinal"):
                if finding[name] is not None:
                    finding[name] = key.places[finding[name] - 1]
            if types is not None:
                place = key.places[one["source_ordinal"] - 1] - 1
                finding["error"] = conversion_failed(
                    place, *types, link.source, link.replica, database, table
                ).message
            findings.append(finding)
        return {**self.plain, "findings": findings}


def _refused(report: PairReport, number: int, link: Link) -> tuple[ColumnType, ColumnType] | None:
    """The types of a finding's column, where its error is the one that counts columns."""
    finding = report.findings[number]
    source, replica = report.source, report.replica
    place = finding.source.location.ordinal if finding.source.location else None
    if finding.error is None or source is None or replica is None or place is None:
        return None
    types = source.columns[place - 1].type, replica.columns[place - 1].type
    counted = conversion_failed(place - 1, *types, link.source, link.replica, source.database, source.name)
    return types if finding.error == counted else None
