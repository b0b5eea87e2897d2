"""Pieces of one or several files put together into one Schema."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from schemacheck import knowledge
from schemacheck.dataclass import replace
from schemacheck.errors import InputError
from schemacheck.inputs import partition_rows, program_rows, settings, shown
from schemacheck.inputs.column_row import text_of
from schemacheck.inputs.details import Details
from schemacheck.inputs.histories import own_tables
from schemacheck.inputs.key_rows import records
from schemacheck.inputs.piece import (
    DdlPiece,
    FilePiece,
    HistoryPiece,
    Joined,
    NotePiece,
    RowsPiece,
    SettingsPiece,
)
from schemacheck.inputs.rows import build, collect
from schemacheck.inputs.system import is_system, left_out
from schemacheck.model import InputProblem, Location, Schema, Server, Table
from schemacheck.model import charset as charsets
from schemacheck.model.quantity import plural
from schemacheck.sql.parts import statements_of
from schemacheck.sql.versioned_comment import interpret
from schemacheck.sql.words import first_words, object_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from schemacheck.inputs.piece import Piece
    from schemacheck.model.account import FileAccount, Taken
    from schemacheck.model.history import Part
    from schemacheck.sql.ddl.tables import DefineDatabase

_MENTIONED = re.compile(
    r"\b(?:CREATE|ALTER)\b.{0,200}?\b(?:DATABASE|SCHEMA)\b", re.IGNORECASE | re.ASCII | re.DOTALL
)


def of_script(text: str, server: Server, parts: Sequence[Part] | None = None) -> dict[str, tuple[str, str]]:
    """(character set, collation) of each database that CREATE or ALTER DATABASE gives one."""
    out: dict[str, tuple[str, str]] = {}
    if not _MENTIONED.search(text):
        return out
    from schemacheck.sql.ddl.tables import DefineDatabase
    from schemacheck.sql.statements import parse

    for statement in statements_of(text, lambda: server, parts):
        if statement.command is not None:
            continue
        sql = interpret(statement.text, server)
        words = first_words(sql, 8)
        if words[:1] not in (["CREATE"], ["ALTER"]) or object_of(words) not in ("DATABASE", "SCHEMA"):
            continue
        result = parse(statement.text, server).definition
        # What is not understood is said where the script itself is read.
        if isinstance(result, DefineDatabase) and result.name is not None:
            _add(out, result, server)
    return out


def _add(out: dict[str, tuple[str, str]], statement: DefineDatabase, server: Server) -> None:
    charset, collation = statement.options.charset, statement.options.collation
    set_ = charsets.canonical(charset) if charset else charsets.of_collation(collation) if collation else None
    if statement.name is None or set_ is None or not charsets.known(set_):
        return
    default = charsets.default_collation(set_, server.flavor, server.version)
    out[statement.name] = (set_, charsets.canonical_collation(collation) if collation else default)


#: The parameter of `Details.of` for each view.
_PARAMETERS = {
    "TABLES": "tables", "STATISTICS": "statistics", "TABLE_CONSTRAINTS": "constraints",
    "CHECK_CONSTRAINTS": "checks",
    "KEY_COLUMN_USAGE": "key_usage", "REFERENTIAL_CONSTRAINTS": "references", "SCHEMATA": "schemata",
}  # fmt: skip
_SCHEMATA = ("SCHEMA_NAME", "DEFAULT_CHARACTER_SET_NAME", "DEFAULT_COLLATION_NAME")
_SETTINGS = ("VARIABLES", "REPLICA_STATUS", "APPLIER_FILTERS")
_IGNORED = frozenset(
    (*program_rows.VIEWS, partition_rows.VIEW, "OTHER", "SHOW_CREATE_VIEW", "SNAPSHOT", "SNAPSHOT_END")
)


def assemble(
    pieces: Iterable[Piece],
    *,
    server: Server | None,
    name: str,
    database: str | None = None,
    allow_empty: bool = False,
    fallback: Server | None = None,
) -> Schema:
    """One Schema of all pieces. `server` is a person's word, else what the pieces tell, else `fallback`,
    else a guess by the columns, which is noted; no table is a problem unless `allow_empty`. Raises
    InputError.
    """
    result = list(pieces)
    values: dict[str, str] = {}
    for piece in result:
        if isinstance(piece, SettingsPiece):
            values.update(piece.values)
        elif isinstance(piece, RowsPiece) and piece.view in _SETTINGS:
            values.update(settings.from_rows(piece.view, piece.rows, piece.file))
    problems: list[InputProblem] = []
    reading, listed, differs = settings.merged(server, values, fallback)
    if differs:
        problems.append(InputProblem("SC001", differs, Location(name), skipped=True))
    rows = [piece for piece in result if isinstance(piece, RowsPiece)]
    if reading is None:
        reading, why = _guess(rows, values)
        if rows:
            # Plain DDL without a word about its server: the report names what was assumed.
            problems.append(InputProblem("SC001", why, Location(name), skipped=True))
    history = own_tables.joined([piece for piece in result if isinstance(piece, HistoryPiece)])
    ddl, elsewhere = own_tables.of_family([p for p in result if isinstance(p, DdlPiece)], reading)
    problems += elsewhere
    notes = [piece for piece in result if isinstance(piece, NotePiece)]
    problems += (
        InputProblem(note.code, note.message, Location(note.file, note.line), skipped=not note.problem)
        for note in notes
    )
    schema = _ddl(
        [*ddl, *(_shown(piece) for piece in rows if piece.view == "SHOW_CREATE")],
        rows,
        reading,
        database,
        own_tables.base(ddl, history, reading, database),
    )
    taken: dict[str | None, Taken] = {taken.first.file: taken for taken in schema.taken}
    schema = own_tables.without(schema, history, reading)
    schema = _without_changed(_rows(rows, schema, reading), rows)
    schema = program_rows.add(schema, rows, name)
    schema = shown.add(partition_rows.add(schema, rows, reading), rows, reading)
    names = {*_PARAMETERS, *_IGNORED, "COLUMNS", *_SETTINGS, "SHOW_CREATE", shown.VIEW}
    for piece in rows:
        if piece.view not in names:
            message = (
                (
                    "SHOW COLUMNS does not say which table it is of; dump information_schema.COLUMNS or SHOW "
                    "CREATE TABLE instead"
                )
                if piece.view == "SHOW_COLUMNS"
                else f"rows of {piece.view}, which is not known here"
            )
            schema = replace(
                schema, problems=(*schema.problems, InputProblem("SC001", message, Location(piece.file)))
            )
    if not schema.tables and all(problem.skipped for problem in (*problems, *schema.problems)):
        seen = [piece.account for piece in result if isinstance(piece, FilePiece)]
        unread = sum(account.count for account in seen if not account.read_as)
        none_read = f" ({plural(unread, 'file')} without SQL or a dump)" if unread == len(seen) > 0 else ""
        message = f"no table in this input{none_read}, so nothing is compared (--allow-empty accepts that)"
        problems.append(InputProblem("SC003", message, Location(name), skipped=allow_empty, empty=True))
    files = tuple(_with_taken(piece.account, taken) for piece in result if isinstance(piece, FilePiece))
    return replace(
        schema,
        # Rows of TABLES are read for tables and for their partitions.
        problems=tuple(dict.fromkeys((*problems, *schema.problems))),
        server=listed or schema.server,
        files=files,
        history=history,
    )


def _with_taken(account: FileAccount, taken: Mapping[str | None, Taken]) -> FileAccount:
    """What is to be known of a script: statements that are taken to run."""
    result = taken.get(account.path)
    if result is None:
        return account
    text = (
        f"{plural(result.count, 'statement')} in front of definitions taken to run (their rows or bodies "
        f"decide), the first in line {result.first.line}"
    )
    return replace(account, why="; ".join(filter(None, (account.why, text))))


def _without_changed(schema: Schema, rows: list[RowsPiece]) -> Schema:
    """Tables that changed under a snapshot are unknown. Raises InputError for one cut off."""
    ends = Counter[str]()
    for piece in rows:
        if piece.view in ("SNAPSHOT", "SNAPSHOT_END"):
            ends[piece.file] += len(list(piece.rows.records)) * (1 if piece.view == "SNAPSHOT" else -1)
    changed: set[tuple[str, str]] = set()
    problems = []
    for piece in rows:
        if piece.view != "SNAPSHOT":
            continue
        names = [str(name).upper() for name in piece.rows.heading]
        for _, record in piece.rows.records:
            definition = dict(zip(names, record, strict=True))
            if str(definition.get("SCHEMACHECK_SNAPSHOT", 1)) != "1":
                version = definition["SCHEMACHECK_SNAPSHOT"]
                raise InputError(
                    f"{piece.file}: a snapshot of version {version}, which is not known here: take it again"
                )
            result = definition.get("CHANGED") or []
            for pair in result if isinstance(result, list) else [result]:
                if not isinstance(pair, list) or len(pair) != 2:
                    raise InputError(
                        f"{piece.file}: the snapshot's first line is broken: changed holds pairs of "
                        "database and table; take it again"
                    )
                database, table = map(str, pair)
                changed.add((database, table))
                message = "changed while the snapshot was taken; take it again when no DDL runs"
                problems.append(InputProblem("SC001", message, Location(piece.file), database, table or None))
    for file, more in ends.items():
        if more:
            what = "last line" if more > 0 else "first line"
            raise InputError(f"{file}: the snapshot is truncated: its {what} is missing; take it again")
    if not changed:
        return schema
    tables = tuple(table for table in schema.tables if (table.database, table.name) not in changed)
    return replace(schema, tables=tables, problems=(*schema.problems, *problems))


def _guess(rows: list[RowsPiece], values: dict[str, str]) -> tuple[Server, str]:
    """The server by the columns that COLUMNS has; the LTS release of MySQL where nothing tells."""
    names = {str(name).upper() for piece in rows if piece.view == "COLUMNS" for name in piece.rows.heading}
    for entry in knowledge.load("information_schema")["guesses"]:
        if set(entry["has"]) <= names and (names or not entry["has"]):
            server = Server.parse(entry["server"])
            because = (
                f"because COLUMNS has {', '.join(entry['has'])}"
                if entry["has"]
                else "because nothing says otherwise"
            )
            break
    else:
        server, because = Server.parse("mysql"), "because nothing says otherwise"
    listed = settings.server_from(values, server) or server
    return (
        listed,
        (
            f"the input does not say which server it comes from; read as {server} {because}: say it (for "
            "example --source-version mariadb-10.11), or add SHOW GLOBAL VARIABLES"
        ),
    )


def _shown(piece: RowsPiece) -> DdlPiece:
    """SHOW CREATE TABLE rows as a script, each on its row's lines. Raises InputError."""
    names = [str(name).upper() for name in piece.rows.heading]
    if "CREATE TABLE" not in names:
        raise InputError(
            f"{piece.file}: rows of SHOW CREATE TABLE need the column Create Table; found "
            f"{', '.join(names)[:200] or 'nothing'}"
        )
    at = names.index("CREATE TABLE")
    out: list[str] = []
    line = 1
    for number, record in piece.rows.records:
        text = ((text_of(record[at]) if len(record) > at else None) or "").rstrip("; \n")
        # SHOW CREATE TABLE has newlines between definitions only: those inside strings are escaped.
        text = text if piece.rows.multiline else text.replace("\n", " ")
        target = max((number or 1) + (2 if piece.rows.multiline else 0), line)
        out.append("\n" * (target - line) + text + ";")
        line = target + text.count("\n")
    return DdlPiece("".join(out), piece.file)


