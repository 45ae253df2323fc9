from __future__ import annotations

import pytest

from skerry_games.api import MalformedMove
from skerry_games.tenerife import GAME
from skerry_games.tenerife.events import (
    CharacterFreed,
    CharacterRobbed,
    ElementBuilt,
    Event,
    MansionBuilt,
    MerchantMoved,
    MerchantRobbed,
    NoEffect,
    Reason,
    WarehouseExported,
)
from skerry_games.tenerife.moves import BuildElement, BuildMansion, Export
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import Character, Phase
from tests.games.tenerife.acting import acted, below, choices, happens, refused, reveal
from tests.games.tenerife.drawing import at, drawn, position

MASON, FARMER, MERCHANT, EXPORTER, THIEVES = Character
PUE = at("PUE")
# From Puerto de la Cruz thieves can only build in Icod, so that no seat has to decide.
FULL_OROTAVA = "ORO: 1 1 1"


def idle(space: int, seat: int, reason: Reason) -> NoEffect:
    return NoEffect(space, seat, THIEVES, reason)


def chain(column: str) -> list[Event]:
    """Return what the characters do that the column draws, in Puerto de la Cruz."""
    _, events = acted(f"column: {column}\n{FULL_OROTAVA}", seats=4)
    return [*below(events, *range(1, len(column.split()) + 1))]


@pytest.mark.parametrize(
    ("column", "events"),
    [
        pytest.param(
            "M0 T0",
            [MansionBuilt(1, 0, PUE, 1, 2, None), idle(2, 0, Reason.OWN_AHEAD)],
            id="own",
        ),
        pytest.param(
            "M0 T1",
            [CharacterRobbed(1, 0, MASON, 1, 2), MansionBuilt(2, 1, at("ICO"), 1, 2, 0)],
            id="foreign",
        ),
        pytest.param(
            "M0 T1 T2",
            [
                CharacterRobbed(1, 0, MASON, 2, 3),
                idle(2, 1, Reason.THIEVES_BEHIND),
                MansionBuilt(3, 2, at("ICO"), 1, 2, 0),
            ],
            id="two foreign",
        ),
        pytest.param(
            "M0 T1 T0",
            [
                CharacterFreed(1, 0, MASON, 3),
                MansionBuilt(1, 0, PUE, 1, 2, None),
                idle(2, 1, Reason.THIEVES_BEHIND),
                idle(3, 0, Reason.FREED),
            ],
            id="foreign, own last",
        ),
        pytest.param(
            "M0 T0 T1",
            [
                CharacterRobbed(1, 0, MASON, 1, 3),
                idle(2, 0, Reason.THIEVES_BEHIND),
                MansionBuilt(3, 1, at("ICO"), 1, 2, 0),
            ],
            id="own, foreign last",
        ),
        pytest.param(
            "M0 T1 T2 T3",
            [
                CharacterRobbed(1, 0, MASON, 3, 4),
                idle(2, 1, Reason.THIEVES_BEHIND),
                idle(3, 2, Reason.THIEVES_BEHIND),
                MansionBuilt(4, 3, at("ICO"), 1, 2, 0),
            ],
            id="three in a row",
        ),
        pytest.param(
            "M0 T1 T2 T0",
            [
                CharacterFreed(1, 0, MASON, 4),
                MansionBuilt(1, 0, PUE, 1, 2, None),
                idle(2, 1, Reason.THIEVES_BEHIND),
                idle(3, 2, Reason.THIEVES_BEHIND),
                idle(4, 0, Reason.FREED),
            ],
            id="three in a row, own last",
        ),
        pytest.param(
            "M0 T0 T1 T2",
            [
                CharacterRobbed(1, 0, MASON, 2, 4),
                idle(2, 0, Reason.THIEVES_BEHIND),
                idle(3, 1, Reason.THIEVES_BEHIND),
                MansionBuilt(4, 2, at("ICO"), 1, 2, 0),
            ],
            id="own first of three",
        ),
    ],
)
def test_of_several_thieves_only_the_last_rob_or_free(column: str, events: list[Event]) -> None:
    """TENERIFE-THIEVES-2"""
    assert chain(column) == events


