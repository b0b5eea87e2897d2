"""Recorded dumps of one small schema from three real servers, in every format."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"
SERVERS = ("mysql-5.6", "mysql-9.7", "mariadb-11.8")


@pytest.fixture(scope="session")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder per server with its dumps: see data/README.md."""
    folder = tmp_path_factory.mktemp("dumps")
    for server in SERVERS:
        with tarfile.open(DATA / f"{server}.tar.gz") as archive:
            # The filter came with Python 3.11.4.
            archive.extractall(
                folder / server, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {})
            )
    return folder
