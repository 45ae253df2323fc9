"""An option that names a seat means the player there: when open seats close up, it follows the player."""

from __future__ import annotations

import pytest
from msgspec import Struct

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_service.domain.errors import SeatOpen
from skerry_service.domain.record import Phase
from skerry_service.domain.seating.seat_changes import renumber_seat_options
from skerry_service.domain.table import BOT, OPEN, Table, options_of
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.sessions.service import Sessions
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import SEED, begin, log_of, nth_move, stored

GAMES = [game for game in all_games().values() if "start_seat" in game.seat_options]


async def lobby(sessions: Sessions, game: AnyGame, start_seat: int, **players: int) -> tuple[str, str]:
    """Create a session for as many as the game is for, who sit down where they are said to."""
    options = game.options_type(start_seat=start_seat)
    table, host, _ = await sessions.create(NewSession(game, options, (OPEN,) * game.seats[-1], seed=SEED), None)
    for name, seat in players.items():
        await sessions.players.join(table.record.id, name, seat, None)
    return table.record.id, host


def who_begins(table: Table) -> str:
    name: str = table.record.names[options_of(table.record).start_seat]
    return name


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
async def test_starting_early_with_an_open_seat_lets_the_player_begin_who_sits_on_the_start_seat(
    sessions: Sessions, store: FaultyStore, game: AnyGame
) -> None:
    last = game.seats[-1] - 1
    session, host = await lobby(sessions, game, last, Ada=1, Bob=last)
    table = await sessions.host.start(session, host, False, None)
    assert (table.record.names, who_begins(table)) == (("Ada", "Bob"), "Bob")
    as_asked_for = game.setup(game.options_type(start_seat=1), 2)
    (begun,) = [change for change in await log_of(store, session) if change.table.state is not None]
    assert begun.table == await stored(store, session) == table
    assert game.setup(options_of(table.record), 2) == as_asked_for


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
async def test_a_start_seat_on_which_nobody_sits_refuses_the_start_and_changes_nothing(
    sessions: Sessions, game: AnyGame
) -> None:
    last = game.seats[-1] - 1
    session, host = await lobby(sessions, game, last, Ada=0, Bob=1)
    with pytest.raises(SeatOpen) as refusal:
        await sessions.host.start(session, host, False, None)
    assert refusal.value.metadata == {"field": "start_seat", "seat": str(last)}
    table, _ = await sessions.get(session, None)
    assert (table.record.phase, len(table.record.seats)) == (Phase.LOBBY, last + 1)
    table = await sessions.host.start(session, host, True, None)
    assert who_begins(table).startswith("Bot ")


async def test_a_start_seat_before_the_open_ones_keeps_its_number(sessions: Sessions) -> None:
    session, host = await lobby(sessions, all_games()["kreta"], 0, Ada=0, Bob=3)
    table = await sessions.host.start(session, host, False, None)
    assert (options_of(table.record).start_seat, table.to_act) == (0, (0,))


async def test_a_bot_on_the_start_seat_is_followed_as_a_player_is(sessions: Sessions) -> None:
    game = all_games()["kreta"]
    new = NewSession(game, game.options_type(start_seat=3), (OPEN, OPEN, OPEN, BOT), seed=SEED)
    created, host, _ = await sessions.create(new, None)
    await sessions.players.join(created.record.id, "Ada", 2, None)
    table = await sessions.host.start(created.record.id, host, False, None)
    assert (table.record.names, who_begins(table)) == (("Ada", "Bot 1"), "Bot 1")


class Named(Struct, frozen=True):
    """Options of which two name seats."""

    first: int | None = None
    dealer: int | None = None
    rounds: int = 3


def test_every_option_that_names_a_seat_follows_and_no_other() -> None:
    options = Named(first=3, rounds=2)
    assert renumber_seat_options(options, ("first", "dealer"), (0, 2, 3)) == Named(first=2, rounds=2)
    assert renumber_seat_options(Named(first=3, dealer=0), ("first", "dealer"), (3, 0)) == Named(first=0, dealer=1)
    assert renumber_seat_options(options, (), (0,)) == options
    with pytest.raises(SeatOpen):
        renumber_seat_options(options, ("first",), (0, 1))


async def test_a_response_names_the_seat_by_its_number_in_play(sessions: Sessions, another: Sessions) -> None:
    sitting = await begin(sessions, all_games()["kreta"], OPEN, OPEN, OPEN)
    tokens = [(await sessions.players.join(sitting.id, name, seat, None))[2] for seat, name in ((1, "Ada"), (2, "Bob"))]
    in_lobby = [await another.moves.seated(sitting.id, token) for token in tokens]
    table = await sessions.host.start(sitting.id, sitting.host, False, None)
    (seat,) = table.to_act
    _, received = await another.moves.act(in_lobby[seat], nth_move(table, seat, 0), table.sequence, None)
    assert received == seat
