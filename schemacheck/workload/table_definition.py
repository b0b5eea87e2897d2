"""Definitions of tables on the replica: what its grammar, its settings and the applier make of them."""

from __future__ import annotations

import re

from schemacheck import knowledge
from schemacheck.dataclass import replace
from schemacheck.link.ends import on
from schemacheck.link.errors import fails
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model import Server
from schemacheck.sql.statements import Statement
from schemacheck.workload import compressed, definitions, dropped, hosts, keys
from schemacheck.workload.state import Workload

_ADDED = re.compile(
    r"\bADD\s+(COLUMN\s+)?(?!(UNIQUE|INDEX|KEY|PRIMARY|CONSTRAINT|FULLTEXT|SPATIAL|FOREIGN|CHECK|PARTITION)\b)`?\w+",
    re.IGNORECASE,
)
_NEW_KEY = re.compile(r"\bADD\s+(UNIQUE|INDEX|KEY|FULLTEXT|SPATIAL)\b", re.IGNORECASE)
_ENGINE = re.compile(r"\bENGINE\s*=?\s*['\"`]?(\w+)", re.IGNORECASE)
_CONSTRAINT = re.compile(r"\bDROP\s+CONSTRAINT\b", re.IGNORECASE)
_ODD_FORMAT = re.compile(r"\bROW_FORMAT\s*=?\s*(FIXED|PAGE)\b", re.IGNORECASE)
_BLOCK = re.compile(r"\bKEY_BLOCK_SIZE\s*=?\s*(\d+)", re.IGNORECASE)
#: Engines that MariaDB's packages bring as plugins.
_PLUGINS = frozenset(
    {"ARCHIVE", "BLACKHOLE", "FEDERATED", "CONNECT", "SPIDER", "ROCKSDB", "MROONGA", "OQGRAPH", "SPHINX"}
)
_LIST = re.compile(r"\bPARTITION\s+BY\s+LIST\b", re.IGNORECASE)
#: A foreign key of one column on the same table; the names of column and table are groups.
_ONTO_ITSELF = re.compile(
    r"\bFOREIGN\s+KEY\s*(?:`?\w+`?\s*)?\(\s*`?(\w+)`?\s*\)\s*REFERENCES\s+`?(\w+)`?\s*\(\s*`?\1`?\s*\)",
    re.IGNORECASE,
)
_NAMES_SET = re.compile(r"\b(CHARSET|CHARACTER|COLLATE)\b", re.IGNORECASE)
_SIZE = re.compile(r"=\s*\d+[KMGkmg]\b")


def _database_of(statement: Statement) -> str:
    return next((ref.database.casefold() for ref in statement.refs if ref.database), "")


def reading(work: Workload) -> Server:
    """The replica as its applier reads definitions: with the sql_mode that comes along."""
    given = {
        "sql_mode": work.session.get("sql_mode"),
        "system_versioning_alter_history": "KEEP",
        "foreign_key_checks": work.session.get("foreign_key_checks") or "ON",
    }
    source, replica = work.ends.source, work.server
    if (
        source.mariadb == replica.mariadb
        and source.has("explicit-defaults-logged")
        and replica.has("explicit-defaults-logged")
    ):
        given["explicit_defaults_for_timestamp"] = work.session.get("explicit_defaults_for_timestamp")
    return work.server.with_told(given)


