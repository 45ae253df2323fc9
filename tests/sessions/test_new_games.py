"""A roll-out of a ruleset: new games begin with one that every live replica supports, or that the operator has set."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

import pytest

from skerry.v1 import service_pb2 as api
from skerry_games.catalogue import all_games, earlier_rulesets
from skerry_games.kreta import GAME as KRETA
from skerry_service.api.session_methods import Methods
from skerry_service.domain.errors import ShuttingDown
from skerry_service.domain.record import Phase
from skerry_service.matching.ticket_streams import MatchedPlayer, TicketRequest
from skerry_service.sessions.actions.new_games import NewGames, supported_rulesets
from skerry_service.sessions.service import Sessions
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.replica_registry import Announcement
from tests.games.pairs import GAME as PAIRS
from tests.matching.strangers import criteria
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, play_out, sit_down, uuid
from tests.sessions.test_rulesets import NEW, OLD, build_with
from tests.store.servers import ask, open_store, running_server

OLD_BUILD = {PAIRS.id: (OLD.ruleset,), "kreta": ("kreta-2",)}
NEW_BUILD = {PAIRS.id: (NEW.ruleset, OLD.ruleset)}
NEWEST_BUILD = {PAIRS.id: (NEW.ruleset,)}


@pytest.fixture
def valkey() -> Iterator[EmbeddedServer]:
    with running_server() as server:
        yield server


def chosen(*replicas: Mapping[str, Collection[str]], fixed: Collection[str] = ()) -> str:
    """Return the ruleset of new games of Pairs at a build with both."""
    with build_with(NEW, OLD):
        game = NewGames(lambda: replicas, fixed).game(PAIRS.id)
    assert game is not None
    return game.ruleset


def test_new_games_begin_with_the_newest_ruleset_that_all_live_replicas_support() -> None:
    assert chosen() == chosen(NEW_BUILD, NEWEST_BUILD) == NEW.ruleset
    assert chosen(OLD_BUILD) == chosen(NEW_BUILD, OLD_BUILD) == OLD.ruleset
    assert chosen({"kreta": ("kreta-2",)}) == NEW.ruleset, "a replica without the game does not count"
    assert chosen(OLD_BUILD, NEWEST_BUILD) == NEW.ruleset, "there is none that all support"


def test_the_operator_can_hold_a_ruleset() -> None:
    assert chosen(fixed=[OLD.ruleset]) == chosen(NEWEST_BUILD, fixed=["kreta-2", OLD.ruleset]) == OLD.ruleset
    assert chosen(OLD_BUILD, fixed=[NEW.ruleset]) == NEW.ruleset


def test_a_build_with_one_ruleset_begins_games_with_it() -> None:
    assert (game := NewGames(lambda: [NEWEST_BUILD]).game("kreta")) is not None and game.ruleset == "kreta-2"
    assert NewGames().game("chess") is None
    with build_with(NEW, OLD):
        assert supported_rulesets()[PAIRS.id] == (NEW.ruleset, OLD.ruleset)


async def test_a_roll_out_breaks_no_new_game_at_the_old_replicas(valkey: EmbeddedServer) -> None:
    async with open_store(valkey) as old, open_store(valkey) as new:
        old.replicas.own, new.replicas.own = Announcement("1", 1, OLD_BUILD), Announcement("2", 1, NEW_BUILD)
        await old.tick(0)
        await new.tick(0)
        with build_with(NEW, OLD):
            sessions = replica(new)
            game = sessions.new_games.game(PAIRS.id)
            assert game is OLD
            sitting = await sit_down(sessions, game, 2)
        with build_with(OLD):
            assert (await play_out(replica(old), sitting)).record.phase is Phase.FINISHED
        with build_with(NEW, OLD):
            again = await sessions.rematches.rematch(sitting.id, sitting.seats[0])
            assert again.table.record.ruleset == OLD.ruleset
        await old.leave()
        await new.tick(0)
        with build_with(NEW, OLD):
            assert sessions.new_games.game(PAIRS.id) is NEW


async def test_the_api_names_the_ruleset_of_new_games(store: FaultyStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(all_games(), "kreta", replace(KRETA, ruleset="kreta-3"))
    monkeypatch.setitem(earlier_rulesets(), "kreta-2", KRETA)
    new_games = NewGames(lambda: [{"kreta": ("kreta-2",)}])
    calls = Methods(Sessions(store, clock_ms=Clock(), new_games=new_games))
    found = await calls.get_game(api.GetGameRequest(name="games/kreta"), None)
    assert found.message.game.ruleset == "kreta-2"
    seat = api.SeatSetup()
    made = await calls.create_session(api.CreateSessionRequest(game="kreta", seats=[seat, seat]), None)
    assert made.message.session.ruleset == "kreta-2"


async def test_a_replica_that_no_longer_ticks_does_not_count(valkey: EmbeddedServer) -> None:
    async with open_store(valkey) as dead, open_store(valkey) as live, open_store(valkey) as tool:
        dead.replicas.own, live.replicas.own = Announcement("1", 1, OLD_BUILD), Announcement("2", 1, NEW_BUILD)
        await dead.tick(0)
        await live.tick(0)
        await tool.tick(0)
        assert [one.build for one in live.replicas.others] == ["1"]
        assert sorted(one.build for one in tool.replicas.others) == ["1", "2"]
        await ask(valkey, "HSET", redis_keys.STORE, redis_keys.UPTIME, 20_000)
        await live.tick(0)
        assert live.replicas.others == []
        assert await ask(valkey, "ZCARD", redis_keys.REPLICAS) == 2
        await ask(valkey, "HSET", redis_keys.STORE, redis_keys.UPTIME, 100_000)
        await live.tick(0)
        assert await ask(valkey, "ZRANGE", redis_keys.REPLICAS, 0, -1) == [live.replicas.entry()]


async def test_a_damaged_announcement_does_not_count(valkey: EmbeddedServer) -> None:
    async with open_store(valkey) as store:
        await ask(valkey, "ZADD", redis_keys.REPLICAS, 0, "0" * 16 + "\x91", 0, "no", 0, "")
        await store.tick(0)
        assert store.replicas.others == []


async def test_waiting_tickets_follow_the_ruleset_of_new_games(store: FaultyStore) -> None:
    replicas = [OLD_BUILD]
    with build_with(NEW, OLD):
        sessions = Sessions(store, clock_ms=Clock(), new_games=NewGames(lambda: replicas))
        game = sessions.new_games.game(PAIRS.id)
        assert game is OLD
        request = TicketRequest(game, criteria(2, game=game), (MatchedPlayer("Ada", ""),))
        stream = sessions.matchmaker.find(request, uuid(1))
        assert not (await anext(stream)).found
        replicas.clear()
        waiting = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0)
        for matching in sessions.matchmaker._games.values():
            for one in matching.queue.all_streams():
                one.changed.set()
        with pytest.raises(ShuttingDown):
            await waiting
        assert sessions.new_games.game(PAIRS.id) is NEW
        await sessions.close()


def replica(store: RedisStore) -> Sessions:
    """Return a replica of the build that there is now."""
    return Sessions(store, clock_ms=Clock(), new_games=NewGames(store.replicas.rulesets))
