"""Keeps one comment on a pull request up to date: written at the first run, rewritten at every later one.

    python3 -I .ci/comment.py MARKDOWN

Takes GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_EVENT_PATH and GITHUB_TOKEN from the environment (the token
needs `pull-requests: write`). Outside of a pull request, and where the token may not write (a fork's),
nothing is written and that is said; the exit status is 0. Isolated: the standard library alone.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

#: The first line of our comment; `SCHEMACHECK_COMMENT` tells several of one pull request apart.
MARK = "<!-- schemacheck{name} -->"
#: What the service takes in a comment.
MOST = 65_000
PATIENCE = 30
#: Pages of comments that are looked through.
PAGES = 20


class NotWritten(Exception):
    """Why there is no comment."""


def asked(method: str, address: str, token: str, value: object = None) -> Any:
    """The service's answer. Raises NotWritten; the token is in no message."""
    headers = {
        "Accept": "application/vnd.github+json",
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "User-Agent": "schemacheck",
    }
    data = None if value is None else json.dumps(value).encode()
    request = urllib.request.Request(address, data, headers, method=method)  # noqa: S310 the runner's own address
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
            return json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        why = (
            " (the token lacks pull-requests: write, as for a fork)" if error.code in (401, 403, 404) else ""
        )
        message = f"{method} was answered {error.code}{why}"
        raise NotWritten(message) from None
    except (OSError, ValueError) as error:
        message = f"the service does not answer: {error}"
        raise NotWritten(message) from None


def _token() -> str:
    token = os.environ.get("GITHUB_TOKEN", "")
    if not token:
        message = "there is no token"
        raise NotWritten(message)
    return token


def number_of(event: Path) -> int:
    """The pull request that the event is about. Raises NotWritten."""
    try:
        found = json.loads(event.read_text("utf-8")).get("pull_request", {}).get("number")
    except (OSError, ValueError, AttributeError) as error:
        message = f"the event cannot be read: {error}"
        raise NotWritten(message) from None
    if not isinstance(found, int):
        message = "the event is about no pull request"
        raise NotWritten(message)
    return found


def ours(base: str, number: int, token: str, mark: str) -> int | None:
    """The id of the comment that an earlier run wrote. Somebody else's that begins alike is not ours."""
    for page in range(1, PAGES + 1):
        listed = asked("GET", f"{base}/issues/{number}/comments?per_page=100&page={page}", token)
        for one in listed:
            bot = (one.get("user") or {}).get("type") == "Bot"
            if bot and str(one.get("body", "")).startswith(mark):
                return int(one["id"])
        if len(listed) < 100:
            return None
    return None


def main(file: str) -> int:
    """Write or rewrite the comment."""
    try:
        name = os.environ.get("SCHEMACHECK_COMMENT", "")
        mark = MARK.format(name=f" {name}" if name.replace("-", "").replace("_", "").isalnum() else "")
        token = _token()
        number = number_of(Path(os.environ.get("GITHUB_EVENT_PATH", "")))
        base = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}"
        body = f"{mark}\n{Path(file).read_text('utf-8')}"[:MOST]
        known = ours(base, number, token, mark)
        if known is None:
            asked("POST", f"{base}/issues/{number}/comments", token, {"body": body})
        else:
            asked("PATCH", f"{base}/issues/comments/{known}", token, {"body": body})
    except NotWritten as why:
        sys.stdout.write(f"::notice title=schemacheck::no comment on the pull request: {why}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
