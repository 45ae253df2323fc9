"""Refusals: full sentences that address the player and call other players by name."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from skerry_games.api import CHANCE, BadOptions, IllegalMove
from skerry_games.sentences import fill
from skerry_games.tenerife import GAME
from skerry_games.tenerife.moves import (
    BuildElement,
    BuildMansion,
    DrawStartSeat,
    Export,
    Move,
    MoveMerchant,
    TurnUpTown,
)
from skerry_games.tenerife.state import CharacterCard, Options, Phase, State
from tests.games.tenerife.acting import acted, do, laying, reveal
from tests.games.tenerife.drawing import at, position
from tests.games.tenerife.test_thieves import ALL_FULL

NAMES = ("Ada", "Bob", "Cleo")


def begun(*, turbulent: bool = False) -> State:
    options = Options(start_seat=0, turbulent=turbulent)
    return do(GAME.setup(options, 2 if turbulent else 3), TurnUpTown(at("ICO")))


def asked(text: str) -> State:
    state, _ = reveal(position(text))
    return state


def over() -> State:
    state, _ = acted("place: LAG\nhall: 00 / 0000 / 0000")
    return state


@pytest.mark.parametrize(
    ("state", "actor", "move", "refusal"),
    [
        (begun(), 1, laying(1, CharacterCard.MASON), "ROUND-2: It is Ada's turn to lay a character."),
        (
            asked("column: M0 T1"),
            0,
            laying(1, CharacterCard.MASON),
            "ROUND-5: It is Bob's turn to choose what their character does.",
        ),
        (over(), 0, laying(1, CharacterCard.MASON), "END-1: The game is over."),
        (
            GAME.setup(Options(), 3),
            0,
            laying(1, CharacterCard.MASON),
            "ROUND-1: No player can move now: the next move is a chance move.",
        ),
        (
            begun(),
            0,
            DrawStartSeat(1),
            "ROUND-1: The start seat is drawn once, and one town card is turned up per round.",
        ),
        (begun(), 0, Export(1), "ROUND-4: Characters act only after all of them are laid and revealed."),
        (
            asked("column: M0 T1"),
            1,
            laying(1, CharacterCard.MASON),
            "ROUND-5: First choose what your thieves below space 2 do.",
        ),
        (
            asked("column: E0\nstorage: 0 / 0 / - / - / - / -"),
            0,
            laying(1, CharacterCard.MASON),
            "ROUND-5: First choose what your exporter below space 1 does.",
        ),
        (
            replace(begun(), phase=Phase.TURN_UP),
            CHANCE,
            TurnUpTown(at("ICO")),
            "SETUP-2: The card of Icod is not in the face-down pile.",
        ),
        (
            begun(),
            0,
            laying(1, CharacterCard.SECOND_MASON),
            "TWO-2: This game has no second colour: only turbulent games do.",
        ),
        (
            do(begun(), *[laying(1 + n, CharacterCard.FARMER) for n in range(3)]),
            0,
            laying(4, CharacterCard.FARMER),
            "ROUND-2: You have no farmer in your hand.",
        ),
        (
            begun(turbulent=True),
            0,
            laying(1, CharacterCard.FARMER),
            "ROUND-2: You have no farmer of your own colour in your hand.",
        ),
        (
            do(begun(turbulent=True), laying(1, CharacterCard.SECOND_THIEVES), laying(2, CharacterCard.MASON)),
            0,
            laying(3, CharacterCard.SECOND_THIEVES),
            "ROUND-2: You have no thieves of the second colour in your hand.",
        ),
        (begun(), 0, laying(10, CharacterCard.MASON), "ROUND-2: Space 10 is not in use: this game has spaces 1 to 9."),
        (
            do(begun(), laying(3, CharacterCard.MASON)),
            1,
            laying(3, CharacterCard.MASON),
            "ROUND-2: A character already lies below space 3.",
        ),
        (begun(), 0, laying(9, CharacterCard.THIEVES), "ROUND-3: You cannot lay thieves below space 9, the last one."),
        (
            asked("place: LAG\ncolumn: M0\nhall: 01 / .... / ...."),
            0,
            BuildElement(1),
            "MASON-2: You have already built on plot 1 of the Town Hall.",
        ),
        (
            asked("place: LAG\ncolumn: M0\nhall: 01 / .... / ...."),
            0,
            BuildElement(2),
            "MASON-2: Bob has already built on plot 2 of the Town Hall.",
        ),
        (
            asked(f"column: M0 T1\n{ALL_FULL}\nhall: 01 / .... / ...."),
            1,
            BuildElement(1, 0),
            "ROB-MASON-1: Ada has already built on plot 1 of the Town Hall.",
        ),
        (
            reveal(position("place: LAG\ncolumn: M0", seats=2))[0],
            0,
            BuildElement(1),
            "TWO-1: Plot 1 of the Town Hall is closed with 2 players.",
        ),
        (
            asked("place: LAG\ncolumn: M0"),
            0,
            BuildElement(1, 1),
            "MASON-2: Your character robs no player: the move must not name a victim.",
        ),
        (
            asked("column: M0 T1"),
            1,
            BuildMansion(at("ICO"), 2),
            "ROB-MASON-1: Your thieves rob Ada: the move must name seat 0 as the victim.",
        ),
        (
            asked("column: M0 T1"),
            1,
            BuildMansion(at("PUE"), 0),
            "ROB-MASON-1: Puerto de la Cruz is the current town: your thieves must build in another town.",
        ),
        (
            asked("place: ICO\ncolumn: M0 T1\nPUE: 2 2 2 2"),
            1,
            BuildMansion(at("PUE"), 0),
            "ROB-MASON-1: Puerto de la Cruz has no free plot.",
        ),
        (
            asked("column: M0 T1"),
            1,
            BuildMansion(at("GAR"), 0),
            "ROB-MASON-1: Garachico is too far away: your thieves must build in Icod or La Orotava.",
        ),
        (
            asked("column: E0\nstorage: 0 / 0 / - / - / - / -"),
            0,
            Export(4),
            "EXPORTER-1: You have no warehouse on storage space 4.",
        ),
        (
            asked("column: E0 T1\nstorage: 1 / 0 / - / - / 0 / 0"),
            1,
            Export(1, 0),
            "ROB-EXPORTER-1: Ada has no warehouse on storage space 1.",
        ),
        (
            asked("column: E0 T1\nstorage: 1 / 0 / - / - / 0 / 0"),
            1,
            Export(6, 0),
            "ROB-EXPORTER-1: Your thieves get only the goods of lowest value: choose storage space 2 or 5.",
        ),
        (
            asked("column: C0\nseat 0: in ICO"),
            0,
            MoveMerchant(at("ICO")),
            "MERCHANT-2: Your merchant is already in Icod and must move on.",
        ),
        (
            asked("column: C0\nseat 0: in ICO"),
            0,
            MoveMerchant(at("TAC")),
            "MERCHANT-2: Your merchant can reach no other player's mansion and moves along one road only: "
            "Tacoronte is too far.",
        ),
        (
            asked("column: C0\nseat 0: in ICO\nGAR: 1\nPUE: 2"),
            0,
            MoveMerchant(at("TAC")),
            "MERCHANT-2: No other player has built in Tacoronte: your merchant cannot stop there.",
        ),
        (
            asked("column: C0\nseat 0: in ICO\nORO: 1\nPUE: 2\nTAC: 1"),
            0,
            MoveMerchant(at("TAC")),
            "MERCHANT-2: Your merchant cannot reach Tacoronte without passing other players' mansions.",
        ),
    ],
)
def test_a_refusal_names_the_rule_and_the_reason(state: State, actor: int, move: Move, refusal: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        GAME.apply(state, actor, move)
    assert f"{refused.value.rule}: {fill(refused.value.sentence, NAMES)}" == f"TENERIFE-{refusal}"


@pytest.mark.parametrize(
    ("options", "seats", "refusal"),
    [
        (Options(), 5, "seats: Tenerife is for 2, 3 or 4 players, not for 5 (TENERIFE-SETUP-1)."),
        (Options(edition="attic"), 3, "edition: Unknown edition 'attic'. Choose one of: house."),
        (Options(start_seat=3), 3, "start_seat: Seat 3 does not exist: seats have the numbers 0 to 2."),
        (
            Options(transport_spaces=4),
            3,
            "transport_spaces: With 3 players there are 2 or 3 transport spaces, not 4 (TENERIFE-TRANSPORT-1).",
        ),
        (Options(turbulent=True), 3, "turbulent: A turbulent game is for 2 players, not for 3 (TENERIFE-TWO-2)."),
    ],
)
def test_rejected_options_are_named_with_the_allowed_values(options: Options, seats: int, refusal: str) -> None:
    with pytest.raises(BadOptions) as refused:
        GAME.setup(options, seats)
    assert str(refused.value) == refusal
