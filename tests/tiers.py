"""What `make test` leaves to `make test-deep`, where one case of many says enough at each change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def one_and_deep(cases: Iterable[Any]) -> list[Any]:
    """Return the cases, all but the first marked `deep`."""
    first, *others = cases
    return [first, *(pytest.param(other, marks=pytest.mark.deep) for other in others)]
