"""Write the golden files anew: `python -m tests.plan.golden`. Read the difference before it is committed."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from pathlib import Path

from schemacheck.cli import main
from tests.plan.test_command import CASES, GOLDEN, SCHEMA

CONFIG = "links:\n  production:\n    source: mysql-8.0.36\n    replica: mysql-8.0.36\n"


def write() -> None:
    GOLDEN.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("schema.sql").write_text(SCHEMA)
        Path("schemacheck.yaml").write_text(CONFIG)
        for name, (arguments, change) in CASES.items():
            Path("change.sql").write_text(change)
            for form, ending in (("text", "txt"), ("json", "json")):
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    main(["plan", *arguments, "-f", form])
                (GOLDEN / f"{name}.{ending}").write_text(out.getvalue(), "utf-8")


if __name__ == "__main__":
    write()
