"""Observations have the numbers that the names of their features promise, within bounds, and no hidden information."""

from __future__ import annotations

import pickle
import re
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from skerry_arena.learning.encoding.action_encoding import ActionEncoding
from skerry_arena.learning.encoding.bounds import BoundsMissing, bounds_of
from skerry_arena.learning.encoding.game_encoding import GameEncoding
from skerry_arena.learning.encoding.observation_encoding import ObservationEncoding
from skerry_games import canarias
from skerry_games.api import AnyGame
from skerry_games.canarias.state import DeckOption, Options
from skerry_games.catalogue import all_games
from skerry_games.shapes import GroupedBy, Multiset, Shapes
from tests.games.canarias.drawing import card, position
from tests.games.conformance.play import dice, play, spread
from tests.games.pairs import GAME as PAIRS
from tests.games.variants import all_variants

VARIANTS = [pytest.param(variant.game, id=variant.id) for variant in all_variants()]
STEP = re.compile(r"\.?(\w+)|\[([^\]]*)\]")


def encoding_of(game: AnyGame, seats: int, options: Any = None) -> ObservationEncoding:
    return ObservationEncoding(game, options or game.options_type(), seats, ActionEncoding(game))


def named(view: Any, name: str, shapes: Shapes) -> int:
    """Return the number that a feature's name promises, by following the name into the view."""
    value, path, steps = view, "", STEP.findall(name.removesuffix("?"))
    for number, (field, at) in enumerate(steps):
        last = number == len(steps) - 1
        shape = shapes.get(path)
        if value is None:
            return 0
        if field:
            value, path = getattr(value, field), f"{path}.{field}".removeprefix(".")
            continue
        path += "[]"
        if isinstance(shape, Multiset):
            return sum(label(one) == at for one in value)
        if isinstance(shape, GroupedBy):
            equal = [one for one in value if label(key(one, shape.key)) == at]
            assert len(set(equal)) <= 1
            if last and name.endswith("?"):
                return len(equal)
            value = equal[0] if equal else None
            if value is not None and isinstance(shape.key, int):
                value = value[1 - shape.key]
        else:
            value = value[int(at)] if int(at) < len(value) else None
    return int(value is not None) if name.endswith("?") else int(value or 0)


def key(item: Any, name: str | int) -> Any:
    return item[name] if isinstance(name, int) else getattr(item, name)


def label(value: Any) -> str:
    return value.name.lower() if hasattr(value, "name") else str(value)


@pytest.mark.parametrize("game", VARIANTS)
def test_each_number_is_what_the_name_of_its_feature_says(game: AnyGame) -> None:
    for seats in (game.seats[0], game.seats[-1]):
        encoding, shapes = encoding_of(game, seats), bounds_of(game).shapes(game.options_type(), seats)
        beginning = ActionEncoding(game).longest
        for number, state in enumerate(spread(play(game, seats, 6).states, 8)):
            view = game.view(state, number % seats)
            received = encoding.encode(0, (), view)
            for feature, found in zip(encoding.features[beginning:], received[beginning:].tolist(), strict=True):
                assert found == named(view, feature.name, shapes), feature.name


@pytest.mark.parametrize("game", VARIANTS)
def test_numbers_are_within_bounds_and_do_not_depend_on_hidden_information(game: AnyGame) -> None:
    compared = 0
    for seats in game.seats:
        encoding = encoding_of(game, seats)
        names = [one.name for one in encoding.features]
        assert len(set(names)) == len(names) == encoding.size
        for number, state in enumerate(spread(play(game, seats, 5).states, 20)):
            for seat in range(seats):
                received = encoding.encode(seat, (), game.view(state, seat))
                assert ((encoding.low <= received) & (received <= encoding.high)).all()
                twin = game.redeal(state, seat, dice(8, number))
                assert (encoding.encode(seat, (), game.view(twin, seat)) == received).all()
                compared += twin != state
    assert (compared > 0) == (game.id != "kreta")


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_categories_name_every_value(game: AnyGame) -> None:
    encoding = encoding_of(game, game.seats[0])
    for feature in encoding.features:
        assert not feature.categories or (feature.low, len(feature.categories)) == (0, feature.high + 1)
    seats = [str(seat) for seat in range(game.seats[0])]
    for path in bounds_of(game).seat_numbers:
        found = [one for one in encoding.features if re.sub(r"\[[^]]*\]", "[]", one.name) == path]
        assert found and all(list(one.categories) == seats for one in found), path
    phase = next(one for one in encoding.features if one.name == "phase")
    assert "over" in phase.categories


