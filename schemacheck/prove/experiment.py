"""Cases asked of two scratch servers through a channel, and what is said held against what happened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from schemacheck.dataclass import replace
from schemacheck.errors import InputError
from schemacheck.inputs.connection import Refused
from schemacheck.model import (
    Column,
    Effect,
    Finding,
    Link,
    PairReport,
    Report,
    Schema,
    Server,
    Table,
    TableKind,
    Trigger,
)
from schemacheck.model.quote import quoted, string
from schemacheck.prove.arrived import plain
from schemacheck.prove.case import Case, attempts, cases, unknown_values
from schemacheck.prove.certificate import Answer, Certificate
from schemacheck.prove.channel import Channel
from schemacheck.prove.judging import changed_columns, judge_answers
from schemacheck.prove.scratch import Scratch
from schemacheck.prove.tied import MOST_TABLES, Tied, name_of
from schemacheck.replay.alter import create_statements
from schemacheck.scratch.door import NoAnswer

_SYNTAX = 1064
_UNCHECKED = "SET SESSION foreign_key_checks = 0"
_TABLE_MAP = re.compile(r"\([^.]*\.(.*)\)\Z")
_IN_WORDS = "its example is described in words, it is no statement"
#: The database of tables that name none.
DATABASE = "schemacheck"
#: Variables of the link that a session of the source has; all others are global.
_OF_THE_SESSION = ("binlog_format", "binlog_row_image", "sql_mode", "explicit_defaults_for_timestamp")


def prove(
    report: Report, schemas: tuple[Schema, Schema], ends: tuple[Scratch, Scratch], settings: Mapping[str, str]
) -> Certificate:
    """Ask for every pair of the report; `settings` are set for the run. Raises InputError, UsageError."""
    channel = prepare(report.link, schemas, ends, settings)
    return Certificate.of(report, ends, settings, ask(report, schemas, channel))


def prepare(
    link: Link, schemas: tuple[Schema, Schema], ends: tuple[Scratch, Scratch], settings: Mapping[str, str]
) -> Channel:
    """Settings and empty databases on both ends, then the channel. Raises as `prove`."""
    source, replica = ends
    for end in ends:
        end.ask("SET SESSION sql_log_bin = 0")
        end.ask("SET SESSION foreign_key_checks = 0")
        for database in sorted({t.database or DATABASE for schema in schemas for t in schema.tables}):
            end.make_database(database)
    for name, value in settings.items():
        if name in _OF_THE_SESSION and name in source.variables:
            source.ask(f"SET SESSION {name} = {string(value) if not value.isdigit() else value}")
        else:
            for end in ends:
                if name in end.variables:
                    end.set_global(name, value)
    _set_modes(replica, link)
    return Channel(source, replica)


def definitions(pair: PairReport, tied: Tied, link: Link) -> list[list[str]] | None:
    """What makes the tables of a pair's rows, of each end; None where that is not known, or too much."""
    result = []
    if len(tied.names(pair)) > MOST_TABLES:
        return None
    for tables, server in zip(tied.of(pair), (link.source, link.replica), strict=True):
        made = [_statements(table, server) for table in tables]
        if None in made:
            return None
        result.append([statement for statements in made for statement in statements or ()])
        result[-1] += [_trigger(table, trigger) for table in tables for trigger in table.triggers]
    return result


def under(link: Link, channel: Channel, session: Mapping[str, str]) -> None:
    """The same channel under another slave_type_conversions, and other variables of the source's session."""
    for name, value in session.items():
        channel.source.ask(f"SET SESSION {name} = {string(value)}")
    _set_modes(channel.replica, link)
    channel.restart_applier()


def _set_modes(replica: Scratch, link: Link) -> None:
    for name in ("replica_type_conversions", "slave_type_conversions"):
        if name in replica.variables:
            replica.set_global(name, link.replica.setting("slave_type_conversions"))
            break


def ask(report: Report, schemas: tuple[Schema, Schema], channel: Channel) -> Iterator[Answer]:
    """The answers for every pair; one that says why, where nothing can be asked of it."""
    first, second = ({(t.database, t.name.casefold()): t for t in schema.tables} for schema in schemas)
    tables = (first, second)
    for pair in report.pairs:
        why = _not_askable(pair)
        if why:
            yield Answer(pair, None, "not asked", why)
            continue
        given = False
        answered = []
        for case in cases(pair):
            answer = ask_case(pair, case, report, schemas, channel)
            if answer.why != _IN_WORDS:
                given = True
                answered.append(case.finding)
                yield answer
        rest = (f for f in pair.findings if f.effect > Effect.INCOMPLETE and f not in answered)
        for case in attempts(pair, rest, tables):
            answer = ask_case(pair, case, report, schemas, channel)
            # A script that the source does not take was worth trying, no more.
            if answer.verdict != "not asked":
                given = True
                yield answer
        if not given:
            yield Answer(pair, None, "not asked", "no statement is known that shows anything of it")


