from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.generators.workshop import Workshop
from tests.rest.processes import running


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    """A folder with the tools that generate clients, and a running server."""
    folder: Path = tmp_path_factory.mktemp("workshop")
    with running("--cors-origin", "*") as (url, greeting):
        made = Workshop(folder, greeting[0].split()[2].rstrip(";"), url)
        made.install_tools()
        yield made
