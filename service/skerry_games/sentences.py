"""Sentence templates. The rules know seats only, and ``fill`` puts the players' names in.

In a template, ``{0}`` is the name of the player in seat 0, ``{1}`` of the player in seat 1, and so on. Braces have no
other use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def player(seat: int) -> str:
    """Return the placeholder for the name of a seat's player, as in ``{0}``."""
    return f"{{{seat}}}"


def listed(words: Iterable[str], before_last: str = "and") -> str:
    """Return ``a``, ``a and b`` or ``a, b and c``."""
    *first, last = words
    return f"{', '.join(first)} {before_last} {last}" if first else last


def counted(number: int, thing: str, *, none: str = "0") -> str:
    """Return ``1 point`` or ``5 points``. ``none`` replaces the number 0, as in ``no points``."""
    return f"1 {thing}" if number == 1 else f"{number or none} {thing}s"


def winners_sentence(winners: Sequence[int], best: str) -> str:
    """Return the sentence that ends a game in which these seats are ahead, each with ``best`` (``7 points``).

    The sentence does not say "wins": a player who resigned does not win, and the rules do not know of resignations.
    """
    if len(winners) == 1:
        return f"The game is over: {player(winners[0])} is ahead with {best}."
    return f"The game is over: {listed(map(player, winners))} are ahead with {best} each."


def fill(template: str, names: Sequence[str]) -> str:
    """Return the sentence with the names of the players. ``names`` has one name for each seat."""
    return template.format(*names) if "{" in template else template
