"""Statements of a known workload, run over a link: what the source logs of each, and what the replica makes
of it.

`run` follows the servers' own order: an event is read (or not), brings its session along, is parsed and
executed. `run_script` does so with a file that `cut` has cut, and passes nothing that the model does not
cover.
"""

from schemacheck.workload.run import run
from schemacheck.workload.script import Answer, cut, of_others, run_script

__all__ = ["Answer", "cut", "of_others", "run", "run_script"]
