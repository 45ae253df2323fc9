from __future__ import annotations

import pytest
from msgspec.structs import replace

from skerry_games.api import MalformedMove
from skerry_games.tenerife import GAME
from skerry_games.tenerife.events import FarmhandMoved, NoEffect, Reason, WarehouseBuilt, WarehouseExported
from skerry_games.tenerife.moves import Export
from skerry_games.tenerife.state import Character, Options, Phase
from tests.games.tenerife.acting import acted, below, choices, happens, refused, reveal
from tests.games.tenerife.drawing import at, drawn, position

FULL_WINE = "storage: - / - / - / 0 0 0 / 0 1 1 / 1 1 1"


@pytest.mark.parametrize("place", ["PUE", "SCR", "LAG"])
def test_a_farmer_has_no_effect_where_there_is_no_farmers_symbol(place: str) -> None:
    """TENERIFE-FARMER-1"""
    state, events = acted(f"place: {place}\ncolumn: F0", seats=4)
    assert below(events, 1) == (NoEffect(1, 0, Character.FARMER, Reason.NO_SYMBOL),)
    assert state.seats[0].mansions == 12


def test_by_an_option_puerto_de_la_cruz_has_a_farmers_symbol_too() -> None:
    """TENERIFE-FARMER-1"""
    state, events = reveal(replace(position("place: PUE\ncolumn: F0"), puerto_farmer=True))
    assert events[0] == WarehouseBuilt(1, 0, 1)
    symbols = [town for town, shown in enumerate(GAME.view(state, None).towns) if shown.farmers_symbol]
    assert symbols == [*map(at, ("GAR", "ICO", "PUE", "ORO", "TAC"))]
    assert GAME.setup(Options(puerto_farmer=True), 3).puerto_farmer
    assert not GAME.setup(Options(), 3).puerto_farmer
    _, events = reveal(replace(position("place: SCR\ncolumn: F0", seats=4), puerto_farmer=True))
    assert events[0] == NoEffect(1, 0, Character.FARMER, Reason.NO_SYMBOL)


@pytest.mark.parametrize("place", ["GAR", "ICO", "ORO", "TAC"])
def test_a_farmer_builds_a_warehouse_where_the_farmhand_stands(place: str) -> None:
    """TENERIFE-FARMER-1, TENERIFE-FARMER-2"""
    state, events = acted(f"place: {place}\ncolumn: F0")
    assert events[:2] == (WarehouseBuilt(1, 0, 1), FarmhandMoved(1, 2))
    assert drawn(state, "storage") == "0 / - / - / - / - / -"
    assert (state.farmhand, state.seats[0].mansions) == (2, 11)
    assert GAME.scores(state) == (0, 0, 0)


def test_a_farmer_without_a_mansion_has_no_effect() -> None:
    """TENERIFE-FARMER-2"""
    state, events = acted("place: GAR\ncolumn: F0\nseat 0: 0 mansions")
    assert below(events, 1) == (NoEffect(1, 0, Character.FARMER, Reason.NO_MANSION),)
    assert state.farmhand == 1


def test_the_farmhand_goes_through_the_sugar_and_then_round_the_wine() -> None:
    """TENERIFE-FARMER-3"""
    storage, farmhand, stood = "- / - / - / - / - / -", 1, []
    for _ in range(12):
        stood.append(farmhand)
        state, _ = acted(f"place: GAR\ncolumn: F0\nstorage: {storage}\nfarmhand: {farmhand}")
        storage, farmhand = drawn(state, "storage"), state.farmhand
    assert stood == [1, 2, 3, 4, 5, 6, 4, 5, 6, 4, 5, 6]
    assert storage == "0 / 0 / 0 / 0 0 0 / 0 0 0 / 0 0 0"


def test_warehouses_of_different_seats_share_a_wine_space() -> None:
    """TENERIFE-FARMER-3"""
    state, _ = acted("place: GAR\ncolumn: F0 F1\nstorage: - / - / - / - / 1 1 1 / 1 1 1\nfarmhand: 4")
    assert drawn(state, "storage") == "- / - / - / 0 1 / 1 1 1 / 1 1 1"


@pytest.mark.parametrize(
    ("storage", "farmhand", "after"),
    [
        ("- / - / - / - / 1 1 1 / -", 4, 6),
        ("- / - / - / 1 1 1 / - / -", 6, 5),
        ("- / - / - / 1 1 1 / 1 1 1 / 1", 6, 6),
        ("- / - / - / 1 1 1 / 1 1 / -", 5, 6),
        ("- / - / - / 1 1 1 / 1 1 / 1 1 1", 5, 5),
        ("- / - / - / - / - / -", 3, 4),
    ],
)
def test_the_farmhand_skips_full_spaces_and_never_returns_to_the_sugar(storage: str, farmhand: int, after: int) -> None:
    """TENERIFE-FARMER-3: it stays where there is room if nowhere else is, and waits where it is if all wine is full."""
    state, _ = acted(f"place: GAR\ncolumn: F0\nstorage: {storage}\nfarmhand: {farmhand}")
    assert state.farmhand == after


def test_with_all_wine_full_farmers_have_no_effect_even_if_there_is_room_for_sugar() -> None:
    """TENERIFE-FARMER-3"""
    state, events = acted(f"place: GAR\ncolumn: F0\n{FULL_WINE}\nfarmhand: 5")
    assert below(events, 1) == (NoEffect(1, 0, Character.FARMER, Reason.STORAGE_FULL),)
    assert (state.farmhand, state.seats[0].mansions) == (5, 12)


