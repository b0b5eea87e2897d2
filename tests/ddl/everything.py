"""Values with all their fields, those that take no part in equality (places, texts) too."""

from __future__ import annotations

from dataclasses import fields
from typing import Any


def everything(value: Any) -> Any:
    if hasattr(value, "__dataclass_fields__"):
        return (type(value).__name__, *(everything(getattr(value, field.name)) for field in fields(value)))
    return tuple(map(everything, value)) if isinstance(value, tuple) else value
