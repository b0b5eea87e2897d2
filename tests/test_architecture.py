"""Who may import whom, and what may not be imported before it is needed."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "schemacheck"
MODULES = sorted(PACKAGE.rglob("*.py"))

#: What any part may import: it knows nothing of servers.
ANYBODY = ("system", "dataclass", "version", "text.printable")
#: What each part may import of ours, by the beginning of a module's name. The longest entry that fits a
#: module counts.
MAY: dict[str, tuple[str, ...]] = {
    "errors": (),
    "dataclass": (),
    "version": (),
    "system": ("errors",),
    "text": ("model", "knowledge", "errors"),
    "text.printable": (),
    "knowledge": ("knowledge", "errors"),
    "model": ("model", "knowledge", "errors"),
    "sql": ("sql", "model", "knowledge", "errors"),
    "catalog": ("catalog", "sql", "model", "knowledge", "errors"),
    "conversion": ("conversion", "sql", "model", "knowledge"),
    "diagnose": (
        *("diagnose", "text.status_rows", "engine", "link", "replay", "sql"),
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
    "engine": (
        *("link", "model", "alignment", "findings", "rules"),
        *("engine.pairing", "engine.smallest", "engine.gate", "errors", "engine.carried"),
    ),
    "engine.carried": ("model", "conversion"),
    "engine.gate": ("model", "rules", "errors"),
    "engine.programs": ("alignment", "link", "model", "rules", "sql"),
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
        "workload",
        "link",
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
        *(
            "applier",
            "binlog",
            "replay",
            "link",
            "workload.computed",
            "sql",
            "filters",
            "alignment",
            "engine",
        ),
        *("model", "knowledge", "errors", "conversion"),
    ),
    "profile": (*("profile", "binlog", "inputs", "sql"), *("conversion", "model", "knowledge", "errors")),
    "scratch": ("scratch", "inputs", "sql", "model", "knowledge", "errors"),
    "ask": ("ask", "scratch", "catalog", "inputs", "sql", "system.git", "model", "knowledge", "errors"),
    "prove": (
        *("prove", "scratch", "replay.alter", "catalog", "engine"),
        *("inputs", "conversion", "model", "errors"),
    ),
    "fleet": ("*",),
    "cli": ("*",),
    "__main__": ("cli", "errors"),
    "": ("library", "errors", "model", "inputs"),
}
#: The only parts that may import a library.
LIBRARIES = {
    "sqlglot": ("sql.statements", "inputs.sqlglot_tree", "library", "sql.query_tree", "sql.chosen_text"),
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


class Module:
    """A file of the package as the laws see it; its tree is dropped when all of them have seen it."""

    def __init__(self, path: Path) -> None:
        text = path.read_text("utf-8")
        self.path, self.name, self.lines = path, name_of(path), len(text.splitlines())
        tree = ast.parse(text)
        self.nodes = list(ast.walk(tree))
        self.imports = list(imported(path, self.nodes))
        types = of_types(self.nodes)
        self.needs = [full for line, full in self.imports if line not in types]

    def within(self, *parts: str) -> bool:
        return any(within(self.name, part) for part in parts)


#: A law: what of a module breaks it, as `line and what is wrong there`.
Law = Callable[[Module], Iterator[str]]
LAWS: list[Law] = []


@cache
def read() -> tuple[dict[Law, list[str]], dict[str, Module]]:
    """What breaks each law, and the modules by name: every file is read once for all laws."""
    broken: dict[Law, list[str]] = {law: [] for law in LAWS}
    modules = {}
    for path in MODULES:
        module = Module(path)
        for law in LAWS:
            broken[law] += (f"{path.relative_to(ROOT)}:{what}" for what in law(module))
        module.nodes = []
        modules[module.name] = module
    return broken, modules


def imported(path: Path, nodes: list[ast.AST]) -> Iterator[tuple[int, str]]:
    """(line, full name) of all that a module imports, wherever in it; ours are made absolute."""
    for node in nodes:
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


def may(name: str) -> tuple[str, ...]:
    best = max((part for part in MAY if within(name, part)), key=len, default=None)
    assert best is not None, (
        f"schemacheck.{name} stands in no part of the architecture: say in {Path(__file__).name} what it "
        "may import"
    )
    return (*MAY[best], *ANYBODY)


@LAWS.append
def what_is_kept_is_bounded(module: Module) -> Iterator[str]:
    """`@cache` keeps an answer for every argument for ever: input decides how many names, versions or
    delimiters there are. It serves where there are no arguments but flags; elsewhere lru_cache has a size.
    """
    for function in module.nodes:
        if not isinstance(function, ast.FunctionDef):
            continue
        kept = [ast.unparse(decorator) for decorator in function.decorator_list]
        if any("maxsize=None" in name for name in kept):
            yield f"{function.lineno} has no size"
        if "cache" in kept or "functools.cache" in kept:
            given = {ast.unparse(argument.annotation or argument) for argument in ast.walk(function.args)
                if isinstance(argument, ast.arg)}  # fmt: skip
            if not given <= {"bool", "tuple[bool, ...]"}:
                yield f"{function.lineno} keeps answers for {given}"


@LAWS.append
def imports_follow_the_law(module: Module) -> Iterator[str]:
    allowed = may(module.name)
    for line, full in module.imports:
        if not full.startswith("schemacheck."):
            continue  # a library, or `schemacheck.__version__`
        name = full.removeprefix("schemacheck.")
        if module.name != name and "*" not in allowed and not any(within(name, part) for part in allowed):
            yield f"{line} imports {full}"


#: Pairs of files that still import each other.
CIRCLES = (
    {"fleet.decide", "fleet.pairs"},
)  # fmt: skip


def test_no_circle_of_files() -> None:
    """Imports of types count too: files of a circle are read together, or not at all."""
    graph: dict[str, set[str]] = {}
    for name, module in read()[1].items():
        ours = {full.removeprefix("schemacheck.") for _, full in module.imports} & NAMES
        graph[name] = {other for other in ours if other != name and {other, name} not in CIRCLES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


#: Floors of rooms, from `knowledge` to `cli`.
FLOORS = 12


def of_types(nodes: list[ast.AST]) -> set[int]:
    """Lines of imports that only a type checker runs."""
    blocks = [
        node for node in nodes if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    ]
    return {
        inner.lineno for block in blocks for inner in ast.walk(block) if isinstance(inner, ast.ImportFrom)
    }


def test_rooms_stand_on_floors() -> None:
    """Packages form no circle, and the highest stands on at most eleven others."""
    rooms: dict[str, set[str]] = {
        path.name: set() for path in PACKAGE.iterdir() if (path / "__init__.py").exists()
    }
    for module in read()[1].values():
        room = module.path.relative_to(PACKAGE).parts[0]
        if room in rooms:
            targets = {full.split(".")[1] for full in module.needs if full.startswith("schemacheck.")}
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


@LAWS.append
def libraries_stay_in_their_parts(module: Module) -> Iterator[str]:
    for line, full in module.imports:
        homes = LIBRARIES.get(full.split(".")[0])
        if homes is not None and not module.within(*homes):
            yield f"{line} imports {full}"


@LAWS.append
def nothing_but_main_imports_the_command_line(module: Module) -> Iterator[str]:
    if not module.within("cli") and module.name != "__main__":
        yield from (str(line) for line, full in module.imports if full.startswith("schemacheck.cli"))


@LAWS.append
def no_version_is_compared_outside_of_knowledge(module: Module) -> Iterator[str]:
    """`server.has("capability")` decides; neither `server.version >= (8, 0)` nor `version[0] == 5` does."""
    for node in module.nodes if module.name != "knowledge" else ():
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
        if not numbers and not tuples:
            continue
        texts = [ast.unparse(side) for side in sides]
        if module.within("binlog") and not any("version[" in text for text in texts):
            numbers = []  # the version of the log's own format
        if (numbers or tuples) and any(re.search(r"\b(version|release)\b", text) for text in texts):
            yield f"{node.lineno} {ast.unparse(node)}"


@LAWS.append
def modules_stay_small(module: Module) -> Iterator[str]:
    if module.lines > 400:
        yield f"{module.lines} lines"


def test_a_file_of_rules_is_a_rule() -> None:
    """Helpers live in `alignment/` and `findings/`; rules are not named by the engine."""
    for path in sorted((PACKAGE / "rules").glob("[!_]*.py")):
        assert "RULE = Rule(" in path.read_text("utf-8") or "RULE: Rule" in path.read_text("utf-8"), path.name
    named = [
        f"{module.name}:{line}"
        for module in read()[1].values()
        if not module.within("rules")
        for line, full in module.imports
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
    "replay.alter", "plan.statement_reader",
    "model.words", "model.type_text", "model.column_type", "model.normal",
    "model.expression",
)  # fmt: skip
UNICODE = {
    "strip", "lstrip", "rstrip", "split", "rsplit", "splitlines", "isdigit", "isdecimal", "isnumeric",
    "isspace", "isalnum", "isalpha",
}  # fmt: skip


@LAWS.append
def blanks_and_digits_of_sql_are_those_of_ascii(module: Module) -> Iterator[str]:
    """U+00A0 is part of a name to the servers, a blank to `str.strip` and `\\s`; `\\d` takes digits of all
    scripts.
    """
    if not module.within(*READS_SQL) or module.name == "knowledge.characters":
        return
    for node in module.nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        called = node.func
        if called.attr in UNICODE and not node.args and not node.keywords:
            yield f"{node.lineno} {ast.unparse(node)[:60]}: use knowledge.characters"
        if isinstance(called.value, ast.Name) and called.value.id == "re":
            pattern = "".join(
                str(inner.value)
                for arg in node.args[:1]
                for inner in ast.walk(arg)
                if isinstance(inner, ast.Constant)
            )
            if re.search(r"\\[sdwSDWbB]", pattern) and "ASCII" not in ast.unparse(node):
                yield f"{node.lineno} a pattern without re.ASCII"


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
    "inputs.bundle": "whether a file is worth reading for databases",
    "inputs.folder_database": "whether a file of a folder names its database",
    "inputs.directory": "which files of a folder are definitions",
    "inputs.formats.sql": "whether a file is a script at all, and which program wrote a dump",
    "filters.read": "whether a text is made of statements",
    **dict.fromkeys(("diagnose.answer", "diagnose.names"), "the statement that an error prints, perhaps cut"),
    "inputs.histories.efcore": "what EF Core writes around each statement, word for word",
    "prove.case": "whether a finding's example, which is our own text, is a statement",
}  # fmt: skip


@LAWS.append
def nobody_else_cuts_sql(module: Module) -> Iterator[str]:
    """Statements are cut and read in `sql/`: elsewhere there are its values, no lexer and no patterns."""
    if module.within("sql"):
        return
    for node in module.nodes:
        if (
            isinstance(node, ast.Attribute)
            and node.attr in CUTTERS
            and ast.unparse(node.value) == "characters"
        ):
            yield f"{node.lineno} {ast.unparse(node)}"
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if name in ("Tokens", "tokens_of") and not module.within("catalog"):
            yield f"{node.lineno} makes Tokens"
        if name.startswith("re.") and node.args and module.name not in NOT_STATEMENTS:
            texts = [inner.value for inner in ast.walk(node.args[0]) if isinstance(inner, ast.Constant)]
            if VERBS.search("".join(map(str, texts))):
                yield f"{node.lineno} a pattern for statements"


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_every_module_keeps_the_law(law: Law) -> None:
    assert read()[0][law] == []


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
