"""What the replica does with one column: three questions, asked in this order.

1. `classify`: what kind of conversion lies between the two columns?
2. `permitted`: does the replica's setting permit it?
3. `outcome`: what becomes of the values?
"""

from schemacheck.conversion.classify import Kind, classify
from schemacheck.conversion.setting import conversion, needed_mode, permitted
from schemacheck.conversion.values import Outcome, What, outcome
from schemacheck.conversion.wire import unreadable

__all__ = [
    "Kind",
    "Outcome",
    "What",
    "classify",
    "conversion",
    "needed_mode",
    "outcome",
    "permitted",
    "unreadable",
]
