from __future__ import annotations

import pytest

from skerry_games.api import IllegalMove
from skerry_games.small_islands import GAME
from skerry_games.small_islands.events import TokenForgone, TokenPlaced, TokenTaken
from skerry_games.small_islands.moves import NO_TOKEN, PlaceToken
from skerry_games.small_islands.printed.component_checks import MOST_ALIKE
from skerry_games.small_islands.printed.components import Bonus, Symbol
from skerry_games.small_islands.state import State
from skerry_games.small_islands.tabletop.table import Table, Token, with_port, with_resource, with_tile
from tests.games.small_islands.acting import choices, do, happens, lay, pick, put, refused, take, token
from tests.games.small_islands.drawing import cell, face, position

STRIP = """
    L06/2 L09/2 .     ~0
    L42   L26   .     .
    display: L01 L02 L03
    reserve: 0
"""
"""An island of L06 (two flowers), L09 (flower, temple, house), L42 (two leaves), L26 (flower, fruit, port)."""


def offered(more: str = "", seats: int = 2) -> State:
    """Return the position in which seat 0 has laid L01 at (6, 4) and may place a token."""
    return do(position(f"{STRIP}{more}", seats), take("L01"), pick("L01"), lay("6,4", 3))


def shown(state: State, at: str) -> list[str]:
    return [symbol.name.lower() for symbol in state.table.shown_at(cell(at))]


def test_after_laying_a_tile_a_token_may_be_placed_or_not() -> None:
    """SMALL-TOKEN-1"""
    state = offered()
    assert choices(state) == (
        token("flower"),
        token("flower", "port"),
        token("fruit"),
        token("fruit", "port"),
        token("leaf"),
        token("leaf", "port"),
        token("any", "flower"),
        token("any", "fruit"),
        token("any", "leaf"),
        token("any", "port"),
        NO_TOKEN,
    )
    after, events = happens(state, NO_TOKEN)
    assert events == (TokenForgone(0),)
    assert GAME.to_act(after) == (1,)


def test_one_token_a_turn() -> None:
    """SMALL-TOKEN-1"""
    state, events = happens(offered(), token("leaf"))
    assert events == (TokenTaken(0, Bonus.LEAF, Symbol.LEAF),)
    assert refused(state, token("any", "leaf")) == "SMALL-TOKEN-1"
    assert refused(state, NO_TOKEN) == "SMALL-TOKEN-1"
    state = do(state, put("4,4", "flower"))
    assert GAME.to_act(state) == (1,)
    assert GAME.view(state, None).seats[0].tokens == (Bonus.FLOWER, Bonus.FRUIT, Bonus.ANY)


def test_a_token_is_placed_once() -> None:
    """SMALL-TOKEN-1"""
    assert refused(offered("seat 0: left flower"), token("leaf")) == "SMALL-TOKEN-1"


def test_a_token_lies_on_any_tile_the_one_just_laid_and_one_with_a_house_included() -> None:
    """SMALL-TOKEN-1"""
    state = do(offered("house: 1 5,4"), token("leaf"))
    assert put("6,4", "flower") in choices(state)
    assert put("5,4", "flower") in choices(state)


def test_a_token_lies_on_a_starting_tile() -> None:
    """SMALL-TOKEN-1"""
    state = do(position("S1A\ndisplay: L55\nreserve: 0"), take("L55"), pick("L55"), lay("4,5"), token("leaf"))
    assert choices(state) == (put("4,4", "flower"),)


def test_a_token_does_not_lie_on_a_ship_or_an_empty_cell() -> None:
    """SMALL-TOKEN-1"""
    state = do(offered(), token("any", "port"))
    assert refused(state, put("7,4")) == "SMALL-TOKEN-1"
    assert refused(state, put("9,9")) == "SMALL-TOKEN-1"


