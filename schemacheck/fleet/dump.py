"""One instance's dump becomes definitions: rows that rows.py reads, or files of any format that
`schemacheck.inputs` reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass, field, replace
from schemacheck.errors import InputError, SchemacheckError
from schemacheck.fleet import definition, dump_file, rows, snapshots
from schemacheck.fleet.rows import Definition
from schemacheck.inputs import read_schema
from schemacheck.inputs.formats.tsv import CUT_OFF
from schemacheck.inputs.walk import natural
from schemacheck.model import InputProblem, Location, Server, with_incoming
from schemacheck.model.quantity import plural

if TYPE_CHECKING:
    import pyarrow as pa

    from schemacheck.fleet.snapshots import Dump, File

#: Broken rows of one dump that are listed one by one; a file that is broken all through is counted, not
#: listed.
LISTED = 1000
#: What stands for a table of which two dumps tell different definitions.
_TWICE = (
    "w"
    + definition.BROKEN
    + "this instance was dumped more than once, and the dumps tell different definitions: give one of them"
)


@dataclass(slots=True)
class Known:
    """What is known of one instance: its tables by database and name; `whole` says that no table of it is
    missing here.
    """

    tables: dict[tuple[str, str], Definition] = field(default_factory=dict)
    problems: list[InputProblem] = field(default_factory=list)
    whole: bool = False


#: Rows that lie in no file, by view.
Given = Mapping[str, Sequence["pa.Table"]]


def read(name: str, dumps: Sequence[tuple[Dump, Given]], server: Server | None) -> Known:
    """One instance's dumps. Of a table that several dumps have, equal definitions are one, different ones are
    none.
    """
    current = Known(whole=bool(dumps))
    for dump, given in dumps:
        for item in _of_dump(dump, given, server):
            if isinstance(item, InputProblem):
                current.problems.append(item)
                current.whole = current.whole and not item.hides_tables
                continue
            if not item.table:
                continue  # rows that name no table: they are among the problems
            place = (item.database, item.table)
            other = current.tables.get(place)
            if other is not None and not other.same_as(item):
                item = Definition(*place, _TWICE)  # noqa: PLW2901 it stands in the place of both
            current.tables[place] = item
    if lost := next((p for p in current.problems if p.code == "SC003" and p.hides_tables), None):
        # Rows are missing, of whichever table.
        current.tables = {
            place: Definition(*place, f"w{definition.BROKEN}{lost.message}") for place in current.tables
        }
    if len(dumps) > 1:
        places = [dump.place for dump, _ in dumps]
        message = (
            f"{name} was dumped {len(places)} times ({', '.join(places[:3])}); tables that "
            "differ between the dumps are unknown"
        )
        current.problems.append(InputProblem("SC001", message, Location(places[0]), skipped=True))
    if not dumps:
        message = f"there is no snapshot of {name}: its tables are unknown"
        current.problems.append(InputProblem("SC001", message))
    elif not current.tables and all(problem.skipped for problem in current.problems):
        message = f"there is no table in the snapshot of {name}, so nothing is compared"
        current.problems.append(InputProblem("SC003", message, Location(dumps[0][0].place), empty=True))
    return current


def _of_dump(dump: Dump, given: Given, server: Server | None) -> Iterator[Definition | InputProblem]:
    native: list[File] = []
    other = list(dump.other)
    cut_off: list[File] = []
    for file in dump.native:
        try:
            opened = dump_file.with_heading(file)
        except InputError as error:
            yield InputProblem("SC001", str(error), Location(file.path))
            continue
        if opened.heading and not (opened.data or b"").endswith(b"\n"):
            cut_off.append(opened)
        (native if opened.heading or dump_file.is_parquet(file) else other).append(opened)
    yield from _not_known(dump.unknown)
    for path, why in dump.lost:
        yield InputProblem("SC001", why, Location(path or dump.place))
    if dump.lost and not dump.files and not given:
        return
    # An empty file is a view without rows.
    headless = [file for file in other if file.view]
    other = [file for file in other if not file.view]
    if given or (not other and any(file.view == "columns" for file in native)):
        for file in cut_off:
            yield InputProblem("SC001", CUT_OFF, Location(file.path))
        for file in [file for file in headless if file.data]:
            message = f"rows of {file.view.upper()} without their heading: dump them with it"
            yield InputProblem("SC001", message, Location(file.path))
        for file in other:
            message = "not read: rows were given as tables"
            yield InputProblem("SC001", message, Location(file.path))
        yield from _from_rows(native, given, server, dump.place)
    else:
        yield from _from_files([*native, *headless, *other], server, dump.place)


def _not_known(paths: Sequence[str]) -> Iterator[InputProblem]:
    """Files whose names say that nobody here reads them; a view's rows among them are missed."""
    if not paths:
        return
    views = [path for path in paths if snapshots.names_view(path)]
    message = (
        f"{plural(len(paths), 'file')} not read, since the endings of their names are "
        f"not known: {', '.join((views or paths)[:3])}"
    )
    yield InputProblem("SC001", message, Location((views or paths)[0]), skipped=not views)


def _from_rows(
    files: Sequence[File], given: Given, server: Server | None, place: str
) -> Iterator[Definition | InputProblem]:
    first = next((file.path for file in files if file.view == "columns"), place)
    try:
        tables, broken, problems = rows.read(files, server, given)
    except InputError as error:
        yield InputProblem("SC001", str(error), Location(first))
        return
    yield from tables
    for problem in problems:
        yield replace(problem, location=problem.location or Location(first))
    for row in broken[:LISTED]:
        message = f"a row of {row.view.upper()} {row.why}: {row.text[:80]!r}"
        database, name = (name or None for name in row.names)
        yield InputProblem("SC001", message, Location(row.file, row.line), database, name)
    if len(broken) > LISTED:
        message = f"{len(broken):,} rows were not read; only the first {LISTED} are listed"
        yield InputProblem("SC001", message, Location(broken[0].file))


def _from_files(
    files: Sequence[File], server: Server | None, place: str
) -> Iterator[Definition | InputProblem]:
    """Every table and problem of files of any format. What cannot be read is a problem, not the end of the
    job.
    """
    contents: dict[str, bytes] = {}
    for file in sorted(files, key=lambda file: natural(Path(file.path))):
        try:
            contents[file.path] = Path(file.path).read_bytes() if file.data is None else file.data
        except OSError as error:
            yield InputProblem("SC001", f"{file.path}: {error.strerror}", Location(file.path))
    try:
        schema = read_schema(contents, place, server=server)
    except SchemacheckError as error:
        yield InputProblem("SC001", str(error), Location(place))
        return
    for table in with_incoming(schema.tables, fold=server is not None and server.folds_names):
        yield Definition(table.database or "", table.name, definition.encode(table))
    for problem in schema.problems:
        where = problem.location
        named = where if where and where.file not in ("", "-") else Location(place)
        yield replace(problem, location=named)
        if problem.table and not problem.skipped:
            text = problem.message.replace(definition.LINE, " ")
            yield Definition(problem.database or "", problem.table, "w" + definition.BROKEN + text)