def test_an_export_lets_a_waiting_farmhand_move_on_at_once() -> None:
    """TENERIFE-FARMER-3"""
    state, _ = reveal(position(f"place: GAR\ncolumn: E0 F1\n{FULL_WINE}\nfarmhand: 5"))
    state, events = happens(state, Export(4))
    assert events[:3] == (WarehouseExported(1, 0, 4, 3, None, 1), FarmhandMoved(5, 4), WarehouseBuilt(2, 1, 4))
    assert state.farmhand == 4
    assert drawn(state, "storage") == "- / - / - / 0 0 1 / 0 1 1 / 1 1 1"


def test_an_export_from_the_farmhands_own_space_lets_it_stay() -> None:
    """TENERIFE-FARMER-3"""
    state, events = acted("column: E0\nstorage: - / - / - / 1 1 1 / 0 1 1 / 1 1 1\nfarmhand: 5")
    assert events[0] == WarehouseExported(1, 0, 5, 4, None, 1)
    assert not any(isinstance(event, FarmhandMoved) for event in events)
    assert state.farmhand == 5


def test_an_exporter_sells_one_warehouse_of_choice_for_its_value() -> None:
    """TENERIFE-EXPORTER-1"""
    state, _ = reveal(position("column: E0\nstorage: 0 / 1 / - / 0 1 / - / 0 0\nfarmhand: 4\nseat 0: 8 mansions"))
    assert GAME.view(state, None).phase is Phase.CHOOSE_WAREHOUSE
    assert choices(state) == (Export(1), Export(4), Export(6))
    assert refused(state, Export(2)) == "TENERIFE-EXPORTER-1"
    assert refused(state, Export(3)) == "TENERIFE-EXPORTER-1"
    state, events = happens(state, Export(6))
    assert events[0] == WarehouseExported(1, 0, 6, 5, None, 1)
    assert drawn(state, "storage") == "0 / 1 / - / 0 1 / - / 0"
    assert GAME.scores(state) == (5, 0, 0)
    assert state.seats[0].mansions == 9
    assert state.farmhand == 4, "it moves when a farmer builds"


def test_an_exporter_sells_its_only_warehouse_automatically() -> None:
    """TENERIFE-EXPORTER-1, TENERIFE-ROUND-5: two on one space are no choice either."""
    state, events = acted("column: E0\nstorage: 1 / - / - / - / 0 1 0 / -")
    assert events[0] == WarehouseExported(1, 0, 5, 4, None, 1)
    assert drawn(state, "storage") == "1 / - / - / - / 1 0 / -"


def test_an_exporter_without_a_warehouse_has_no_effect_and_takes_no_transport_space() -> None:
    """TENERIFE-EXPORTER-1"""
    _, events = acted("column: E0 E1\nstorage: 1 / - / - / - / - / -")
    assert below(events, 1) == (NoEffect(1, 0, Character.EXPORTER, Reason.NO_WAREHOUSE),)
    assert below(events, 2) == (WarehouseExported(2, 1, 1, 5, None, 1),)


@pytest.mark.parametrize("storage", [0, 7])
def test_a_move_with_an_unknown_storage_space_is_malformed(storage: int) -> None:
    state, _ = reveal(position("column: E0\nstorage: 0 / 0 / - / - / - / -"))
    with pytest.raises(MalformedMove):
        GAME.apply(state, 0, Export(storage))


def test_when_the_transport_column_is_full_exporter_and_merchant_have_no_effect() -> None:
    """TENERIFE-TRANSPORT-1: with 3 seats 2 of them act in a round."""
    drawn_column = "column: C0 E0 E1 C1\nstorage: 0 / 1 / - / - / - / -"
    state, events = acted(drawn_column)
    assert below(events, 3) == (NoEffect(3, 1, Character.EXPORTER, Reason.NO_TRANSPORT),)
    assert below(events, 4) == (NoEffect(4, 1, Character.MERCHANT, Reason.NO_TRANSPORT),)
    assert drawn(state, "storage") == "- / 1 / - / - / - / -"
    assert state.seats[1].merchant == -1


@pytest.mark.parametrize(("seats", "option", "room"), [(2, None, 2), (3, None, 2), (3, 3, 3), (4, None, 3)])
def test_there_are_3_transport_spaces_with_4_seats_and_2_with_3_or_as_the_option_says(
    seats: int, option: int | None, room: int
) -> None:
    """TENERIFE-TRANSPORT-1"""
    storage = "storage: 0 / 0 / 0 / - / - / -"
    state = position(f"column: E0 E0 E0 E0\n{storage}", seats, transport_spaces=option)
    assert GAME.view(state, None).transport_spaces == room
    state, _ = reveal(state)
    sold = 0
    while state.phase is Phase.CHOOSE_WAREHOUSE:
        assert GAME.view(state, None).transport == tuple(range(1, sold + 1))
        state, _ = happens(state, choices(state)[0])
        sold += 1
    assert drawn(state, "storage").count("0") == 3 - room


def test_transport_spaces_are_vacant_again_in_the_next_round() -> None:
    """TENERIFE-TRANSPORT-1"""
    state, _ = acted("column: C0 C1")
    assert state.transport == ()
