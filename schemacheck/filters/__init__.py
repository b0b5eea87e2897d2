"""Replication filters: does a change reach the replica, and why."""

from schemacheck.filters.decision import Decision, Outcome, Stage, Step, TableOutcome, Verdict
from schemacheck.filters.evaluate import Evaluator
from schemacheck.filters.rules import ReplicaRules, SourceRules

__all__ = [
    "Decision",
    "Evaluator",
    "Outcome",
    "ReplicaRules",
    "SourceRules",
    "Stage",
    "Step",
    "TableOutcome",
    "Verdict",
]
