"""The replica's half: for each event, whether its filters let it run, and what running it does.

Sources: `Query_log_event::do_apply_event`, `mysql_execute_command`, `Table_map_log_event::do_apply_event`;
the recorded runs. What differs by version is a capability:

* database-statements-need-both-names: CREATE, ALTER, DROP DATABASE must pass with the rewritten and the named
  database;
* database-statements-choose-rules: with database rules only they count, else only the wild rules (MySQL 5.6);
* replicated-ddl-is-idempotent: slave_ddl_exec_mode makes CREATE and DROP of a replica forgiving (MariaDB
  10.0.8).
"""

from __future__ import annotations

from schemacheck import knowledge
from schemacheck.catalog.presence import Key, Presence
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.filters import procedure
from schemacheck.filters.decision import Event, QueryEvent, RowsEvent, Stage, Step, Verdict
from schemacheck.filters.effects import Machine, parse_error
from schemacheck.filters.faults import no_table
from schemacheck.filters.rules import ReplicaRules
from schemacheck.model import Server, ServerError
from schemacheck.sql.statements import Name, Statement
from schemacheck.sql.statements.value import (
    DATABASE,
    TRANSACTION,
    XA,
    AccountStatement,
    DefinitionStatement,
    ProgramStatement,
)

_ACCOUNTS = ("create-user", "drop-user", "rename-user", "create-role", "drop-role")


def _grant_tables(statement: Statement, server: Server) -> tuple[tuple[str, str], ...]:
    """The grant tables that the server tests for an account statement, as (mysql, name), in its order."""
    ways = knowledge.load("filters")["grant_tables"]
    item = next(element for element in ways if server.has(element["capability"]))
    scope = "account" if statement.verb in _ACCOUNTS else getattr(statement, "scope", "")
    names = item["scopes"].get(scope, item["scopes"]["default"])
    return tuple(("mysql", name) for name in names)


