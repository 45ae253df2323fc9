"""What annotations foretell is what the rules then do."""

from __future__ import annotations

from skerry_games.looks.guidance import Annotation
from skerry_games.sentences import counted, player
from skerry_games.small_islands import GAME
from skerry_games.small_islands.events import HousePaid
from skerry_games.small_islands.moves import LandShip, PickTile, PlaceHouse
from skerry_games.small_islands.state import Phase, State
from skerry_games.small_islands.tabletop.piece_ids import own_ship_id, tile_id
from tests.games.conformance.play import play

STATES = [state for seats in (2, 4) for seed in range(3) for state in play(GAME, seats, seed).states]


def notes(state: State, viewer: int) -> tuple[Annotation, ...]:
    """Return what the viewer may read."""
    assert GAME.guide is not None
    return GAME.guide.annotations(GAME.view(state, viewer), viewer)


def test_houses_pay_what_is_foretold() -> None:
    paid = 0
    for state in (state for state in STATES if state.phase is Phase.PLACE_HOUSES):
        cells = {tile_id(laid.tile): laid.at for laid in state.table.tiles}
        for note in notes(state, state.turn):
            if note.text.startswith("A house here") and note.text.endswith(f"to {player(state.turn)}."):
                move = PlaceHouse(cells[note.id])
                assert move in GAME.legal_moves(state, state.turn)
                for event in GAME.apply(state, state.turn, move)[1]:
                    if isinstance(event, HousePaid):
                        assert f" {counted(event.points, 'point')} " in note.text
                        paid += 1
    assert paid > 10


def test_ships_can_land_if_and_only_if_it_is_said() -> None:
    said = {True: 0, False: 0}
    for state in (state for state in STATES if state.phase is Phase.TURN):
        able = any(isinstance(move, LandShip) and not move.grey for move in GAME.legal_moves(state, state.turn))
        ship = own_ship_id(state.turn)
        noted = any(note.id == ship and note.badge == "can land" for note in notes(state, state.turn))
        assert noted == able
        said[able] += 1
    assert min(said.values()) > 10


def test_a_tile_that_fits_nowhere_cannot_be_picked() -> None:
    seen = 0
    for state in (state for state in STATES if state.phase is Phase.PICK_TILE):
        pickable = {tile_id(move.tile) for move in GAME.legal_moves(state, state.turn) if isinstance(move, PickTile)}
        hand = set(map(tile_id, state.seats[state.turn].hand))
        stuck = {note.id for note in notes(state, state.turn) if note.badge == "no room"}
        assert stuck & hand == hand - pickable
        seen += len(stuck & hand)
    assert seen
