"""A roll-out of new rules: games that started under the old rules continue, render and verify under them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from skerry.v1 import service_pb2 as pb
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games, earlier_rulesets
from skerry_games.kreta import GAME as KRETA
from skerry_service.cli.validate_command import validation_results
from skerry_service.replays.verification import Unverifiable, first_difference
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore
from tests.api.wire import BOT, Api, create, get, move_once, play_out, refused, served, sit_down


def _loud(event: Any) -> str:
    """The old rules word each event with exclamation marks. Verification renders the same texts again."""
    return KRETA.say(event).replace(".", "!")


def _last_first(state: Any, actor: int) -> list[Any]:
    """The old rules list moves in another order, from which the seed chooses the moves of bots."""
    return list(KRETA.legal_moves(state, actor))[::-1]


OLD: AnyGame = replace(KRETA, ruleset="kreta-1", say=_loud, legal_moves=_last_first)


@contextmanager
def build_with(newest: AnyGame, *earlier: AnyGame) -> Iterator[None]:
    """Act as a build that supports these rulesets."""
    games, supported_earlier = all_games(), earlier_rulesets()
    games["kreta"] = newest
    supported_earlier.update({one.ruleset: one for one in earlier})
    yield
    games["kreta"] = KRETA
    for one in earlier:
        del supported_earlier[one.ruleset]


async def replay(api: Api, name: str) -> Any:
    return (await api.stub.GetReplay(pb.GetReplayRequest(name=name))).replay


async def verdicts(store: RedisStore, *, finished: bool = False) -> list[str]:
    return [finding.verdict async for finding in validation_results(store, 10_000, finished=finished)]


async def test_a_game_continues_under_the_rules_that_it_started_with(unserved: EmbeddedServer) -> None:
    store = RedisStore(unserved.url)
    with build_with(OLD):
        async with served(unserved) as before:
            old = await sit_down(before)
            for number in range(10):
                await move_once(before, old, number)
            over = await create(before, BOT, BOT)
    with build_with(KRETA):
        assert await verdicts(store) == ["unknown"]
        async with served(unserved) as without:
            with refused("FAILED_PRECONDITION", "RULESET_UNSUPPORTED", ruleset="kreta-1", supported=KRETA.ruleset):
                await get(without, old)
    with build_with(KRETA, OLD):
        assert await verdicts(store) == ["passes"]
        async with served(unserved) as after:
            listed = (await after.stub.ListSessions(pb.ListSessionsRequest())).sessions
            assert {session.ruleset for session in listed} == {"kreta-1"}
            new = await sit_down(after)
            assert (await get(after, new)).session.ruleset == KRETA.ruleset
            for sitting in (old, new):
                await play_out(after, sitting)
            replays = [await replay(after, sitting.name) for sitting in (old, over, new)]
            assert [first_difference(one) for one in replays] == [None, None, None]
            said = [" ".join(event.text for entry in one.entries for event in entry.moved.events) for one in replays]
            assert ["!" in words for words in said] == [True, True, False]
        assert await verdicts(store, finished=True) == ["passes"] * 3
    with build_with(KRETA), pytest.raises(Unverifiable, match="does not support the ruleset 'kreta-1'"):
        first_difference(replays[0])
    await store.close()
