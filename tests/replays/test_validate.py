"""Stored sessions, followed by the build that stored them and by builds with other rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from skerry_games import catalogue
from skerry_games.api import AnyGame, IllegalMove
from skerry_games.catalogue import all_games
from skerry_games.rng import SeededRng
from skerry_service.domain import table as tables
from skerry_service.domain.errors import GameNotFound, RulesetUnsupported
from skerry_service.domain.log import pack
from skerry_service.domain.packed import Head
from skerry_service.domain.record import Clock as BankClock
from skerry_service.domain.record import ClockKind, unpack_record
from skerry_service.domain.table import BOT, OPEN
from skerry_service.replays.ruleset_check import first_difference
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions
from tests.games.conformance.play import middle
from tests.sessions.tables import Clock, begin, move_once

MOVES = 6


async def stored_game(game: AnyGame, moves: int = MOVES, **new: Any) -> tuple[Head, Sequence[bytes]]:
    """Return a game of a player and a bot, some moves after its beginning, as it is stored."""
    store = MemoryStore()
    sessions = Sessions(store, clock_ms=Clock())
    sitting = await begin(sessions, game, OPEN, *[BOT] * (game.seats[0] - 1), **new)
    sitting.seats.append((await sessions.players.join(sitting.id, "Ada", None, None))[2])
    for pick in range(moves):
        await move_once(sessions, sitting, 7 * pick)
    head = await store.load(sitting.id)
    assert head
    return head, await store.batches(sitting.id, 0)


def carry(monkeypatch: pytest.MonkeyPatch, game: AnyGame, **changed: Any) -> None:
    """Be a build whose rules of that game are other ones."""
    games = {**all_games(), game.id: replace(game, **changed)}
    for module in (catalogue, tables):
        monkeypatch.setattr(module, "all_games", lambda: games)


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
async def test_the_build_that_stored_a_game_goes_on_with_it(game: AnyGame) -> None:
    head, batches = await stored_game(game, middle(game, game.seats[0], MOVES))
    assert first_difference(head, batches) is None


async def test_a_game_with_clocks_is_gone_on_with_too() -> None:
    head, batches = await stored_game(all_games()["kreta"], clock=BankClock(ClockKind.BANK, bank_ms=60_000))
    assert first_difference(head, batches) is None


async def test_entries_that_came_after_the_head_was_read_do_not_matter() -> None:
    head, batches = await stored_game(all_games()["kreta"])
    assert first_difference(head, [*batches, pack((head.sequence + 1, 0, (), b""))]) is None


async def test_a_move_that_is_no_longer_allowed_is_named_by_its_entry_and_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    game = all_games()["kreta"]
    head, batches = await stored_game(game)
    count = 0

    def apply(state: Any, actor: int, move: Any) -> Any:
        nonlocal count
        count += 1
        if count == 4:
            raise IllegalMove("KRETA-NEW-1", "Not like this.")
        return game.apply(state, actor, move)

    carry(monkeypatch, game, apply=apply)
    found = first_difference(head, batches)
    assert found is not None
    assert found.sentence == "the rules no longer allow the move (KRETA-NEW-1)"
    assert found.sequence == 3 + 4  # created, joined, started


@pytest.mark.parametrize("who", ["chance", "a bot"])
async def test_another_draw_from_the_same_seed_is_found(monkeypatch: pytest.MonkeyPatch, who: str) -> None:
    game = all_games()["canarias"]
    head, batches = await stored_game(game)

    def draw(state: Any, rng: Any) -> Any:
        return game.draw(state, SeededRng(bytes(32), 1))

    def legal_moves(state: Any, seat: int) -> Any:
        return game.legal_moves(state, seat)[::-1]

    carry(monkeypatch, game, **({"draw": draw} if who == "chance" else {"legal_moves": legal_moves}))
    found = first_difference(head, batches)
    assert found is not None
    assert found.sentence == "the seed yields another move than the one that was made"


async def test_a_log_that_leads_elsewhere_is_found_at_the_end() -> None:
    head, batches = await stored_game(all_games()["kreta"])
    other, _ = await stored_game(all_games()["kreta"], moves=MOVES - 1)
    found = first_difference(msgspec.structs.replace(head, snapshot=other.snapshot), batches)
    assert found is not None
    assert found.sequence == head.sequence
    assert found.sentence == "the log leads to a position that differs from the stored one"


async def test_a_log_that_is_cut_off_differs() -> None:
    head, batches = await stored_game(all_games()["kreta"])
    for kept in ([], batches[:-1], [*batches[:-1], b"\xc1"]):
        found = first_difference(head, kept)
        assert found is not None
        assert found.sequence <= head.sequence


async def test_an_unknown_game_and_an_unsupported_ruleset_are_distinct_results(monkeypatch: pytest.MonkeyPatch) -> None:
    game = all_games()["kreta"]
    head, batches = await stored_game(game)
    carry(monkeypatch, game, ruleset="kreta-9")
    with pytest.raises(RulesetUnsupported):
        first_difference(head, batches)
    alien = msgspec.structs.replace(unpack_record(head.record), game="whist")
    with pytest.raises(GameNotFound):
        first_difference(msgspec.structs.replace(head, record=pack(alien)), batches)
