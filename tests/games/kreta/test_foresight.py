"""What annotations foretell is what the rules then do."""

from __future__ import annotations

from collections import Counter

from skerry_games.kreta import GAME
from skerry_games.kreta.events import ProvinceScored, ScoringBegun, TileHarvested
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.moves import BuildVillage, Recruit
from skerry_games.kreta.state import KretaCard, Phase, State
from skerry_games.looks.guidance import Annotation
from skerry_games.looks.scene import ScenePiece
from skerry_games.sentences import counted, player
from tests.games.conformance.play import play

PLAYED = [play(GAME, seats, seed) for seats in (2, 4) for seed in range(8)]


def notes(state: State) -> tuple[Annotation, ...]:
    """Return what everybody may read."""
    assert GAME.guide is not None
    return GAME.guide.annotations(GAME.view(state, None), None)


def drawn(state: State) -> tuple[ScenePiece, ...]:
    """Return what everybody sees."""
    assert GAME.look is not None
    return GAME.look.pieces(GAME.view(state, None), None)


def test_forts_pay_what_is_foretold() -> None:
    paid = 0
    for step in (step for game in PLAYED for step in game.steps):
        for fort in (event.fort for event in step.events if isinstance(event, ScoringBegun)):
            points = Counter[int]()
            for event in (event for event in step.events if isinstance(event, ProvinceScored)):
                points.update(dict(enumerate(event.awards)))
            shown = [piece for piece in drawn(step.before) if piece.id.startswith(f"pays:{fort}:")]
            assert {piece.owner: piece.symbol for piece in shown} == {
                seat: f"points-{award}" for seat, award in points.items() if award
            }
            assert len([note for note in notes(step.before) if note.id == f"fort-card:{fort}"]) == (len(shown) > 0)
            paid += len(shown)
    assert paid > 10


def test_farmers_get_what_is_foretold() -> None:
    harvested = 0
    for state in (state for game in PLAYED for state in game.states if state.action is KretaCard.FARMER):
        me = player(state.turn)
        foretold = {note.id: note.text for note in notes(state) if note.id.startswith("tile:") and me in note.text}
        for move in GAME.legal_moves(state, state.turn):
            event = GAME.apply(state, state.turn, move)[1][0]
            assert isinstance(event, TileHarvested)
            text = foretold.pop(f"tile:{BOARD.provinces[event.province].id}")
            assert f"{me} {counted(event.points, 'point')}" in text
            harvested += 1
        assert not foretold
    assert harvested > 5


def test_nobody_adds_where_it_is_said_to_be_forbidden() -> None:
    closed = 0
    for state in (state for game in PLAYED for state in game.states if state.phase is Phase.ACTION):
        texts = [note.text for note in notes(state) if "may add" in note.text]
        moves = GAME.legal_moves(state, state.turn)
        added = {BOARD.provinces[move.province].name for move in moves if isinstance(move, Recruit | BuildVillage)}
        for text in texts:
            closed += 1
            assert player(state.turn) in text or text.rpartition(" in ")[2].rstrip(".") not in added
    assert closed > 10
