"""Settings that every test shares."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# Programs that tests start and interrupt inherit it where it is ignored, as behind `&` in a script.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, so that a failure is a change of the code and not of the dice.
settings.register_profile("steady", derandomize=True, database=None, deadline=None, max_examples=50, print_blob=True)
# HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("explore", derandomize=False, deadline=None, max_examples=2000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