def test_a_freed_character_acts_as_usual() -> None:
    """TENERIFE-THIEVES-2: the example of the source; red thieves, then yellow ones behind a yellow merchant."""
    assert chain("C1 T0 T1") == [
        CharacterFreed(1, 1, MERCHANT, 3),
        MerchantMoved(1, 1, None, PUE, 0, 1),
        idle(2, 0, Reason.THIEVES_BEHIND),
        idle(3, 1, Reason.FREED),
    ]


def test_a_freed_character_that_cannot_act_has_no_effect() -> None:
    """TENERIFE-THIEVES-2"""
    assert chain("E1 T0 T1")[:2] == [
        CharacterFreed(1, 1, EXPORTER, 3),
        NoEffect(1, 1, EXPORTER, Reason.NO_WAREHOUSE),
    ]


def test_thieves_behind_a_farmer_have_no_effect_and_the_farmer_acts() -> None:
    """TENERIFE-THIEVES-3"""
    state, events = acted("place: TAC\ncolumn: F0 T1 T2")
    assert below(events, 2, 3) == (idle(2, 1, Reason.FARMER_AHEAD), idle(3, 2, Reason.FARMER_AHEAD))
    assert drawn(state, "storage").startswith("0")


def test_thieves_in_front_of_a_farmer_rob_the_character_in_front_of_them() -> None:
    """TENERIFE-THIEVES-1, TENERIFE-THIEVES-3"""
    assert chain("M0 T1 F0")[:2] == [CharacterRobbed(1, 0, MASON, 1, 2), MansionBuilt(2, 1, at("ICO"), 1, 2, 0)]


def test_a_farmer_parts_a_character_from_the_thieves() -> None:
    """TENERIFE-THIEVES-1: they act on the character directly in front of them."""
    assert chain("M0 F0 T1") == [
        MansionBuilt(1, 0, PUE, 1, 2, None),
        NoEffect(2, 0, FARMER, Reason.NO_SYMBOL),
        idle(3, 1, Reason.FARMER_AHEAD),
    ]


def test_thieves_on_space_1_have_no_effect() -> None:
    """TENERIFE-THIEVES-3"""
    assert chain("T0 M0") == [idle(1, 0, Reason.NOBODY_AHEAD), MansionBuilt(2, 0, PUE, 1, 2, None)]
    assert chain("T0 T1 T2 M0")[:3] == [idle(space, space - 1, Reason.NOBODY_AHEAD) for space in (1, 2, 3)]


@pytest.mark.parametrize(
    ("text", "space"),
    [
        ("column: M0 T1\nPUE: 2 2 2 2", 2),
        ("column: M0 T1\nseat 0: 0 mansions", 2),
        ("column: C1 E1 C0 T1\nstorage: 1 / - / - / - / - / -", 4),
        ("column: C1 E1 E0 T1\nstorage: 1 / 0 / - / - / - / -", 4),
    ],
)
def test_thieves_rob_a_character_that_could_not_have_acted(text: str, space: int) -> None:
    """TENERIFE-THIEVES-1: in a full town, without a mansion, without a transport space."""
    state, events = acted(f"{text}\n{FULL_OROTAVA}")
    (booty,) = below(events, space)
    assert isinstance(booty, MansionBuilt | MerchantRobbed | WarehouseExported)
    assert booty.victim == 0
    assert GAME.scores(state)[1] >= booty.points


def test_thieves_that_rob_a_mason_build_in_a_neighbouring_town_of_choice_for_2_points() -> None:
    """TENERIFE-ROB-MASON-1"""
    state, _ = reveal(position("column: M0 T1"))
    assert (GAME.view(state, None).phase, GAME.to_act(state)) == (Phase.CHOOSE_TOWN, (1,))
    assert choices(state) == (BuildMansion(at("ICO"), 0), BuildMansion(at("ORO"), 0))
    for town in ("PUE", "GAR", "TAC", "SCR"):
        assert refused(state, BuildMansion(at(town), 0)) == "TENERIFE-ROB-MASON-1"
    state, events = happens(state, BuildMansion(at("ORO"), 0))
    assert events[0] == MansionBuilt(2, 1, at("ORO"), 1, 2, 0)
    assert (drawn(state, "ORO"), drawn(state, "PUE")) == ("1", "")
    assert GAME.scores(state) == (0, 2, 0)
    assert [seat.mansions for seat in state.seats] == [12, 11, 12]


