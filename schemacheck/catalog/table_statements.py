"""Statements about tables that stand: DROP, RENAME, ALTER, and indexes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from schemacheck.catalog import assemble
from schemacheck.catalog.context import Context
from schemacheck.catalog.state import Catalogue
from schemacheck.model.table import TableKind
from schemacheck.sql.ddl import key as keys
from schemacheck.sql.ddl.create import table_name
from schemacheck.sql.ddl.draft import KeyDraft, PartDraft
from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.script import Statement
from schemacheck.sql.words import Name

if TYPE_CHECKING:
    from schemacheck.catalog.change import Changed

#: Errors that bad input may cause deep inside: the statement is not understood then.
TROUBLE = (ArithmeticError, LookupError, RecursionError, ValueError)


class Standing(Catalogue):
    """A catalogue whose tables are changed and removed."""

    def _end(self, tokens: Tokens) -> None:
        """Raise where a statement goes on behind what was understood."""
        if not tokens.end:
            raise tokens.fail("the statement's end is expected")

    def _drop(self, statement: Statement, text: str) -> None:
        t = self.tokens(text)
        t.need("DROP")
        temporary = t.take("TEMPORARY")
        what = t.peek().removesuffix("S")
        t.at += 1
        exists = t.take("IF", "EXISTS")
        names: list[tuple[int, Name]] = []
        while not names or t.take(","):
            at = t.offset()
            database, name = table_name(t, self.flavor)
            names.append((at, (database or self.database, name)))
        self._wait(t)
        t.take_any("RESTRICT", "CASCADE")
        self._end(t)
        wrong = {one: self._no_such(one, what, temporary=temporary) for _, one in names}
        refused = not exists and any(wrong.values())
        for at, one in names:
            key = self.key(*one)
            if not wrong[one] and refused:
                # Before MySQL 8.0 and on MariaDB it goes, then it stays (recorded).
                self.fail(
                    Refused(
                        f"{one[1]!r} is dropped with a name that is not there: the server refuses",
                        at,
                        "SC002",
                    ),
                    statement,
                    one,
                )
            elif wrong[one] and not exists:
                self.problem(
                    Refused(f"{what.lower()} {one[1]!r} to drop {wrong[one]}", at, "SC002", 1051),
                    statement,
                    one if key in self.tables else None,
                )
            elif what == "TABLE" and key in self.temporary:
                # It hides the table of its name.
                self.temporary.discard(key)
            elif not wrong[one]:
                self.tables.pop(key, None)
                self.failed.discard(key)

    def _no_such(self, name: Name, what: str, *, temporary: bool) -> str:
        """Why DROP does not find what it means; '' where it does."""
        key = self.key(*name)
        found = self.tables.get(key)
        if key in self.temporary and what == "TABLE":
            return ""
        if temporary or (found is None and key not in self.failed):
            return "is not known"
        return (
            ""
            if found is None
            or found.kind.name == what
            or (found.kind is TableKind.SEQUENCE and what == "TABLE")
            else f"is a {found.kind.value}"
        )

    def _wait(self, t: Tokens) -> None:
        """MariaDB's WAIT n and NOWAIT."""
        if self.flavor.mariadb and not t.take("NOWAIT") and t.take("WAIT"):
            t.integer()

    def _drop_database(self, _: Statement, text: str) -> None:
        t = self.tokens(text)
        t.need("DROP")
        t.at += 1
        t.take("IF", "EXISTS")
        name = self.key(t.name(), "")[0]
        self._end(t)
        for key in [key for key in self.tables if key[0] == name]:
            del self.tables[key]
        self.databases.pop(name or "", None)

    def _rename(self, statement: Statement, text: str) -> None:
        t = self.tokens(text)
        flavor = self.flavor
        t.need("RENAME")
        t.at += 1
        if flavor.mariadb:
            t.take("IF", "EXISTS")
        moves: list[tuple[Name, Name, int]] = []
        while not moves or t.take(","):
            at = t.offset()
            old = table_name(t, flavor)
            self._wait(t)
            t.need("TO")
            moves.append((old, table_name(t, flavor), at))
        self._end(t)
        for old, new, at in moves:
            key = self.key(old[0] or self.database, old[1])
            if flavor.mariadb and key in self.temporary:
                # MySQL renames the table that the temporary one hides (recorded).
                self.temporary.discard(key)
                self.temporary.add(self.key(new[0] or self.database, new[1]))
            else:
                self.move(old, new, at, statement)

    def _alter(self, statement: Statement, text: str) -> None:
        from schemacheck.catalog import alter

        t = self.tokens(text)
        head = alter.head(t, self.flavor)
        self._change(
            statement,
            t,
            (head.database, head.name),
            head.name_at,
            lambda context, changed: alter.run(t, context, changed),
            quiet=head.if_exists,
        )

    def _create_index(self, statement: Statement, text: str) -> None:
        t = self.tokens(text)
        flavor = self.flavor
        t.need("CREATE")
        if flavor.mariadb:
            t.take("OR", "REPLACE")
        t.take("ONLINE") or t.take("OFFLINE")
        kind = (t.take_any("UNIQUE", "FULLTEXT", "SPATIAL", "VECTOR") or "INDEX").lower()
        t.need("INDEX")
        absent = t.take("IF", "NOT", "EXISTS")
        at = t.offset()
        draft = KeyDraft(kind, [], t.name(flavor.reserved), if_not_exists=absent)
        if t.take_any("USING", "TYPE"):
            t.at += 1
        t.need("ON")
        name_at = t.offset()
        name = table_name(t, flavor)
        t.need("(")
        parts: list[PartDraft] = [keys.part(t, flavor)]
        while t.take(","):
            parts.append(keys.part(t, flavor))
        t.need(")")
        draft.parts = parts
        keys.options(t, flavor, draft)
        draft.span = (at, t.last_end())
        self._online(t)
        self._change(statement, t, name, name_at, lambda _, changed: changed.add_key(draft))

    def _online(self, t: Tokens, *, online: bool = True) -> None:
        """How an index is made or dropped, and the statement's end."""
        while online and t.take_any("ALGORITHM", "LOCK"):
            t.take("=")
            t.name()
        self._wait(t)
        self._end(t)

    def _drop_index(self, statement: Statement, text: str) -> None:
        t = self.tokens(text)
        flavor = self.flavor
        t.need("DROP", "INDEX")
        exists = t.take("IF", "EXISTS")
        at = t.offset()
        key = t.name()
        t.need("ON")
        name_at = t.offset()
        name = table_name(t, flavor)
        self._online(t, online=not flavor.mariadb)
        self._change(
            statement, t, name, name_at, lambda _, changed: changed.drop_key(key, at, if_exists=exists)
        )

    def _change(
        self, statement: Statement, t: Tokens, written: Name, at: int, action: Callable[[Context, Changed], None], *, quiet: bool = False
    ) -> None:  # fmt: skip
        """Alter a table that stands; what cannot be followed leaves it unknown."""
        from schemacheck.catalog import change

        name = (written[0] or self.database, written[1])
        key = self.key(*name)
        if key in self.temporary:
            return
        table = self.tables.get(key)
        if table is None:
            if not quiet and key not in self.failed:
                self.fail(
                    Refused(
                        f"table {written[1]!r} to alter is not known: give its CREATE TABLE before",
                        at,
                        "SC002",
                        1146,
                    ),
                    statement,
                    name,
                )
            return
        if table.kind is not TableKind.TABLE:
            return
        context = self.context(statement, name[0])
        try:
            changed = change.thaw(table, mariadb=self.server.mariadb)
            context.charset, context.collation = (
                changed.charset or table.charset,
                changed.collation or table.collation,
            )
            action(context, changed)
            draft = changed.draft(context, at)
            made = assemble.table(
                draft,
                context,
                table.text or statement.text,
                table.database,
                lambda db, other: self.tables.get(self.key(db or name[0], other)),
            )
            self.tables[key] = replace(
                made,
                location=table.location,
                partitioning=None
                if changed.unpartitioned
                else changed.options.partitioning or table.partitioning,
            )
            if changed.new_names:
                self.rename_referenced(key, changed.new_names)
            if changed.renamed is not None:
                self.move(written, changed.renamed, at, statement)
        except Refused as refused:
            self.fail(refused, statement, name)
        except TROUBLE as error:
            self.fail(
                Refused(f"cannot be understood ({type(error).__name__})", t.offset(), "SC002"),
                statement,
                name,
            )
