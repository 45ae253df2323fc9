"""The programs of others that the tests run."""

from __future__ import annotations

import os
from pathlib import Path
from shutil import which

import pytest


def need(*programs: str | Path, packages: str) -> None:
    """Skip the test if a program or a folder is missing. Fail it under ``make interop``, which installs them.

    ``packages`` says what contains them.
    """
    missing = [str(one) for one in programs if not (one.exists() if isinstance(one, Path) else which(one))]
    if not missing:
        return
    reason = f"missing: {', '.join(missing)}. `make interop` installs {packages}."
    if os.environ.get("INTEROP") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
