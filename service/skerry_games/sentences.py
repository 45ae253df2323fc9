"""Sentences that speak of players. A game writes templates; whoever knows the names puts them in.

In a template ``{0}`` stands for the player of seat 0, ``{1}`` for that of seat 1, and so on; braces have no other use.
"""

from __future__ import annotations

from collections.abc import Sequence


def player(seat: int) -> str:
    """Return what stands for the player of a seat in a template."""
    return f"{{{seat}}}"


def fill(template: str, names: Sequence[str]) -> str:
    """Return the sentence, each player called by name. ``names`` has one for each seat."""
    return template.format(*names) if "{" in template else template