def test_the_beginning_is_the_seat_and_the_incomplete_move() -> None:
    game = GameEncoding("kreta", 3)
    view = game.game.view(game.game.setup(game.options, 3), 2)
    received = game.observations.encode(2, (4, 0), view)
    assert [feature.name for feature in game.observations.features[:4]] == [
        "seat",
        "prefix[0]",
        "prefix[1]",
        "prefix[2]",
    ]
    assert received[:4].tolist() == [2, 5, 1, 0]
    begun = game.observations.features[1]
    assert begun.categories[received[1]] == game.actions.names[4]
    assert begun.categories[0] == ""


def test_a_row_of_a_shared_array_is_filled_in_place() -> None:
    game = GameEncoding("tenerife")
    rows = np.full((3, game.observations.size), 99, np.int16)
    view = game.game.view(game.game.setup(game.options, 2), 0)
    game.observations.fill(rows[1], 0, (), view)
    assert (rows[1] == game.observations.encode(0, (), view)).all()
    assert (rows[[0, 2]] == 99).all()


def test_a_view_out_of_bounds_raises() -> None:
    encoding = encoding_of(all_games()["kreta"], 2)
    game = all_games()["kreta"]
    view = game.view(game.setup(game.options_type(), 2), None)
    for wrong in (
        {"provinces": view.provinces[1:]},
        {"pile": 1 << 15},
        {"fort_row": tuple(range(12))},
        {"scored_forts": (999,)},
        {"forts": ((999, 0),)},
    ):
        with pytest.raises(ValueError, match="A view of Kreta is out of its bounds"):
            encoding.encode(0, (), replace(view, **wrong))
    assert (encoding.encode(0, (), view) == encoding.encode(0, (), view)).all()


@pytest.mark.parametrize(
    "deck", [DeckOption.TRIPLES, DeckOption.TRIPLES.value], ids=["chosen by name", "chosen by number"]
)
@pytest.mark.parametrize("seat", [0, 1])
def test_equal_cards_on_the_ship_are_counted(seat: int, deck: Any) -> None:
    """CANARIAS-SHIP-1: with the deck of triples one can stay on board, and its owner load another one like it."""
    encoding = encoding_of(canarias.GAME, 2, Options(deck=deck))
    monk = card("monje-a")
    sailing = replace(position("round: 2"), ship=((monk, 0), (monk, 0)))
    numbers = encoding.encode(seat, (), canarias.GAME.view(sailing, seat)).tolist()
    received = dict(zip(encoding.features, numbers, strict=True))
    assert all(one.low <= number <= one.high for one, number in received.items())
    aboard = {one.name: number for one, number in received.items() if one.name.startswith("aboard") and number}
    assert aboard == ({f"aboard[{monk}]?": 2, f"aboard[{monk}].seat?": 1} if seat == 0 else {})


def test_an_encoding_is_copied_as_itself_and_pickled_by_its_arguments() -> None:
    game = GameEncoding("small_islands", 3, mode=1)
    assert deepcopy(game) is game
    again = pickle.loads(pickle.dumps(game))
    assert (again.game, again.seats, again.options) == (game.game, game.seats, game.options)
    assert again.observations.features == game.observations.features


def test_a_game_without_bounds_has_no_encoding() -> None:
    with pytest.raises(BoundsMissing, match="Pairs"):
        ActionEncoding(PAIRS)
