"""Instructions of a game in words."""

from __future__ import annotations

from collections.abc import Iterable

from skerry_games.api import AnyGame
from skerry_games.looks.instructions import NAMES, HowToPlay
from skerry_games.sentences import fill


def instructions_text(game: AnyGame, how: HowToPlay) -> str:
    """Return the instructions in words, in Markdown."""
    least, most = game.seats[0], game.seats[-1]
    shortest, longest = how.minutes
    time = f"{shortest} to {longest}" if shortest < longest else f"about {longest}"
    facts = f"{least} to {most} players · age {how.least_age} and up · {time} minutes · by {game.author}"
    parts = [
        facts,
        f"**How to win.** {how.aim}",
        "**Set-up**\n\n" + _listed(how.set_up),
        "**A turn**\n\n" + _listed([figure.caption for figure in how.turn], "1."),
        f"**Example: {how.example.title}** ({how.example.rule})\n\n"
        + _listed([one.caption for one in how.example.figures]),
        "**Hints**\n\n" + _listed(how.hints),
        how.house_edition,
    ]
    return fill("\n\n".join(parts), NAMES) + "\n"


def _listed(lines: Iterable[str], bullet: str = "-") -> str:
    return "\n".join(f"{bullet} {line}" for line in lines)
