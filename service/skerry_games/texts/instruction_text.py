"""Instructions of a game in words."""

from __future__ import annotations

from collections.abc import Iterable

from skerry_games.api import AnyGame
from skerry_games.languages.catalogues import ENGLISH
from skerry_games.languages.translation import in_language
from skerry_games.looks.instructions import NAMES, HowToPlay
from skerry_games.sentences import fill, joined_by, phrase


def instructions_text(game: AnyGame, how: HowToPlay, language: str = ENGLISH) -> str:
    """Return the instructions in words, in Markdown."""
    return fill(in_language(_instructions(game, how), language), NAMES) + "\n"


def _instructions(game: AnyGame, how: HowToPlay) -> str:
    least, most = game.seats[0], game.seats[-1]
    shortest, longest = how.minutes
    time = (
        phrase("common-to", shortest=shortest, longest=longest)
        if shortest < longest
        else phrase("common-about", longest=longest)
    )
    facts = phrase(
        "common-players-age-up-minutes", least=least, most=most, least_age=how.least_age, time=time, author=game.author
    )
    example = phrase("common-example", title=how.example.title, rule=how.example.rule)
    parts = [
        facts,
        phrase("common-how-win", aim=how.aim),
        joined_by("\n\n", (phrase("common-set-up"), _listed(how.set_up))),
        joined_by("\n\n", (phrase("common-a-turn"), _listed([figure.caption for figure in how.turn], "1."))),
        joined_by("\n\n", (example, _listed([one.caption for one in how.example.figures]))),
        joined_by("\n\n", (phrase("common-hints"), _listed(how.hints))),
        how.house_edition,
    ]
    return joined_by("\n\n", parts)


def _listed(lines: Iterable[str], bullet: str = "-") -> str:
    return joined_by("\n", (joined_by(" ", (bullet, line)) for line in lines))
