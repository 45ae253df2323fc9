"""Hints on a real server with real bot processes: legal, repeatable, refused where they do not belong."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from skerry_client import AsyncClient, AsyncSeat
from skerry_client.errors import GameOver, InvalidField, NotAllowed, NotStarted, NotYourTurn, SubstitutePlays
from skerry_games.catalogue import all_games
from skerry_games.languages.catalogues import languages
from skerry_service import local
from tests.languages.rebuilding import written

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEED = bytes(32)


async def decisions(seat: AsyncSeat, count: int) -> AsyncIterator[int]:
    """Play random moves, and yield the number of each of the first decisions of a seat with a choice."""
    async for position in seat.turns():
        if len(position.legal_moves) > 1:
            yield position.sequence
            count -= 1
        if not count:
            return
        await seat.act(position.legal_moves[-1])


@pytest.mark.parametrize("game", all_games())
async def test_a_hint_is_a_legal_move_with_a_sentence_and_a_repeat_is_the_same(client: AsyncClient, game: str) -> None:
    table = await client.create(game, seats=2, bots=1, level="random", seed=SEED, hints=True)
    ada = await table.join("Ada")
    async for sequence in decisions(ada, 3):
        hint = await ada.hint()
        position = await ada.position()
        assert hint.sequence == position.sequence == sequence
        assert hint.move.text in [move.text for move in position.legal_moves]
        assert hint.text.startswith(f"A strong player would {hint.move.text}. Estimated chance to win: ")
        assert await ada.hint() == hint
        await ada.act(hint.move, validate_only=True)


@pytest.mark.parametrize("language", languages())
async def test_a_hint_has_a_sentence_for_callers_that_ask(client: AsyncClient, address: str, language: str) -> None:
    async with AsyncClient(address, language=language, sentences=True, timeout=60) as asking:
        ada = await (await asking.create("kreta", seats=2, bots=1, level="random", seed=SEED, hints=True)).join("Ada")
        async for _ in decisions(ada, 2):
            hint = await ada.hint()
            assert hint.sentence.id == "hint-of-two"
            assert hint.sentence.parameters["best"].WhichOneof("value") == "number"
            assert written(hint.sentence, language, ("Ada", "Bot")) == hint.text
            plain = await client.seat(ada.name, ada.token)
            assert not (await plain.hint()).HasField("sentence")


async def test_a_hint_is_no_entry_of_the_log(client: AsyncClient) -> None:
    table = await client.create("kreta", seats=2, bots=1, hints=True)
    ada = await table.join("Ada")
    before = await ada.entries()
    await ada.hint()
    assert await ada.entries() == before
    assert (await table.session()).hints


async def test_hints_are_refused_where_they_do_not_belong(client: AsyncClient) -> None:
    silent = await client.create("kreta", seats=2, bots=1)
    with pytest.raises(NotAllowed, match="has no hints"):
        await (await silent.join("Ada")).hint()
    table = await client.create("kreta", seats=2, hints=True)
    seats = [await table.join("Ada")]
    with pytest.raises(NotStarted):
        await seats[0].hint()
    seats.append(await table.join("Bob"))
    position = await seats[0].position()
    waits = seats[1 - position.to_act[0]]
    with pytest.raises(NotYourTurn):
        await waits.hint()
    await waits.leave()
    with pytest.raises(SubstitutePlays):
        await waits.hint()
    await waits.return_to_seat()
    await waits.resign()
    await table.session()


async def test_a_finished_game_has_no_hints_but_its_rematch_has(client: AsyncClient) -> None:
    table = await client.create("tenerife", seats=2, bots=1, hints=True)
    ada = await table.join("Ada")
    async for position in ada.turns():
        await ada.act(position.legal_moves[0])
    with pytest.raises(GameOver):
        await ada.hint()
    assert (await (await ada.rematch()).session()).hints
    fork = await client.fork(table.name, 4, seats=2)
    assert (await fork.session()).hints


async def test_a_server_without_bots_offers_no_hints() -> None:
    async with local.AsyncClient() as client:
        with pytest.raises(InvalidField, match="no thinking bots"):
            await client.create("kreta", seats=2, hints=True)
