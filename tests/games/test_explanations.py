"""Why not: each thing that is not lit has a sentence of the rules, which reveals no secret."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import pytest

from skerry_games.api import AnyGame, Viewer
from skerry_games.catalogue import all_games
from skerry_games.looks.explanations import UnknownThing, explain
from skerry_games.looks.guidance import Explanation
from skerry_games.sentences import fill
from skerry_games.texts.text_lines import named
from tests.games.conformance.play import dice, play, spread, viewers_of
from tests.games.conformance.texts import NAMES
from tests.games.test_guides import GUIDED, guide_of, seen_ids

STATES: Final = 8
THINGS: Final = 25
"""How many things of a position are asked about, at most, drawn at random."""
KRETA, CANARIAS, TENERIFE, SMALL = (all_games()[game] for game in ("kreta", "canarias", "tenerife", "small_islands"))


def ways(game: AnyGame, state: Any, viewer: Viewer) -> list[tuple[str, ...]]:
    """Return the ways to choose a legal move."""
    legal = game.legal_moves(state, viewer) if viewer in game.to_act(state) else ()
    return [way for move in legal for way in guide_of(game).paths(move, game.view(state, viewer))]


def questions(game: AnyGame, state: Any, viewer: Viewer, rng: Random) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield things that are not lit, and what is chosen before: nothing, or the beginning of a way."""
    things, legal = sorted(seen_ids(game, state, viewer)), ways(game, state, viewer)
    longer = sorted({way[:cut] for way in legal for cut in range(1, len(way))})
    for chosen in ((), *rng.sample(longer, min(3, len(longer)))):
        lit = {way[len(chosen)] for way in legal if way[: len(chosen)] == chosen and len(way) > len(chosen)}
        dark = [thing for thing in things if thing not in lit]
        yield from ((thing, chosen) for thing in rng.sample(dark, min(THINGS, len(dark))))


@pytest.mark.parametrize(("game", "seats"), GUIDED)
def test_what_is_not_lit_has_a_sentence_which_tells_no_secret(game: AnyGame, seats: int) -> None:
    rules, rng = {"", *(rule.id for rule in game.rules)}, Random(seats)
    for number, state in enumerate(spread(play(game, seats, 7).states, STATES)):
        for viewer in viewers_of(seats):
            twin = game.redeal(state, viewer, dice(7, number))
            for thing, chosen in questions(game, state, viewer, rng):
                reason = explain(game, state, viewer, thing, chosen)
                assert re.fullmatch(r"[A-Z{].*[.]", fill(reason.text, NAMES[:seats])), (thing, reason)
                assert reason.rule in rules, (thing, reason)
                assert explain(game, twin, viewer, thing, chosen) == reason, (thing, chosen)


@pytest.mark.parametrize(("game", "seats"), GUIDED)
def test_what_is_lit_says_what_it_does(game: AnyGame, seats: int) -> None:
    for state in spread(play(game, seats, 8).states, STATES):
        for seat in range(seats):
            for way in ways(game, state, seat)[:5]:
                assert explain(game, state, seat, way[0]).text.startswith("You can play this now:")


def first(game: AnyGame, seats: int, is_it: Callable[[Any], bool], seed: int = 1) -> Any:
    """Return the first state of some random games that is like that."""
    return next(state for number in range(seed, seed + 9) for state in play(game, seats, number).states if is_it(state))


def asked(game: AnyGame, state: Any, thing: str, *chosen: str) -> Explanation:
    """Return the answer to the seat that has to decide."""
    return explain(game, state, game.to_act(state)[0], thing, chosen)


def in_phase(name: str) -> Callable[[Any], bool]:
    return lambda state: state.phase.name == name


def test_kreta_explains_cards_and_provinces() -> None:
    state = first(KRETA, 2, in_phase("PLAY_CARD"))
    seat = KRETA.to_act(state)[0]
    none = "You have no card on the table that your king could copy."
    assert asked(KRETA, state, f"card:{seat}:king") == Explanation(none, "KRETA-KING-2")
    assert asked(KRETA, state, f"card:{seat}:farmer").rule == "KRETA-TURN-2"
    assert asked(KRETA, state, "province:KIS") == Explanation("Play a card from your hand first.", "KRETA-TURN-1")
    assert (
        asked(KRETA, state, f"card:{1 - seat}:abbot").text == f"This card belongs to {{{1 - seat}}}. You play your own."
    )
    assert asked(KRETA, state, "fort-cards:row").rule == "KRETA-SETUP-5"


