"""Sentences that speak of players. A game writes templates; whoever knows the names puts them in.

In a template ``{0}`` stands for the player of seat 0, ``{1}`` for that of seat 1, and so on; braces have no other use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def player(seat: int) -> str:
    """Return what stands for the player of a seat in a template."""
    return f"{{{seat}}}"


def listed(words: Iterable[str], before_last: str = "and") -> str:
    """Return ``a``, ``a and b`` or ``a, b and c``."""
    *first, last = words
    return f"{', '.join(first)} {before_last} {last}" if first else last


def counted(number: int, thing: str, *, none: str = "0") -> str:
    """Return ``1 point`` or ``5 points``; ``none`` stands before the plural where there is nothing."""
    return f"1 {thing}" if number == 1 else f"{number or none} {thing}s"


def winners_sentence(winners: Sequence[int], best: str) -> str:
    """Return the last sentence of a game that by its rules these seats have won, with so much each.

    It does not say so: who has resigned has not won, whatever a substitute has made of it, and rules know of neither.
    """
    if len(winners) == 1:
        return f"The game is over: {player(winners[0])} is ahead with {best}."
    return f"The game is over: {listed(map(player, winners))} are ahead with {best} each."


def fill(template: str, names: Sequence[str]) -> str:
    """Return the sentence, each player called by name. ``names`` has one for each seat."""
    return template.format(*names) if "{" in template else template
