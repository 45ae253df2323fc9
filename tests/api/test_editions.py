"""Sessions with the components of an owner's edition are played, replayed, verified and matched like all others."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from skerry.games.kreta.v1 import kreta_pb2
from skerry.v1 import catalogue_pb2, payload_pb2
from skerry.v1 import service_pb2 as pb
from skerry_games import SeededRng, catalogue, start
from skerry_games.api import BadOptions
from skerry_games.catalogue import all_games
from skerry_games.editions.edition_files import EditionsUnusable, load_editions
from skerry_service.cli.validate_command import validation_results
from skerry_service.domain.bot_decisions import Decision
from skerry_service.processes.bot_pool import BotPool
from skerry_service.replays.verification import first_difference
from skerry_service.sessions.actions.new_games import NewGames, supported_rulesets
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore
from skerry_service.wire.payloads import codec_of, numbers_of_moves
from tests.api.ticket_clients import TicketClient
from tests.api.wire import OPEN, Api, bearer, create, get, move_once, play_out, refused, served, sit_down
from tests.games.other_editions import GAMES, added_editions_restored, other_edition, other_text
from tests.store.servers import PATIENCE


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    with added_editions_restored():
        yield


def folder(tmp_path: Path) -> tuple[str]:
    for game in GAMES:
        (tmp_path / f"{game}.json").write_text(other_text(game), encoding="utf-8")
    return (str(tmp_path),)


def in_edition(game: str, edition: str = "other") -> dict[str, Any]:
    return {"game": game, "options": {game: {"edition": edition}}}


@pytest.mark.parametrize("game", GAMES)
async def test_a_session_of_an_edition_is_played_replayed_and_verified(
    unserved: EmbeddedServer, tmp_path: Path, game: str
) -> None:
    store = RedisStore(unserved.url)
    async with served(unserved, editions=folder(tmp_path)) as api:
        card = (await api.stub.GetGame(pb.GetGameRequest(name=f"games/{game}"))).game
        assert list(card.editions) == ["house", "other"]
        session = await sit_down(api, card.seats[-1], **in_edition(game))
        shown = (await get(api, session)).session
        assert getattr(shown.options, game).edition == "other"
        assert shown.ruleset == other_edition(game).ruleset
        for number in range(6):
            await move_once(api, session, number)
        picture = await api.stub.GetPicture(pb.GetPictureRequest(name=session.name))
        assert picture.data
        await play_out(api, session)
        replay = (await api.stub.GetReplay(pb.GetReplayRequest(name=session.name))).replay
        assert first_difference(replay) is None
        halfway = len(replay.entries) // 2
        request = pb.ForkSessionRequest(name=session.name, sequence=halfway, seats=[OPEN] * card.seats[-1])
        fork = await api.stub.ForkSession(request)
        assert fork.session.ruleset == shown.ruleset
    assert [one.verdict async for one in validation_results(store, 10_000, finished=True)] == ["passes", "passes"]
    await store.close()


async def test_bots_think_about_an_edition_in_processes_of_their_own(tmp_path: Path) -> None:
    load_editions(folder(tmp_path))
    pool = BotPool(1, seconds=60)
    for name in GAMES:  # the owner changes the files before a process starts
        (tmp_path / f"{name}.json").write_text("{", encoding="utf-8")
        game = other_edition(name)
        position = start(name, rng=SeededRng(b"b" * 32, 0), edition="other")
        seat = position.to_act[0]
        decision = Decision(
            game=name,
            ruleset=game.ruleset,
            seat=seat,
            view=position.view(seat),
            seed=b"s" * 32,
            samples=(position.state,),
            legal_moves=tuple(position.legal_moves(seat)),
        )
        ranked = await pool.rank("hard", decision)
        assert {move for move, _ in ranked} == set(decision.legal_moves)
    await pool.close()


def test_numbers_of_moves_are_described_for_all_editions() -> None:
    plot, fort = "skerry.games.tenerife.v1.BuildElement.plot", "skerry.games.kreta.v1.BuildFort.space"
    ours = numbers_of_moves()
    codecs = {game: codec_of(game, other_edition(game).ruleset) for game in ("kreta", "tenerife")}
    described = numbers_of_moves()
    assert described[plot] == codecs["tenerife"].numbers_of_moves[plot] == range(1, 13)
    assert described[fort] == ours[fort] == range(1, 27)
    assert codecs["kreta"].numbers_of_moves[fort] == range(1, 21)


async def test_an_unknown_edition_is_refused_with_the_known_ones(unserved: EmbeddedServer, tmp_path: Path) -> None:
    async with served(unserved, editions=folder(tmp_path)) as api:
        for edition in ("mine", "OTHER", "x" * 1000):
            with refused("INVALID_ARGUMENT", "BAD_OPTIONS") as refusal:
                await create(api, OPEN, OPEN, **in_edition("kreta", edition))
            assert "Available: house, other" in refusal.message
        house = await create(api, OPEN, OPEN, **in_edition("kreta", ""))
        assert (await get(api, house)).session.ruleset == "kreta-2"


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_and_its_instructions_are_read_with_the_components_of_an_edition(
    unserved: EmbeddedServer, tmp_path: Path, game: str
) -> None:
    other = other_edition(game)
    async with served(unserved, editions=folder(tmp_path)) as api:
        card, ours = [await game_card(api, game, edition) for edition in ("other", "house")]
        assert card.ruleset == other.ruleset
        assert getattr(card.board, game) == codec_of(game, other.ruleset).board_to_proto("other")
        assert card.board_text == other.board_text(other.boards[0]) != ours.board_text
        drawn = {symbol.id: symbol.drawing for symbol in other.look.symbols(other.boards[0])}
        assert {symbol.id: symbol.drawing for symbol in card.symbols} == drawn
        assert ours == await game_card(api, game, "")
        assert list(card.editions) == list(ours.editions) == ["house", "other"]
        assert not card.HasField("lesson")
        session = await create(api, *[OPEN] * card.seats[0], game=game, options=card.default_options)
        assert (await get(api, session)).session.ruleset == other.ruleset
        how, ours_how = [await how_to_play(api, game, edition) for edition in ("other", "house")]
        assert how.ruleset == other.ruleset
        assert [one.picture for one in how.turn] != [one.picture for one in ours_how.turn]
        assert ours_how == await how_to_play(api, game, "")
        for read in (game_card, how_to_play):
            for unknown in ("mine", "x" * 60_000, "../other", "\x00"):
                with refused("INVALID_ARGUMENT", "BAD_OPTIONS", field="edition") as refusal:
                    await read(api, game, unknown)
                assert "Available: house, other" in refusal.message
                assert len(refusal.message) < 200


async def game_card(api: Api, game: str, edition: str) -> catalogue_pb2.Game:
    return (await api.stub.GetGame(pb.GetGameRequest(name=f"games/{game}", edition=edition))).game


async def how_to_play(api: Api, game: str, edition: str) -> catalogue_pb2.HowToPlay:
    request = pb.GetHowToPlayRequest(name=f"games/{game}", edition=edition)
    return (await api.stub.GetHowToPlay(request)).how_to_play


async def test_a_rematch_has_the_same_edition(unserved: EmbeddedServer, tmp_path: Path) -> None:
    async with served(unserved, editions=folder(tmp_path)) as api:
        session = await sit_down(api, 2, **in_edition("kreta"))
        await play_out(api, session)
        request = pb.RematchSessionRequest(name=session.name)
        again = await api.stub.RematchSession(request, metadata=bearer(session.seats[0]))
        assert again.session.ruleset == other_edition("kreta").ruleset


async def test_tickets_of_different_editions_do_not_meet(unserved: EmbeddedServer, tmp_path: Path) -> None:
    other = payload_pb2.GameOptions(kreta=kreta_pb2.Options(edition="other"))
    async with served(unserved, editions=folder(tmp_path)) as api:
        ada = await TicketClient(api, "Ada", options=[other]).waits()
        bob = await TicketClient(api, "Bob").waits()
        cyd = await TicketClient(api, "Cyd", options=[other]).waits()
        async with asyncio.timeout(PATIENCE):
            found = [await ticket.task for ticket in (ada, cyd)]
        names = {message.session.name for message in found}
        assert len(names) == 1
        session = (await api.stub.GetSession(pb.GetSessionRequest(name=names.pop()))).session
        assert session.ruleset == other_edition("kreta").ruleset
        assert not bob.task.done()
        bob.call.cancel()
        mixed = pb.FindMatchRequest(
            game="kreta", display_name="Dot", options=[other, payload_pb2.GameOptions(kreta=kreta_pb2.Options())]
        )
        with refused("INVALID_ARGUMENT", "INVALID_FIELD") as refusal:
            await anext(aiter(api.stub.FindMatch(mixed)))
        assert "same edition" in refusal.message


@contextmanager
def without_edition() -> Iterator[None]:
    """Act as a build that lacks the edition of Kreta."""
    game = other_edition("kreta")
    del catalogue._editions[game.ruleset]
    yield
    catalogue._editions[game.ruleset] = game


async def test_a_replica_without_the_edition_rejects_its_sessions_and_loses_nothing(
    unserved: EmbeddedServer, tmp_path: Path
) -> None:
    store, ruleset = RedisStore(unserved.url), other_edition("kreta").ruleset
    async with served(unserved, editions=folder(tmp_path)) as api:
        session = await sit_down(api, 2, **in_edition("kreta"))
        for number in range(5):
            await move_once(api, session, number)
        before = (await get(api, session)).position.sequence
    with without_edition():
        async with served(unserved) as api:
            with refused("FAILED_PRECONDITION", "RULESET_UNSUPPORTED", ruleset=ruleset, supported="kreta-2"):
                await get(api, session)
            with refused("INVALID_ARGUMENT", "BAD_OPTIONS"):
                await create(api, OPEN, OPEN, **in_edition("kreta"))
        assert [one.verdict async for one in validation_results(store, 10_000, finished=False)] == ["unknown"]
    async with served(unserved, editions=folder(tmp_path)) as api:
        assert (await get(api, session)).position.sequence == before
        await play_out(api, session)
    await store.close()


def test_new_sessions_wait_until_all_replicas_have_the_edition() -> None:
    game, house = other_edition("kreta"), all_games()["kreta"]
    supported = {"kreta": (house.ruleset, game.ruleset)}
    assert NewGames(lambda: [supported]).edition(house, "other") is game
    assert NewGames(lambda: [supported]).successor(game) is game
    for other in ({"kreta": (house.ruleset,)}, {"kreta": (house.ruleset, "kreta-2+other-000000000000")}):
        new = NewGames(lambda other=other: [supported, other])  # type: ignore[misc]
        with pytest.raises(BadOptions, match="Some replicas"):
            new.edition(house, "other")
        assert new.edition(house, "house") is house
    assert game.ruleset in supported_rulesets()["kreta"]


async def test_a_broken_edition_stops_the_start_with_every_problem(unserved: EmbeddedServer, tmp_path: Path) -> None:
    text = other_text("kreta").replace('"hill"', '"hil"').replace('"other"', '"broken"')
    (tmp_path / "kreta.json").write_text(text, encoding="utf-8")
    with pytest.raises(EditionsUnusable) as error:
        async with served(unserved, editions=(str(tmp_path),)):
            pass
    lines = str(error.value).splitlines()
    assert len(lines) == text.count('"hil"')
    assert all("kreta.json, line " in line and "'hil' is no terrain" in line for line in lines)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("chess.json", b"{}", "is not named after a game"),
        ("readme.txt", b"", "has no edition"),
        ("kreta.json", b"\xff", "not a text in UTF-8"),
        ("kreta.json", b" " * 2_000_000, "larger than 1,048,576 bytes"),
        ("kreta.json", b"[" * 100_000, "nested too deeply"),
        ("kreta.json", b"[]", "name of the edition"),
    ],
)
def test_files_that_are_no_editions_are_refused(tmp_path: Path, name: str, content: bytes, sentence: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(EditionsUnusable, match=sentence):
        load_editions([str(tmp_path)])
    with pytest.raises(EditionsUnusable, match="is not a folder"):
        load_editions([str(tmp_path / "missing")])
