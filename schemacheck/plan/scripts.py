"""The runbook as one shell script for each server: a step at a time, and nothing runs without `--run`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from schemacheck.plan.model import REPLICA, SOURCE, Look, Plan, RunbookStep, StepKind
from schemacheck.plan.words import typed
from schemacheck.sql.words import first_words
from schemacheck.text.printable import one_line, statement_lines

#: First words of what stands around a step's own statements.
_AROUND = (["SET"], ["USE"], ["STOP"], ["START"])
_HEAD = """\
#!/bin/bash
# What is to be done on {where}, a step at a time. Nothing runs without --run.
#
#   ./{name}                        lists the steps
#   ./{name} STEP [--run]           shows a step, or runs it
#   ./{name} STEP --back [--run]    shows what takes it back, or runs that
#
# MYSQL is the client with its options (default: {client}). A step that waits takes the place in the log that
# the step before it has shown: GTIDS, or FILE and POSITION.
set -euo pipefail

client() {{
    # shellcheck disable=SC2086
    ${{MYSQL:-{client}}} --binary-mode --vertical --default-character-set=utf8mb4
}}

filled() {{
    local sql mark
    sql=$(cat)
    for mark in GTIDS FILE POSITION; do
        case $sql in
        *"<${{mark,,}}>"*)
            if [[ ! ${{!mark:-}} =~ ^[][A-Za-z0-9_.:,/-]+$ ]]; then
                echo "set $mark to what the step before has shown" >&2
                exit 2
            fi
            sql=${{sql//"<${{mark,,}}>"/${{!mark}}}}
            ;;
        esac
    done
    printf '%s\\n' "$sql"
}}
"""

_TAIL = """
steps="{numbers}"
if [ $# -eq 0 ]; then
    for step in $steps; do "about_$step"; done
    exit 0
fi
step=$1
shift
part=do run=
for word in "$@"; do
    case $word in
    --back) part=back ;;
    --run) run=1 ;;
    *) echo "not known: $word" >&2; exit 2 ;;
    esac
done
case " $steps " in
*" $step "*) ;;
*) echo "step $step is not one of this server: $steps" >&2; exit 2 ;;
esac
"about_$step"
if [ "$part" = back ] && [ -z "$("back_$step")" ]; then
    echo "nothing here takes step $step back: see what is written above" >&2
    exit 1
fi
"${{part}}_expect_$step"
if [ -z "$run" ]; then
    "${{part}}_look_$step"
    "${{part}}_$step"
    echo "-- nothing was run: add --run"
    exit 0
fi
question="Run step $step? Type yes: "
if [ -n "$("${{part}}_look_$step")" ]; then
    "${{part}}_look_$step" | filled | client
    question="Is that as it must be? Type yes to go on: "
fi
read -r -p "$question" answer
[ "$answer" = yes ]
"${{part}}_$step" | filled | client
"""


def scripts(plan: Plan) -> dict[str, str]:
    """`source.sh` and `replica.sh` -> script. Empty where there is nothing to do, or no way to do it."""
    if any(step.kind is StepKind.STOP for step in plan.runbook):
        return {}
    out = {}
    for side, server in ((SOURCE, plan.link.source), (REPLICA, plan.link.replica)):
        name = f"{side}.sh"
        steps = [step for step in plan.runbook if step.side == side]
        if not steps:
            continue
        out[name] = "\n".join(
            [
                _HEAD.format(where=steps[0].where, name=name, client=server.family),
                *(line for step in steps for line in _functions(step)),
                _TAIL.format(numbers=" ".join(str(step.number) for step in steps)),
            ]
        )
    return out


def _functions(step: RunbookStep) -> Iterator[str]:
    main = (
        [text for text in step.sql if first_words(text, 1) not in _AROUND]
        if step.kind is StepKind.RUN
        else []
    )
    sentences = [f"{step.number}. {step.text}"]
    sentences += [f"   {line}" for text in main for line in statement_lines(text)]
    sentences += [*(f"   loses: {line}" for line in step.discards)]
    sentences += [f"   time: {line}" for line in step.cost]
    late = f"   longer than {step.timeout} s: see in SHOW FULL PROCESSLIST what holds it up"
    sentences += [late] if step.timeout else []
    sentences += [f"   back: {step.rollback_note}"] if step.rollback_note else []
    yield _function("about", step, [one_line(line) for line in sentences])
    looks = [*step.before, *(look for look in step.after if f"{look.sql};" not in step.sql)]
    yield _function("do_expect", step, _expected((*step.before, *step.after)))
    yield _function("do_look", step, [_ended(look.sql) for look in step.before])
    after = [_ended(look.sql) for look in looks if look not in step.before]
    yield _function("do", step, [*map(_ended, step.sql), *after])
    yield _function("back_expect", step, _expected(step.rollback_before))
    yield _function("back_look", step, [_ended(look.sql) for look in step.rollback_before])
    yield _function("back", step, [_ended(sql) for sql in step.rollback])


def _expected(looks: Sequence[Look]) -> list[str]:
    return [one_line(f"   must show: {look.expect}  ({look.sql})") for look in looks]


def _ended(sql: str) -> str:
    return "\n".join(typed(sql.removesuffix("\\G").rstrip(";") + ";"))


def _function(name: str, step: RunbookStep, lines: list[str]) -> str:
    """A shell function that prints these lines, whatever is in them."""
    text = "\n".join(lines)
    mark = "END"
    while mark in text.split("\n"):
        mark += "_"
    body = f"cat <<'{mark}'\n{text}\n{mark}\n" if lines else ":\n"
    return f"{name}_{step.number}() {{\n{body}}}"
