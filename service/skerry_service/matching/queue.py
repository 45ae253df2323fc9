"""All who wait for tables of one game, as a value that replicas change one after another. No store, and no clock.

People wait in the order in which they came. Whoever fits others is *offered* a table with them; each confirms, and when
the last has, the offer is *agreed*: from then on it is carried out, by whatever replica, and nothing takes it back. An
offer that lasts too long, or loses a member before, dissolves: whoever has confirmed waits on, in the same place.

Each replica renews one lease for all whose streams it holds. Nobody without a lease is offered anything.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field, msgpack

from skerry_service.domain.errors import LimitReached, ProposalExpired, RequestIdReused
from skerry_service.matching.criteria import Criteria, TableSetting, first_match

LEASE_MS = 6_000
"""For so long those are waited for whose replica is not heard of."""
CONFIRM_MS = 10_000
"""Within so long offers are confirmed."""
MOST_WAITING = 400
"""People who wait for one game: finding who fits whom takes longer the more there are."""
MOST_SETTINGS = 64
"""What one of them may name: numbers of seats, times options, times clocks."""


class Waiter(Struct, array_like=True):
    """Somebody who waits."""

    id: bytes
    """Follows from the ticket, and does not tell it."""
    asked: bytes
    """Hash of the request, by which a repeat is told from another one."""
    since: int
    """The age of the store at which they came."""
    holder: str
    """The replica that holds the stream."""
    name: str
    player_id: str
    wish: Criteria
    busy: bool = False
    """Whether the holder is about to seat them at a table that is there already: they are offered nothing meanwhile."""
    lapsed: bool = False
    """Whether they did not confirm an offer: the holder has yet to end the stream."""


class Proposal(Struct, array_like=True):
    """A table that is to be."""

    id: str
    setting: TableSetting
    members: tuple[bytes, ...]
    """By seat."""
    salt: bytes
    """Of the session: seats' tokens follow from it."""
    creation: bytes
    """The request id under which the session is created, once."""
    until: int
    """The age of the store until which it can be confirmed."""
    confirmed: dict[bytes, bytes] = field(default_factory=dict)
    """Who has confirmed, each with the digest of the token of the seat."""

    @property
    def agreed(self) -> bool:
        """Whether everybody has confirmed."""
        return len(self.confirmed) == len(self.members)


