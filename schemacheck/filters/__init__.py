"""Replication filters: does a change reach the replica, and why."""

from schemacheck.filters.decision import Decision, Outcome, Stage
from schemacheck.filters.evaluate import Evaluator

__all__ = ["Decision", "Evaluator", "Outcome", "Stage"]