def test_a_full_neighbouring_town_is_no_choice() -> None:
    """TENERIFE-ROB-MASON-1"""
    state, _ = reveal(position("place: ICO\ncolumn: M0 T1\nPUE: 2 2 2 2"))
    assert choices(state) == (BuildMansion(at("GAR"), 0), BuildMansion(at("ORO"), 0))
    assert refused(state, BuildMansion(at("PUE"), 0)) == "TENERIFE-ROB-MASON-1"


def test_if_all_neighbouring_towns_are_full_thieves_run_to_the_nearest_town_with_a_free_plot() -> None:
    """TENERIFE-ROB-MASON-1: Garachico and Tacoronte are as near."""
    state, _ = reveal(position("column: M0 T1\nICO: 0 0 0 0\nORO: 0 0 0"))
    assert choices(state) == (BuildMansion(at("GAR"), 0), BuildMansion(at("TAC"), 0))
    assert refused(state, BuildMansion(at("SCR"), 0)) == "TENERIFE-ROB-MASON-1"


def test_on_the_run_thieves_pass_through_la_laguna() -> None:
    """TENERIFE-ROB-MASON-1: La Laguna is no town, though it is next to Tacoronte and Santa Cruz."""
    _, events = acted("place: SCR\ncolumn: M0 T1", seats=4)
    assert below(events, 2) == (MansionBuilt(2, 1, at("TAC"), 1, 2, 0),)
    full = "GAR: 0 0 0 0 0\nICO: 0 0 0 0\nPUE: 0 0 0 0\nORO: 0 0 0"
    state, events = acted(f"place: TAC\ncolumn: M0 T1\n{full}")
    assert below(events, 2) == (MansionBuilt(2, 1, at("SCR"), 1, 2, 0),)
    assert drawn(state, "hall") == ".. / .... / ...."


ALL_BUT_TACORONTE = "GAR: 0 0 0 0 0\nICO: 0 0 0 0\nPUE: 0 0 0 0\nORO: 0 0 0\nSCR: 0 0 0 0 0"
ALL_FULL = f"{ALL_BUT_TACORONTE}\nTAC: 0 0 0"


def test_thieves_never_build_in_the_current_town_even_if_no_other_town_has_a_free_plot() -> None:
    """TENERIFE-ROB-MASON-1"""
    state, _ = reveal(position(f"place: TAC\ncolumn: M0 T1\n{ALL_BUT_TACORONTE}"))
    assert GAME.view(state, None).phase is Phase.CHOOSE_PLOT
    assert drawn(state, "TAC") == ""


def test_with_all_plots_of_all_towns_full_thieves_build_an_element_of_the_hall() -> None:
    """TENERIFE-ROB-MASON-1"""
    state, _ = reveal(position(f"column: M0 T1\n{ALL_FULL}\nhall: 2. / .... / ...."))
    assert choices(state) == tuple(BuildElement(plot, 0) for plot in range(2, 11))
    assert refused(state, BuildElement(1, 0)) == "TENERIFE-ROB-MASON-1"
    state, events = happens(state, BuildElement(2, 0))
    assert events[0] == ElementBuilt(2, 1, 2, 0)
    assert GAME.scores(state) == (0, 0, 0)


def test_without_any_free_plot_thieves_get_nothing_and_the_mason_does_not_act() -> None:
    """TENERIFE-ROB-MASON-2"""
    for place in ("PUE", "LAG"):
        _, events = acted(f"place: {place}\ncolumn: M0 T1\n{ALL_FULL}\nhall: 22 / 2222 / 2222")
        assert below(events, 1, 2) == (CharacterRobbed(1, 0, MASON, 1, 2), idle(2, 1, Reason.NO_PLOT))


