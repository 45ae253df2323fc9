"""Finds positions for instructions in random games, and draws the part of the table that matters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from msgspec import Struct

from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame
from skerry_games.languages.catalogues import ENGLISH
from skerry_games.languages.translation import in_language
from skerry_games.looks.instructions import NAMES, Figure
from skerry_games.looks.picture import SeatHeading, detail_of
from skerry_games.rng import SeededRng
from skerry_games.sentences import counted, fill, joined_by

_MOST_GAMES: Final = 400


class Moment(Struct, frozen=True):
    """A move of a random game."""

    before: Any
    actor: int
    events: tuple[Any, ...]
    after: Any

    def events_of(self, kind: type) -> tuple[Any, ...]:
        """Return the events of a kind."""
        return tuple([event for event in self.events if isinstance(event, kind)])


def moment(game: AnyGame, seats: int, seed: int, wanted: Callable[[Moment], bool]) -> Moment:
    """Return the first move that is wanted, of random games with the numbers from ``seed`` on."""
    for number in range(seed, seed + _MOST_GAMES):
        for one in _moments(game, seats, number):
            if wanted(one):
                return one
    raise LookupError(f"No wanted move in {_MOST_GAMES} games of {game.title}.")


def _moments(game: AnyGame, seats: int, seed: int) -> Iterator[Moment]:
    state, number = game.setup(game.options_type(), seats), 0
    while acting := game.to_act(state):
        rng, number = SeededRng(seed.to_bytes(32, "big"), number), number + 1
        actor = CHANCE if acting == CHANCE_ACTS else acting[0]
        move = game.draw(state, rng) if actor == CHANCE else rng.choice(game.legal_moves(state, actor))
        after, events = game.apply(state, actor, move)
        yield Moment(state, actor, events, after)
        state = after


def figure_of(game: AnyGame, one: Moment, caption: str, event: Any, *more: str) -> Figure:
    """Return a picture of what an event touched, after its move. ``more``: ids to show beside it."""
    assert game.guide is not None
    touched = game.guide.touched(event)
    return Figure(caption, one.after, None if one.actor == CHANCE else one.actor, (*touched, *more), touched)


def first_figure(game: AnyGame, seats: int, seed: int, kind: type, caption: str) -> Figure:
    """Return a picture of what the first event of a kind touched, in random games from ``seed`` on."""
    one = moment(game, seats, seed, lambda one: bool(one.events_of(kind)))
    return figure_of(game, one, caption, one.events_of(kind)[0])


def drawing_of(game: AnyGame, figure: Figure, theme: str, language: str = ENGLISH) -> str:
    """Return the picture of a figure, as SVG. ``theme``, ``language``: as in ``picture_of``. Raises KeyError."""
    scores, acting = game.scores(figure.state), game.to_act(figure.state)
    headings = [SeatHeading(NAMES[seat], score, seat in acting) for seat, score in enumerate(scores)]
    view, caption = game.view(figure.state, figure.viewer), fill(in_language(figure.caption, language), NAMES)
    return detail_of(
        game,
        view,
        figure.viewer,
        headings,
        figure.around,
        figure.marked,
        theme=theme,
        title=caption,
        language=language,
    )


def pieces_in_words(*counts: tuple[int, str]) -> str:
    """Return the things of which there are some: ``2 villagers, 1 ship``."""
    return joined_by(", ", (counted(count, thing) for count, thing in counts if count))
