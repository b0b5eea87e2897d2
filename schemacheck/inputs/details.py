"""What information_schema says of tables beside COLUMNS: TABLES, STATISTICS, constraints, SCHEMATA."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass
from schemacheck.inputs import key_rows
from schemacheck.inputs.heading import Rows
from schemacheck.inputs.key_rows import TableKeys
from schemacheck.inputs.piece import Joined
from schemacheck.inputs.system import is_system
from schemacheck.model import Check, ForeignKey, InputProblem, Location, Size

if TYPE_CHECKING:
    from schemacheck.model import Server

#: Rows of one view: of one place, or of several files.
One = Rows | tuple[()]
Source = One | Joined
Name = tuple[str | None, str]

_SCHEMATA = ("DEFAULT_CHARACTER_SET_NAME", "DEFAULT_COLLATION_NAME")
_TABLES = (
    "TABLE_SCHEMA", "TABLE_NAME", "TABLE_TYPE", "ENGINE", "TABLE_COLLATION", "CREATE_OPTIONS", "TABLE_ROWS",
    "DATA_LENGTH", "INDEX_LENGTH",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Details:
    """What the other views say, by (database, table)."""

    server: Server
    tables: Mapping[Name, Mapping[str, str | None]]
    keys: Mapping[Name, TableKeys]
    checks: Mapping[Name, list[Check]]
    foreign_keys: Mapping[Name, list[ForeignKey]]
    schemata: Mapping[str | None, Mapping[str, str | None]]
    #: What TABLE_CONSTRAINTS names, as (view that describes it, name).
    constraints: Mapping[Name, list[tuple[str, str]]]
    #: The databases of which TABLES (None: it has no row at all) and STATISTICS have rows.
    databases: tuple[frozenset[str | None] | None, frozenset[str | None]]

    @classmethod
    def of(
        cls, problems: list[InputProblem], *, server: Server, tables: Source = (), statistics: Source = (),
        constraints: Source = (), checks: Source = (),
        key_usage: Source = (), references: Source = (), schemata: Source = (), file: str = "-",
    ) -> Details:  # fmt: skip
        """Read the views; `problems` grows. A view that the input does not have is ()."""
        named = key_rows.constraints(constraints, file, problems)
        of_tables = {
            (row["TABLE_SCHEMA"], row["TABLE_NAME"] or ""): row
            for row in key_rows.records(tables, _TABLES[:2], _TABLES[2:], "TABLES", file, problems)
        }
        memory = {name for name, row in of_tables.items() if row.get("ENGINE") == "MEMORY"}
        keys = key_rows.keys(statistics, server, file, problems, memory)
        # STATISTICS may be of other databases only.
        keyed = {database for database, _ in keys}
        return cls(
            server,
            of_tables,
            keys,
            key_rows.checks(checks, named, server, file, problems),
            key_rows.foreign_keys(key_usage, references, file, problems),
            {
                row["SCHEMA_NAME"]: row
                for row in key_rows.records(schemata, ("SCHEMA_NAME",), _SCHEMATA, "SCHEMATA", file, problems)
            },
            key_rows.described_in(named, keyed),
            (
                None if not of_tables and tables != () else frozenset(database for database, _ in of_tables),
                frozenset(keyed),
            ),
        )

    def lost(self, name: Name, keyed: Iterable[tuple[str, str]]) -> str | None:
        """What is said of a table that lost a row others speak of; `keyed`: columns with COLUMN_KEY."""
        row = self.tables.get(name)
        if row is None and (self.databases[0] is None or name[0] in self.databases[0]):
            return without_table_row()
        if row and "ENGINE" in row and not row["ENGINE"]:
            return "TABLES tells no ENGINE of this table: the dump is incomplete, or the table is broken"
        keys = self.keys.get(name, TableKeys()).keys
        named = self.constraints.get(name, [])
        there = {
            "STATISTICS": {key.name for key in keys if key.unique},
            "CHECK_CONSTRAINTS": {check.name for check in self.checks.get(name, ())},
            "KEY_COLUMN_USAGE": {key.name for key in self.foreign_keys.get(name, ())},
        }
        for view, constraint in named:
            if constraint not in there[view]:
                return key_rows.without_row(constraint, view)
        if name[0] in self.databases[1] and (column := key_rows.without_key(keyed, keys)):
            return key_rows.without_key_row(column)
        return None

    def size(self, name: Name) -> Size | None:
        """What TABLES estimates of a table, None where it does not."""
        row = self.tables.get(name, {})
        if row.keys().isdisjoint(_TABLES[-3:]):
            return None
        rows, data, index = (
            int(text) if (text := row.get(view)) and text.isdecimal() and text.isascii() else None
            for view in _TABLES[-3:]
        )
        if rows is None and data is None:
            return None
        return Size(rows, None if data is None else data + (index or 0))

    def unlisted(self, known: Collection[Name], file: str, problems: list[InputProblem]) -> None:
        """Tables that a view names and that have no columns anywhere: each is a problem."""
        databases = {database for database, _ in known}
        elsewhere = set()
        for view, names in (
            ("TABLES", self.tables),
            ("STATISTICS", self.keys),
            ("KEY_COLUMN_USAGE", self.foreign_keys),
        ):
            for name in names:
                if (
                    name in known
                    or not name[1]
                    or is_system(name[0], self.server)
                    or (view != "TABLES" and name in self.tables)
                ):
                    continue
                if view == "TABLES" and (self.tables[name].get("TABLE_TYPE") or "BASE TABLE").upper() not in (
                    "BASE TABLE",
                    "SYSTEM VERSIONED",
                ):
                    continue
                if view != "TABLES" and name[0] not in databases:
                    elsewhere.add(name[0] or "")
                    continue
                problems.append(InputProblem("SC001", without_columns(view), Location(file), *name))
        if elsewhere:
            problems.append(InputProblem("SC001", keys_elsewhere(elsewhere), Location(file), skipped=True))


def without_table_row() -> str:
    """What is said of a table that COLUMNS names and TABLES does not."""
    return "TABLES has no row of this table, and COLUMNS has: the dump is incomplete"


def without_columns(view: str) -> str:
    """What is said of a table that `view` names and COLUMNS does not."""
    return (
        f"{view} has this table and COLUMNS has no row of it: the dump is incomplete, or its user may "
        "not see the columns"
    )


def keys_elsewhere(databases: Iterable[str]) -> str:
    """What is said of keys without their tables' database."""
    return f"keys of databases that COLUMNS does not have: {', '.join(sorted(databases))}"
