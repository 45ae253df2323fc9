"""Cooperative tasks: long work as a generator that can pause wherever it yields."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

Result = TypeVar("Result")
CooperativeTask = Generator[None, None, Result]
"""Work that can be interrupted wherever it yields. What it returns is its result."""


def run_to_completion(steps: CooperativeTask[Result]) -> Result:
    """Carry the steps out without a break; return their result."""
    while True:
        try:
            next(steps)
        except StopIteration as ended:
            result: Result = ended.value
            return result
