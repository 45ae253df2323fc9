from __future__ import annotations

from skerry_games.tenerife import GAME
from skerry_games.tenerife.events import CharacterFreed, CharacterLaid, ElementBuilt, MansionBuilt
from skerry_games.tenerife.moves import BuildElement, TurnUpTown
from skerry_games.tenerife.state import TURBULENT_HAND, BackColour, Character, CharacterCard, Options, State
from skerry_games.tenerife.view import PlotView
from tests.games.tenerife.acting import Events, acted, below, choices, do, happens, laying, refused, reveal
from tests.games.tenerife.drawing import at, drawn, position


def in_puerto(*, turbulent: bool = False) -> State:
    return do(GAME.setup(Options(start_seat=0, turbulent=turbulent), 2), TurnUpTown(at("PUE")))


def test_two_seats_play_without_santa_cruz_below_eight_spaces_with_two_transport_spaces() -> None:
    """TENERIFE-TWO-1"""
    view = GAME.view(GAME.setup(Options(start_seat=0), 2), None)
    assert at("SCR") not in view.undrawn_towns
    assert (len(view.undrawn_towns), len(view.column), view.transport_spaces) == (5, 8, 2)
    assert refused(GAME.setup(Options(start_seat=0), 2), TurnUpTown(at("SCR"))) == "TENERIFE-SETUP-2"


def test_two_seats_lay_four_characters_each() -> None:
    """TENERIFE-TWO-1"""
    state, turns = in_puerto(), list[int]()
    for space, card in enumerate(
        [CharacterCard.FARMER] * 2 + [CharacterCard.MASON] * 4 + [CharacterCard.EXPORTER] * 2, start=1
    ):
        turns += GAME.to_act(state)
        state = do(state, laying(space, card))
    assert turns == [0, 1] * 4
    assert state.round == 1
    assert drawn(state, "PUE") == "0 1 0 1"


def test_with_two_seats_the_top_row_of_the_hall_is_closed() -> None:
    """TENERIFE-TWO-1"""
    state, _ = reveal(position("place: LAG\ncolumn: M0", seats=2))
    assert drawn(state, "hall") == "xx / .... / ...."
    assert GAME.view(state, None).hall[:3] == (PlotView(None, closed=True),) * 2 + (PlotView(None, closed=False),)
    assert choices(state) == tuple(map(BuildElement, range(3, 11)))
    assert refused(state, BuildElement(1)) == "TENERIFE-TWO-1"


def test_with_two_seats_the_hall_is_complete_with_eight_elements() -> None:
    """TENERIFE-TWO-1, TENERIFE-END-1"""
    state, events = acted("place: LAG\ncolumn: M0\nhall: xx / 0000 / 111.", seats=2)
    assert below(events, 1) == (ElementBuilt(1, 0, 10, None),)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.scores == (8, 4)
    assert outcome.reason.startswith("TENERIFE-END-1")


def test_a_closed_plot_counts_for_no_merchant() -> None:
    """TENERIFE-TWO-1, TENERIFE-MERCHANT-2"""
    state, _ = acted("place: LAG\ncolumn: C0\nhall: xx / 01.. / ....", seats=2)
    assert GAME.scores(state) == (1, 0)


def test_in_a_turbulent_game_each_seat_has_seven_cards_in_two_colours() -> None:
    """TENERIFE-TWO-2"""
    hand = GAME.view(in_puerto(turbulent=True), 1).seats[1].hand
    assert hand == TURBULENT_HAND
    own = (CharacterCard.MASON, CharacterCard.MERCHANT, CharacterCard.EXPORTER, CharacterCard.THIEVES)
    assert hand == (*own, CharacterCard.SECOND_MASON, CharacterCard.SECOND_FARMER, CharacterCard.SECOND_THIEVES)


def test_in_a_turbulent_game_the_back_of_a_card_is_seen_by_all() -> None:
    """TENERIFE-TWO-2"""
    state, (event,) = happens(in_puerto(turbulent=True), laying(3, CharacterCard.SECOND_MASON))
    assert event == CharacterLaid(0, 3, BackColour.SECOND, Character.MASON)
    for viewer in (1, None):
        assert GAME.show(event, viewer) == CharacterLaid(0, 3, BackColour.SECOND, None)
        space = GAME.view(state, viewer).column[2]
        assert (space.colour, space.character) == (BackColour.SECOND, None)
    state, (event,) = happens(state, laying(4, CharacterCard.MASON))
    assert GAME.show(event, 0) == CharacterLaid(1, 4, BackColour.OWN, None)


def test_both_colours_act_for_the_seat_in_every_respect() -> None:
    """TENERIFE-TWO-2: thieves of either colour free a character of either colour."""
    state, events = acted_turbulent("column: m0 T1 t0 M0 t0")
    assert below(events, 1) == (CharacterFreed(1, 0, Character.MASON, 3), MansionBuilt(1, 0, at("PUE"), 1, 2, None))
    assert below(events, 4) == (MansionBuilt(4, 0, at("PUE"), 2, 2, None),)
    assert state.seats[0].mansions == 10


def acted_turbulent(text: str) -> tuple[State, Events]:
    return reveal(position(text, seats=2, turbulent=True))


def test_thieves_of_the_second_colour_may_not_lie_below_the_last_space_either() -> None:
    """TENERIFE-ROUND-3, TENERIFE-TWO-2"""
    assert refused(in_puerto(turbulent=True), laying(8, CharacterCard.SECOND_THIEVES)) == "TENERIFE-ROUND-3"


def test_there_is_no_second_colour_in_other_games_and_only_one_of_each_card_in_a_turbulent_one() -> None:
    """TENERIFE-TWO-2"""
    assert refused(in_puerto(), laying(1, CharacterCard.SECOND_MASON)) == "TENERIFE-TWO-2"
    assert refused(in_puerto(turbulent=True), laying(1, CharacterCard.FARMER)) == "TENERIFE-ROUND-2"
    state = do(in_puerto(turbulent=True), laying(1, CharacterCard.MASON), laying(2, CharacterCard.MASON))
    assert refused(state, laying(3, CharacterCard.MASON)) == "TENERIFE-ROUND-2"


def test_after_a_turbulent_round_all_seven_cards_return() -> None:
    """TENERIFE-ROUND-4, TENERIFE-TWO-2"""
    state, _ = acted_turbulent("")
    assert [seat.hand for seat in state.seats] == [TURBULENT_HAND] * 2
