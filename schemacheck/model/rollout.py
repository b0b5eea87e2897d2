"""How a change gets to the servers: what is left of a plan in a report, a step for each table."""

from __future__ import annotations

from schemacheck.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RolloutStep:
    """One table of a change.

    `change` is its SQL in one line; `order` how it gets to the servers (`replicated`, `replica-first`, ...);
    `needs` what must be there or be given up for it, and the change does not say ('' where it simply goes);
    `undecided`: nobody can say; `warnings` say which values go with it for good, and what to look at first.
    """

    database: str | None
    table: str
    change: str
    order: str
    needs: str = ""
    undecided: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def held_up(self) -> bool:
        """Whether it cannot go as the change says."""
        return bool(self.needs) or self.undecided

    @property
    def name(self) -> str:
        """`db.table`, or the bare name; `rows` of a statement that defines none."""
        return f"{self.database}.{self.table}" if self.database else self.table or "rows"


@dataclass(frozen=True, slots=True)
class Rollout:
    """A change and how it is rolled out; `command` shows the SQL, step by step."""

    steps: tuple[RolloutStep, ...]
    command: str

    @property
    def order(self) -> str:
        """The order of all steps, or `in stages`; where some do not go, theirs; '' without steps."""
        worst = [step.order for step in self.steps if step.held_up] or [step.order for step in self.steps]
        orders = dict.fromkeys(worst)
        return "in stages" if len(orders) > 1 else next(iter(orders), "")

    def step(self, database: str | None, table: str) -> RolloutStep | None:
        """The step of a table; None where the change leaves it as it is."""
        return next((step for step in self.steps if (step.database, step.table) == (database, table)), None)