def take(work: Workload, statement: Statement, text: str) -> Outcome | None:
    """One definition of a table."""
    replica = work.server
    names = [ref.name for ref in statement.refs if ref.updated is not False]
    name = names[0] if names else ""
    lenient = work.lenient
    if statement.verb == "drop-table":
        return dropped.take(work, statement, text, names)
    made = [new[1] for _, new in statement.renames]
    for at, ref in enumerate(statement.refs):
        # RENAME TABLE names old and new in turn; a later pair may take what an earlier one made.
        if statement.verb == "rename-table" and (at % 2 or ref.name in made[: at // 2]):
            continue
        if statement.verb in ("alter-table", "rename-table", "truncate", "create-index") and (
            work.lacks(ref.database) or keys.missing(work, ref.name)
        ):
            why = f"the replica has no table {ref.name}"
            if statement.verb == "rename-table" and not (replica.mariadb or replica.has("data-dictionary")):
                return Outcome(Kind.SQL, "SC701", 1017, why, "Create the table on the replica")
            return fails(
                Kind.SQL, "SC701", "no-table", replica, why, change="Create the table on the replica"
            )
    if statement.verb == "truncate":
        for state in (work.rows.absent, work.rows.extra, work.rows.stale):
            state.pop(name, None)
    if statement.verb.startswith("create-table") and work.lacks(_database_of(statement)):
        if replica.mariadb and statement.verb == "create-table-like":
            return fails(Kind.SQL, "SC701", "no-table", replica, "the replica has no such table")
        return fails(Kind.SQL, "SC701", "no-database", replica, "the replica has no such database")
    if ("view", name.casefold()) in work.objects.there and statement.verb.startswith("create-table"):
        # Recorded on 10.5.29: CREATE OR REPLACE TABLE, as the applier runs it, over a view is a crash.
        why = f"the replica has a view {name}"
        return (
            Outcome(Kind.UNKNOWN, "SC941", 0, why)
            if lenient
            else fails(Kind.SQL, "SC941", "exists", replica, why)
        )
    if statement.verb.startswith("create-table") and statement.conditional:
        there = work.replica.table(name)
        if there is not None and work.source.table(name) is not None and name.casefold() not in work.gone:
            return None
    if statement.verb == "create-table" and not statement.conditional:
        already = work.replica.table(name)
        if (
            already is not None
            and work.source.table(name) is None
            and not lenient
            and "REPLACE" not in text.upper()[:20]
        ):
            return fails(
                Kind.SQL,
                "SC941",
                "exists",
                replica,
                f"the replica has a table {name} already",
                change="Make the tables of both ends equal first",
            )
        if already is not None and work.source.table(name) is None:
            work.replica.run(f"DROP TABLE `{name}`", replica)
    return _defined(work, statement, text, name)


def _defined(work: Workload, statement: Statement, text: str, name: str) -> Outcome | None:
    source, replica = work.ends.source, work.server
    mine = work.source.run(text, source.with_told(dict(work.session.variables)))
    if (
        mine is not None
        and (mine[0] is not None or mine[2])
        and not ("VECTOR" in text.upper() and source.has("ddl-type-vector"))
    ):
        work.refused |= {name.casefold()} if statement.verb.startswith("create-table") else set()
        return None  # the source refuses it: nothing is logged
    work.refused.discard(name.casefold())
    made = work.source.table(name)
    texts = made is not None and any(column.type.charset for column in made.columns)
    if work.default_differs and statement.verb == "create-table" and texts and not _NAMES_SET.search(text):
        why = "the database's default character set is another on one end"
        return Outcome(Kind.UNKNOWN, "SC943", 0, why)
    itself = _ONTO_ITSELF.search(text)
    if itself is not None and itself.group(2).casefold() == name.casefold() and source.mariadb:
        if replica.has("data-dictionary"):
            return Outcome(
                Kind.SQL,
                "SC932",
                1822,
                f"{replica} finds no index for a foreign key whose columns refer to themselves",
                "Leave out the foreign key: every row fulfils it",
            )
        if not replica.mariadb:
            return Outcome(
                Kind.UNKNOWN,
                "SC932",
                0,
                f"what {replica} does with a foreign key whose columns refer to themselves was not recorded",
            )
    own = _ENGINE.search(text)
    if (
        own is not None
        and own.group(1).lower() in knowledge.load("links")["mariadb_engines"]
        and not replica.mariadb
        and "NO_ENGINE_SUBSTITUTION" in work.session.modes
    ):
        return Outcome(
            Kind.SQL,
            "SC932",
            1286,
            f"{replica} has no engine {own.group(1)}",
            "Use an engine that both servers have",
        )
    if (orphan := _no_parent(work, name)) is not None:
        return orphan
    if (apart := hosts.apart(work, text, name)) is not None:
        return apart
    if (single := compressed.in_system_space(work, text)) is not None:
        return single
    trouble = work.replica.run(text, reading(work))
    if (
        trouble is not None
        and trouble[0] == 1911
        and not _stopping(trouble, text, replica)
        and (kept := work.source.table(name)) is not None
    ):
        work.replica.take(kept)
        trouble = None
    if trouble is not None and mine is not None and (trouble[0] is None or trouble[0] == mine[0]):
        return (
            Outcome(Kind.UNKNOWN, "SC932", 0, f"not read: {trouble[1]}")
            if statement.verb.startswith(("create-table", "alter"))
            else None
        )
    if trouble is not None and _stopping(trouble, text, replica):
        number, message = (1064 if trouble[0] == 1911 else _number(trouble, reading(work), text)), trouble[1]
        if number is None:
            return Outcome(Kind.UNKNOWN, "SC932", 0, f"not read for {replica}: {message}")
        return Outcome(
            Kind.SQL,
            "SC945" if number in (3750, 1173) else "SC932",
            number,
            f"{replica} refuses the definition: {message.partition(' [error ')[0]}",
            "Write definitions that both servers take",
        )
    if made is not None and made.gipk and replica.mariadb and statement.verb.startswith("create-table"):
        # It is logged with its key, whose INVISIBLE only MySQL reads.
        first = replace(made.columns[0], invisible=False)
        work.replica.take(replace(made, columns=(first, *made.columns[1:]), gipk=False))
    archive = _ENGINE.search(text)
    if archive is not None and archive.group(1).upper() in _PLUGINS and replica.mariadb:
        return Outcome(
            Kind.UNKNOWN,
            "SC932",
            0,
            f"{archive.group(1)} is a plugin of MariaDB: SHOW ENGINES on the replica shows whether it is "
            "there",
        )
    if (stopped := _replica_only(work, statement, text, name)) is not None:
        return stopped
    work.replica.forget_checks(name) if _no_checks(source, replica) else None
    return _two_phases(work, text)


def _no_checks(source: Server, replica: Server) -> bool:
    """MySQL 8.0.16 and later leave out the CHECKs of a source that is older, or MariaDB (recorded
    on 9.7.4).
    """
    return (
        not replica.mariadb
        and replica.has("check-constraints")
        and (source.mariadb or not source.has("check-constraints"))
    )


def _number(trouble: definitions.Trouble, replica: Server, text: str) -> int | None:
    """The error of a definition that the replica's reader refuses: what it does not understand is
    error 1064.
    """
    number, message, grammar = trouble
    if (
        number == 1091
        and _CONSTRAINT.search(text)
        and replica.has("check-constraints")
        and not replica.mariadb
    ):
        return 3940
    if (
        _LIST.search(text)
        and "DEFAULT" in message
        and not (replica.mariadb or replica.has("data-dictionary"))
    ):
        return 1479  # before MySQL 8.0 the parser asks for VALUES IN as soon as a partition has ended
    if "has no type" in message and replica.mariadb:
        return 4161
    if number == 1031 and replica.mariadb:
        return 1005  # InnoDB refuses options of a definition through the handler (recorded on 10.11.19)
    return 1064 if number is None and grammar else number


def _stopping(trouble: definitions.Trouble, text: str, replica: Server) -> bool:
    """Not so for an option that MariaDB's applier keeps though it does not know it, unless its value is no
    option value.
    """
    if trouble[0] == 1911 and replica.mariadb:
        return _SIZE.search(text) is not None
    return True


def _replica_only(work: Workload, statement: Statement, text: str, name: str) -> Outcome | None:
    """What settings of the replica refuse: primary keys, strict options."""
    source, replica, channel = work.ends.source, work.server, work.ends.channel
    table = work.replica.table(name)
    check = (
        (channel.option("REQUIRE_TABLE_PRIMARY_KEY_CHECK") or "STREAM").upper()
        if channel is not None
        else "STREAM"
    )
    streams = check == "STREAM" and not source.mariadb and source.has("primary-key-requirement-logged")
    wanted = check == "ON" or (
        check == "STREAM"
        and (
            work.session.flag("sql_require_primary_key")
            if streams
            else on(replica, "sql_require_primary_key")
        )
    )
    keyless = table is not None and table.primary_key is None
    engine = (table.engine or "InnoDB").lower() if table is not None else ""
    if (
        keyless
        and wanted
        and replica.has("sql-require-primary-key")
        and (statement.verb == "create-table" or "DROP PRIMARY KEY" in text.upper())
    ):
        return fails(Kind.SQL, "SC945", "primary-key", replica,
            f"{name} has no primary key, and the replica requires one",
                     change="Give every table a primary key, or set sql_require_primary_key = OFF "
                            "on the replica")  # fmt: skip
    if keyless and replica.mariadb and on(replica, "innodb_force_primary_key") and engine == "innodb":
        return fails(
            Kind.SQL,
            "SC945",
            "innodb-primary-key",
            replica,
            f"{name} has no primary key, and innodb_force_primary_key is on",
            change="Set innodb_force_primary_key = OFF on the replica",
        )
    forced = replica.setting("enforce_storage_engine").lower()
    other = forced and replica.mariadb and statement.verb == "create-table" and engine not in ("", forced)
    if other and "NO_ENGINE_SUBSTITUTION" in work.session.modes:
        why = f"enforce_storage_engine = {forced} on the replica, and {name} is in {engine}"
        return Outcome(Kind.SQL, "SC943", 1290, why, "Remove enforce_storage_engine on the replica")
    if (long := keys.too_long(work, text, name)) is not None:
        return long
    odd = _ODD_FORMAT.search(text)
    if odd is not None and engine in ("innodb", "") and on(replica, "innodb_strict_mode"):
        return fails(
            Kind.SQL, "SC943", "strict", replica, f"{odd.group()} is refused under innodb_strict_mode",
            change="Set innodb_strict_mode alike on both ends",
        )  # fmt: skip
    size = _BLOCK.search(text)
    if (
        size is not None
        and on(replica, "innodb_strict_mode")
        and int(size.group(1)) not in (0, 1, 2, 4, 8, 16)
        and re.search(r"ENGINE\s*=?\s*(?!InnoDB)\w+", text, re.IGNORECASE) is None
    ):
        return fails(
            Kind.SQL,
            "SC943",
            "strict",
            replica,
            f"KEY_BLOCK_SIZE={size.group(1)} is refused under innodb_strict_mode",
            change="Set innodb_strict_mode alike on both ends",
        )
    return None


def _no_parent(work: Workload, name: str) -> Outcome | None:
    """A foreign key whose parent the replica lacks, though the source has it."""
    table, replica = work.source.table(name), work.server
    if table is None or work.session.get("foreign_key_checks").upper() in ("0", "OFF"):
        return None
    for key in table.foreign_keys:
        if key.ref_table.casefold() in work.gone and key.ref_table.casefold() != name.casefold():
            number = 1005 if replica.mariadb else 1824 if replica.has("data-dictionary") else 1215
            why = f"the replica has no table {key.ref_table}, to which {name} refers"
            return Outcome(Kind.SQL, "SC701", number, why, "Create the table on the replica")
    return None


def _two_phases(work: Workload, text: str) -> Outcome | None:
    """binlog_alter_two_phase: MySQL takes START ALTER and COMMIT ALTER for the same ALTER twice."""
    source, replica = work.ends.source, work.server
    if not (
        source.mariadb
        and work.session.flag("binlog_alter_two_phase")
        and text.upper().startswith("ALTER TABLE")
    ) or replica.has("two-phase-alter"):
        return None
    if _ADDED.search(text):
        return fails(
            Kind.SQL,
            "SC929",
            "duplicate-column",
            replica,
            "the ALTER comes twice (binlog_alter_two_phase)",
            change="Set binlog_alter_two_phase = OFF on the source",
        )
    if _NEW_KEY.search(text):
        return fails(
            Kind.SQL,
            "SC929",
            "duplicate",
            replica,
            "the ALTER comes twice, and once before its rows (binlog_alter_two_phase)",
            change="Set binlog_alter_two_phase = OFF on the source",
        )
    return Outcome(
        Kind.UNKNOWN,
        "SC929",
        0,
        "the ALTER comes twice (binlog_alter_two_phase); whether the second run fails depends on it",
    )
