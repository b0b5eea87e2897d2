"""What every test shares: how property tests choose their examples."""

from __future__ import annotations

import os

from hypothesis import settings

# The same examples in every run, so that a result can be repeated; HYPOTHESIS_PROFILE=explore draws new ones.
settings.register_profile("repeatable", derandomize=True)
settings.register_profile("explore", derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
