"""One instance's dump becomes definitions: rows that rows.py reads, and files of any other format, or with
anything odd in them, which `schemacheck.inputs` reads as for `check`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass, field, replace
from schemacheck.errors import InputError, SchemacheckError
from schemacheck.fleet import definition, dump_file, snapshots
from schemacheck.fleet.fields import Misfit, TooLong
from schemacheck.fleet.gathered import Definition
from schemacheck.fleet.rows import read as read_rows
from schemacheck.inputs import read_schema
from schemacheck.inputs.walk import natural
from schemacheck.model import InputProblem, Location, Server, with_incoming
from schemacheck.model.quantity import plural

if TYPE_CHECKING:
    import pyarrow as pa

    from schemacheck.fleet.snapshots import Dump, File

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
    yield from _not_known(dump.unknown)
    for path, why in dump.lost:
        yield InputProblem("SC001", why, Location(path or dump.place))
    if dump.lost and not dump.files and not given:
        return
    if dump.other:
        yield from _from_files(dump.files, given, server, dump.place)
        return
    try:
        tables, problems = read_rows(dump.native, server, given)
    except TooLong as error:
        yield InputProblem("SC001", str(error), Location(dump.place))
    except (InputError, Misfit):
        yield from _from_files(dump.files, given, server, dump.place)
    else:
        yield from tables
        first = next((file.path for file in dump.native if file.view == "columns"), dump.place)
        yield from (replace(problem, location=Location(first)) for problem in problems)


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


def _from_files(
    files: Sequence[File], given: Given, server: Server | None, place: str
) -> Iterator[Definition | InputProblem]:
    """Every table and problem of files of any format, and of rows that lie in none. What cannot be read is a
    problem, not the end of the job.
    """
    contents: dict[str, bytes] = {}
    for file in sorted(files, key=lambda file: natural(Path(file.path))):
        try:
            contents[file.path] = Path(file.path).read_bytes() if file.data is None else file.data
        except OSError as error:
            yield InputProblem("SC001", f"{file.path}: {error.strerror}", Location(file.path))
    for view, some in given.items():
        contents |= {f"{view}-{n}.parquet": dump_file.as_parquet(table) for n, table in enumerate(some)}
    try:
        schema = read_schema(contents, place, server=server)
    except SchemacheckError as error:
        yield InputProblem("SC001", str(error), Location(place))
        return
    for table in with_incoming(schema.tables, fold=server is not None and server.folds_names):
        rows, n_bytes = (table.size.rows, table.size.n_bytes) if table.size else (None, None)
        text = definition.encode(table)
        yield Definition(table.database or "", table.name, text, n_rows=rows, n_bytes=n_bytes)
    for problem in schema.problems:
        where = problem.location
        named = where if where and where.file not in ("", "-") else Location(place)
        yield replace(problem, location=named)
        if problem.table and not problem.skipped:
            text = problem.message.replace(definition.LINE, " ")
            yield Definition(problem.database or "", problem.table, "w" + definition.BROKEN + text)
