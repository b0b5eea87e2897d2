from __future__ import annotations

import pytest
import sample

from schemacheck import outputs, rules, version
from schemacheck.outputs._style import Style
from schemacheck.rules import Rule

ENDINGS = {
    "json": "json",
    "sarif": "sarif.json",
    "gitlab": "gitlab.json",
    "junit": "xml",
    "html": "html",
    "markdown": "md",
    "csv": "csv",
}


@pytest.fixture(autouse=True)
def fixed_rules(monkeypatch):
    """Pages and version as they stand in the golden files, whatever the rules say today."""
    monkeypatch.setattr(version, "__version__", "1.2.3")
    page = "Finds something.\n\n## What it finds\nSomething.\n\n## Fix\nMend it."
    monkeypatch.setattr(rules, "find", lambda code: Rule(code, "a-rule", lambda _: iter(()), doc=page))


@pytest.mark.parametrize("name", outputs.formats())
def test_every_format_has_its_golden_file(name, golden):
    golden(f"{name}.{ENDINGS.get(name, 'txt')}", outputs.render(sample.report(), name))


@pytest.mark.parametrize(
    ("label", "style"),
    [
        ("color", Style(color=True, unicode=True)),
        ("verbose", Style(verbosity=1)),
        ("quiet", Style(verbosity=-1)),
    ],
)
@pytest.mark.parametrize("name", ["text", "concise"])
def test_styles(name, label, style, golden):
    golden(f"{name}-{label}.txt", outputs.render(sample.report(), name, style))


@pytest.mark.parametrize("name", outputs.formats())
def test_nothing_checked_is_no_crash(name):
    text = outputs.render(sample.empty(), name)
    assert isinstance(text, str)
    if name not in ("csv", "gitlab"):
        assert "0 tables" in text or '"tables": 0' in text or 'tests="0"' in text


def test_rendering_twice_gives_the_same():
    for name in outputs.formats():
        assert outputs.render(sample.report(), name) == outputs.render(sample.report(), name)
