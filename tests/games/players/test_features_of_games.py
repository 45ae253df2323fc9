"""The features of games, and the play-outs of Tenerife, in positions checked by hand."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from skerry_games.api import CHANCE, CHANCE_ACTS
from skerry_games.canarias.learnt.features import FEATURES as CANARIAS_FEATURES
from skerry_games.canarias.learnt.features import NAMES as CANARIAS
from skerry_games.canarias.learnt.features import features as canarias
from skerry_games.canarias.learnt.policy import MORE_ROUNDS, choose
from skerry_games.canarias.learnt.policy import play_on as end_of_round
from skerry_games.canarias.printed.cards import COLOUR_OF, FIRST_PIRATE
from skerry_games.canarias.printed.terms import Power
from skerry_games.canarias.state import with_colour
from skerry_games.catalogue import all_games
from skerry_games.players.fast_dice import FastDice
from skerry_games.rng import Dice
from skerry_games.small_islands.learnt.features import NAMES as SMALL_ISLANDS
from skerry_games.small_islands.learnt.features import features as small_islands
from skerry_games.small_islands.phases.objectives import CARDS
from skerry_games.small_islands.state import with_cards
from skerry_games.tenerife.learnt.features import NAMES as TENERIFE
from skerry_games.tenerife.learnt.features import features as tenerife
from skerry_games.tenerife.learnt.policy import filled, plausible, play_on
from skerry_games.tenerife.state import NO_SEAT, THIEVES, CharacterCard, Phase, with_item
from tests.games.conformance.play import play
from tests.games.variants import all_variants

TABLES = [
    pytest.param(variant.game, seats, id=f"{variant.id}-{seats}")
    for variant in all_variants()
    if variant.game.id == "tenerife"
    for seats in variant.game.seats
]


def fast(seed: int) -> FastDice:
    return FastDice(Dice(Random(seed)))


def decisions(game: str, seats: int) -> list[Any]:
    rules = all_games()[game]
    return [state for state in play(rules, seats, 1).states[:-1] if rules.to_act(state) != CHANCE_ACTS]


def turned_tenerife(state: Any) -> Any:
    """Return the state in which each seat has the place of the next one."""
    seats = len(state.seats)

    def turned(owners: Any) -> Any:
        return tuple([(owner + 1) % seats if owner >= 0 else owner for owner in owners])

    return replace(
        state,
        seats=(state.seats[-1], *state.seats[:-1]),
        turn=(state.turn + 1) % seats,
        start=(state.start + 1) % seats,
        hall=turned(state.hall),
        owners=turned(state.owners),
        towns=tuple(map(turned, state.towns)),
        storage=tuple(map(turned, state.storage)),
    )


def turned_canarias(state: Any) -> Any:
    """Return the state in which each seat has the place of the next one, except for what seats know of cards."""
    seats = len(state.seats)
    return replace(
        state,
        seats=(state.seats[-1], *state.seats[:-1]),
        turn=(state.turn + 1) % seats,
        actor=(state.actor + 1) % seats,
        start=(state.start + 1) % seats,
        ship=tuple([(card, (loader + 1) % seats if loader >= 0 else loader) for card, loader in state.ship]),
        privileges=tuple([(owner + 1) % seats if owner >= 0 else owner for owner in state.privileges]),
    )


@pytest.mark.parametrize(
    ("game", "features", "turned"),
    [("tenerife", tenerife, turned_tenerife), ("canarias", canarias, turned_canarias)],
)
def test_features_do_not_depend_on_the_number_of_a_seat(game: str, features: Any, turned: Any) -> None:
    for seats in all_games()[game].seats:
        for state in decisions(game, seats)[::7]:
            rows = features(state)
            assert features(turned(state)) == [rows[-1], *rows[:-1]]


def column(state: Any, *laid: tuple[int, int, CharacterCard]) -> Any:
    """Return the state with cards laid: the space, the owner, the card."""
    owners, cards, vacant = state.owners, state.cards, state.vacant
    for space, owner, card in laid:
        owners, cards = with_item(owners, space - 1, owner), with_item(cards, space - 1, card)
        vacant &= ~(1 << space)
    return replace(state, owners=owners, cards=cards, vacant=vacant)


def test_tenerife_counts_what_the_column_can_gain() -> None:
    state = next(state for state in decisions("tenerife", 3) if not any(state.cards))

    def gains(*laid: tuple[int, int, CharacterCard]) -> list[dict[str, float]]:
        return [dict(zip(TENERIFE, row, strict=True)) for row in tenerife(column(state, *laid))]

    exposed = gains((1, 0, CharacterCard.MASON))
    assert (exposed[0]["exposed"], exposed[0]["gain"]) == (2, 0)
    safe = gains((1, 0, CharacterCard.MASON), (2, 1, CharacterCard.FARMER))
    assert (safe[0]["exposed"], safe[0]["gain"]) == (0, 2)
    robbed = gains((1, 0, CharacterCard.MASON), (2, 1, CharacterCard.THIEVES))
    assert (robbed[0]["gain"], robbed[1]["loot"]) == (0, 2)
    freed = gains((1, 0, CharacterCard.MASON), (2, 1, CharacterCard.THIEVES), (3, 0, CharacterCard.THIEVES))
    assert (freed[0]["gain"], freed[1]["loot"]) == (2, 0)
    assert gains((3, 2, CharacterCard.THIEVES))[2]["ambush"] == 1


def test_canarias_counts_pirates_on_the_ship_against_the_owner_of_the_privilege() -> None:
    state = decisions("canarias", 3)[-1]
    colour = next(each for each in range(6) if each != COLOUR_OF[Power.PIRATE])
    pirate = replace(state, ship=((FIRST_PIRATE + colour, -1),))
    raided, diverted = CANARIAS.index("raided"), CANARIAS.index("diverted")
    guard = with_colour(with_colour(state.privileges, COLOUR_OF[Power.PIRATE], 2), colour, 1)
    assert [row[raided] for row in canarias(replace(pirate, privileges=guard))] == [0, 1, 0]
    owner = with_colour(guard, colour, 2)
    assert [(row[raided], row[diverted]) for row in canarias(replace(pirate, privileges=owner))] == [(0, 0)] * 2 + [
        (0, 1)
    ]


def test_small_islands_counts_islands_that_lack_one_symbol_for_the_mission() -> None:
    state = next(state for state in decisions("small_islands", 2) if state.chosen == 0b11)

    def with_card(name: str) -> dict[str, float]:
        (deck,) = state.decks
        card = next(number for number, each in enumerate(CARDS) if each.id == name)
        chosen = replace(deck, cards=with_cards(deck, 0, (card, *deck.cards[0][1:])))
        return dict(zip(SMALL_ISLANDS, small_islands(replace(state, decks=(chosen,)))[0], strict=True))

    # One island, with one of each resource and a temple: two of them are equal after any further symbol, too.
    equal, more = with_card("O12"), with_card("O5")
    assert (equal["hoped"], equal["firm"], equal["near"]) == (6, 6, 0)
    assert (more["hoped"], more["firm"], more["near"]) == (0, 0, 6)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_play_out_of_tenerife_lays_what_the_seat_would_lay_if_others_had_laid_other_cards(
    game: Any, seats: int
) -> None:
    dice, state, compared = fast(1), game.setup(game.options_type(), seats), 0
    for number in range(300):
        if not (actors := game.to_act(state)):
            break
        if actors == CHANCE_ACTS:
            state, _ = game.apply(state, CHANCE, game.draw(state, dice))
            continue
        (seat,) = actors
        if state.phase is Phase.LAY and state.owners.count(NO_SEAT) == 1:
            compared += 1
            ((space, card),) = laid(state, filled(state, fast(number)))
            assert card in state.seats[seat].hand
            assert [(space, card)] == laid(state, filled(game.redeal(state, seat, dice), fast(number)))
        state, _ = game.apply(state, seat, dice.choice(game.legal_moves(state, seat)))
    assert compared > 5


def laid(before: Any, after: Any) -> list[tuple[int, Any]]:
    """Return the cards that were laid between two states, with the indices of their spaces."""
    return [(at, after.cards[at]) for at, owner in enumerate(before.owners) if owner == NO_SEAT]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_play_out_of_tenerife_ends_with_an_empty_column(game: Any, seats: int) -> None:
    dice, state, rounds = fast(1), game.setup(game.options_type(), seats), 0
    while actors := game.to_act(state):
        if actors == CHANCE_ACTS:
            state, _ = game.apply(state, CHANCE, game.draw(state, dice))
            continue
        before, state, rounds = state, play_on(state, dice), rounds + 1
        assert not any(state.cards)
        assert all(one.score >= other.score for one, other in zip(state.seats, before.seats, strict=True))
    assert rounds > 5
    assert game.outcome(state)


def test_thieves_are_laid_behind_other_seats() -> None:
    state = next(state for state in decisions("tenerife", 3) if not any(state.cards))
    me = state.turn
    state = column(state, (4, (me + 1) % 3, CharacterCard.MASON))
    dice, found = fast(1), Counter[int]()
    for _ in range(300):
        after = filled(state, dice)
        found += Counter(at for at, card in laid(state, after) if card in THIEVES and after.owners[at] == me)
    assert found.most_common(1)[0][0] == 4
    assert found[8] == 0  # TENERIFE-ROUND-3


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_plausible_deals_of_tenerife_look_alike_to_the_seat(game: Any, seats: int) -> None:
    dice, state = fast(1), game.setup(game.options_type(), seats)
    for _ in range(200):
        actors = game.to_act(state)
        if actors == CHANCE_ACTS:
            state, _ = game.apply(state, CHANCE, game.draw(state, dice))
        elif actors:
            for seat in range(seats):
                dealt = plausible(state, seat, dice)
                assert game.view(dealt, seat) == game.view(state, seat)
                # What was dealt before does not matter.
                again = plausible(game.redeal(state, seat, dice), seat, fast(2))
                assert again == plausible(state, seat, fast(2))
            state, _ = game.apply(state, actors[0], dice.choice(game.legal_moves(state, actors[0])))


def test_useful_cards_are_plausible() -> None:
    state = next(state for state in decisions("tenerife", 2) if not any(state.cards))
    me, dice = state.turn, fast(1)
    other = 1 - me
    seats = with_item(state.seats, other, replace(state.seats[other], mansions=0))
    dealt = {}
    for name, empty in (("useful", state), ("useless", replace(state, seats=seats))):
        each = column(empty, (4, other, CharacterCard.FARMER))
        dealt[name] = Counter(plausible(each, me, dice).cards[3] for _ in range(300))
    assert dealt["useful"][CharacterCard.MASON] > 2 * dealt["useless"][CharacterCard.MASON]


@pytest.mark.parametrize("seats", all_games()["canarias"].seats)
def test_a_play_out_of_canarias_does_not_use_hidden_cards_and_ends_with_the_round(seats: int) -> None:
    game, dice = all_games()["canarias"], fast(1)
    state, number = game.setup(game.options_type(), seats), 0
    while actors := game.to_act(state):
        if actors == CHANCE_ACTS:
            state, _ = game.apply(state, CHANCE, game.draw(state, dice))
            continue
        (seat,), number = actors, number + 1
        move = choose(state, seat, fast(number))
        assert move in game.legal_moves(state, seat)
        assert move == choose(game.redeal(state, seat, dice), seat, fast(number))
        if not number % 5:
            end = end_of_round(state, dice)
            assert not game.to_act(end) or (
                CANARIAS_FEATURES.settled(end) and end.round == max(1, state.round) + MORE_ROUNDS + 1
            )
        state, _ = game.apply(state, seat, move)
    assert number > 50
