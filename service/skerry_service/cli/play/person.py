"""A seat played by a person, over the same API as any program."""

from __future__ import annotations

from collections.abc import Awaitable
from contextlib import AsyncExitStack
from enum import Enum, auto

from skerry.v1 import payload_pb2, session_pb2
from skerry_client import AsyncClient, AsyncSeat, AsyncTable, errors
from skerry_service import local
from skerry_service.cli import interrupts
from skerry_service.cli.play.commentary import Dialogue
from skerry_service.cli.play.line_reader import LineReader
from skerry_service.cli.play.move_prompt import BadEntry, CommandKind, parse_entry
from skerry_service.cli.play.random_game import Plan, Played

NAME = "Player"


class Ending(Enum):
    """How a person's game ended."""

    PLAYED = auto()
    QUIT = auto()


async def play_seat(plan: Plan, seat: int, dialogue: Dialogue, reader: LineReader) -> Played | None:
    """Play the seat against bots until the game is over. Return ``None`` if the person quits."""
    async with AsyncExitStack() as stack:
        skerry = await _client(plan, stack)
        game = await skerry.game(plan.game)
        dialogue.begin(game)
        seats = plan.seats or max(game.seats[0], seat + 1)
        bots = [number for number in range(seats) if number != seat]
        table = await skerry.create(game.id, seats=seats, bots=bots, seed=plan.seed, undo=True)
        own = await table.join(NAME, seat=seat)
        stack.callback(interrupts.begin_cleanup)
        ending = await _follow(own, dialogue, reader)
        return await _end(table, own, ending)


async def _client(plan: Plan, stack: AsyncExitStack) -> AsyncClient:
    """Return a client of the server of the plan; without one, a client that plays in this process."""
    if plan.server is None:
        return await stack.enter_async_context(local.AsyncClient())
    # An unreachable server is an error at once. Later, the client waits for the server to return.
    async with AsyncClient(plan.server, retry_for=0) as impatient:
        await impatient.game(plan.game)
    return await stack.enter_async_context(AsyncClient(plan.server))


async def _end(table: AsyncTable, own: AsyncSeat, ending: Ending) -> Played | None:
    if ending is Ending.QUIT:
        await own.leave()
        return None
    return Played(await table.replay(), await table.text())


async def _follow(own: AsyncSeat, dialogue: Dialogue, reader: LineReader) -> Ending:
    """Print events, and ask for a move whenever the seat is to act."""
    async for update in own.observe(after_sequence=0):
        dialogue.show_events(update)
        if update.position.legal_moves and await _decide(own, update.position, dialogue, reader) is Ending.QUIT:
            return Ending.QUIT
    return Ending.PLAYED


async def _decide(
    own: AsyncSeat, position: session_pb2.Position, dialogue: Dialogue, reader: LineReader
) -> Ending | None:
    """Ask until a move is made or taken back, or the person quits. Return ``None`` after a move."""
    dialogue.show_position(position, await own.text())
    while True:
        dialogue.prompt(position)
        line = await reader.next()
        if line is None:
            return Ending.QUIT
        try:
            entry = parse_entry(line, position)
        except BadEntry as error:
            dialogue.say(str(error))
            continue
        if isinstance(entry, payload_pb2.Move):
            if await _change(own.act(entry), dialogue):
                return None
        elif entry.kind is CommandKind.QUIT:
            return Ending.QUIT
        elif entry.kind is CommandKind.UNDO:
            if await _change(own.undo(), dialogue):
                return None
        else:
            dialogue.answer(entry, position)


async def _change(call: Awaitable[object], dialogue: Dialogue) -> bool:
    """Make or take back a move. Return False if the person must enter another command."""
    try:
        await call
    except errors.Conflict:
        return True  # another decision came first; the stream delivers it
    except errors.SkerryError as error:
        if isinstance(error, errors.Unavailable):
            raise
        dialogue.refuse(error)
        return False
    return True
