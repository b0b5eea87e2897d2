"""Statements of a known workload, run over a link: what the source logs of each, and what the replica makes
of it.

`run` follows the servers' own order: an event is read (or not), brings its session along, is parsed and
executed.
"""

from schemacheck.workload.run import run

__all__ = ["run"]
