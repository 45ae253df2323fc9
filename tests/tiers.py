"""Splits parametrized cases between `make test` and `make test-deep`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def one_and_deep(cases: Iterable[Any]) -> list[Any]:
    """Return the cases. Marks all but the first `deep`, so that `make test` runs only the first."""
    first, *others = cases
    return [first, *(pytest.param(other, marks=pytest.mark.deep) for other in others)]