def _not_askable(pair: PairReport) -> str:
    if pair.source is None or pair.source.kind is TableKind.SEQUENCE:
        return "no table of the source"
    if pair.verdict is Effect.UNKNOWN:
        return "nothing is said about it: " + next(
            f.message for f in pair.findings if f.effect is Effect.UNKNOWN
        )
    values = unknown_values(pair.source)
    return f"no value is known for the type of {', '.join(values)}" if values else ""


def ask_case(
    pair: PairReport, case: Case, report: Report, schemas: tuple[Schema, Schema], channel: Channel
) -> Answer:
    """Make a pair's tables anew and run a case; its `record` says what came. Raises InputError."""
    record: dict[str, Any] = {"table": case.table, "source_sql": [], "refused": []}
    needed = Tied(schemas).of(pair)
    for end in (channel.source, channel.replica):
        end.session.renew()
    try:
        for end, tables, side in zip(
            (channel.source, channel.replica), needed, ("source", "replica"), strict=True
        ):
            record[f"{side}_ddl"] = _make(end, tables)
    except (Refused, NoAnswer) as error:
        return Answer(pair, case, "not asked", f"a table could not be made: {error}", record)
    except _NoStatementError as error:
        return Answer(pair, case, "not asked", str(error), record)
    source = channel.source
    source.ask(f"USE {quoted(case.database or DATABASE)}")
    logged = report.link.of_rows.source.setting("binlog_format").upper()
    if case.rows and logged == "MIXED":
        logged = "ROW"
    if logged == "ROW":  # the server's own may be MIXED, which nobody has given
        source.ask("SET SESSION binlog_format = 'ROW'")
    begin = source.position()
    source.ask("SET SESSION sql_log_bin = 1")
    if _is_of_values(pair, case):
        source.ask(_UNCHECKED)
        record["source_sql"].append(_UNCHECKED)
    for statement in case.statements:
        try:
            source.send(statement)
            record["source_sql"].append(statement)
        except NoAnswer as error:
            record["refused"].append(str(error))
        except Refused as error:
            if error.number == _SYNTAX and case.finding is not None:
                record["refused"].append(_IN_WORDS)
                break
            record["refused"].append(f"the source refused {statement}: {error.text} (error {error.number})")
    source.ask("SET SESSION sql_log_bin = 0")
    end_of_log = source.position()
    if case.rows and logged == "ROW":
        source.ask(
            f"SET SESSION binlog_format = {string(report.link.of_rows.source.setting('binlog_format'))}"
        )
    if not set(record["source_sql"]) - {_UNCHECKED} or begin == end_of_log:
        why = next(iter(record["refused"]), "the source logged nothing")
        return Answer(pair, case, "not asked", why, record)
    if logged == "ROW" and begin[0] == end_of_log[0]:
        named = (_TABLE_MAP.search(text) for kind, text in source.events(*begin) if kind == "Table_map")
        record |= {"source_may_fail": True, "row_tables": sorted({match[1] for match in named if match})}
    stopped = channel.wait()
    for end, tables, others, side in zip(
        (source, channel.replica), needed, needed[::-1], ("source", "replica"), strict=True
    ):
        there = {name_of(table): table for table in others}
        record[side] = {
            case.table if table in (pair.source, pair.replica) else table.name: _rows(
                end, table, there.get(name_of(table))
            )
            for table in tables
            if table.database == pair.database
        }
    if stopped is not None:
        # Where the input names no database, nothing that is said does.
        message = stopped.message if pair.database else stopped.message.replace(f"'{DATABASE}.", "'")
        record.update(outcome="error", errno=stopped.number, message=message)
        channel.begin_again()
    else:
        record["outcome"] = "applied"
    record["binlog_format"] = logged
    of_link = next((f for f in report.link_findings if stopped and stopped.number in _numbers(f)), None)
    if of_link is not None:
        record["link"] = of_link.code
        return Answer(pair, case, "agreed", f"the link itself stops: {of_link.code}", record)
    if stopped is not None and stopped.receiver:
        raise InputError(
            f"{channel.replica.name}: the channel does not run, whatever the tables are: {stopped.message} "
            f"(error {stopped.number}); `schemacheck link` says more about links"
        )
    names = {name_of(table) for tables in needed for table in tables}
    family = tuple(p for p in report.pairs if (p.database, p.table) in names)
    entries = family and all(p.verdict is not Effect.UNKNOWN for p in family)
    judgement = judge_answers(record, family if entries else (pair,))
    agreed = judgement.verdict in ("agreed", "skipped")
    why = judgement.why
    if agreed and case.finding is not None and not case.scenario and not stopped:
        why = _told_otherwise(case.finding, record)
        agreed = not why
    return Answer(pair, case, "agreed" if agreed else "differs", why, record)


