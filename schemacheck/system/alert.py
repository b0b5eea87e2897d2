"""What is told to other programs: a line of Prometheus' text format, JSON for a webhook."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from schemacheck.errors import InputError, UsageError

#: Seconds that a webhook has to answer.
PATIENCE = 20


class _Stays(urllib.request.HTTPRedirectHandler):
    """A webhook that sends elsewhere is not followed: nobody named that other place."""

    def redirect_request(self, *_args: object) -> None:
        """No other request."""


def metric(name: str, value: float, **labels: str) -> str:
    """One line: `schemacheck_findings{effect="stops"} 3`."""
    inside = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
    shown = int(value) if value == int(value) else value
    return f"schemacheck_{name}{{{inside}}} {shown}" if inside else f"schemacheck_{name} {shown}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def checked(url: str) -> str:
    """The address of a webhook. Raises UsageError, whose message does not repeat it."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError("--webhook takes an address that begins with http:// or https://")
    return url


def post(url: str, value: Mapping[str, Any]) -> None:
    """Send JSON. Raises InputError, with the host alone, where it is not taken."""
    data = json.dumps(value, ensure_ascii=False, default=str).encode()
    request = urllib.request.Request(  # noqa: S310 see checked
        checked(url), data, {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.build_opener(_Stays).open(request, timeout=PATIENCE):
            pass
    except (urllib.error.URLError, OSError, ValueError) as error:
        why = f"HTTP {error.code}" if isinstance(error, urllib.error.HTTPError) else str(error)
        raise InputError(f"--webhook: {urlsplit(url).hostname} did not take the message: {why}") from None
