"""Who may import whom, and what may not be imported before it is needed."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "schemacheck"
MODULES = sorted(PACKAGE.rglob("*.py"))

#: What any part may import: it knows nothing of servers.
ANYBODY = ("system", "dataclass", "version", "text.printable", "text.json_object")
#: What each part may import of ours, by the beginning of a module's name. The longest entry that fits a
#: module counts.
MAY: dict[str, tuple[str, ...]] = {
    "errors": (),
    "dataclass": (),
    "version": (),
    "system": ("errors",),
    "text": ("model", "knowledge", "errors"),
    "text.printable": (),
    "text.json_object": (),
    "knowledge": ("knowledge", "errors"),
    "model": ("model", "knowledge", "errors"),
    "sql": ("sql", "model", "knowledge", "errors"),
    "catalog": ("catalog", "sql", "model", "knowledge", "errors"),
    "conversion": ("conversion", "sql", "model", "knowledge"),
    "diagnose": (
        *("diagnose", "text.status_rows", "engine", "link"),
        *("conversion", "binlog", "model", "knowledge"),
    ),
    "link": ("link", "model", "knowledge", "errors"),
    "workload": ("workload", "replay", "link", "catalog", "sql", "engine", "model", "knowledge"),
    "alignment": ("alignment", "model", "conversion"),
    "findings": ("link", "findings", "alignment", "model", "conversion"),
    # What a rule's predicate about evidence is given: a type, which no rule loads.
    "rules": ("rules", "link", "findings", "alignment", "model", "conversion", "evidence.ask"),
    "evidence": (
        *("evidence", "profile", "rules", "findings", "alignment"),
        *("model", "conversion", "errors"),
    ),
    "engine.smallest": ("conversion", "model", "alignment"),
    "engine.pairing": ("alignment", "model", "filters"),
    "engine.unread": ("alignment", "model", "engine.pairing"),
    "engine": (
        *("link", "model", "alignment", "findings", "rules"),
        *("engine.pairing", "engine.smallest", "engine.gate", "errors", "engine.unread", "engine.carried"),
    ),
    "engine.carried": ("model", "conversion"),
    "engine.gate": ("model", "rules"),
    "engine.programs": ("alignment", "link", "model", "rules"),
    "inputs": ("inputs", "catalog", "sql", "text.option_file", "system.git", "model", "knowledge", "errors"),
    "filters": (
        "filters",
        "system.git",
        "text.status_rows",
        "catalog",
        "sql",
        "text.option_file",
        "model",
        "knowledge",
        "errors",
    ),
    "config": ("config", "system.git", "model", "errors", "rules", "outputs"),
    "policy": (
        "policy",
        "system.git",
        "sql",
        "config",
        "model",
        "knowledge",
        "errors",
        "engine.gate",
        "rules",
    ),
    "outputs": (
        "outputs",
        "text.code_host",
        "text.document_parts",
        "link",
        "model",
        "errors",
        "engine.gate",
        "rules",
    ),
    "schemas": (),
    "plan": (
        "plan",
        "text.code_host",
        "text.document_parts",
        "catalog",
        "sql",
        "system.git",
        "model",
        "knowledge",
        "errors",
        "conversion",
        "engine",
        "engine.pairing",
        "inputs",
        "replay",
        "filters",
        "evidence",
        "profile",
    ),
    "library": (
        "replay",
        "link",
        "catalog",
        "model",
        "errors",
        "inputs",
        "conversion",
        "engine",
        "engine.programs",
        "engine.gate",
        "outputs",
    ),
    "binlog": ("binlog", "model", "knowledge", "errors", "conversion"),
    "replay": (
        *("replay", "link", "catalog", "sql", "filters", "alignment", "engine", "rules"),
        *("model", "knowledge", "errors", "conversion"),
    ),
    "applier": (
        *("applier", "binlog", "replay", "link", "sql", "filters", "alignment", "engine"),
        *("model", "knowledge", "errors", "conversion"),
    ),
    "profile": (*("profile", "binlog", "inputs", "sql"), *("conversion", "model", "knowledge", "errors")),
    "scratch": ("scratch", "inputs", "sql", "model", "knowledge", "errors"),
    "ask": ("ask", "scratch", "catalog", "inputs", "sql", "system.git", "model", "knowledge", "errors"),
    "prove": (
        *("prove", "scratch", "plan.alter", "catalog", "engine"),
        *("inputs", "conversion", "model", "errors"),
    ),
    "fleet": ("*",),
    "cli": ("*",),
    "__main__": ("cli", "errors"),
    "": ("library", "errors", "model", "inputs"),
}
#: The only parts that may import a library.
LIBRARIES = {
    "sqlglot": ("sql.statements", "inputs.sqlglot_tree", "library", "sql.query_tree"),
    "pyspark": ("fleet",),
    "pyarrow": ("fleet", "inputs.formats.parquet"),
    "pymysql": ("inputs.connection",),
    "mcp": ("cli.commands.mcp",),
    "yaml": ("knowledge.facts", "config", "fleet"),
}


def name_of(path: Path) -> str:
    """`rules.pair`; '' is the package's own __init__."""
    parts = list(path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {name_of(path) for path in MODULES}


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(
        n
        for n in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(n, ast.Import | ast.ImportFrom | ast.Compare)
    )


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """(line, full name) of all that a module imports, wherever in it; ours are made absolute."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = ["schemacheck", *path.relative_to(PACKAGE).parts[:-1]]
                base = ".".join([*package[: len(package) - node.level + 1], *([base] if base else [])])
            if base == "schemacheck" or base.startswith("schemacheck."):
                inner = base.removeprefix("schemacheck").lstrip(".")
                for alias in node.names:
                    full = f"{inner}.{alias.name}".lstrip(".")
                    yield node.lineno, f"schemacheck.{full}" if full in NAMES else base
            else:
                yield node.lineno, base


def within(name: str, part: str) -> bool:
    return name == part or (part != "" and name.startswith(f"{part}."))


def law(name: str) -> tuple[str, ...]:
    best = max((part for part in MAY if within(name, part)), key=len, default=None)
    assert best is not None, (
        f"schemacheck.{name} stands in no part of the architecture: say in {Path(__file__).name} what it "
        "may import"
    )
    return (*MAY[best], *ANYBODY)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: name_of(path) or "__init__")
def test_what_is_kept_is_bounded(path: Path) -> None:
    """`@cache` keeps an answer for every argument for ever: input decides how many names, versions or
    delimiters there are. It serves where there are no arguments but flags; elsewhere lru_cache has a size.
    """
    for function in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(function, ast.FunctionDef):
            continue
        given = {ast.unparse(argument.annotation or argument) for argument in ast.walk(function.args)
            if isinstance(argument, ast.arg)}  # fmt: skip
        for decorator in function.decorator_list:
            kept = ast.unparse(decorator)
            assert "maxsize=None" not in kept, f"{path}:{function.lineno}"
            if kept in ("cache", "functools.cache"):
                assert given <= {"bool", "tuple[bool, ...]"}, f"{path}:{function.lineno}: {given}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: name_of(path) or "__init__")
def test_imports_follow_the_law(path: Path) -> None:
    allowed = law(name_of(path))
    wrong = []
    for line, full in imports(path):
        if not full.startswith("schemacheck."):
            continue  # a library, or `schemacheck.__version__`
        name = full.removeprefix("schemacheck.")
        if name_of(path) == name or "*" in allowed or any(within(name, part) for part in allowed):
            continue
        wrong.append(f"{path.relative_to(ROOT)}:{line} imports {full}")
    assert not wrong


#: Pairs of files that still import each other.
CIRCLES = (
    {"fleet.decide", "fleet.pairs"}, {"profile.images", "profile.log"},
)  # fmt: skip


def test_no_circle_of_files() -> None:
    """Imports of types count too: files of a circle are read together, or not at all."""
    graph: dict[str, set[str]] = {}
    for path in MODULES:
        name = name_of(path)
        ours = {
            full.removeprefix("schemacheck.") for _, full in imports(path) if full.startswith("schemacheck.")
        }
        graph[name] = {one for one in ours & NAMES if one != name and {one, name} not in CIRCLES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


#: Floors of rooms, from `knowledge` to `cli`.
FLOORS = 12


def of_types(tree: ast.Module) -> set[int]:
    """Lines of imports that only a type checker runs."""
    blocks = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    ]
    return {
        inner.lineno for block in blocks for inner in ast.walk(block) if isinstance(inner, ast.ImportFrom)
    }


def test_rooms_stand_on_floors() -> None:
    """Packages form no circle, and the highest stands on at most eleven others."""
    rooms: dict[str, set[str]] = {
        path.name: set() for path in PACKAGE.iterdir() if (path / "__init__.py").exists()
    }
    for path in MODULES:
        room = path.relative_to(PACKAGE).parts[0]
        if room in rooms:
            types = of_types(ast.parse(path.read_text("utf-8")))
            targets = {full.split(".")[1] for line, full in imports(path)
                if full.startswith("schemacheck.") and line not in types}  # fmt: skip
            rooms[room] |= targets & set(rooms) - {room}
    floor: dict[str, int] = {}
    try:
        for room in TopologicalSorter(rooms).static_order():
            floor[room] = max((floor[below] + 1 for below in rooms[room]), default=1)
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))
    assert max(floor.values()) <= FLOORS, floor


#: What stands on top of the core: it decides about two definitions without any of these.
ON_TOP = (
    "applier", "ask", "binlog", "cli", "config", "diagnose", "evidence", "fleet", "outputs", "plan", "policy",
    "profile", "prove", "replay", "scratch", "workload",
)  # fmt: skip
CORE = """
import sys
from pathlib import Path

gone = sys.argv[2:]


class Deleted:
    def find_spec(self, name, path=None, target=None):
        if name.removeprefix("schemacheck.").split(".")[0] in gone:
            raise ModuleNotFoundError(name)


sys.meta_path.insert(0, Deleted())
import schemacheck

link = schemacheck.Link.of("mysql-8.0.36")
for path in sorted(Path(sys.argv[1]).rglob("*.sql")):
    _, _, ends = path.read_text("utf-8").partition("-- [source]")
    source, cut, replica = ends.partition("-- [replica]")
    if cut and "-- [" not in source + replica:
        try:
            report = schemacheck.check(source, replica, link)
        except schemacheck.SchemacheckError as error:
            print(path.name, error)
        else:
            findings = [(f.code, f.message) for pair in report.pairs for f in pair.findings]
            print(path.name, report.verdict, findings)
"""


def test_the_core_stands_without_what_is_on_top() -> None:
    """It answers all pairs of fixtures as it does with them; all are deleted at once."""
    ran = [
        subprocess.run(
            [sys.executable, "-c", CORE, ROOT / "fixtures" / "ddl", *gone],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        ).stdout
        for gone in ((), ON_TOP)
    ]
    assert len(ran[0].splitlines()) > 100
    assert ran[0] == ran[1]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: name_of(path) or "__init__")
def test_libraries_stay_in_their_parts(path: Path) -> None:
    wrong = []
    for line, full in imports(path):
        homes = LIBRARIES.get(full.split(".")[0])
        if homes is not None and not any(within(name_of(path), home) for home in homes):
            wrong.append(f"{path.relative_to(ROOT)}:{line} imports {full}")
    assert not wrong


def test_nothing_but_main_imports_the_command_line() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in MODULES
        for line, full in imports(path)
        if full.startswith("schemacheck.cli")
        and not within(name_of(path), "cli")
        and name_of(path) not in ("__main__", "fleet.command")
    ]
    assert not wrong


@pytest.mark.parametrize(
    "path", [p for p in MODULES if name_of(p) != "knowledge"], ids=lambda path: name_of(path) or "__init__"
)
def test_no_version_is_compared_outside_of_knowledge(path: Path) -> None:
    """`server.has("capability")` decides; neither `server.version >= (8, 0)` nor `version[0] == 5` does."""
    wrong = []
    for node in nodes(path):
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        numbers = [s for s in sides if isinstance(s, ast.Constant) and isinstance(s.value, int | float)]
        tuples = [
            s
            for s in sides
            if isinstance(s, ast.Tuple)
            and len(s.elts) >= 2
            and all(isinstance(e, ast.Constant) and isinstance(e.value, int) for e in s.elts)
        ]
        about_version = any(re.search(r"\b(version|release)\b", ast.unparse(s)) for s in sides)
        if within(name_of(path), "binlog") and not any("version[" in ast.unparse(s) for s in sides):
            numbers = []  # the version of the log's own format
        if about_version and (numbers or tuples):
            wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} {ast.unparse(node)}")
    assert not wrong


@pytest.mark.parametrize("path", MODULES, ids=lambda path: name_of(path) or "__init__")
def test_modules_stay_small(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 400


def test_a_file_of_rules_is_a_rule() -> None:
    """Helpers live in `alignment/` and `findings/`; rules are not named by the engine."""
    for path in sorted((PACKAGE / "rules").glob("[!_]*.py")):
        assert "RULE = Rule(" in path.read_text("utf-8") or "RULE: Rule" in path.read_text("utf-8"), path.name
    named = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in MODULES
        if not within(name_of(path), "rules")
        for line, full in imports(path)
        if full.startswith("schemacheck.rules.") and full != "schemacheck.rules.statement_column_list"
    ]
    assert not named


HEAVY = ("sqlglot", "yaml", "pyspark", "pymysql", "pyarrow", "pandas", "jinja2")


@pytest.mark.parametrize(
    "statement",
    ["import schemacheck", "import schemacheck.cli", "from schemacheck import Link, Table, Finding"],
)
def test_a_bare_import_is_light(statement: str) -> None:
    code = f"import sys\n{statement}\nprint([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["engine", "library", "engine.pairing", "engine.smallest"])
def test_deciding_needs_no_parser_and_no_driver(name: str) -> None:
    code = (
        f"import sys\nimport schemacheck.{name}\nfrom schemacheck.rules import "
        "all_rules\nall_rules()\nprint([n for n in ('sqlglot', 'pyspark', 'pymysql') if n in "
        "sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"


#: Where SQL's text is read: blanks, digits and letters are the servers', which are ASCII's
#: (`knowledge/characters.py`).
READS_SQL = (
    "sql", "catalog", "conversion.applied_default", "policy.comments", "applier",
    "plan.alter", "plan.statement_reader",
    "inputs.database_charset", "model.words", "model.type_text", "model.column_type", "model.normal",
    "model.expression",
)  # fmt: skip
UNICODE = {
    "strip", "lstrip", "rstrip", "split", "rsplit", "splitlines", "isdigit", "isdecimal", "isnumeric",
    "isspace", "isalnum", "isalpha",
}  # fmt: skip


@pytest.mark.parametrize(
    "path",
    [
        p
        for p in MODULES
        if any(within(name_of(p), part) for part in READS_SQL) and name_of(p) != "knowledge.characters"
    ],
    ids=name_of,
)
def test_blanks_and_digits_of_sql_are_those_of_ascii(path: Path) -> None:
    """U+00A0 is part of a name to the servers, a blank to `str.strip` and `\\s`; `\\d` takes digits of all
    scripts.
    """
    wrong = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        called = node.func
        if called.attr in UNICODE and not node.args and not node.keywords:
            wrong.append(
                f"{path.relative_to(ROOT)}:{node.lineno} {ast.unparse(node)[:60]}: use knowledge.characters"
            )
        if isinstance(called.value, ast.Name) and called.value.id == "re":
            pattern = "".join(
                str(one.value)
                for arg in node.args[:1]
                for one in ast.walk(arg)
                if isinstance(one, ast.Constant)
            )
            if re.search(r"\\[sdwSDWbB]", pattern) and "ASCII" not in ast.unparse(node):
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} a pattern without re.ASCII")
    assert not wrong


#: What cuts text into words: strings, names in quotes, comments.
CUTTERS = {"string", "BACKQUOTED", "COMMENT", "LINE_COMMENT", "BLOCK_COMMENT"}
#: Words with which statements begin, in a pattern that looks for one.
VERBS = re.compile(
    r"(?<![A-Za-z_])(?:CREATE|ALTER|DROP|RENAME|INSERT|REPLACE|UPDATE|DELETE|SELECT|SET|USE|CALL|EXECUTE|GRANT)"
    r"(?:\\s|\\b|\[|\)|$|\|| )"
)
#: Where patterns look for statements all the same, and why.
NOT_STATEMENTS = {
    "policy.comments": "which lines of a file a comment is about; the statements are read elsewhere",
    "inputs.database_charset": "whether a file is worth reading for databases",
    "inputs.dump_header": "which program wrote a dump",
    "inputs.folder_database": "whether a file of a folder names its database",
    "inputs.directory": "which files of a folder are definitions",
    "inputs.formats.sql": "whether a file is a script at all",
    "filters.read": "whether a text is made of statements",
    **dict.fromkeys(("diagnose.answer", "diagnose.cause"), "the statement that an error prints, perhaps cut"),
    "prove.case": "whether a finding's example, which is our own text, is a statement",
}  # fmt: skip


@pytest.mark.parametrize(
    "path",
    [p for p in MODULES if not within(name_of(p), "sql")],
    ids=lambda path: name_of(path) or "__init__",
)
def test_nobody_else_cuts_sql(path: Path) -> None:
    """Statements are cut and read in `sql/`: elsewhere there are its values, no lexer and no patterns."""
    wrong = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "characters"
            and node.attr in CUTTERS
        ):
            wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} {ast.unparse(node)}")
        if (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) in ("Tokens", "tokens_of")
            and not within(name_of(path), "catalog")
        ):
            wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} makes Tokens")
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") and node.args:
            texts = [one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)]
            if VERBS.search("".join(map(str, texts))) and name_of(path) not in NOT_STATEMENTS:
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} a pattern for statements")
    assert not wrong


def test_what_the_page_names_is_there() -> None:
    """docs/architecture.md speaks of files and folders of this tree, by the ends of their paths."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    files = [f"/{path.relative_to(ROOT).as_posix()}" for path in (*MODULES, *ROOT.glob("*.py"))]
    folders = {f"{file.rpartition('/')[0]}/" for file in files}
    named = re.findall(r"`((?:[a-z_]+/)*[a-z_]+\.py|(?:[a-z_]+/)+)`", page)
    assert len(named) > 40
    assert not [
        name
        for name in named
        if not any(one.endswith(f"/{name}") for one in (*files, *folders)) and not (ROOT / name).exists()
    ]