def _ddl(
    pieces: list[DdlPiece], rows: list[RowsPiece], server: Server, database: str | None, schema: Schema
) -> Schema:
    """All DDL in order, on top of `schema`: a schema followed by its migrations is a schema."""
    charsets: dict[str, tuple[str, str]] = {}
    problems: list[InputProblem] = []
    for piece in rows:
        for row in (
            records(piece.rows, _SCHEMATA, (), "SCHEMATA", piece.file, problems)
            if piece.view == "SCHEMATA"
            else ()
        ):
            name, charset, collation = (row[heading] for heading in _SCHEMATA)
            if name and charset and collation:
                charsets[name] = (charset, collation)
    if not pieces:
        return Schema(charsets=charsets)
    from schemacheck import catalog

    described: dict[tuple[str | None, str], Table] = {}
    for script in pieces:
        # What a file says of its databases holds for the files behind it.
        charsets |= of_script(script.text, server, script.parts) if len(pieces) > 1 else {}
        schema = catalog.read(
            script.text,
            server,
            file=script.file,
            database=script.database or database,
            base=schema,
            charsets=charsets,
            encoding=script.encoding,
            parts=script.parts,
            described=described if script.anyhow else None,
            dumped=script.dumped,
        )
    schema = replace(schema, problems=(*schema.problems, *problems), charsets={**charsets, **schema.charsets})
    dump = next((piece.file for piece in pieces if piece.dumped), None)
    return schema if dump is None else _without_system(schema, server, dump)


