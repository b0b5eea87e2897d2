"""Differences between two trees' answers are told by class."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from tests.same.__main__ import classed, compare


@pytest.mark.parametrize(
    ("group", "before", "after", "kind"),
    [
        ("facts", ("agreed", "a"), ("agreed", "b"), "same"),
        ("facts", ("agreed", "a"), ("unknown", "a"), "now unknown"),
        ("facts", ("agreed", "a"), ("false_safe", "a"), "now wrong"),
        ("facts", ("unknown", "a"), ("agreed", "a"), "now decided"),
        ("facts", ("unknown", "a"), ("false_safe", "a"), "now wrong"),
        ("definitions", ("refused", [1064]), ("unknown", None), "now unknown"),
        ("definitions", ("refused", [1064]), ("taken", []), "differs"),
        ("definitions", ("taken", ["t"]), ("taken", ["u"]), "differs"),
        ("schemas", ("exit 0", ["x"]), ("exit 3", ["x"]), "now unknown"),
        ("schemas", ("exit 0", ["x"]), ("exit 0", ["y"]), "differs"),
    ],
)
def test_classes(group: str, before: tuple[str, Any], after: tuple[str, Any], kind: str) -> None:
    assert classed([group, "?", *before], [group, "?", *after]) == kind


def test_what_is_wrong_fails(capsys: pytest.CaptureFixture[str]) -> None:
    before = json.dumps(["facts", "f 1", "agreed", ["stops"]])
    after = json.dumps(["facts", "f 1", "false_safe", ["runs"]])
    assert compare(io.StringIO(before), io.StringIO(after), 1) == 1
    assert (
        "f 1\n      agreed -> false_safe\n      -stops\n      +runs\nfacts: 1 now wrong\n"
        in capsys.readouterr().out
    )
    assert compare(io.StringIO(before), io.StringIO(before), 1) == 0
    assert compare(io.StringIO(before), io.StringIO(""), 1) == 2
