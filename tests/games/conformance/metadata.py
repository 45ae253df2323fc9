"""Checks of a game's metadata and of its setup."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import fields, replace

from skerry_games.api import AnyGame, BadOptions
from tests.games.conformance.texts import is_sentence

RULE_ID = re.compile(r"[A-Z][A-Z_]*(-[A-Z0-9_]+)+")
GAME_ID = re.compile(r"[a-z][a-z0-9_]*")


def check_metadata(game: AnyGame) -> None:
    """The id, names, seats and editions are well formed."""
    assert GAME_ID.fullmatch(game.id), f"a game's id is the name of a folder: {game.id!r}"
    assert all((game.title, game.author, game.ruleset)), "title, author and ruleset are given"
    assert game.seats == tuple(sorted(set(game.seats))), f"seats are ascending: {game.seats}"
    assert game.seats and game.seats[0] >= 1
    assert len(set(game.editions)) == len(game.editions) > 0
    assert game.options_type().edition == game.editions[0], "the first edition is the default"


def check_rules_are_numbered(game: AnyGame) -> None:
    """Rules have unique, well-formed ids with the same first part. Each rule has a section and a text."""
    ids = [rule.id for rule in game.rules]
    assert ids, "a game has rules"
    assert len(set(ids)) == len(ids), "a rule id occurs twice"
    assert all(RULE_ID.fullmatch(rule) for rule in ids), f"a rule id is not well formed: {ids}"
    assert len({rule.partition("-")[0] for rule in ids}) == 1, "rule ids begin with different names"
    assert all(rule.section and rule.text for rule in game.rules), "a rule has no section or no text"


def check_setup_refuses_other_seats(game: AnyGame) -> None:
    """Each supported number of seats sets up a game in each edition. Others raise BadOptions."""
    for edition in game.editions:
        for seats in game.seats:
            game.setup(replace(game.options_type(), edition=edition), seats)
    for seats in {-1, 0, *range(game.seats[-1] + 3)} - {*game.seats}:
        with pytest.raises(BadOptions) as refusal:
            game.setup(game.options_type(), seats)
        assert is_sentence(refusal.value.sentence), f"rejected without a sentence: {refusal.value!r}"


def check_setup_refuses_unknown_editions(game: AnyGame) -> None:
    """An unknown edition raises BadOptions, which names the field."""
    for edition in ("", "no such edition", game.editions[0].upper()):
        with pytest.raises(BadOptions) as refusal:
            game.setup(replace(game.options_type(), edition=edition), game.seats[0])
        assert refusal.value.field == "edition"
        assert is_sentence(refusal.value.sentence), f"rejected without a sentence: {refusal.value!r}"


def check_options_that_name_a_seat(game: AnyGame) -> None:
    """``seat_options`` lists all options that name a seat. They accept each seat of the game and no other."""
    named = [field.name for field in fields(game.options_type) if field.name.endswith("seat")]
    assert sorted(game.seat_options) == sorted(named), "seat_options differs from the options that name a seat"
    for option in game.seat_options:
        assert getattr(game.options_type(), option) is None, "a seat is named by default"
        for seats in game.seats:
            for seat in range(seats):
                game.setup(replace(game.options_type(), **{option: seat}), seats)
            for seat in (-1, seats):
                with pytest.raises(BadOptions) as refusal:
                    game.setup(replace(game.options_type(), **{option: seat}), seats)
                assert refusal.value.field == option


def check_options_have_defaults(game: AnyGame) -> None:
    """Each option has a default, and equal options have equal hashes."""
    assert all(not field.required for field in fields(game.options_type)), "an option has no default"
    assert hash(game.options_type()) == hash(game.options_type()), "equal options have different hashes"
