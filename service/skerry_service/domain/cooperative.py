"""Cooperative tasks: long computations that pause at each ``yield``, so that the event loop can serve other calls."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

Result = TypeVar("Result")
CooperativeTask = Generator[None, None, Result]
"""A computation that can pause at each ``yield``. Its return value is the result."""


def run_to_completion(task: CooperativeTask[Result]) -> Result:
    """Run a task without pauses. Return its result."""
    while True:
        try:
            next(task)
        except StopIteration as ended:
            result: Result = ended.value
            return result
