"""A person's seat: plays it over the API as any program would, with what the person types."""

from __future__ import annotations

from contextlib import AsyncExitStack
from enum import Enum, auto

from skerry.v1 import payload_pb2, session_pb2
from skerry_client import AsyncClient, AsyncSeat, AsyncTable, errors
from skerry_service import local
from skerry_service.cli import interrupts
from skerry_service.cli.play.commentary import Talk
from skerry_service.cli.play.line_reader import Lines
from skerry_service.cli.play.move_prompt import Ask, BadEntry, chosen
from skerry_service.cli.play.random_game import Plan

NAME = "Player"


class Ending(Enum):
    """How a person's game ended."""

    PLAYED = auto()
    QUIT = auto()


async def play_seat(plan: Plan, seat: int, talk: Talk, lines: Lines) -> session_pb2.Replay | None:
    """Play the seat against bots until the game is over, and return its replay; ``None`` if the person quits."""
    async with AsyncExitStack() as stack:
        skerry = await _client(plan, stack)
        game = await skerry.game(plan.game)
        talk.begin(game)
        seats = plan.seats or max(game.seats[0], seat + 1)
        bots = [number for number in range(seats) if number != seat]
        table = await skerry.create(game.id, seats=seats, bots=bots, seed=plan.seed)
        own = await table.join(NAME, seat=seat)
        stack.callback(interrupts.clean_up)
        ending = await _follow(own, talk, lines)
        return await _end(table, own, ending)


async def _client(plan: Plan, stack: AsyncExitStack) -> AsyncClient:
    """Return a client of the server that is named; without one the game is played in this process."""
    if plan.server is None:
        return await stack.enter_async_context(local.AsyncClient())
    # Whoever names a server that is not there learns it at once. Later a server may take its time to come back.
    async with AsyncClient(plan.server, retry_for=0) as first_look:
        await first_look.game(plan.game)
    return await stack.enter_async_context(AsyncClient(plan.server))


async def _end(table: AsyncTable, own: AsyncSeat, ending: Ending) -> session_pb2.Replay | None:
    if ending is Ending.QUIT:
        await own.leave()
        return None
    return await table.replay()


async def _follow(own: AsyncSeat, talk: Talk, lines: Lines) -> Ending:
    """Tell what happens, and ask for a move whenever one is owed."""
    async for update in own.observe(after_sequence=0):
        talk.tell(update)
        if update.position.legal_moves and await _decide(own, update.position, talk, lines) is Ending.QUIT:
            return Ending.QUIT
    return Ending.PLAYED


async def _decide(own: AsyncSeat, position: session_pb2.Position, talk: Talk, lines: Lines) -> Ending | None:
    """Ask until a move is made, or the person quits. What was decided elsewhere meanwhile is looked at again."""
    talk.show(position)
    while True:
        talk.prompt(position)
        line = await lines.next()
        if line is None:
            return Ending.QUIT
        try:
            entry = chosen(line, position)
        except BadEntry as error:
            talk.say(str(error))
            continue
        if isinstance(entry, payload_pb2.Move):
            if await _act(own, entry, talk):
                return None
        elif entry.ask is Ask.QUIT:
            return Ending.QUIT
        else:
            talk.answer(entry, position)


async def _act(own: AsyncSeat, move: payload_pb2.Move, talk: Talk) -> bool:
    """Make the move and return whether there is nothing left to decide here."""
    try:
        await own.act(move)
    except errors.Conflict:
        return True  # the stream tells what has happened
    except errors.SkerryError as error:
        if isinstance(error, errors.Unavailable):
            raise
        talk.refuse(error)
        return False
    return True
