"""Sessions whose players the server has paired: they begin at once, and nobody is their host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from skerry_games.catalogue import all_games, find_game
from skerry_service.domain import transitions
from skerry_service.domain.errors import RulesetUnsupported
from skerry_service.domain.log import Joined
from skerry_service.domain.record import AbandonmentPolicy, Clock, Labels, TimeoutAction
from skerry_service.domain.table import OPEN, Table
from skerry_service.domain.tokens import digest
from skerry_service.sessions.actions.new_session import NewSession, new_record
from skerry_service.sessions.commits import Committer

_ABANDONMENT = AbandonmentPolicy(on_resignation=TimeoutAction.END)


class PairedPlayer(Struct, frozen=True):
    """A player of a paired session."""

    name: str
    token: str
    """The token of the seat."""
    player_id: str = ""


class PairedSession(Struct, frozen=True):
    """The settings of a paired session."""

    game: str
    ruleset: str
    options: Any
    clock: Clock
    labels: Labels
    players: Sequence[PairedPlayer]
    """By seat."""
    rated: bool = False
    applications: tuple[str, ...] = ()
    """See ``Record.applications``."""
    cell: str = ""
    """See ``NewSession``."""


async def begin(committer: Committer, wanted: PairedSession, request_id: bytes, salt: bytes) -> Table:
    """Create a session, or return its table if it exists. Raises RulesetUnsupported.

    No caller gets a host token: nobody can cancel the game, open its seats or change its labels.
    """
    rules = find_game(wanted.game, wanted.ruleset)
    if rules is None:
        newest = all_games().get(wanted.game)
        raise RulesetUnsupported(wanted.ruleset, newest.ruleset if newest else "none")
    new = NewSession(
        game=rules,
        options=wanted.options,
        seats=(OPEN,) * len(wanted.players),
        abandonment=_ABANDONMENT,
        clock=wanted.clock,
        labels=wanted.labels,
        rated=wanted.rated,
        applications=wanted.applications,
        cell=wanted.cell,
    )
    now = await committer.now()
    record = new_record(new, request_id, now.time_ms, salt=salt)
    joined = [Joined(seat, one.name, digest(one.token), one.player_id) for seat, one in enumerate(wanted.players)]
    return await committer.begin(transitions.create(record, now, joined))