def _without_system(schema: Schema, server: Server, file: str) -> Schema:
    """Without the tables of the server's own databases, which a dump of all databases has."""
    homes = [table.database for table in schema.tables] + [problem.database for problem in schema.problems]
    left = [home for home in homes if home is not None and is_system(home, server)]
    if not left:
        return schema
    own, note = set(left), InputProblem("SC001", left_out(left), Location(file), skipped=True)
    return replace(
        schema,
        tables=tuple(table for table in schema.tables if table.database not in own),
        problems=(*(problem for problem in schema.problems if problem.database not in own), note),
    )


def _rows(pieces: list[RowsPiece], schema: Schema, server: Server) -> Schema:
    """Tables of all COLUMNS pieces, with the other views of all files beside them."""
    columns = [piece for piece in pieces if piece.view == "COLUMNS"]
    others = {
        parameter: of_view
        for view, parameter in _PARAMETERS.items()
        if (of_view := Joined(piece for piece in pieces if piece.view == view))
    }
    if not columns and (schema.tables or schema.problems or "tables" not in others):
        return schema
    tables, problems = list(schema.tables), list(schema.problems)
    by_name = {(table.database, table.name): table for table in tables}
    named: set[tuple[str | None, str]] = set(by_name)
    file = next(piece.file for piece in pieces if piece.view in ("COLUMNS", "TABLES"))
    details = Details.of(problems, server=server, file=file, **others)
    for piece in columns:
        drafts = collect(piece.rows, server, piece.file, problems)
        named |= drafts.keys()
        for table in build(drafts, details, piece.file, problems):
            before = by_name.setdefault((table.database, table.name), table)
            if before is table:
                tables.append(table)
            elif before != table:
                message = (
                    f"described twice and differently, also in {before.location}: give one description of it"
                )
                problems.append(InputProblem("SC001", message, table.location, table.database, table.name))
    details.unlisted(named, file, problems)
    return Schema(tuple(tables), tuple(problems), schema.server, charsets=schema.charsets)
