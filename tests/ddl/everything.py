"""Values with all their fields, those that take no part in equality (places, texts) too; not what a value
keeps of its own working out (`_hash`, `_sql`).
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any


def everything(value: Any) -> Any:
    if hasattr(value, "__dataclass_fields__"):
        names = [field.name for field in fields(value) if not field.name.startswith("_")]
        return (type(value).__name__, *(everything(getattr(value, name)) for name in names))
    return tuple(map(everything, value)) if isinstance(value, tuple) else value
