"""What annotations foretell is what the rules then do."""

from __future__ import annotations

import re

from skerry_games.canarias import GAME
from skerry_games.canarias.events import Event, PirateDiverted, PirateStruck, SettlerChose
from skerry_games.canarias.look import aboard_ids, colour_id
from skerry_games.canarias.moves import Place, TurnUp
from skerry_games.canarias.printed.cards import FIRST_PIRATE
from skerry_games.canarias.printed.components_file import SQUARES
from skerry_games.canarias.state import Phase, State
from skerry_games.canarias.words import say
from tests.games.conformance.play import play

PLAYED = [play(GAME, seats, seed) for seats in (2, 5) for seed in range(3)]
FORETOLD = "From the ship, now: "


def notes(state: State, viewer: int | None, name: str) -> list[str]:
    """Return what the viewer may read about a place or piece."""
    assert GAME.guide is not None
    return [note.text for note in GAME.guide.annotations(GAME.view(state, viewer), viewer) if note.id == name]


def sentence(events: tuple[Event, ...]) -> str:
    """Return what the card that was turned up did, as annotations say it."""
    words = " ".join(say(one) for one in events if isinstance(one, SettlerChose | PirateStruck | PirateDiverted))
    return f"{FORETOLD}{words[0].lower()}{words[1:]}"


def test_cards_of_the_ship_do_what_is_foretold() -> None:
    seen = {True: 0, False: 0}
    for step in (step for game in PLAYED for step in game.steps if isinstance(step.move, TurnUp)):
        card = step.move.card
        is_pirate = card >= FIRST_PIRATE
        names: list[tuple[int | None, str]] = [(None, colour_id(card - FIRST_PIRATE))] if is_pirate else []
        for seat in range(len(step.before.seats)):
            names += [(seat, name) for known, name in aboard_ids(GAME.view(step.before, seat)) if known == card]
        for viewer, name in names:
            assert sentence(step.events) in notes(step.before, viewer, name)
            seen[is_pirate] += 1
    assert min(seen.values()) > 10


def test_a_house_may_go_where_its_annotation_says() -> None:
    seen = 0
    for state in (state for game in PLAYED for state in game.states if state.phase is Phase.PLACE):
        for note in notes(state, None, "now"):
            moves = GAME.legal_moves(state, state.actor)
            squares = {SQUARES[move.square] for move in moves if isinstance(move, Place)}
            assert set(re.findall(r"\b[A-D][1-6]\b", note.partition(": ")[2])) == squares
            seen += 1
    assert seen > 10
