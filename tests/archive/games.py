"""Games that are over, what each viewer receives of them, and an archive that can be unavailable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skerry.v1 import service_pb2 as pb
from skerry_games.catalogue import all_games
from skerry_service.api.session_methods import Methods
from skerry_service.archive import locations
from skerry_service.archive.mover import LEASE_MS, Mover
from skerry_service.domain.errors import SkerryError
from skerry_service.domain.record import UndoPolicy
from skerry_service.sessions.service import Sessions
from skerry_service.wire.serialized import Serialized
from tests.sessions.tables import Sitting, nth_move, sit_down

MOVES = 5


class Place:
    """A place of an archive that does something else first, if a test says so."""

    def __init__(self, inner: locations.Place) -> None:
        self.inner = inner
        self.calls: list[str] = []
        """Each method that was called."""
        self.before: Callable[[str], None] = lambda call: None
        """Called with a method's name before that does its work."""
        self.after: Callable[[str], None] = lambda call: None
        """Likewise behind it."""

    def read(self, path: str) -> bytes | None:
        data: bytes | None = self._do("read", path)
        return data

    def create(self, path: str, data: bytes) -> None:
        self._do("create", path, data)

    def replace(self, path: str, data: bytes) -> None:
        self._do("replace", path, data)

    def delete(self, path: str) -> None:
        self._do("delete", path)

    def names(self, folder: str) -> list[str]:
        found: list[str] = self._do("names", folder)
        return found

    def _do(self, call: str, *arguments: Any) -> Any:
        self.calls.append(call)
        self.before(call)
        done = getattr(self.inner, call)(*arguments)
        self.after(call)
        return done


async def finished(sessions: Sessions, game: str = "kreta", moves: int = MOVES, **new: Any) -> Sitting:
    """Return a game for two that the first of them has given up, after an undo if the session allows it."""
    sitting = await sit_down(sessions, all_games()[game], 2, **new)
    for pick in range(moves):
        table, _ = await sessions.get(sitting.id, sitting.seats[0])
        seat = table.to_act[0]
        one = await sessions.moves.seated(sitting.id, sitting.seats[seat])
        change, _ = await sessions.moves.act(one, nth_move(table, seat, 7 * pick), table.sequence, None)
        if change.table.record.undo is UndoPolicy.OWN_MOVES and pick == moves - 1:
            await sessions.players.undo(sitting.id, sitting.seats[seat], change.table.sequence, None)
    await sessions.players.resign(sitting.id, sitting.seats[0], None)
    return sitting


async def received(sessions: Sessions, sitting: Sitting, *others: str | None) -> dict[str, Any]:
    """Return what each call tells everybody: who has no token, each seat, the host, a spectator, ``others``."""
    methods, name = Methods(sessions), f"sessions/{sitting.id}"
    found: dict[str, Any] = {}
    for token in (None, *sitting.seats, sitting.host, sitting.spectator, *others):
        found[f"{token} gets"] = await _received(methods.get_session(pb.GetSessionRequest(name=name), token))
        past = pb.GetSessionRequest(name=name, sequence=5)
        found[f"{token} looks back"] = await _received(methods.get_session(past, token))
        found[f"{token} reads"] = await _received(methods.get_replay(pb.GetReplayRequest(name=name), token))
        found[f"{token} follows"] = await _received(follow(methods, name, token))
    return found


async def follow(methods: Methods, name: str, token: str | None) -> list[bytes]:
    """Return all that a stream tells until it ends by itself."""
    request = pb.ObserveRequest(name=name, after_sequence=0)
    return [one.serialized() async for one in methods.observe(request, token)]


async def _received(call: Any) -> Any:
    try:
        answer = await call
    except SkerryError as refusal:
        return type(refusal).__name__, str(refusal)
    return answer.serialized() if isinstance(answer, Serialized) else answer


async def archive_due(mover: Mover) -> int:
    """Do once what the scheduler does with a mover. Return how many sessions have moved."""
    store, moved = mover._store, 0
    if not await mover.is_ready():
        return 0
    for lease in await store.schedule.lease("archive", 1000, LEASE_MS):
        is_there = await store.load(lease.session) is not None
        again_ms = await mover.check(lease.session)
        await store.schedule.done(lease, again_ms)
        moved += is_there and again_ms is None
    return moved
