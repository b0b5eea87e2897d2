"""The steps on the nodes of a cluster: Galera, or MySQL's Group Replication."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.model import Link, LinkKind
from schemacheck.plan import words
from schemacheck.plan.book import PATIENCE, UNLOGGED, WRITABLE, Book, after, run_step
from schemacheck.plan.model import Look, Stage, StatementPlan, StepKind
from schemacheck.plan.rollback import alone, undo

#: The method in which a node of Galera runs a definition by itself, and the one in which all do.
_BY_ITSELF, _AT_ONCE = (f"SET SESSION wsrep_OSU_method = '{word}'" for word in ("RSU", "TOI"))
_GALERA = Look(
    "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_cluster_status', 'wsrep_cluster_size', "
    "'wsrep_local_state_comment', 'wsrep_local_recv_queue')\\G",
    "Primary, the number of all nodes, Synced, 0",
)
_GROUP = Look(
    "SELECT MEMBER_HOST, MEMBER_PORT, MEMBER_STATE, MEMBER_ROLE "
    "FROM performance_schema.replication_group_members\\G",
    "every node, each ONLINE",
)


def of(links: Sequence[Link]) -> bool:
    """Whether the servers are nodes of one cluster."""
    return any(link.kind.cluster for link in links)


def first_look(book: Book) -> None:
    """What has to hold on every node before anything is done."""
    for hop in (None, 0):
        book.add(
            StepKind.LOOK, hop, "Look whether it is in the cluster and up to date.", before=(_state(book),)
        )


def roll_out(book: Book, stage: Stage, of_stage: str) -> None:
    """The statements of a stage: at one point of the order on all nodes, or node by node."""
    alone = not stage.replicated and stage.order.exists and not all(one.writes for one in stage.statements)
    if alone:
        for hop in (0, None):
            _by_itself(book, stage, hop, of_stage)
        return
    for one in stage.statements:
        _at_once(book, one, of_stage)


def _galera(book: Book) -> bool:
    return book.links[0].kind is LinkKind.GALERA


def _state(book: Book) -> Look:
    return _GALERA if _galera(book) else _GROUP


def _at_once(book: Book, one: StatementPlan, of_stage: str) -> None:
    server = book.server(None)
    if _galera(book):
        text = f"Run it once, on one node{of_stage}: every node runs it at one point of the order, and "
        text += "nothing is written to the cluster meanwhile."
        # Asked of 11.8.6: it waits for nobody, whatever lock_wait_timeout is.
        first, *costs = (
            _AT_ONCE,
            "the whole cluster waits for the slowest node, for as long as it takes there",
            "transactions that hold the table are rolled back, on every node",
        )
    else:
        text = (
            f"Run it once, on the primary{of_stage}: it is replicated, and every node runs it in its place."
        )
        first, *costs = PATIENCE, "the other nodes run it after the primary, and are behind meanwhile"
    run_step(book, None, text, (one,), undo((one,), server), lambda given: (first, *given), costs=costs)
    if not _galera(book):
        book.add(StepKind.MARK, None, "Note where the log ends now.", words.mark(server, by_gtid=True))
        wait, expect = words.wait(server, by_gtid=True)
        text = "Wait until everything up to the noted place is applied (<gtids> is what was noted)."
        book.add(StepKind.WAIT, 0, text, wait, after=(Look(wait, expect),), timeout=words.PATIENCE)
    text = "Look whether it is still in the cluster, and has it."
    book.add(StepKind.LOOK, 0, text, before=(_state(book), *after(book, (one,), 0)))


def _by_itself(book: Book, stage: Stage, hop: int | None, of_stage: str) -> None:
    """A node alone: Galera takes it out of the flow meanwhile (RSU), a group's node writes no log of it."""
    server = book.server(hop)
    back = alone(stage.statements, server, hop, server)

    def around(given: Sequence[str]) -> tuple[str, ...]:
        if _galera(book):
            return (_BY_ITSELF, PATIENCE, *given, _AT_ONCE)
        opened, shut = WRITABLE if hop is not None else ((), ())
        return (*opened, UNLOGGED[0], PATIENCE, *given, UNLOGGED[1], *shut)

    rest = "Change the last node" if hop is None else "Change it by itself, the others go on"
    run_step(
        book, hop, f"{rest}{of_stage}.", stage.statements, back, around, looks=(_state(book),),
        afterwards=(_state(book),),
    )  # fmt: skip