@dataclass(slots=True)
class Applier:
    """Applies events in order until one stops it."""

    rules: ReplicaRules
    catalog: Presence
    changed: list[Key] = field(default_factory=list)
    executed: int = 0
    ignored: int = 0
    error: ServerError | None = None
    steps: list[Step] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def apply(self, event: Event) -> None:
        """One event; nothing after the applier has stopped."""
        if self.error is not None:
            return
        if isinstance(event, RowsEvent):
            self._rows(event)
        elif event.statement.verb in TRANSACTION | XA:
            return
        else:
            self._query(event)

    def _done(self, keys: list[Key]) -> None:
        self.executed += 1
        self.changed += [key for key in keys if key not in self.changed]

    def _skip(self, _verdict: Verdict) -> None:
        self.ignored += 1

    def _stop(self, error: ServerError, rule: str) -> None:
        self.error = error
        self.steps.append(
            Step(
                Stage.EXECUTE,
                "Can the statement run on the replica?",
                f"no: the applier stops with {error.number}: {error.message}",
                rule,
            )
        )

    def _unclear(self, database: str) -> bool:
        """Whether a rewrite leads to upper case where the server keeps lower case (9.7 dies)."""
        if not self.catalog.lower or database == database.lower():
            return False
        self.unknown.append(f"{database} is in upper case, and the replica keeps names in lower case")
        return True

    # ---- rows
    def _rows(self, event: RowsEvent) -> None:
        for schema, table in event.tables:
            verdict, new, name = procedure.row(self.rules, schema, table)
            self.steps += verdict.steps
            key = (new, name)
            if not verdict.passes:
                self._skip(verdict)
                continue
            if self._unclear(new):
                return
            if self.catalog.has(key) is False:
                error = no_table(key, self.catalog, self.rules.server)
                if error is not None:
                    self._stop(error, verdict.rule)
                return
            self._done([key])

    # ---- statements
    def _query(self, event: QueryEvent) -> None:
        verdict, default = self._judge(event)
        self.steps += verdict.steps
        if not verdict.passes:
            self._skip(verdict)
            if not event.statement.conditional:
                self.catalog.never_made(event.statement, default)
            return
        if self.error is not None:
            self._stop(self.error, verdict.rule)
            return
        statement = event.statement
        if isinstance(statement, DefinitionStatement) and statement.implied_database:
            statement = replace(statement, database=default)
        if default is not None and self._unclear(default):
            return
        server = self.rules.server
        mode = server.setting("slave_ddl_exec_mode").upper() or "IDEMPOTENT"
        machine = Machine(
            self.catalog,
            server,
            forgiving=server.has("replicated-ddl-is-idempotent") and mode == "IDEMPOTENT",
        )
        effects = machine.run(statement, default)
        self.notes += [text for text in effects.unknown if text not in self.notes]
        if effects.error is not None:
            self._stop(effects.error, verdict.rule)
            return
        self._done(effects.changed)

    def _judge(self, event: QueryEvent) -> tuple[Verdict, str | None]:
        """All filter tests of a statement, and the default database that it runs with."""
        statement, rules = event.statement, self.rules
        arrived = rules.arriving(event.default) if event.default is not None else None
        default, steps = procedure.rewrite(rules, arrived)
        if statement.verb in DATABASE:
            return self._database_statement(event, arrived, default, steps), default
        others = any(ref.database not in (None, event.default) for ref in statement.updated)
        stage1 = procedure.database(rules, default, subject="default database", others=others)
        steps += stage1.steps
        if not stage1.passes:
            return Verdict(passes=False, rule=stage1.rule, steps=steps), default
        decided = (
            stage1.rule
            if rules.databases
            else next((s.rule for s in steps if s.stage is Stage.REWRITE and s.rule), "")
        )
        wrong = parse_error(statement, default, self.catalog)
        if wrong is not None:
            self.error = wrong
            return Verdict(passes=True, rule=decided, steps=steps), default
        stage2 = self._tables(event, default, decided)
        return Verdict(stage2.passes, stage2.rule, steps + stage2.steps), default

    def _tables(self, event: QueryEvent, default: str | None, before: str) -> Verdict:
        statement, rules = event.statement, self.rules
        if isinstance(statement, ProgramStatement) and statement.verb == "drop-trigger" and statement.name:
            return self._drop_trigger(statement, statement.name, default, before)
        if not rules.has_table_rules:
            return procedure.tables(rules, (), before=before)
        if statement.verb == "drop-table" and statement.temporary and statement.conditional:
            return _told(
                "Are there any --replicate-*-table options?",
                "yes, but not for this statement",
                "DROP TEMPORARY TABLE IF EXISTS is always executed",
                passes=True,
            )
        if not statement.refs and not isinstance(statement, AccountStatement):
            return _told(
                "Which tables does the statement name?",
                "none: the table options are not asked",
                "no table to test: executed",
                passes=True,
            )
        steps: tuple[Step, ...] = ()
        if statement.refs:
            updated = [ref for ref in statement.refs if ref.updated is not False]
            names = [
                (
                    rules.arriving(ref.database if ref.database is not None else default or ""),
                    rules.arriving(ref.name),
                )
                for ref in updated
            ]
            if not names:
                return _told(
                    "Which of the tables does the statement update?",
                    "none: ignored",
                    "a statement that updates no table is ignored once there are table options",
                    passes=False,
                )
            verdict = procedure.tables(rules, names, before=before)
            if any(ref.updated is None for ref in updated):
                self._ambiguous([ref.updated for ref in updated], names, verdict)
            if not verdict.passes or not isinstance(statement, AccountStatement):
                return verdict
            keys = [self.catalog.resolve((ref.database, ref.name), default) for ref in updated]
            if statement.verb == "grant" and any(
                key is not None and self.catalog.has(key) is False for key in keys
            ):
                return verdict  # the table is opened, with an error, before the grant tables are asked
            steps = verdict.steps
        accounts = procedure.tables(rules, _grant_tables(statement, rules.server), before=before)
        return Verdict(accounts.passes, accounts.rule, steps + accounts.steps)

    def _ambiguous(self, updated: list[bool | None], names: list[tuple[str, str]], verdict: Verdict) -> None:
        """Where the text does not tell which tables are updated, every possibility must decide alike."""
        sure = [name for name, item in zip(names, updated, strict=True) if item]
        answers = {verdict.passes}
        for name, element in zip(names, updated, strict=True):
            if element is None:
                answers.add(procedure.tables(self.rules, [n for n in names if n in sure or n == name]).passes)
        if len(answers) > 1:
            self.unknown.append(
                "which tables are updated cannot be determined from the statement, and the filters decide "
                "differently"
            )

    def _drop_trigger(self, statement: Statement, name: Name, default: str | None, before: str) -> Verdict:
        table = self.catalog.trigger(name, default)
        if table is None and statement.conditional and self.rules.server.has("drop-trigger-if-exists-is-run"):
            return _told(
                "Is the trigger there, so that its table can be looked up?",
                "no: executed, without effect",
                "DROP TRIGGER IF EXISTS",
                passes=True,
            )
        if table is None:
            return _told(
                "Is the trigger there, so that its table can be looked up?",
                "no: nothing is done, without an error",
                "DROP TRIGGER of an unknown trigger",
                passes=False,
            )
        return procedure.tables(self.rules, [table], before=before)

    def _database_statement(
        self, event: QueryEvent, arrived: str | None, default: str | None, steps: tuple[Step, ...]
    ) -> Verdict:
        rules = self.rules
        named, rewritten = arrived or "", default or ""
        implied = isinstance(event.statement, DefinitionStatement) and event.statement.implied_database
        both = rules.server.has("database-statements-need-both-names") and not implied
        checks = [rewritten, named] if both else [rewritten]
        stage1 = None
        for name in dict.fromkeys(checks):
            stage1 = procedure.database(rules, name, subject="named database")
            steps += stage1.steps
            if not stage1.passes:
                return Verdict(passes=False, rule=stage1.rule, steps=steps)
        passed = stage1.rule if stage1 else ""
        wild = bool(rules.filters.wild_do_table or rules.filters.wild_ignore_table)
        if not wild or (rules.server.has("database-statements-choose-rules") and rules.databases):
            if not rules.databases:
                passed = (
                    next((s.rule for s in steps if s.stage is Stage.REWRITE and s.rule), "")
                    or "no rule on databases"
                )
                steps += (
                    Step(
                        Stage.DATABASE,
                        "Do the table options count?",
                        "no: only the wild ones are asked about a database",
                        passed,
                    ),
                )
            return Verdict(passes=True, rule=passed, steps=steps)
        tested = named if both else rewritten
        verdict = procedure.wild_database(rules, tested)
        return Verdict(verdict.passes, verdict.rule, steps + verdict.steps)


def _told(question: str, answer: str, rule: str, *, passes: bool) -> Verdict:
    """A verdict of one step."""
    return Verdict(passes=passes, rule=rule, steps=(Step(Stage.TABLE, question, answer, rule),))