def test_a_resource_covers_one_of_the_other_two_resources() -> None:
    """SMALL-TOKEN-2"""
    state = do(offered(), token("fruit"))
    flowers = ["4,4", "5,4", "6,4", "5,5"]
    assert choices(state) == (*[put(at, "flower") for at in flowers], put("4,5", "leaf"))
    after, events = happens(state, put("4,4", "flower"))
    assert events == (TokenPlaced(0, Bonus.FRUIT, Symbol.FRUIT, cell("4,4"), 0, Symbol.FLOWER, False),)
    assert shown(after, "4,4") == ["fruit", "flower", "house"]
    assert after.table.tokens == (Token(cell("4,4"), 0, Symbol.FRUIT, 0),)
    assert after.table.chart.count(Symbol.FRUIT, 1 << cell("4,4")) == 1
    assert after.table.chart.count(Symbol.FLOWER, 1 << cell("4,4")) == 1


def test_a_resource_does_not_cover_its_own_kind() -> None:
    """SMALL-TOKEN-2"""
    assert refused(do(offered(), token("flower")), put("4,4", "flower")) == "SMALL-TOKEN-2"


@pytest.mark.parametrize(("at", "symbol"), [("5,4", "temple"), ("5,4", "house"), ("5,5", "port")])
def test_a_resource_never_covers_a_temple_a_house_symbol_or_a_port(at: str, symbol: str) -> None:
    """SMALL-TOKEN-2"""
    assert refused(do(offered(), token("leaf")), put(at, symbol)) == "SMALL-TOKEN-2"


def test_no_other_token_is_placed_than_the_one_that_was_decided_for() -> None:
    """SMALL-TOKEN-1"""
    state = do(offered(), token("any", "leaf"))
    assert {(move.token, move.shows) for move in GAME.legal_moves(state, 0) if isinstance(move, PlaceToken)} == {
        (Bonus.ANY, Symbol.LEAF)
    }
    for other, shows in ((Bonus.LEAF, Symbol.LEAF), (Bonus.ANY, Symbol.FRUIT), (Bonus.ANY, Symbol.PORT)):
        covers = None if shows is Symbol.PORT else Symbol.FLOWER
        with pytest.raises(IllegalMove, match="SMALL-TOKEN-1: Place the bonus token that you chose"):
            GAME.apply(state, 0, PlaceToken(other, shows, cell("4,4"), covers))


def test_the_numbers_of_a_token_and_a_symbol_are_as_good_as_their_names() -> None:
    """SMALL-TOKEN-1: a move with the numbers is equal to the one that is listed."""
    named, numbered = offered(), offered()
    for move in (token("any", "leaf"), PlaceToken(Bonus.ANY, Symbol.LEAF, cell("4,4"), Symbol.FLOWER)):
        numbers = [None if part is None else int(part) for part in (getattr(move, f) for f in move.__struct_fields__)]
        plain = type(move)(*numbers)  # type: ignore[arg-type]
        assert plain == move
        (named, events), (numbered, also) = GAME.apply(named, 0, move), GAME.apply(numbered, 0, plain)
        assert (repr(numbered), repr(also)) == (repr(named), repr(events))


def test_a_resource_covers_only_what_is_there() -> None:
    """SMALL-TOKEN-2"""
    assert refused(do(offered(), token("leaf")), put("4,4", "fruit")) == "SMALL-TOKEN-2"
    assert refused(do(offered(), token("leaf")), put("4,4")) == "SMALL-TOKEN-2"


def test_a_resource_covers_another_token_and_then_that_one_counts() -> None:
    """SMALL-TOKEN-2"""
    state = do(offered("token: 1 leaf 5,4"), token("fruit"))
    after, events = happens(state, put("5,4", "leaf"))
    assert events[0] == TokenPlaced(0, Bonus.FRUIT, Symbol.FRUIT, cell("5,4"), 0, Symbol.LEAF, True)
    assert shown(after, "5,4") == ["fruit", "temple", "house"]
    assert refused(state, put("5,4", "flower")) == "SMALL-TOKEN-2"


def test_the_token_for_any_resource_shows_what_is_chosen() -> None:
    """SMALL-TOKEN-2"""
    state = do(offered(), token("any", "leaf"), put("5,5", "fruit"))
    assert shown(state, "5,5") == ["flower", "leaf"]
    assert Bonus.ANY not in GAME.view(state, None).seats[0].tokens


def test_the_other_tokens_show_nothing_but_their_own_resource() -> None:
    """SMALL-TOKEN-2"""
    assert refused(offered(), token("leaf", "flower")) == "SMALL-TOKEN-2"
    assert refused(offered(), token("any", "temple")) == "SMALL-TOKEN-2"


