"""Records to begin a table with, past the service."""

from __future__ import annotations

from skerry_games.api import AnyGame
from skerry_service.domain.log import pack
from skerry_service.domain.record import Phase, Record, SeatRecord, Spectating, Visibility


def new_record(game: AnyGame, seats: tuple[SeatRecord, ...], seed: bytes, ruleset: str = "") -> Record:
    """Return the record of a lobby."""
    return Record(
        id="abcdefghijklmnop",
        game=game.id,
        ruleset=ruleset or game.ruleset,
        options=pack(game.options_type()),
        phase=Phase.LOBBY,
        seats=seats,
        visibility=Visibility.PUBLIC,
        spectating=Spectating.ANYONE,
        seed=seed,
        seeded=True,
        salt=b"salt",
        host_token=b"host",
        spectator_token=b"spectator",
        created_ms=1,
        request=b"request",
    )
