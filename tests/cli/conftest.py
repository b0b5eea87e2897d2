from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.fixture
def process(tmp_path):
    """Run the command line in a process of its own."""

    def call(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "schemacheck", *map(str, arguments)]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, check=False, timeout=60, **options
        )

    return call


SAME = "CREATE TABLE shop.t (id int NOT NULL PRIMARY KEY, name varchar(20));\n"
SIGNED = "CREATE TABLE shop.t (\n  id int unsigned NOT NULL PRIMARY KEY\n);\n"
WIDER = "CREATE TABLE shop.t (\n  id bigint NOT NULL PRIMARY KEY\n);\n"


@pytest.fixture
def files(tmp_path):
    """Definitions under short names."""
    contents = {"same.sql": SAME, "same2.sql": SAME.upper().replace("SHOP.T", "shop.t").replace("NAME",
    "name").replace("ID ", "id "), "signed.sql": SIGNED, "wider.sql": WIDER,
                "broken.sql": "CREATE TABLE shop.t (id int,,);\n", "empty.sql": "",
                "other.sql": "CREATE TABLE shop.other (id int);\n",
                "notext.sql": b"\x00\x01\x02\xff"}  # fmt: skip
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return tmp_path
