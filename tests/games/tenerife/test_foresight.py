"""What annotations foretell is what the rules then do."""

from __future__ import annotations

from skerry_games.looks.guidance import Annotation
from skerry_games.sentences import counted
from skerry_games.tenerife import GAME
from skerry_games.tenerife.actions.town_hall import split_of
from skerry_games.tenerife.events import CharacterRobbed, MerchantMoved, WarehouseExported
from skerry_games.tenerife.guide import GUIDE
from skerry_games.tenerife.moves import MoveMerchant
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import Phase, State, with_item
from tests.games.conformance.play import play

PLAYED = [play(GAME, seats, seed) for seats in (2, 4) for seed in range(6)]
STATES = [state for game in PLAYED for state in game.states]


def notes(state: State, name: str, viewer: int | None = None) -> list[Annotation]:
    """Return what the viewer may read about a place or piece."""
    return [note for note in GUIDE.annotations(GAME.view(state, viewer), viewer) if note.id == name]


def test_merchants_go_and_score_as_foretold() -> None:
    moved = 0
    for state in (state for state in STATES if state.phase is Phase.CHOOSE_DESTINATION):
        (note,) = notes(state, f"merchant:{state.turn}")
        for move in GAME.legal_moves(state, state.turn):
            assert isinstance(move, MoveMerchant)
            first = GAME.apply(state, state.turn, move)[1][0]
            assert isinstance(first, MerchantMoved)
            assert f"{BOARD.places[move.place].name} for {counted(first.points, 'point', none='no')}" in note.text
            moved += 1
    assert moved > 10


def test_thieves_take_the_goods_that_are_foretold() -> None:
    taken = 0
    for step in (step for game in PLAYED for step in game.steps):
        for event in step.events[:1]:
            if isinstance(event, WarehouseExported) and event.victim is not None:
                (note,) = notes(step.before, f"storage:{event.storage}")
                assert f"{{{event.victim}}}" in note.text.partition("thieves that rob")[2]
                taken += 1
    assert taken


def test_characters_are_robbed_as_foretold() -> None:
    robbed = 0
    for step in (step for game in PLAYED for step in game.steps if step.before.active):
        for event in (event for event in step.events if isinstance(event, CharacterRobbed)):
            (note,) = notes(step.before, f"space:{event.space}")
            assert note.badge == "robbed"
            assert note.text == f"As things stand: {GAME.say(event)}"
            robbed += 1
    assert robbed > 10


def test_own_cards_are_foretold_to_their_owner_only() -> None:
    own = 0
    for state in (state for state in STATES[::7] if state.phase is Phase.LAY):
        for viewer in range(len(state.seats)):
            for note in GUIDE.annotations(GAME.view(state, viewer), viewer):
                if note.id.startswith("space:"):
                    assert state.owners[int(note.id.removeprefix("space:")) - 1] == viewer
                    own += 1
    assert own > 10


def test_elements_add_what_is_foretold() -> None:
    built = 0
    for state in (state for state in STATES if state.phase is Phase.CHOOSE_PLOT):
        before = split_of(state.hall, state.turn)[0]
        for move in GAME.legal_moves(state, state.turn):
            plot = move.plot  # type: ignore[union-attr]
            after = split_of(with_item(state.hall, plot - 1, state.turn), state.turn)[0]
            (note,) = notes(state, f"plot:{plot}")
            assert note.badge == f"+{after - before}"
            built += 1
    assert built > 10
