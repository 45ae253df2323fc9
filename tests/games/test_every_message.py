"""Every message of every game says all that its value says, in every position of the conformance run."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf import message_factory

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_service.wire.payloads import codec_of, messages_of
from tests.games.conformance.messages import MESSAGE_CHECKS, MessageCheck, compare_case
from tests.games.sentences import rare
from tests.games.test_every_game import TABLES


@pytest.mark.parametrize(("game", "seats"), TABLES)
@pytest.mark.parametrize("check", MESSAGE_CHECKS, ids=lambda check: check.__name__)
def test_message(game: AnyGame, seats: int, check: MessageCheck) -> None:
    check(game, codec_of(game.id, game.ruleset), classes_of(game), seats, 1)


@pytest.mark.deep
@pytest.mark.parametrize(("game", "seats"), TABLES)
@pytest.mark.parametrize("check", MESSAGE_CHECKS, ids=lambda check: check.__name__)
def test_message_in_more_games(game: AnyGame, seats: int, check: MessageCheck) -> None:
    for seed in (2, 3, 4):
        check(game, codec_of(game.id, game.ruleset), classes_of(game), seats, seed)


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in all_games().values()])
def test_a_rare_move_or_event_is_sent_whole(game: AnyGame) -> None:
    codec, class_of = codec_of(game.id), classes_of(game)
    for what, value in rare(game):
        serialized = codec.move_to_wire(value) if what == "move" else codec.event_to_wire(value)
        compare_case(what, value, class_of(what.capitalize()).FromString(serialized))


def classes_of(game: AnyGame) -> Any:
    """Return a function from the name of a message to its class."""
    kinds = messages_of(game.id).message_types_by_name
    return lambda name: message_factory.GetMessageClass(kinds[name])
