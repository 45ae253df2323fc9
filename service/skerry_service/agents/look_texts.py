"""What a seat sees, as a structured result and as the text that a language model reads.

The text has a stable order: table, turn, events, position, legal moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from skerry.v1 import session_pb2
from skerry_service.agents.results import ListedMove, SeatLook, State
from skerry_service.agents.tables import SeatReading

PAGE = 40
"""Legal moves on a page."""
MAX_EVENTS = 60
"""Events in a look."""
_STATES: dict[int, State] = {
    session_pb2.SESSION_STATE_LOBBY: "lobby",
    session_pb2.SESSION_STATE_PLAYING: "playing",
    session_pb2.SESSION_STATE_FINISHED: "finished",
    session_pb2.SESSION_STATE_CANCELLED: "cancelled",
}


def seat_look(reading: SeatReading, page: int = 1, **extra: Any) -> SeatLook:
    """Return what a seat sees. ``page``: of its legal moves, from 1; ``extra``: further fields."""
    session, position = reading.session, reading.position
    moves = list(position.legal_moves) if position is not None else []
    first = (page - 1) * PAGE
    return SeatLook(
        table=session.name,
        game=session.game,
        seat=reading.seat if position is None else position.seat,
        state=_STATES.get(session.state, "playing"),
        sequence=session.sequence if position is None else position.sequence,
        your_turn=bool(moves),
        to_act=list(position.to_act) if position is not None else [],
        events=reading.events[-MAX_EVENTS:],
        event_count=len(reading.events),
        legal_moves=[ListedMove(first + at, move.text) for at, move in enumerate(moves[first : first + PAGE], 1)],
        legal_move_count=len(moves),
        ranks=list(session.outcome.ranks),
        scores=list(session.outcome.scores),
        **extra,
    )


def look_text(look: SeatLook, session: session_pb2.Session) -> str:
    """Return a look as text."""
    return "\n".join(_lines(look, session))


def unread_text(look: SeatLook, session: session_pb2.Session, done: str, error: str) -> str:
    """Return the text after a change if the seat cannot be read. ``done``: the change; ``error``: both as sentences."""
    return "\n".join([*_table_lines(look, session), f"{done} Call look to see the table. It failed just now: {error}"])


def _lines(look: SeatLook, session: session_pb2.Session) -> Iterator[str]:
    yield from _table_lines(look, session)
    yield turn_line(look, session)
    if look.events:
        shown = len(look.events)
        yield "Events:" if shown == look.event_count else f"The newest {shown} of {look.event_count} events:"
        yield from (f"- {event}" for event in look.events)
    if look.position:
        yield "Position:"
        yield look.position
    yield from moves_lines(look)


def _table_lines(look: SeatLook, session: session_pb2.Session) -> Iterator[str]:
    if look.handle:
        yield f"Your handle: {look.handle}"
    if look.join_code:
        yield f"Join code for the other players: {look.join_code}"
    names = [seat.display_name or "open" for seat in session.seats]
    players = ", ".join(f"seat {seat} {name}" for seat, name in enumerate(names))
    yield f"Table {look.table}, game {look.game}. Players: {players}. You have seat {look.seat}."


def moves_lines(look: SeatLook) -> Iterator[str]:
    """Yield the legal moves of a look, with their numbers."""
    count = look.legal_move_count
    if not count:
        return
    if not look.legal_moves:
        yield f"Legal moves: this page is empty. There are {count} moves, {PAGE} on a page."
        return
    first, last = look.legal_moves[0].number, look.legal_moves[-1].number
    more = "" if (first, last) == (1, count) else f", {first} to {last} of {count}; `page` of look shows others"
    yield f"Legal moves{more}:"
    yield from (f"{move.number}. {move.text}" for move in look.legal_moves)


def turn_line(look: SeatLook, session: session_pb2.Session) -> str:
    """Return the sequence, and whose turn it is or how the game ended."""
    names = [seat.display_name or "open" for seat in session.seats]
    return f"Sequence {look.sequence}. {_turn(look, session, names)}"


def _turn(look: SeatLook, session: session_pb2.Session, names: list[str]) -> str:
    if look.state == "cancelled":
        return "The session is cancelled."
    if look.state == "finished":
        ranked = sorted(range(len(names)), key=lambda seat: look.ranks[seat])
        places = ", ".join(f"{look.ranks[seat]}. {names[seat]} ({look.scores[seat]} points)" for seat in ranked)
        return f"The game is over. {session.outcome.reason} Ranking: {places}."
    if look.state == "lobby":
        open_seats = sum(not seat.HasField("display_name") for seat in session.seats)
        return f"The game has not begun. {open_seats} seats are open."
    if look.your_turn:
        return "It is your turn."
    acting = ", ".join(f"seat {seat} ({names[seat]})" for seat in look.to_act)
    if look.seat in look.to_act:
        return "A substitute plays your seat."
    return f"To act: {acting}. Call wait_for_turn."
