"""All rules. A file of this package that defines RULE is a rule; nothing else lists it."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from schemacheck.rules.pair import Pair
from schemacheck.rules.rule import HEADINGS, About, Rule, shown

__all__ = ["HEADINGS", "About", "Pair", "Rule", "all_rules", "find", "shown"]


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by code. Raises RuntimeError where two share a code."""
    found: dict[str, Rule] = {}
    for module in pkgutil.iter_modules(__path__):
        rule = getattr(import_module(f"{__name__}.{module.name}"), "RULE", None)
        if rule is not None:
            if rule.code in found:
                message = f"rule code {rule.code} is taken twice: {found[rule.code].name}, {rule.name}"
                raise RuntimeError(message)
            found[rule.code] = rule
    return tuple(found[code] for code in sorted(found))


def find(code_or_name: str) -> Rule | None:
    """The rule of this code or name, in any case."""
    wanted = code_or_name.strip().lower()
    return next((r for r in all_rules() if wanted in (r.code.lower(), r.name)), None)
