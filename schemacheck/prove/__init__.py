"""Findings shown on two real servers that may be lost: what is said, what happens, a certificate of both."""

from schemacheck.prove.certificate import Certificate
from schemacheck.prove.experiment import prove

__all__ = ["Certificate", "prove"]