def test_in_a_hall_round_thieves_build_an_element_of_the_hall() -> None:
    """TENERIFE-ROB-MASON-2"""
    state, _ = reveal(position("place: LAG\ncolumn: M0 T1\nhall: 0. / .... / ...."))
    assert refused(state, BuildElement(1, 0)) == "TENERIFE-ROB-MASON-2"
    state, events = happens(state, BuildElement(7, 0))
    assert events[0] == ElementBuilt(2, 1, 7, 0)
    assert drawn(state, "hall") == "0. / .... / 1..."


def test_when_the_hall_is_complete_thieves_build_in_the_nearest_town_from_la_laguna() -> None:
    """TENERIFE-ROB-MASON-2"""
    hall = "hall: 00 / 0000 / 0000"
    state, _ = reveal(position(f"place: LAG\ncolumn: M0 T1\n{hall}"))
    assert choices(state) == (BuildMansion(at("TAC"), 0), BuildMansion(at("SCR"), 0))
    assert refused(state, BuildMansion(at("ORO"), 0)) == "TENERIFE-ROB-MASON-2"
    state, events = happens(state, BuildMansion(at("SCR"), 0))
    assert events[0] == MansionBuilt(2, 1, at("SCR"), 1, 2, 0)
    _, events = acted(f"place: LAG\ncolumn: M0 T1\n{hall}\nTAC: 0 0 0\nSCR: 0 0 0 0 0")
    assert below(events, 2) == (MansionBuilt(2, 1, at("ORO"), 1, 2, 0),)


@pytest.mark.parametrize("place", ["PUE", "LAG"])
def test_thieves_without_a_mansion_get_nothing_and_the_mason_does_not_act(place: str) -> None:
    """TENERIFE-ROB-MASON-2"""
    state, events = acted(f"place: {place}\ncolumn: M0 T1\nseat 1: 0 mansions")
    assert below(events, 1, 2) == (CharacterRobbed(1, 0, MASON, 1, 2), idle(2, 1, Reason.NO_MANSION))
    assert (drawn(state, "PUE"), drawn(state, "hall")) == ("", ".. / .... / ....")


def test_thieves_that_rob_a_merchant_score_2_and_it_neither_moves_nor_takes_a_transport_space() -> None:
    """TENERIFE-ROB-MERCHANT-1"""
    state, events = acted("column: C0 T1 C1 C2\nPUE: 1\nseat 0: in GAR")
    assert below(events, 1, 2) == (CharacterRobbed(1, 0, MERCHANT, 1, 2), MerchantRobbed(2, 1, 0, 2))
    assert state.seats[0].merchant == at("GAR")
    assert below(events, 3, 4) == (MerchantMoved(3, 1, None, PUE, 0, 1), MerchantMoved(4, 2, None, PUE, 1, 2))
    assert GAME.scores(state) == (0, 2, 1)


@pytest.mark.parametrize(
    ("storage", "lowest", "value", "left"),
    [
        ("0 / 0 / 1 / 1 / - / 0", 2, 4, "0 / - / 1 / 1 / - / 0"),
        ("0 / - / - / 1 0 1 / - / -", 4, 3, "0 / - / - / 1 1 / - / -"),
        ("1 / - / - / - / - / 0 0", 6, 5, "1 / - / - / - / - / 0"),
        ("- / - / - / 0 0 / - / -", 4, 3, "- / - / - / 0 / - / -"),
    ],
)
def test_thieves_that_rob_an_exporter_sell_its_owners_warehouse_of_lowest_value(
    storage: str, lowest: int, value: int, left: str
) -> None:
    """TENERIFE-ROB-EXPORTER-1: of several on one space any; no transport space is used."""
    state, events = acted(f"column: E0 T1 C1 C2\nstorage: {storage}\nfarmhand: 5\nseat 0: 4 mansions")
    assert below(events, 1) == (CharacterRobbed(1, 0, EXPORTER, 1, 2),)
    assert below(events, 2) == (WarehouseExported(2, 1, lowest, value, 0, None),)
    assert drawn(state, "storage") == left
    assert [seat.mansions for seat in state.seats] == [5, 12, 12]
    assert GAME.scores(state) == (0, value, 0)
    assert all(isinstance(event, MerchantMoved) for event in below(events, 3, 4)), "both find a transport space"


