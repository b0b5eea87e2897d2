"""Print a completion script for bash, zsh or fish.

To install it:
  bash:  schemacheck completion bash > ~/.local/share/bash-completion/completions/schemacheck
  zsh:   schemacheck completion zsh > ~/.zfunc/_schemacheck   (with ~/.zfunc in fpath)
  fish:  schemacheck completion fish > ~/.config/fish/completions/schemacheck.fish
"""

from __future__ import annotations

import argparse
import re
from typing import NamedTuple

from schemacheck import rules
from schemacheck.cli import dispatch, output_arguments

#: What a rule's code may stand for, in help texts.
_OF_RULES = ("RULES", "CODE")


class _Option(NamedTuple):
    """One option of a command: its spellings, what may follow it, its help."""

    names: tuple[str, ...]
    choices: tuple[str, ...]
    takes_file: bool
    takes_value: bool
    help: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The shell."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    write = {"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell]
    output_arguments.write(write({name: _options(name) for name in dispatch.names()}), None)
    return 0


def _options(name: str) -> list[_Option]:
    """The options of a command, read off its own parser."""
    out = []
    for action in dispatch.parser_of(name)._actions:  # noqa: SLF001 argparse has no other way to list them
        choices = tuple(map(str, action.choices or getattr(action, "completes", None) or ()))
        if action.metavar in _OF_RULES:
            choices = tuple(rule.code for rule in rules.all_rules())
        files = action.metavar in ("FILE", "DIR", "SOURCE", "REPLICA", "PATH") or (
            not action.option_strings and not choices
        )
        text = re.sub(r"\s+", " ", (action.help or "") if action.help != argparse.SUPPRESS else "")
        out.append(_Option(tuple(action.option_strings), choices, files, action.nargs != 0, text))
    return out


def _bash(commands: dict[str, list[_Option]]) -> str:
    options, values = [], []
    for name, found in commands.items():
        words = (
            " ".join(n for o in found for n in o.names)
            + " "
            + " ".join(c for o in found if not o.names for c in o.choices)
        )
        options.append(f"    {name}) words='{words.strip()}' ;;")
        for option in found:
            if option.names and option.takes_value:
                choices = (
                    f"COMPREPLY=($(compgen -W '{' '.join(option.choices)}' -- \"$cur\"))"
                    if option.choices
                    else "COMPREPLY=()"
                )
                action = (
                    'COMPREPLY=($(compgen -f -- "$cur"))'
                    if option.takes_file and not option.choices
                    else choices
                )
                values += [f"    {name}:{spelling}) {action}; return ;;" for spelling in option.names]
    listed = "\n".join(options)
    by_option = "\n".join(values)
    return f"""\
# bash completion for schemacheck; made by `schemacheck completion bash`
_schemacheck() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{" ".join(commands)} --help --version' -- "$cur"))
    return
  fi
  case "$command:$prev" in
{by_option}
  esac
  case "$command" in
{listed}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  case "$cur" in
    -*) ;;
    *) COMPREPLY+=($(compgen -f -- "$cur")) ;;
  esac
}}
complete -o filenames -F _schemacheck schemacheck
"""


def _zsh(commands: dict[str, list[_Option]]) -> str:
    listed = "\n".join(f"    {_quoted(f'{name}:{dispatch.summary(name)}')}" for name in commands)
    cases = []
    for name, found in commands.items():
        specs = []
        for option in found:
            tail = ""
            if option.takes_value:
                tail = (
                    f":value:({' '.join(option.choices)})"
                    if option.choices
                    else ":file:_files"
                    if option.takes_file
                    else ":value:"
                )
            text = re.sub(r"[\[\]:]", " ", option.help)
            specs += [_quoted(f"{spelling}[{text}]{tail}") for spelling in option.names]
            if not option.names:
                specs.append(_quoted(f"*{tail or ':file:_files'}"))
        cases.append(f"    {name}) _arguments {' '.join(specs)} ;;")
    body = "\n".join(cases)
    return f"""\
#compdef schemacheck
# zsh completion for schemacheck; made by `schemacheck completion zsh`
_schemacheck() {{
  local -a commands
  commands=(
{listed}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{body}
  esac
}}
_schemacheck "$@"
"""


def _fish(commands: dict[str, list[_Option]]) -> str:
    lines = ["# fish completion for schemacheck; made by `schemacheck completion fish`"]
    for name, found in commands.items():
        lines.append(
            f"complete -c schemacheck -n __fish_use_subcommand -f -a {name} -d "
            f"{_quoted(dispatch.summary(name))}"
        )
        for option in found:
            spelling = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in option.names)
            rest = ""
            if option.takes_value and option.names:
                rest = (
                    f" -x -a {_quoted(' '.join(option.choices))}"
                    if option.choices
                    else " -r"
                    if option.takes_file
                    else " -x"
                )
            words = spelling or (f"-f -a {_quoted(' '.join(option.choices))}" if option.choices else "")
            if words:
                lines.append(
                    f"complete -c schemacheck -n '__fish_seen_subcommand_from {name}' {words}{rest} -d "
                    f"{_quoted(option.help[:80])}"
                )
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """In single quotes, for a shell."""
    return "'" + text.replace("'", "'\\''") + "'"
