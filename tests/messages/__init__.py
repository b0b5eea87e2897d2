"""Every sentence of the program that a user may read, collected from the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "schemacheck"
GOLDEN = Path(__file__).parent / "golden.txt"
HEAD = """\
Every sentence in the code that a user may read, by module; {} stands for what is filled in.
The pages of rules are in docs/rules/, servers' own error texts in rules/errors.yaml.
Written by `python -m tests.messages`: read the diff of this file aloud.
"""
#: Two words of which one is plain lower case: not a name, a key or a pattern.
_SENTENCE = re.compile(r"(?:^|[ ('])[a-z]{2,}[,.:;!?)']* \S|\S [a-z]{3,}")
_NO_SENTENCE = re.compile(
    r"\(\?|\\[bdswAZ]|^\s*(?:<|\{[^}]|\[)|^[A-Z_]+ [a-z_]+$|\bstring, \w+ (?:int|string)|%[dsf]"
)


def sentences(text: str, *, tables: bool = False) -> Iterator[str]:
    """The sentences of one module's text, in order; each once. `tables`: it may declare options."""
    tree = ast.parse(text)
    silent: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            silent.add(id(node.value))  # a docstring
        if isinstance(node, ast.JoinedStr):
            silent.update(id(part) for part in node.values)
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith(("re.", "_re.")):
            silent.update(id(part) for part in ast.walk(node))
    found: dict[tuple[int, int], str] = {}
    for node in ast.walk(tree):
        if id(node) in silent:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found[node.lineno, node.col_offset] = node.value
        elif isinstance(node, ast.JoinedStr):
            parts = (
                part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "{}"
                for part in node.values
            )
            found[node.lineno, node.col_offset] = "".join(parts)
    seen = set()
    for flat in (flat for _, sentence in sorted(found.items()) for flat in _entries(sentence, tables=tables)):
        if flat not in seen and _SENTENCE.search(flat) and not _NO_SENTENCE.search(flat):
            seen.add(flat)
            yield flat


def _entries(text: str, *, tables: bool) -> list[str]:
    """A text on one line; of a table of options the text of each."""
    if not (tables and text.startswith("\n")):
        return [" ".join(text.split())]
    entries = (entry.replace("\n", "  ", 1) for entry in re.split(r"\n(?=\S)", text.strip()))
    return [" ".join(entry.partition("  ")[2].split()) for entry in entries]


def listing() -> str:
    """The text of the golden file."""
    out = [HEAD]
    for path in sorted(PACKAGE.rglob("*.py")):
        found = list(sentences(path.read_text("utf-8"), tables="cli" in path.parts))
        if found:
            out.append(f"\n== {path.relative_to(PACKAGE.parent).as_posix()}\n")
            out += [f"{sentence}\n" for sentence in found]
    return "".join(out)
