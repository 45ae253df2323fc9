"""The open FindMatch streams of a replica: what each asks for, and what the matcher has reported of its ticket."""

from __future__ import annotations

import asyncio

from msgspec import Struct

from skerry_games.api import AnyGame
from skerry_service.domain.errors import ProposalExpired, RequestIdReused, SkerryError
from skerry_service.matching.criteria import Criteria, TableSetting
from skerry_service.matching.tickets import NewsItem, NewsKind, Ticket, WaitingNews


class MatchedPlayer(Struct, frozen=True):
    """A player for whom a caller wants a seat."""

    name: str
    player_id: str = ""


class TicketRequest(Struct, frozen=True):
    """A request for seats at a table with strangers."""

    game: AnyGame
    criteria: Criteria
    players: tuple[MatchedPlayer, ...]
    """The caller's player and those who sit at the same table."""
    share: int = 0
    """The caller's share of the bots (``access.caller_shares``); 0: not known."""
    application: str = ""
    """The name of the caller's API key; empty without one."""


class WaitingStatus(Struct, frozen=True):
    """How a ticket waits."""

    others: int
    """Other players in that of its queues which has most."""
    held_until: float = 0.0
    """When it enters its queues, by the clock of the event loop; 0: it stands in them."""


class TicketStream:
    """An open FindMatch stream."""

    def __init__(self, request: TicketRequest, secret: bytes, ticket: Ticket) -> None:
        """``secret``: the ticket that the client knows."""
        self.request = request
        self.secret = secret
        self.ticket = ticket
        self.changed = asyncio.Event()
        self.proposal: bytes | None = None
        self.setting: TableSetting | None = None
        """What the proposed match plays."""
        self.waiting: WaitingStatus | None = None
        """``None`` with a proposal, and before the matcher has reported it."""
        self.error: SkerryError | None = None
        """Ends the stream."""
        self.has_claim = False
        """Whether the ticket has a seat, or is about to get one."""
        self.tries_tables = False
        """Whether to try the open tables that were read last."""

    def update(self, item: NewsItem) -> None:
        """Take news of the ticket."""
        if item.kind is NewsKind.PROPOSED:
            self.proposal, self.setting, self.waiting = item.detail, item.setting, None
        elif item.kind is NewsKind.DISSOLVED:
            self.proposal = self.setting = None
        elif item.kind is NewsKind.MISSED:
            self.error = ProposalExpired("You did not confirm the match in time. Search again.")
        elif item.kind is NewsKind.SEATED:
            self.has_claim = True
        elif item.kind is NewsKind.REUSED and item.detail == self.ticket.request:
            self.error = RequestIdReused()
        self.changed.set()

    def report_waiting(self, news: WaitingNews) -> None:
        """Take news of how the ticket waits."""
        if self.proposal is None:
            held_until = asyncio.get_running_loop().time() + news.held_ms / 1000 if news.held_ms else 0.0
            self.waiting = WaitingStatus(news.others, held_until)
            self.changed.set()