@pytest.mark.parametrize(
    ("storage", "lowest", "left"),
    [
        ("1 / - / 0 / 0 / 0 / -", (3, 4), "1 / - / 0 / - / 0 / -"),
        ("- / 0 / - / - / 1 0 1 / 0", (2, 5), "- / 0 / - / - / 1 1 / 0"),
        ("0 / - / - / - / - / 0 0", (1, 6), "0 / - / - / - / - / 0"),
    ],
)
def test_thieves_choose_between_sugar_and_wine_of_the_same_lowest_value(
    storage: str, lowest: tuple[int, int], left: str
) -> None:
    """TENERIFE-ROB-EXPORTER-1: wine can be stored there anew, but sugar cannot."""
    state, _ = reveal(position(f"column: E0 T1\nstorage: {storage}\nfarmhand: 4\nseat 0: 4 mansions"))
    assert (GAME.view(state, None).phase, GAME.to_act(state)) == (Phase.CHOOSE_WAREHOUSE, (1,))
    assert choices(state) == tuple(Export(number, 0) for number in lowest)
    for number in {*range(1, 7)} - {*lowest}:
        assert refused(state, Export(number, 0)) == "TENERIFE-ROB-EXPORTER-1"
    state, events = happens(state, Export(lowest[1], 0))
    value = BOARD.storage[lowest[1] - 1].value
    assert events[0] == WarehouseExported(2, 1, lowest[1], value, 0, None)
    assert drawn(state, "storage") == left
    assert [seat.mansions for seat in state.seats] == [5, 12, 12]
    assert GAME.scores(state) == (0, value, 0)
    assert state.transport == ()


def test_a_move_names_a_victim_only_if_thieves_make_it() -> None:
    """TENERIFE-ROB-MASON-1, TENERIFE-ROB-MASON-2, TENERIFE-ROB-EXPORTER-1, TENERIFE-MASON-2, TENERIFE-EXPORTER-1"""
    town, _ = reveal(position("column: M0 T1"))
    hall, _ = reveal(position("place: LAG\ncolumn: M0 T1"))
    storage, _ = reveal(position("column: E0 T1\nstorage: - / - / 0 / 0 / - / -"))
    for victim in (1, 2):
        assert refused(town, BuildMansion(at("ICO"), victim)) == "TENERIFE-ROB-MASON-1"
    for other in (None, 1, 2):
        assert refused(hall, BuildElement(5, other)) == "TENERIFE-ROB-MASON-2"
        assert refused(storage, Export(3, other)) == "TENERIFE-ROB-EXPORTER-1"
    mason, _ = reveal(position("place: LAG\ncolumn: M0"))
    assert refused(mason, BuildElement(5, 1)) == "TENERIFE-MASON-2"
    exporter, _ = reveal(position("column: E0\nstorage: 0 / 0 / - / - / - / -"))
    assert refused(exporter, Export(1, 0)) == "TENERIFE-EXPORTER-1"


def test_a_robbed_exporter_without_a_warehouse_has_nothing_to_take() -> None:
    """TENERIFE-ROB-EXPORTER-1"""
    state, events = acted("column: E0 T1\nstorage: 1 / - / - / - / - / -")
    assert below(events, 2) == (idle(2, 1, Reason.NO_WAREHOUSE),)
    assert drawn(state, "storage").startswith("1")
    assert GAME.scores(state) == (0, 0, 0)


def test_a_move_with_an_unknown_town_is_malformed() -> None:
    state, _ = reveal(position("column: M0 T1"))
    for town in (-1, at("LAG")):
        with pytest.raises(MalformedMove):
            GAME.apply(state, 1, BuildMansion(town, 0))