def test_a_token_without_a_place_is_not_offered() -> None:
    """SMALL-TOKEN-2: there is only a flower, so no token that shows a flower."""
    state = do(position("S1A\ndisplay: L55\nreserve: 0"), take("L55"), pick("L55"), lay("4,5"))
    assert token("leaf") in choices(state)
    assert refused(state, token("flower")) == "SMALL-TOKEN-2"


def test_a_port_lies_on_a_tile_with_land_and_sea() -> None:
    """SMALL-TOKEN-3"""
    state = do(offered(), token("leaf", "port"))
    assert choices(state) == tuple(put(at) for at in ("4,4", "5,4", "6,4", "4,5", "5,5"))
    after, events = happens(state, put("5,5"))
    assert events == (TokenPlaced(0, Bonus.LEAF, Symbol.PORT, cell("5,5"), 1, None, False),)
    assert after.table.chart.count(Symbol.PORT, 1 << cell("5,5")) == 2


@pytest.mark.parametrize("tile", ["L17", "L55"])
def test_a_port_needs_a_coast(tile: str) -> None:
    """SMALL-TOKEN-3"""
    state = position(f"{tile} . .\n. . .\n. . S1A\ndisplay: L37\nreserve: 0")
    state = do(state, take("L37"), pick("L37"), lay("6,7", 2), token("leaf", "port"))
    assert refused(state, put("4,4")) == "SMALL-TOKEN-3"


def test_there_are_at_most_two_ports_on_a_tile_printed_ones_included() -> None:
    """SMALL-TOKEN-3"""
    state = do(offered("port: 1 5,5\nport: 1 4,4"), token("leaf", "port"))
    assert refused(state, put("5,5")) == "SMALL-TOKEN-3"
    assert put("4,4") in choices(state)
    assert refused(do(state, put("4,4")), token("leaf", "port"), actor=0) == "SMALL-EXPLORE-1"


def test_a_port_covers_nothing() -> None:
    """SMALL-TOKEN-3"""
    assert refused(do(offered(), token("leaf", "port")), put("4,4", "flower")) == "SMALL-TOKEN-3"


def test_without_a_coast_no_port_is_offered() -> None:
    """SMALL-TOKEN-3"""
    state = do(position("L17\nseat 0: hand L18 L35\nreserve: 0\ndisplay: L53"), take("L53"), pick("L53"), lay("5,4"))
    assert refused(state, token("leaf", "port")) == "SMALL-TOKEN-3"
    assert token("leaf") in choices(state)


def test_everybody_sees_what_a_token_shows_before_it_is_placed() -> None:
    state = do(offered(), token("any", "port"))
    view = GAME.view(state, None)
    assert (view.token, view.shows) == (Bonus.ANY, Symbol.PORT)
    assert face("L01") in [tile.tile for tile in view.tiles]


def test_a_tile_that_tokens_turn_into_three_of_a_kind_counts_three() -> None:
    """SMALL-TOKEN-2, SMALL-REWARD-5: L54 shows a fruit, two leaves and a house."""
    at = cell("4,4")
    table, _ = with_tile(Table(16), at, face("L54"), 0)
    table, _ = with_resource(table, at, 0, Symbol.LEAF, Symbol.FRUIT)
    island = table.chart.island_at(at)
    assert island is not None
    assert island.counts[Symbol.LEAF] == MOST_ALIKE == 3
    assert island.counts[Symbol.FRUIT] == 0
    assert table.chart.count(Symbol.LEAF, island.cells) == 3


def test_a_port_finds_no_place_once_every_coast_has_two() -> None:
    """SMALL-TOKEN-3: L01 has land and sea, and no port."""
    at = cell("4,4")
    table, _ = with_tile(Table(16), at, face("L01"), 0)
    found = []
    for seat in range(2):
        found.append(table.chart.token_targets >> Symbol.PORT & 1)
        table, _ = with_port(table, at, seat)
    assert [*found, table.chart.token_targets >> Symbol.PORT & 1] == [1, 1, 0]
    table, _ = with_tile(table, cell("5,4"), face("L01"), 1)
    assert table.chart.token_targets >> Symbol.PORT & 1
