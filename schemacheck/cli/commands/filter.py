"""Say whether a table or a statement reaches the replica through its filters, and why.

Give tables (`shop.orders`), a statement with --sql, or all tables of an input with --schema.
For tables and statements every step of the servers' own procedure is shown, with the rule
that decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.cli import link_arguments, linking, live_access, output_arguments
from schemacheck.cli.options import declare
from schemacheck.dataclass import values_of
from schemacheck.errors import UsageError
from schemacheck.text.printable import as_json, disarmed, visible

if TYPE_CHECKING:
    import argparse

    from schemacheck.filters import Decision
    from schemacheck.filters.render import Answer
    from schemacheck.filters.tables import TableState
    from schemacheck.model import Link
    from schemacheck.model.filters import FilterSet

USAGE = "[OPTION]... --filters FILE DB.TABLE..."

OPTIONS = """
tables: [DB.TABLE ...]  tables of the source
--sql STATEMENT         a statement, or a script; - reads it from standard input
--schema INPUT          all tables of a file, a directory or a server
--default-db NAME       the session's default database (USE)
"""
EPILOG = """\
exit status:
  0  everything that was asked about is replicated
  1  something is not, or only partly
  2  wrong usage, or input that cannot be read
  3  it cannot be determined from what was given

examples:
  schemacheck filter shop.orders shop.audit --filters my.cnf
  schemacheck filter --sql 'UPDATE shop.t SET a = 1' --default-db mail --filters status.txt \\
      --binlog-format STATEMENT
  schemacheck filter --schema source.sql --filters my.cnf
"""

Json = dict[str, object]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is asked, the filters, the link."""
    declare(parser, OPTIONS + output_arguments.TEXT_OR_JSON + linking.FILTER_OPTIONS)
    link_arguments.add(parser)
    live_access.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Answer everything that is asked."""
    from schemacheck.filters import render
    from schemacheck.filters.tables import TableFilter
    from schemacheck.inputs import open_schema
    from schemacheck.model import Schema

    if not (args.tables or args.sql or args.schema):
        raise UsageError("name tables, or give --sql or --schema")
    wanted = linking.wanted(args, linking.configuration(args))
    server = linking.server(wanted, "source")
    schema = (
        open_schema(args.schema, server=server, access=live_access.access(args, "source"))
        if args.schema
        else Schema()
    )
    link, _ = linking.link(wanted, schema, Schema())
    filters = linking.load_filters(args, wanted, link)
    if filters is None:
        raise UsageError("--filters is missing: a my.cnf, or the output of SHOW REPLICA STATUS")
    answers = list(_answers(args, filters, link))
    names = [(table.database or "", table.name) for table in schema.tables]
    chosen = TableFilter(filters, link)
    states = tuple(chosen.state(*name) for name in names)
    unread = [f"{p.location or args.schema}: {p.message}" for p in schema.problems if not p.skipped]
    if args.format == "json":
        document = {
            "answers": [_answer(a) for a in answers],
            "tables": [_state(s) for s in states],
            "unread": unread,
        }
        output_arguments.write(as_json(document), None)
    else:
        texts = [render.answer(a) for a in answers]
        texts += [render.tables(states)] if args.schema else []
        texts += [f"not read: {text}\n" for text in unread]
        output_arguments.write(disarmed(visible("\n".join(texts))), None)
    return _status(answers, states, unread)


def _answers(args: argparse.Namespace, filters: FilterSet, link: Link) -> list[Answer]:
    from schemacheck.filters import Evaluator
    from schemacheck.filters.render import Answer
    from schemacheck.filters.tables import TableFilter
    from schemacheck.inputs.source import read_source

    evaluator, out = Evaluator.of(filters, link), []
    for name in args.tables:
        database, _, table = name.partition(".")
        if not database or not table:
            raise UsageError(f"{name!r} names no table; write database.table")
        decision = evaluator.decide_table(database, table, default_database=args.default_db)
        out.append(Answer(name, decision, TableFilter(filters, link).state(database, table)))
    if args.sql:
        sql = read_source("-").text if args.sql == "-" else args.sql
        out.append(Answer(sql, evaluator.decide(sql, default_database=args.default_db)))
    return out


def _status(answers: list[Answer], states: tuple[TableState, ...], unread: list[str]) -> int:
    """1 where something is not wholly replicated, 3 where only unknowns stand in the way."""
    from schemacheck.filters import Outcome
    from schemacheck.filters.tables import Reach

    reached = [a.state.state is Reach.REPLICATED for a in answers if a.state] + [
        s.state is Reach.REPLICATED for s in states
    ]
    outcomes = [a.decision.outcome for a in answers if a.state is None]
    if not all(reached) or any(o not in (Outcome.EXECUTED, Outcome.UNKNOWN) for o in outcomes):
        return 1
    return 3 if unread or Outcome.UNKNOWN in outcomes else 0


def _answer(answer: Answer) -> Json:
    return {
        "asked": answer.asked,
        "state": _state(answer.state) if answer.state else None,
        **_decision(answer.decision),
    }


def _decision(decision: Decision) -> Json:
    return {
        "outcome": decision.outcome.value,
        "logged": decision.logged,
        "rule": decision.rule,
        "tables": [values_of(table) for table in decision.tables],
        "error": {"number": decision.error.number, "message": decision.error.message}
        if decision.error
        else None,
        "unknown": list(decision.unknown),
        "steps": [{**values_of(step), "stage": step.stage.value} for step in decision.trace],
    }


def _state(state: TableState) -> Json:
    return {
        "table": f"{state.database}.{state.table}",
        "replica_table": f"{state.replica_database}.{state.replica_table}", "state": state.state.value,
        "ddl": state.ddl.value, "rule": state.rule, "reason": state.reason,
    }  # fmt: skip