class MatchQueue(Struct, array_like=True):
    """All who wait for one game. Methods change it in place: it is decoded anew for each change."""

    waiters: list[Waiter] = field(default_factory=list)
    """In the order in which they are served."""
    offers: list[Proposal] = field(default_factory=list)
    leases: dict[str, int] = field(default_factory=dict)
    """Until which ages of the store holders are waited for."""
    news: bool = False
    """Whether somebody is free who was not when it was last looked who fits whom."""

    def waiter(self, waiter: bytes) -> Waiter | None:
        """Return somebody who waits."""
        return next((one for one in self.waiters if one.id == waiter), None)

    def offer_to(self, waiter: bytes) -> Proposal | None:
        """Return the offer that somebody has."""
        return next((one for one in self.offers if waiter in one.members), None)

    def arrive(self, one: Waiter) -> bool:
        """Let somebody wait, or go on waiting with another holder. Return whether they are new.

        Raises RequestIdReused, LimitReached.
        """
        known = self.waiter(one.id)
        if known is None:
            if len(self.waiters) >= MOST_WAITING:
                raise LimitReached("waiting", f"There is a limit of {MOST_WAITING} people who wait for one game.")
            self.waiters.append(one)
            self.waiters.sort(key=lambda one: (one.since, one.id))
            self.news = self.news or not one.busy
            return True
        if known.asked != one.asked:
            raise RequestIdReused
        if known.lapsed:  # gone, it seemed: they come back as anybody else
            self.waiters.remove(known)
            return self.arrive(one)
        if not known.busy:
            known.holder = one.holder
        return False

    def take_aside(self, waiter: bytes, holder: str) -> bool:
        """Proposal somebody nothing for now. Return whether they can be seated elsewhere."""
        one = self.waiter(waiter)
        if one is None or one.holder != holder or one.lapsed or self.offer_to(waiter):
            return False
        one.busy = True
        return True

    def free(self, waiter: bytes, holder: str) -> None:
        """Proposal somebody tables again."""
        one = self.waiter(waiter)
        if one is not None and one.holder == holder and one.busy:
            one.busy, self.news = False, True

    def leave(self, waiter: bytes) -> None:
        """Let somebody wait no longer, unless what was offered to them is agreed."""
        offer = self.offer_to(waiter)
        if offer is None or not offer.agreed:
            if offer is not None:
                self._dissolve(offer)
            self.waiters = [one for one in self.waiters if one.id != waiter]

    def confirm(self, waiter: bytes, offer: str, token: bytes, now: int) -> Proposal:
        """Confirm an offer; return it. ``token``: digest of the seat's. Raises ProposalExpired."""
        one = self.offer_to(waiter)
        if one is None or one.id != offer:
            raise ProposalExpired
        if not one.agreed:
            self._require_all(one, now)
            one.confirmed[waiter] = token
        return one

    def _require_all(self, offer: Proposal, now: int) -> None:
        """Raise ProposalExpired if its time is up, or somebody's replica is gone. ``settle`` draws the conclusions."""
        holders = [one.holder for one in self.waiters if one.id in offer.members]
        if offer.until <= now or any(self.leases.get(holder, 0) <= now for holder in holders):
            raise ProposalExpired

    def finish(self, offer: str) -> None:
        """Let those go who are seated."""
        members = {member for one in self.offers if one.id == offer for member in one.members}
        self.offers = [one for one in self.offers if one.id != offer]
        self.waiters = [one for one in self.waiters if one.id not in members]

    def renew(self, holder: str, now: int) -> None:
        """Renew a holder's lease, if a third of it has passed."""
        if self.leases.get(holder, 0) - now < LEASE_MS * 2 // 3:
            self.leases[holder] = now + LEASE_MS

    def settle(self, now: int, draw: Callable[[int], bytes]) -> None:
        """Draw the conclusions: who is gone, which offers have lapsed, who fits whom.

        ``draw`` returns so many random bytes.
        """
        for offer in [one for one in self.offers if not one.agreed and one.until <= now]:
            self._dissolve(offer)
            for waiter in self.waiters:
                waiter.lapsed = waiter.lapsed or (waiter.id in offer.members and waiter.id not in offer.confirmed)
        self.leases = {holder: until for holder, until in self.leases.items() if until > now}
        for waiter in [one for one in self.waiters if one.holder not in self.leases]:
            self.leave(waiter.id)
        while self.news:
            self._match(now, draw)

    def _match(self, now: int, draw: Callable[[int], bytes]) -> None:
        offered = {member for one in self.offers for member in one.members}
        free = [one for one in self.waiters if not (one.busy or one.lapsed or one.id in offered)]
        match = first_match(free)
        self.news = match is not None
        if match is None:
            return
        lots = [(draw(8), free[place].id) for place in match.members]
        members = tuple([waiter for _, waiter in sorted(lots)])
        self.offers.append(Proposal(draw(10).hex(), match.setting, members, draw(16), draw(16), now + CONFIRM_MS))

    def _dissolve(self, offer: Proposal) -> None:
        self.offers.remove(offer)
        self.news = True


def read_queue(packed: bytes) -> MatchQueue:
    """Return a pool as it is stored; of nothing an empty one."""
    return _decode(packed) if packed else MatchQueue()


def pack_queue(pool: MatchQueue) -> bytes:
    """Return a pool as it is stored; nothing for one at which nobody waits."""
    return _encode(pool) if pool.waiters or pool.offers else b""


_decode = msgpack.Decoder(MatchQueue).decode
_encode = msgpack.Encoder().encode
