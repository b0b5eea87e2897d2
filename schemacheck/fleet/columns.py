"""The data sets that a run makes: their columns, and what each means. docs/fleet-data.md is made of this
(`python -m tests.fleet.dictionary`)."""

from __future__ import annotations

from typing import NamedTuple

#: Raised when a column changes its name, its kind or what it means; new columns may come without.
VERSION = 2


class Column(NamedTuple):
    """One column: `kind` as Spark SQL writes it."""

    name: str
    kind: str
    meaning: str


RUN = (
    Column("run_id", "string", "the run; equal in all rows and data sets of a run"),
    Column("snapshot_date", "date", "the day that the snapshots are of"),
)
PAIR = (
    Column(
        "pair", "string", "key of the pair, equal in every run: made of the link's and both tables' names"
    ),
    Column("link", "int", "the link's place in the topology, from 0"),
    Column("cluster", "string", "the link's cluster, empty without one"),
    Column("source", "string", "the source's instance"),
    Column("replica", "string", "the replica's instance"),
    Column("channel", "string", "the replication channel, empty for the default one"),
    Column("database", "string", "database on the source; of a surplus table the replica's"),
    Column("table", "string", "table on the source; of a surplus table the replica's"),
    Column("replica_database", "string", "database on the replica, or where changes of the table would go"),
    Column("replica_table", "string", "table on the replica, or where changes of the table would go"),
)
_DECISION = Column(
    "decision", "string", "key of the answer: equal keys, equal answers, in every run of a version"
)
TABLES = (
    *RUN,
    *PAIR,
    Column("n_rows", "bigint", "rows of the table, as TABLES estimated them when the dump was read"),
    Column("n_bytes", "bigint", "bytes of data and indexes, as TABLES estimated them when the dump was read"),
    _DECISION,
    Column("profile", "int", "links of equal servers and settings have equal numbers in a run"),
    Column("state", "string", "compared, missing, surplus, not-replicated or unreadable"),
    Column("reason", "string", "why, where the state is not compared"),
    Column(
        "smallest_setting", "string", "smallest replica_type_conversions that keeps it running; null: none"
    ),
    Column("smallest_reason", "string", "why none does"),
    Column("outcomes", "string", "SETTING=effect under every setting, with ; between them"),
    Column("decided_by", "string", "hash (equal definitions), engine, or state"),
    Column("remembered", "string", "dumps where they are those of an earlier run, whose row it is; or null"),
    Column("findings", "int", "number of findings"),
    Column("source_lines", "array<string>", "lines of the source's definition that the replica's lacks"),
    Column("replica_lines", "array<string>", "lines of the replica's definition that the source's lacks"),
    Column("verdict", "string", "worst effect of the findings; the data set is partitioned by it"),
)
#: What evidence says of a finding (null: none was given, or it harms nothing); no part of an answer.
EVIDENCE = (
    Column("bite", "string", "with --evidence: bites, could or cannot"),
    Column("bite_count", "bigint", "so many bite or could"),
    Column("bite_unit", "string", "what is counted: row, write or statement"),
    Column("bite_absent", "boolean", "true where what was looked at has none (none today, cannot)"),
    Column("evidence", "string", "the state as check --evidence shows it; why nothing tells"),
)
FINDING = (
    Column("code", "string", "the rule's code"),
    Column("rule", "string", "the rule's name"),
    Column("effect", "string", "what the finding comes to; the data set is partitioned by it"),
    Column("message", "string", "what is found"),
    Column("column", "string", "the source's column, null for a finding of the whole table"),
    Column("source_type", "string", "the column on the source"),
    Column("replica_type", "string", "the column on the replica"),
    Column("source_ordinal", "int", "the column's place on the source, from 1"),
    Column("replica_ordinal", "int", "the column's place on the replica, from 1"),
    Column("errno", "int", "number of the error with which the applier stops"),
    Column("error", "string", "the server's own message"),
    Column("error_symbol", "string", "the error's symbol"),
    Column("depends_on_rows", "boolean", "true where some rows only show it"),
    Column("setting", "string", "the setting that decides"),
    Column("remedy", "string", "what to do"),
    Column("remedy_sql", "string", "the statement, where one does it"),
    Column("example_source", "string", "a value on the source"),
    Column("example_replica", "string", "what it becomes on the replica"),
    Column("reference", "string", "the manual's section, or where it was recorded"),
    *EVIDENCE,
    Column(
        "fingerprint",
        "string",
        "key of the finding in every run: pair, column, rule, types, number of its kind",
    ),
)
FINDINGS = (*RUN, *PAIR, _DECISION, *FINDING)
PROBLEMS = (
    *RUN,
    Column("code", "string", "SC001"),
    Column("message", "string", "what could not be read, or was left out"),
    Column("instance", "string", "the instance"),
    Column("file", "string", "the file"),
    Column("line", "bigint", "its line, where one is known"),
    Column("database", "string", "the database, where it is of one table"),
    Column("table", "string", "the table, where it is of one table"),
    Column("skipped", "boolean", "true: only noted; false: something is not known because of it"),
)
#: What is told of a finding that has changed.
_SHOWN = ("code", "rule", "column", "source_type", "replica_type", "message", "fingerprint")
#: Columns of the data set of changes.
CHANGES = (
    *RUN,
    Column("change", "string", "new, fixed, worse, better or unseen"),
    *(column for column in FINDINGS if column in PAIR or column.name in _SHOWN),
    Column("effect", "string", "its effect now; null: fixed"),
    Column("previous_effect", "string", "its effect in the earlier run; null: new"),
)
#: What tasks say: one row per pair with its findings, or one problem as JSON and nothing else.
PAIRS = (
    *(column for column in TABLES if column not in RUN and column.name != "findings"),
    Column(
        "findings", f"array<struct<{', '.join(f'`{c.name}`: {c.kind}' for c in FINDING)}>>", "its findings"
    ),
    # (To count them in the lists takes engines as long as to read these.)
    Column("n_findings", "int", "number of findings"),
    Column("problem", "string", "a problem of the input, as JSON"),
)
#: What a run's tasks answer, and the next run can use: one row per group of links, or a problem alone.
GROUPS = (
    Column("home", "string", "key of the group's links, equal in every run"),
    Column("memory", "binary", "the group's rows of pairs and what they depend on, signed"),
    Column("links", "string", "the links' numbers and those of their profiles in this run, as JSON"),
    Column("remembered", "boolean", "whether the rows are those of an earlier run"),
    Column("problem", "string", "a problem of the input, as JSON"),
    Column("spent", "string", "CPU seconds of the group's task by what it did, as JSON"),
)


def ddl(columns: tuple[Column, ...]) -> str:
    """The columns as Spark SQL writes a schema."""
    return ", ".join(f"`{column.name}` {column.kind}" for column in columns)
