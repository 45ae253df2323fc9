"""Visibility of moves during a game: viewers see the public fields of a move, and nothing else."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec import structs

from skerry_games.api import CHANCE, MalformedMove, Viewer
from skerry_games.sentences import fill
from skerry_games.small_islands import GAME
from skerry_games.small_islands.moves import (
    NO_TOKEN,
    STOP_BUILDING,
    ChooseObjective,
    DealCard,
    DealTile,
    DrawDiscovery,
    DrawStartSeat,
    KeepDiscovery,
    LandShip,
    LayStart,
    LayTile,
    Move,
    PickResource,
    PickTile,
    PlaceHouse,
    PlaceToken,
    TakeTile,
    TakeToken,
    TurnUpTile,
)
from skerry_games.small_islands.printed.components import Bonus, Symbol
from skerry_games.small_islands.state import Mode, Options
from skerry_service.wire.payloads import codec_of
from tests.games.small_islands.drawing import card, cell, face
from tests.games.small_islands.random_games import steps

CODEC = codec_of("small_islands")
HERE = cell("8,7")
VIEWERS: Final[tuple[Viewer, ...]] = (0, 1, 2, None)
OPEN: Final[tuple[tuple[int, Move], ...]] = (
    (CHANCE, DrawStartSeat(1)),
    (CHANCE, TurnUpTile(face("L07"))),
    (1, LayStart(face("S2B"), HERE, 2)),
    (1, TakeTile(face("L07"))),
    (1, LandShip(HERE, True)),
    (1, PickTile(face("L07"))),
    (1, LayTile(HERE, 3)),
    (1, TakeToken(Bonus.ANY, Symbol.LEAF)),
    (1, NO_TOKEN),
    (1, PlaceToken(Bonus.ANY, Symbol.LEAF, HERE, Symbol.FRUIT)),
    (1, PlaceHouse(HERE)),
    (1, STOP_BUILDING),
    (1, PickResource(Symbol.LEAF)),
)
SECRET: Final[tuple[tuple[int, Move, Move, str], ...]] = (
    (CHANCE, DealTile(1, 7), DealTile(1, None), "deal a tile to Bob"),
    (CHANCE, DealCard(1, card("O7")), DealCard(1, None), "deal a card to Bob"),
    (CHANCE, DrawDiscovery(1, (3, 8)), DrawDiscovery(1, ()), "let Bob draw discovery tokens"),
    (1, ChooseObjective((card("O3"),), (card("O5"),)), ChooseObjective((), ()), "choose an objective"),
    (1, KeepDiscovery(8), KeepDiscovery(None), "keep a discovery token"),
)
KEPT_SECRET = {DealTile, DealCard, DrawDiscovery, ChooseObjective, KeepDiscovery}


@pytest.mark.parametrize(("actor", "move"), OPEN)
def test_what_lies_open_at_the_table_is_shown_to_everybody_at_once(actor: int, move: Move) -> None:
    """SMALL-EXPLORE-2, SMALL-TOKEN-1, SMALL-LAND-1, SMALL-REWARD-1"""
    assert all(GAME.show_move(move, actor, viewer) == move for viewer in VIEWERS)


@pytest.mark.parametrize(("actor", "move", "masked", "words"), SECRET)
def test_what_is_secret_is_shown_to_its_seat_alone(actor: int, move: Move, masked: Move, words: str) -> None:
    """SMALL-SETUP-3, SMALL-PREP-2, SMALL-PAY-1: the others see that it was done, and by whom or for whom."""
    assert GAME.show_move(move, actor, 1) == move
    assert all(GAME.show_move(move, actor, viewer) == masked for viewer in (0, 2, None))
    assert fill(GAME.say_move(masked), ("Ada", "Bob", "Cleo")) == words


def test_every_kind_of_move_is_open_or_secret() -> None:
    open_kinds, secret_kinds = {type(move) for _, move in OPEN}, {type(move) for _, move, _, _ in SECRET}
    assert secret_kinds == KEPT_SECRET
    assert open_kinds | secret_kinds == set(GAME.move_type.__args__)


@pytest.mark.parametrize(("masked", "hidden"), [(masked, move) for _, move, masked, _ in SECRET])
def test_what_is_hidden_is_absent_on_the_wire(masked: Move, hidden: Move) -> None:
    """A field without presence is never masked: the seat is always true."""
    message = CODEC.move_to_proto(masked)
    sent: Any = getattr(message, str(message.WhichOneof("kind")))
    events = {field.name for field, _ in sent.ListFields()}
    whole: Any = getattr(CODEC.move_to_proto(hidden), str(message.WhichOneof("kind")))
    assert events == {field.name for field, _ in whole.ListFields()} & {"seat"}
    with_presence = [field.name for field in sent.DESCRIPTOR.fields if field.has_presence and field.name != "seat"]
    assert not any(sent.HasField(name) for name in with_presence)


@pytest.mark.parametrize("options", [Options(), Options(mode=Mode.ADVANCED)], ids=lambda options: options.mode.name)
def test_a_masked_copy_is_never_a_move_that_can_be_made(options: Options) -> None:
    """SMALL-SETUP-3, SMALL-PREP-2, SMALL-PREP-3, SMALL-PAY-1: a masked copy is never legal, for any actor."""
    masked = set()
    for seed in (1, 7, 8):
        for state, actor, _, move in steps(options, 3, seed):
            copy = GAME.show_move(move, actor, None)
            if copy == move:
                continue
            assert copy is not None
            masked.add(type(copy))
            for maker in (actor, *range(3)):
                with pytest.raises(MalformedMove, match="Send the complete move"):
                    GAME.apply(state, maker, copy)
    assert masked >= {DealTile, DealCard, ChooseObjective} and masked <= KEPT_SECRET


@pytest.mark.parametrize("move", [masked for _, _, masked, _ in SECRET])
def test_a_copy_without_what_it_hides_is_malformed_on_the_wire(move: Move) -> None:
    with pytest.raises(MalformedMove, match="Name the "):
        CODEC.move_from_proto(CODEC.move_to_proto(move))


def test_shown_moves_with_their_hidden_parts_reproduce_the_states() -> None:
    """Only masked fields are missing: with them filled in, the moves that a spectator saw replay the game."""
    followed = GAME.setup(Options(start_seat=1), 3)
    for state, actor, _, move in steps(Options(start_seat=1), 3, 5):
        assert followed == state
        shown = GAME.show_move(move, actor, None)
        assert shown is not None
        if type(shown) in KEPT_SECRET:
            hidden = {name: getattr(move, name) for name in shown.__struct_fields__ if name != "seat"}
            shown = structs.replace(shown, **hidden)
        followed, _ = GAME.apply(followed, actor, shown)
