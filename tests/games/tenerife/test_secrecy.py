"""What lies face down stays secret: shown here by counting deals, and by leaks that the conformance suite catches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace as with_changes
from itertools import permutations

import pytest
from msgspec.structs import replace

from skerry_games.api import CHANCE, OVER, AnyGame, MalformedMove, Viewer
from skerry_games.rng import Rng, SeededRng
from skerry_games.tenerife import GAME
from skerry_games.tenerife.events import CharacterLaid, Event
from skerry_games.tenerife.moves import (
    BuildElement,
    BuildMansion,
    DrawStartSeat,
    Export,
    Lay,
    Move,
    MoveMerchant,
    TurnUpTown,
)
from skerry_games.tenerife.state import HAND, BackColour, CharacterCard, Options, State
from skerry_games.tenerife.view import View
from tests.games.conformance.secrecy import check_nothing_hidden_is_seen, check_refusals_hide_secrets
from tests.games.conformance.step_secrecy import (
    check_redeal_draws_anew,
    check_redeals_agree_with_steps,
    check_steps_hide_choices,
)
from tests.games.tenerife.acting import acted, do, laying, refused, reveal
from tests.games.tenerife.drawing import at, position
from tests.games.tenerife.totals import count_pieces
from tests.games.tenerife.variants import TURBULENT

Check = Callable[[AnyGame, int, int], None]
DEALS = 4000


def laid(*cards: tuple[int, CharacterCard], seats: int = 3, turbulent: bool = False) -> State:
    start = do(GAME.setup(Options(start_seat=0, turbulent=turbulent), seats), TurnUpTown(at("ICO")))
    return do(start, *(laying(space, card) for space, card in cards))


def redealt(state: State, viewer: Viewer, deals: int = DEALS) -> list[State]:
    return [GAME.redeal(state, viewer, SeededRng(bytes(32), roll)) for roll in range(deals)]


def test_a_redeal_varies_the_cards_of_other_seats_only() -> None:
    """TENERIFE-ROUND-3"""
    state = laid((1, CharacterCard.MASON), (2, CharacterCard.THIEVES), (3, CharacterCard.FARMER))
    for twin in redealt(state, 0, 100):
        assert (twin.cards[0], twin.seats[0]) == (state.cards[0], state.seats[0])
        assert twin.owners == state.owners
        assert GAME.view(twin, 0) == GAME.view(state, 0)
        assert count_pieces(twin) == count_pieces(state)
    for space in (1, 2):
        assert {twin.cards[space] for twin in redealt(state, 0)} == {*HAND}
    assert {twin.cards[0] for twin in redealt(state, None)} == {*HAND}


def test_every_deal_of_the_cards_is_equally_likely() -> None:
    """TENERIFE-ROUND-3: that fits what is seen, with thieves nowhere below the last space."""
    state = laid(
        (9, CharacterCard.MASON),
        (1, CharacterCard.MASON),
        (2, CharacterCard.MASON),
        (3, CharacterCard.FARMER),
        (4, CharacterCard.FARMER),
        (5, CharacterCard.FARMER),
    )
    possible = Counter(pair for pair in permutations(HAND, 2) if pair[0] is not CharacterCard.THIEVES)
    dealt = Counter((twin.cards[8], twin.cards[2]) for twin in redealt(state, 1))
    assert {*dealt} == {*possible}
    for pair, ways in possible.items():
        expected = DEALS * ways / possible.total()
        assert abs(dealt[pair] - expected) < 6 * expected**0.5


def test_a_redeal_keeps_the_backs_of_a_turbulent_game() -> None:
    """TENERIFE-TWO-2"""
    state = laid(
        (8, CharacterCard.SECOND_MASON), (1, CharacterCard.MASON), (2, CharacterCard.THIEVES), turbulent=True, seats=2
    )
    deals = redealt(state, 1)
    assert {twin.cards[7] for twin in deals} == {CharacterCard.SECOND_MASON, CharacterCard.SECOND_FARMER}
    assert {twin.cards[1] for twin in deals} == {
        CharacterCard.MASON,
        CharacterCard.MERCHANT,
        CharacterCard.EXPORTER,
        CharacterCard.THIEVES,
    }
    assert all(twin.cards[0] is CharacterCard.MASON for twin in deals)


def test_after_all_were_revealed_there_is_nothing_to_redeal() -> None:
    """TENERIFE-ROUND-4"""
    state, _ = reveal(position("column: M0 T1"))
    assert all(twin == state for twin in redealt(state, 2, 20))
    assert refused(state, laying(1, CharacterCard.MASON)) == "TENERIFE-ROUND-5"


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_other_viewers_see_the_space_and_back_of_a_laid_card_but_not_its_character(viewer: Viewer) -> None:
    """TENERIFE-ROUND-3, TENERIFE-TWO-2"""
    assert GAME.show_move(laying(3, CharacterCard.THIEVES), 0, viewer) == Lay(3, None, BackColour.OWN)
    assert GAME.show_move(laying(3, CharacterCard.SECOND_FARMER), 0, viewer) == Lay(3, None, BackColour.SECOND)
    assert GAME.show_move(laying(3, CharacterCard.THIEVES), 0, 0) == laying(3, CharacterCard.THIEVES)


@pytest.mark.parametrize(
    ("actor", "move"),
    [
        (0, BuildElement(7)),
        (0, BuildElement(7, 1)),
        (0, BuildMansion(at("ICO"), 1)),
        (0, Export(4)),
        (0, Export(3, 2)),
        (0, MoveMerchant(at("LAG"))),
        (CHANCE, TurnUpTown(at("ICO"))),
        (CHANCE, DrawStartSeat(2)),
    ],
)
def test_all_other_moves_are_public_chance_moves_too(actor: int, move: Move) -> None:
    """TENERIFE-ROUND-4, TENERIFE-ROUND-1"""
    assert [GAME.show_move(move, actor, viewer) for viewer in (0, 1, None)] == [move] * 3


@pytest.mark.parametrize("actor", [0, 1, CHANCE])
def test_a_masked_move_is_malformed(actor: int) -> None:
    """TENERIFE-ROUND-3"""
    for state in (laid(), laid((3, CharacterCard.MASON)), reveal(position("column: M0 T1"))[0]):
        with pytest.raises(MalformedMove):
            GAME.apply(state, actor, Lay(1, None, BackColour.OWN))


def test_once_the_game_is_over_every_viewer_sees_everything() -> None:
    """TENERIFE-ROUND-4, TENERIFE-END-1"""
    state, _ = acted("place: LAG\nhall: 00 / 0000 / 0000")
    assert GAME.to_act(state) == OVER
    for viewer in (0, 1, 2, None):
        assert [seat.hand for seat in GAME.view(state, viewer).seats] == [HAND] * 3
        assert GAME.view(state, viewer) == GAME.view(state, 0)
        assert all(twin == state for twin in redealt(state, viewer, 20))


def spoilt(**changes: object) -> AnyGame:
    return with_changes(TURBULENT, **changes)  # type: ignore[arg-type]


def view_of_everything(state: State, viewer: Viewer) -> View:
    seen = GAME.view(state, viewer)
    return replace(seen, column=GAME.view(replace(state, active=1), viewer).column)


def view_of_hands(state: State, viewer: Viewer) -> View:
    seen = GAME.view(state, viewer)
    shown = [replace(seat, hand=hidden.hand) for seat, hidden in zip(seen.seats, state.seats, strict=True)]
    return replace(seen, seats=tuple(shown))


def show_all(event: Event, viewer: Viewer) -> Event:
    return event


def show_thieves(event: Event, viewer: Viewer) -> Event | None:
    if isinstance(event, CharacterLaid) and event.character and event.character.name == "THIEVES":
        return event
    return GAME.show(event, viewer)


def redeal_nothing(state: State, viewer: Viewer, rng: Rng) -> State:
    return state


def redeal_all_backs(state: State, viewer: Viewer, rng: Rng) -> State:
    """Forget that the backs are seen."""
    cards = [card and rng.choice([*CharacterCard]) for card in state.cards]
    kept = [card if owner == viewer else new for card, new, owner in zip(state.cards, cards, state.owners, strict=True)]
    return replace(state, cards=tuple(kept))


def forgetful_redeal(state: State, viewer: Viewer, rng: Rng) -> State:
    """Deal anew what has been revealed."""
    return replace(GAME.redeal(replace(state, active=0), viewer, rng), active=state.active)


def refuse_by_secrets(state: State, actor: int, move: object) -> object:
    """Refuse a card below a taken space in other words if thieves lie there."""
    if isinstance(move, Lay) and 0 < move.space <= len(state.cards):
        there = state.cards[move.space - 1]
        if there is CharacterCard.THIEVES or there is CharacterCard.SECOND_THIEVES:
            move = replace(move, space=99)
    return GAME.apply(state, actor, move)  # type: ignore[arg-type]


LEAKS: dict[str, tuple[AnyGame, Check]] = {
    "the view shows what lies face down": (spoilt(view=view_of_everything), check_nothing_hidden_is_seen),
    "the view shows the hands of others": (spoilt(view=view_of_hands), check_nothing_hidden_is_seen),
    "an event shows the character": (spoilt(show=show_all), check_steps_hide_choices),
    "an event shows thieves": (spoilt(show=show_thieves), check_steps_hide_choices),
    "nothing is dealt anew": (spoilt(redeal=redeal_nothing), check_redeal_draws_anew),
    "backs are dealt anew": (spoilt(redeal=redeal_all_backs), check_nothing_hidden_is_seen),
    "revealed characters are dealt anew": (spoilt(redeal=forgetful_redeal), check_nothing_hidden_is_seen),
    "a refusal tells of thieves": (spoilt(apply=refuse_by_secrets), check_refusals_hide_secrets),
}


@pytest.mark.parametrize(("game", "check"), LEAKS.values(), ids=LEAKS.keys())
def test_a_leak_is_noticed(game: AnyGame, check: Check) -> None:
    """TENERIFE-ROUND-3, TENERIFE-TWO-2"""
    with pytest.raises(AssertionError):
        check(game, 2, 1)


def test_a_redeal_keeps_revealed_characters() -> None:
    """TENERIFE-ROUND-4: the checks that notice leaks pass on the game as it is."""
    for check in {check for _, check in LEAKS.values()} | {check_redeals_agree_with_steps}:
        check(TURBULENT, 2, 1)
