"""Time that reading takes grows with the input, not with its square: the cases of `benchmarks/growth.py`."""

from __future__ import annotations

import pytest

from benchmarks import growth

pytestmark = pytest.mark.growth

#: What a doubling may cost here: linear readers take 2, quadratic ones 4, and the machine may be busy.
MOST = 2.8
#: Tables have at most 4,096 columns, so that a statement for each of them may cost what the table costs.
BOUNDED = {"sql: ADD COLUMN, one a statement": 3.5}


@pytest.mark.parametrize("name", growth.CASES)
def test_time_grows_with_the_input(name: str) -> None:
    found = []
    for wanted in (0.006, 0.02, 0.06):
        # Larger inputs, where other work of the machine may have taken part of the time.
        one = growth.measure(name, wanted=wanted, largest=1_000_000, times=2)
        found.append(one)
        if one.doubling <= BOUNDED.get(name, MOST):
            return
    pytest.fail(f"{name}: a doubling costs x{' x'.join(f'{one.doubling:.2f}' for one in found)}: {found}")


def test_a_quadratic_reader_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(text: str | bytes) -> None:
        for at in range(0, len(text), 50):
            str(text)[at:].count("x")

    monkeypatch.setitem(growth.CASES, "slow", (lambda size: "x" * size, slow))
    assert growth.measure("slow", wanted=0.006, times=2).doubling > MOST