def _is_of_values(pair: PairReport, case: Case) -> bool:
    """Whether a case tries what becomes of values: rows without parents show it too, at either end."""
    tied = pair.source is not None and bool(pair.source.foreign_keys)
    return tied and not case.scenario and (case.finding is None or case.finding.column is not None)


def _numbers(finding: Finding) -> tuple[int, ...]:
    return (*((finding.error.number,) if finding.error else ()), *finding.also)


class _NoStatementError(Exception):
    """A table that has no statement to make it."""


def _statements(table: Table, server: Server) -> tuple[str, ...] | None:
    """What makes a table; of one that a server has told, what it printed. None where nothing does."""
    text = table.text or table.shown
    if text is None:
        return None
    if table.opaque:
        # (A table that was renamed since has another name than was printed.)
        return (text,) if text.startswith(f"CREATE TABLE {quoted(table.name)} (") else None
    return create_statements(replace(table, text=text), server)


def _make(end: Scratch, tables: Iterable[Table]) -> list[str]:
    """Make tables of one end anew; the statements. Raises Refused, _NoStatementError."""
    end.ask("SET SESSION sql_log_bin = 0")
    end.ask("SET SESSION foreign_key_checks = 0")
    made = []
    for table in tables:
        statements = _statements(table, end.server)
        if statements is None:
            raise _NoStatementError(
                f"{table.database or ''}.{table.name}: its input has no CREATE TABLE that could be run"
            )
        end.ask(f"USE {quoted(table.database or DATABASE)}")
        end.ask(f"DROP VIEW IF EXISTS {quoted(table.name)}")
        end.ask(f"DROP TABLE IF EXISTS {quoted(table.name)}")
        for statement in statements:
            end.send(statement)
            made.append(statement)
        for trigger in table.triggers:
            end.ask(_trigger(table, trigger, end.definer))
            made.append(_trigger(table, trigger))
    end.ask("SET SESSION foreign_key_checks = 1")
    return made


def _trigger(table: Table, trigger: Trigger, definer: str | None = None) -> str:
    by = f"DEFINER = {definer} " if definer else ""
    return (
        f"CREATE {by}TRIGGER {quoted(trigger.name)} {trigger.timing} {trigger.event} ON {quoted(table.name)} "
        f"FOR EACH ROW {trigger.body}"
    )


def _rows(end: Scratch, table: Table, other: Table | None) -> Any:
    """[columns, rows] as facts have them: text, `0x...`, None; `other` is the other end's table."""
    name = ".".join(quoted(part) for part in (table.database or DATABASE, table.name))
    # What says that a version is current is each server's own end of time.
    columns = [column for column in table.columns if column.expression != "row end"]
    shown = [_shown(column, other.column(column.name) if other else None) for column in columns]
    try:
        rows = end.ask(f"SELECT {', '.join(shown)} FROM {name}")
    except Refused as error:
        return [[c.name for c in columns], f"READ {error.number}"]
    return [
        [c.name for c in columns],
        sorted(([None if v is None else str(v) for v in row] for row in rows), key=str),
    ]


def _shown(column: Column, other: Column | None) -> str:
    """An expression whose text is the same for the same value, whatever its type's way of printing."""
    base, name = column.type.base, quoted(column.name)
    if column.type.is_single and other is not None and other.type.is_decimal:
        # The nearest float is the same value, as a float is printed.
        return f"ROUND({name}, {other.type.scale or 0})"
    if column.type.is_approximate:
        return f"{name} + 0e0"
    if column.type.is_bit:
        return f"{name} + 0"
    if base.endswith(("blob", "binary")) or column.type.is_geometry or column.type.is_vector:
        return f"CONCAT('0x', HEX({name}))"
    return f"CAST({name} AS CHAR CHARACTER SET utf8mb4)"


def _told_otherwise(finding: Finding, record: Mapping[str, Any]) -> str:
    """Why what arrived is not what the example says; '' where it is."""
    if finding.column is None or finding.example is None or finding.effect < Effect.LOSSY:
        return ""
    ours, theirs = (record.get(side, {}).get(record["table"]) for side in ("source", "replica"))
    if not ours or not theirs or not isinstance(theirs[1], list) or len(ours[1]) != 1:
        return ""
    named, _ = changed_columns([finding], finding.table)
    if finding.column.casefold() not in named:
        return ""
    here = ours[0].index(finding.column) if finding.column in ours[0] else None
    there = theirs[0].index(finding.column) if finding.column in theirs[0] else None
    if here is None or there is None or not theirs[1]:
        return ""
    arrived = theirs[1][0][there]
    if arrived is not None and finding.example.replica.strip("'").startswith(arrived):
        return ""
    if plain(ours[1][0][here]) == plain(arrived):
        return f"{finding.code}: {finding.example.source} arrived unchanged, said: {finding.example.replica}"
    return ""