def test_kreta_explains_by_the_card_that_acts() -> None:
    def acting(card: str) -> Callable[[Any], bool]:
        return lambda state: in_phase("ACTION")(state) and named(state.action) == card

    dry = next(f"province:{one.id}" for one in KRETA.boards[0].provinces if not one.harbour)
    assert asked(KRETA, first(KRETA, 2, acting("admiral")), dry).rule == "KRETA-ADMIRAL-1"
    assert asked(KRETA, first(KRETA, 2, acting("architect")), dry).rule == "KRETA-ARCHITECT-3"
    assert (
        asked(KRETA, first(KRETA, 2, acting("admiral")), "fort:1").text == "Carry out the action of the admiral first."
    )


def test_canarias_explains_pirates_islands_and_palaces() -> None:
    def pirate(state: Any) -> str | None:
        seat = CANARIAS.to_act(state)[0]
        cards = [thing for thing in seen_ids(CANARIAS, state, seat) if thing.startswith(f"hand:{seat}:pirate")]
        return min(cards, default=None)

    state = first(CANARIAS, 2, lambda state: in_phase("BUILD_OR_DRAW")(state) and pirate(state) is not None)
    seat, card = CANARIAS.to_act(state)[0], pirate(state)
    assert card is not None
    sentence = "A pirate builds nothing: you can only put it on the ship."
    assert asked(CANARIAS, state, card) == Explanation(sentence, "CANARIAS-PIRATE-1")
    assert asked(CANARIAS, state, f"home:{1 - seat}").rule == "CANARIAS-BUILD-1"
    assert asked(CANARIAS, state, "ship").text == "First build a house or draw cards, then put a card on the ship."
    assert asked(CANARIAS, first(CANARIAS, 2, in_phase("LOAD")), "deck").rule == "CANARIAS-TURN-1"
    one_house = first(CANARIAS, 2, lambda state: in_phase("LOAD")(state) and len(buildings(state)) == 1)
    assert asked(CANARIAS, one_house, buildings(one_house)[0]).rule == "CANARIAS-PALACE-1"


def buildings(state: Any) -> list[str]:
    """Return the ids of the houses of the acting seat."""
    seat = CANARIAS.to_act(state)[0]
    return [thing for thing in seen_ids(CANARIAS, state, seat) if re.fullmatch(rf"house-\w+:{seat}:\w+", thing)]


def test_tenerife_explains_thieves_below_the_last_space() -> None:
    state = first(TENERIFE, 3, in_phase("LAY"))
    seat = TENERIFE.to_act(state)[0]
    sentence = "You cannot lay thieves below space 9, the last one."
    assert asked(TENERIFE, state, "space:9", f"hand:{seat}:thieves:0") == Explanation(sentence, "TENERIFE-ROUND-3")
    assert asked(TENERIFE, state, "space:1").text.startswith("First choose")
    assert asked(TENERIFE, state, "storage:1").rule == "TENERIFE-ROUND-4"
    occupied = first(TENERIFE, 3, lambda state: in_phase("LAY")(state) and state.cards[0] is not None)
    assert asked(TENERIFE, occupied, "space:1").text == "A character already lies below space 1."


def test_small_islands_explains_ships_tiles_and_missions() -> None:
    turn = first(SMALL, 2, lambda state: in_phase("TURN")(state) and state.stack)
    assert asked(SMALL, turn, "grey-ships").text == "You cannot land while the navigation stack has tiles."
    laying = first(SMALL, 2, in_phase("LAY_TILE"))
    assert asked(SMALL, laying, "cell:0,0") == Explanation(
        "That cell does not touch a laid tile or ship by a side.", "SMALL-TILE-2"
    )
    building = first(SMALL, 2, in_phase("PLACE_HOUSES"))
    tiles = [thing for thing in seen_ids(SMALL, building, SMALL.to_act(building)[0]) if thing.startswith("tile:")]
    rules = {asked(SMALL, building, tile).rule for tile in tiles}
    assert "SMALL-REWARD-2" in rules


def test_who_has_nothing_to_decide_gets_the_reason() -> None:
    state = first(KRETA, 2, in_phase("PLAY_CARD"))
    seat = KRETA.to_act(state)[0]
    assert explain(KRETA, state, 1 - seat, "province:KIS") == Explanation(f"It is {{{seat}}}'s turn.", "KRETA-TURN-1")
    assert explain(KRETA, state, None, "province:KIS") == Explanation("You are watching: only the players move.")
    over = explain(KRETA, play(KRETA, 2, 1).last, 0, "province:KIS")
    assert over == Explanation("The game is over: the 11th fort card has been scored.", "KRETA-END-1")


@pytest.mark.parametrize("thing", ["province:nowhere", "", "card:1", "{0}", "tile:L07"])
def test_what_the_viewer_does_not_see_is_unknown(thing: str) -> None:
    state = first(KRETA, 2, in_phase("PLAY_CARD"))
    for target, chosen in ((thing, ()), ("province:KIS", (thing,))):
        with pytest.raises(UnknownThing):
            explain(KRETA, state, KRETA.to_act(state)[0], target, chosen)
