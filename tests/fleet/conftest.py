"""One Spark and one Sail for all tests of the fleet: starting them is what costs."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from importlib.util import find_spec

import pytest


@pytest.fixture(scope="session", autouse=True)
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No run makes a key in the tester's own folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
def spark() -> Iterator[object]:
    pytest.importorskip("pyspark")
    from schemacheck.fleet import session

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        engine = session.start("spark", cores=2, memory="1g")
    yield engine
    engine.stop()


@pytest.fixture(scope="session")
def sail() -> Iterator[object]:
    pytest.importorskip("pysail")
    import pyspark

    from schemacheck.fleet import session

    if not session.sail_serves(pyspark.__version__):
        pytest.skip("this pyspark is too new for Sail")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        engine = session.start("sail")
    yield engine
    engine.stop()


@pytest.fixture(params=["spark", "sail"])
def engine(request: pytest.FixtureRequest) -> object:
    """Both engines, one after the other."""
    if not find_spec("pyspark"):
        pytest.skip("pyspark is not installed")
    return request.getfixturevalue(request.param)
