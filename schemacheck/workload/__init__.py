"""What becomes of the statements of a file on a link (`schemacheck link --statements`): a reader of `replay`.

`link` says what of a statement's session and event the replica reads (`events`), `replay` what it does to the
tables of both ends, the engine what that means for rows. What is not followed is unknown, never a pass.
"""

from schemacheck.workload.run import Answer, of_others, run_script

__all__ = ["Answer", "of_others", "run_script"]
