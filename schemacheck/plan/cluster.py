"""The steps on the nodes of a cluster: Galera, or MySQL's Group Replication."""

from __future__ import annotations

from schemacheck.model import LinkKind
from schemacheck.plan import words
from schemacheck.plan.book import PATIENCE, Book, after, run_step
from schemacheck.plan.model import REPLICA, SOURCE, Look, StatementPlan, StepKind
from schemacheck.plan.rollback import undo

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


def first_look(book: Book) -> None:
    """What has to hold on every node before anything is done."""
    for side in (SOURCE, REPLICA):
        text = "Look whether it is in the cluster and up to date."
        book.add(StepKind.LOOK, side, text, before=(_state(book),))


def roll_out(book: Book, one: StatementPlan, of_stage: str) -> None:
    """A statement at one point of the order on all nodes."""
    server = book.link.source
    if _galera(book):
        text = f"Run it once, on one node{of_stage}: every node runs it at one point of the order, and "
        text += "nothing is written to the cluster meanwhile."
        # Asked of 11.8.6: it waits for nobody, whatever lock_wait_timeout is.
        first, *costs = (
            "SET SESSION wsrep_OSU_method = 'TOI'",
            "the whole cluster waits for the slowest node, for as long as it takes there",
            "transactions that hold the table are rolled back, on every node",
        )
    else:
        text = (
            f"Run it once, on the primary{of_stage}: it is replicated, and every node runs it in its place."
        )
        first, *costs = PATIENCE, "the other nodes run it after the primary, and are behind meanwhile"
    back = undo((one,), server, SOURCE)
    run_step(book, SOURCE, text, (one,), back, lambda given: (first, *given), costs=costs)
    if not _galera(book):
        book.add(StepKind.MARK, SOURCE, "Note where the log ends now.", words.mark(server, by_gtid=True))
        wait, expect = words.wait(server, by_gtid=True)
        text = "Wait until everything up to the noted place is applied (<gtids> is what was noted)."
        book.add(StepKind.WAIT, REPLICA, text, wait, after=(Look(wait, expect),), timeout=words.PATIENCE)
    text = "Look whether it is still in the cluster, and has it."
    book.add(StepKind.LOOK, REPLICA, text, before=(_state(book), *after((one,), REPLICA)))


def _galera(book: Book) -> bool:
    return book.link.kind is LinkKind.GALERA


def _state(book: Book) -> Look:
    return _GALERA if _galera(book) else _GROUP
