"""The server of this machine that is asked."""

from __future__ import annotations

import pytest

from schemacheck.errors import UsageError
from schemacheck.model import Server
from schemacheck.scratch import program


@pytest.fixture(scope="module")
def server() -> Server:
    """What `--ask local` asks; without a server program the tests are left out."""
    try:
        return program.any_of_them().server
    except UsageError as error:
        pytest.skip(str(error))
