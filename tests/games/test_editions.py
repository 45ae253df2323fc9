"""Editions: a game plays with an owner's components beside the house's, and passes the conformance suite with them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from skerry_games import Dice, SeededRng, seen_from, start
from skerry_games.api import AnyGame, BadOptions
from skerry_games.catalogue import added_editions, all_games, find_edition, find_game, rules_in
from skerry_games.component_data import ComponentsError
from skerry_games.editions import EditionExists, add_edition, edition_names
from skerry_games.languages.catalogues import languages
from skerry_games.players import shipped_player
from skerry_games.players.utility import advice_of, evaluation_of
from tests.games.conformance import METADATA_CHECKS, PLAY_CHECKS, MetadataCheck, PlayCheck
from tests.games.other_editions import GAMES, added_editions_restored, house, other_edition, other_text


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    with added_editions_restored():
        yield


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> AnyGame:
    return other_edition(request.param)


def counts_of(game: str, raw: dict[str, Any]) -> dict[str, int]:
    """The counts of components that the rules leave open."""
    match game:
        case "kreta":
            provinces = list(raw["provinces"].values())
            found = Counter(one["terrain"] for one in provinces)
            found.update(f"{one['terrain']} harbour" for one in provinces if one["harbour"])
            found.update(len(fort["provinces"]) for fort in raw["forts"].values())
            sizes = {"borders": sum(len(one["adjacent"]) for one in provinces), "forts": len(raw["forts"])}
            return {**{str(key): count for key, count in found.items()}, **raw["tiles"], **sizes}
        case "canarias":
            return {
                "settlers": len(raw["settlers"]),
                "islands": len(raw["islands"]),
                **{name: sum(name in one["priorities"] for one in raw["settlers"].values()) for name in ("river",)},
                "neighbours": len(raw["islands"]["1"]["neighbours"]),
                "contacts": sum(map(len, raw["islands"]["1"]["touching"].values())),
            }
        case "tenerife":
            plots = {f"plots {number}": len(one["plots"]) for number, one in enumerate(raw["towns"].values())}
            sizes = {name: len(raw[name]) for name in ("towns", "roads", "storage", "line_points")}
            closed = sum(plot["closed_with_two_seats"] for plot in raw["hall"]["plots"])
            return {**plots, **sizes, "hall": len(raw["hall"]["plots"]), "closed": closed}
    parts = ("landscape", "bonus_tokens", "discovery_tokens", "size_points", "objectives", "missions", "rewards")
    symbols = Counter(symbol for tile in raw["landscape"].values() for symbol in tile["symbols"])
    return {**{part: len(raw[part]) for part in parts}, **symbols}


@pytest.mark.parametrize("name", GAMES)
def test_the_other_edition_differs_from_the_house_in_every_count(name: str) -> None:
    ours, others = counts_of(name, house(name)), counts_of(name, json.loads(other_text(name)))
    assert {key for key in ours if ours[key] == others.get(key, 0)} == set()


@pytest.mark.parametrize("check", METADATA_CHECKS, ids=lambda check: check.__name__)
def test_metadata(game: AnyGame, check: MetadataCheck) -> None:
    check(game)


@pytest.mark.parametrize("check", PLAY_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("largest", [False, pytest.param(True, marks=pytest.mark.deep)])
def test_play(game: AnyGame, check: PlayCheck, largest: bool) -> None:
    check(game, game.seats[-1 if largest else 0], 1)


def test_an_edition_stands_beside_the_house(game: AnyGame) -> None:
    ours = all_games()[game.id]
    assert (ours.editions, game.editions) == (("house",), ("other",))
    assert game.ruleset.startswith(f"{ours.ruleset}+other-")
    assert (game.id, game.title, game.seats) == (ours.id, ours.title, ours.seats)
    assert find_game(game.id, game.ruleset) is find_edition(game.id, "other") is game
    assert find_game(game.id, ours.ruleset) is find_edition(game.id, "") is find_edition(game.id, "house") is ours
    assert game in added_editions(game.id)
    assert edition_names(ours)[0] == "house"
    assert "other" in edition_names(ours)
    with pytest.raises(BadOptions, match="other"):
        ours.setup(ours.options_type(edition="other"), ours.seats[0])
    with pytest.raises(BadOptions, match="house"):
        game.setup(game.options_type(edition="house"), game.seats[0])


def test_an_edition_has_the_rules_of_the_house_in_every_language(game: AnyGame) -> None:
    for language in languages():
        assert rules_in(game, language) == rules_in(all_games()[game.id], language)


def test_a_position_begins_with_the_edition_of_its_options(game: AnyGame) -> None:
    position = start(game.id, rng=Dice(Random(1)), edition="other")
    assert position.game is game
    with pytest.raises(BadOptions, match="unknown"):
        start(game.id, edition="unknown")


def test_players_play_an_edition(game: AnyGame) -> None:
    rng = SeededRng(b"e" * 32, 0)
    position = start(game.id, rng=rng, edition="other")
    for _ in range(6):
        seat = position.to_act[0]
        player: Any = shipped_player("medium")(rng)
        seen = seen_from(position, seat, rng)
        move = player.choose(seen, lambda: 60.0)
        assert move in position.legal_moves(seat)
        position = position.play(move, seat, rng)


def test_learnt_weights_are_for_about_as_many_components(game: AnyGame) -> None:
    """Weights were learnt with the house's components. Other numbers of them fall back to the advice."""
    text = json.dumps(house(game.id) | {"edition": "same"})
    is_alike = game.id == "canarias"  # none of its numbers differs by more than a quarter
    assert (evaluation_of(game, 3) is not advice_of(game)) == is_alike
    same = add_edition(game.id, text)
    assert evaluation_of(same, 3) is not advice_of(same)


def test_an_edition_can_be_added_again_but_no_other_of_its_name(game: AnyGame) -> None:
    assert add_edition(game.id, json.dumps(json.loads(other_text(game.id)))) is game
    for name in ("other", "house"):
        with pytest.raises(EditionExists, match=name):
            add_edition(game.id, json.dumps(house(game.id) | {"edition": name}))


@pytest.mark.parametrize("name", ["Mine", "", "1st", "a" * 25, 7, None])
def test_the_name_of_an_edition_is_checked(name: object) -> None:
    with pytest.raises(ComponentsError, match=r"mine/kreta.json, line 1: .*at \$\.edition"):
        add_edition("kreta", json.dumps(house("kreta") | {"edition": name}), "mine/kreta.json")


def test_an_unusable_edition_changes_nothing() -> None:
    raw = house("kreta") | {"edition": "broken"}
    raw["provinces"]["KIS"]["terrain"] = "swamp"
    before = added_editions()
    with pytest.raises(ComponentsError, match=r"mine/kreta.json, line 1: 'swamp' is no terrain"):
        add_edition("kreta", json.dumps(raw), "mine/kreta.json")
    assert added_editions() == before
    raw["provinces"]["KIS"]["terrain"] = "hill"
    assert add_edition("kreta", json.dumps(raw)).editions == ("broken",)
    with pytest.raises(KeyError):
        add_edition("chess", "{}")
