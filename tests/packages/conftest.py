"""The packages of ``dist``, and those of others that they need."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.packages.empty_environments import DIST, ROOT, EmptyEnvironment, install, run

LOCKS = ("requirements-arena.lock", "requirements-build.lock")
"""The packages of others: those of all distributions without most extras, and the build tools."""
Installed = Callable[..., EmptyEnvironment]


@pytest.fixture(scope="session")
def dist() -> Path:
    """The built folder."""
    assert DIST.is_dir(), "run `make check-packages`, which builds the packages"
    return DIST


@pytest.fixture(scope="session")
def wheelhouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the locked packages of others, from the index that pip is set up with."""
    folder = tmp_path_factory.mktemp("wheelhouse")
    locks = [word for lock in LOCKS for word in ("-r", lock)]
    options = ["--quiet", "--no-deps", "--require-hashes", "--dest", str(folder)]
    run([sys.executable, "-m", "pip", "--disable-pip-version-check", "download", *options, *locks], ROOT)
    return folder


@pytest.fixture(scope="session")
def installed(dist: Path, wheelhouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Return the environment with a package, made once."""

    @cache
    def made(name: str) -> EmptyEnvironment:
        return install(tmp_path_factory.mktemp(name), wheelhouse, name)

    return made
