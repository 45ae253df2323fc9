"""Settings for all tests."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# A shell ignores SIGINT for background jobs. Programs that the tests start and interrupt would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Equal examples in every run, so that only a change of the code can make a test fail.
settings.register_profile("steady", derandomize=True, database=None, deadline=None, max_examples=50, print_blob=True)
# HYPOTHESIS_PROFILE=explore looks for new examples.
settings.register_profile("explore", derandomize=False, deadline=None, max_examples=2000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
