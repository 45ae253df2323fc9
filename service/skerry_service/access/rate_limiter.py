"""Lets calls in or refuses them, by ``limits``. Knows callers by their addresses, and nothing of sessions."""

from __future__ import annotations

import logging
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from skerry_service.access.allowance import STREAMS_OF_A_KEY, Allowance
from skerry_service.access.client_addresses import Origin, Origins, Peer
from skerry_service.access.gcra import Counters, LocalCounters, Reached
from skerry_service.access.quotas import CALLS, Bound, Limit, Quota, Rate, Settings
from skerry_service.domain.errors import LimitReached, StoreFull, StoreUnavailable

_MOST_CONNECTIONS = 1 << 16
"""Connections remembered as counted. One that is forgotten is counted again."""
_FINDS = "FindMatch"
"""What waits in the store, not in this process alone."""
_TOLD_EVERY_US = 60_000_000
_log = logging.getLogger(__name__)

_Wanted = Sequence[tuple[Limit, Rate]]


class RateLimiter:
    """The limits of one process. ``now_us``: a clock that never runs backwards, in microseconds."""

    def __init__(self, settings: Settings, counters: Counters, now_us: Callable[[], int]) -> None:
        """Raises ValueError for a proxy that is no network."""
        self._settings = settings
        self._shared = counters
        self._here = LocalCounters(now_us)
        self._now_us = now_us
        self._origins = Origins(settings.proxies, local=not settings.local, on_stranger=self._tell_of_stranger)
        self._wanted = {kind: _rates_of(quota) for kind, quota in settings.quotas.items()}
        self._open: Counter[tuple[str, str]] = Counter()
        self._counted: OrderedDict[str, None] = OrderedDict()
        self._applied: dict[str, int] = {}
        self.refused = Counter(dict.fromkeys(_names(settings), 0))
        """How often each limit was reached, by its name; in shadow mode how often it would have refused."""
        self.limited = frozenset(rpc for rpc, kind in CALLS.items() if kind and settings.mode != "off")
        """The RPCs that are to be admitted. All others pass without a look at the caller."""

    # ------------------------------------------------------------ calls

    async def admit(self, rpc: str, peer: Peer, allowance: Allowance | None = None) -> Origin:
        """Count a call; return whose it is. Raises LimitReached, and what the store does where replicas count there.

        ``allowance``: limits of the caller's own, which hold on this machine too.
        """
        origin = self._origins.of(peer)
        kind = CALLS[rpc]
        assert kind is not None, "it is not limited"
        if not origin.local:
            self._count_connection(origin)
        if allowance is not None and kind in allowance.rates:
            await self._take(kind, self._wanted_of(kind, allowance, local=origin.local), origin, allowance.name)
        elif not origin.local:
            await self._take(kind, self._wanted[kind], origin)
        return origin

    def _wanted_of(self, kind: str, allowance: Allowance, *, local: bool) -> _Wanted:
        """Return the rates of a kind of call, with those of the caller's own in place of the address's."""
        limits = self._settings.quotas[kind].limits
        own = [allowance.limit(one) if one.whose == "address" else one for one in limits]
        return [(limit, rate) for limit in own for rate in limit.rates if limit.whose == "key" or not local]

    async def _take(self, kind: str, wanted: _Wanted, origin: Origin, name: str = "") -> None:
        """Count a call, here or in the store. ``name``: under which limits of one's own are counted."""
        if not self._settings.quotas[kind].shared:
            self._take_here(wanted, origin, name)
        elif wanted:
            try:
                reached = await self._shared.take(kind, _keyed(wanted, origin, name))
            except (StoreFull, StoreUnavailable):
                if self._settings.mode == "on":
                    raise
            else:
                self._judge(wanted, reached)

    def _take_here(self, wanted: _Wanted, origin: Origin, name: str = "") -> None:
        self._judge(wanted, self._here.take(_keyed(wanted, origin, name)))

    def _judge(self, wanted: _Wanted, reached: Reached | None) -> None:
        if reached is None:
            return
        limit, rate = wanted[reached.which]
        whose = _WHOSE[limit.whose]
        asked = f"There is a limit of {rate.words} on {limit.counts}, for {whose}."
        self.refuse(limit.name, f"{asked} Ask again in {_in_words(reached.wait_us)}.", reached.wait_us / 1e6)

    # ------------------------------------------------------------ connections and streams

    def _count_connection(self, origin: Origin) -> None:
        """Count the connection of a call that has not been seen before, where the transport does not tell of it."""
        if origin.connection and origin.connection not in self._counted:
            self._take_here(self._wanted["connect"], origin)
            self._counted[origin.connection] = None
            if len(self._counted) > _MOST_CONNECTIONS:
                self._counted.popitem(last=False)

    @contextmanager
    def connection(self, peer: Peer) -> Iterator[None]:
        """Hold a connection's place. Raises LimitReached. What a trusted proxy opens is not counted."""
        origin = self._origins.of(peer)
        if self._settings.mode == "off" or origin.local or self._origins.is_proxy(peer):
            yield
            return
        self._take_here(self._wanted["connect"], origin)
        with self._places(("connections_address", origin.address)):
            yield

    @contextmanager
    def stream(self, origin: Origin, rpc: str, allowance: Allowance | None = None) -> Iterator[None]:
        """Hold the places of a stream, which that RPC has opened. Raises LimitReached."""
        places = [("streams_server", "")]
        own = allowance is not None and allowance.streams is not None
        if allowance is not None and own:
            places.append((STREAMS_OF_A_KEY, allowance.name))
        if not origin.local:
            if rpc == _FINDS:
                places.append(("finders_address", origin.address))
            if not own:
                places.append(("streams_address", origin.address))
            if origin.connection:
                places.append(("streams_connection", origin.connection))
        with self._places(*places, own=allowance):
            yield

    @contextmanager
    def _places(self, *places: tuple[str, str], own: Allowance | None = None) -> Iterator[None]:
        for place in places:
            bound = self._bound(place[0], own)
            if bound.most is not None and self._open[place] >= bound.most:
                self.refuse(bound.name, f"There is a limit of {bound.most:,} {bound.counts}. Close one first.")
        self._open.update(places)
        try:
            yield
        finally:
            for place in places:
                self._open[place] -= 1
                if not self._open[place]:
                    del self._open[place]

    def _bound(self, name: str, own: Allowance | None) -> Bound:
        if own is not None and name == STREAMS_OF_A_KEY:
            return Bound(name, "streams open under one API key", own.streams)
        return self._settings.bounds[name]

    def caller(self, peer: Peer) -> str:
        """Return the address that a call is counted for."""
        return self._origins.of(peer).address

    # ------------------------------------------------------------ telling

    def refuse(self, name: str, sentence: str, wait: float | None = None) -> None:
        """Raise LimitReached, unless limits are only watched, or there are none."""
        if self._settings.mode == "off":
            return
        self.refused[name] += 1
        refuses = self._settings.mode == "on"
        self._tell(name, "the limit %s was reached, %d times so far%s", name, self.refused[name], _SHADOW[refuses])
        if refuses:
            raise LimitReached(name, sentence) if wait is None else LimitReached(name, sentence, wait)

    def _tell_of_stranger(self, host: str) -> None:
        self._tell(
            f"proxy {host}",
            "a proxy at %s says for whom it calls, and is not among SKERRY_TRUSTED_PROXIES: its callers count as one",
            host,
        )

    def _tell(self, about: str, words: str, *values: object) -> None:
        """Write a line into the log, no more than one a minute about the same."""
        now = self._now_us()
        if now - self._applied.get(about, now - _TOLD_EVERY_US) >= _TOLD_EVERY_US:
            self._applied[about] = now
            _log.warning(words, *values)


_WHOSE = {"address": "one address", "server": "all callers together", "key": "one API key"}
_SHADOW = {True: "", False: " (nothing is refused: SKERRY_LIMITS is shadow)"}


def _rates_of(quota: Quota) -> _Wanted:
    return [(limit, rate) for limit in quota.limits for rate in limit.rates]


def _names(settings: Settings) -> Sequence[str]:
    """Return the names of all limits and bounds."""
    limits = (limit.name for quota in settings.quotas.values() for limit in quota.limits)
    return *limits, *settings.bounds, STREAMS_OF_A_KEY


def _keyed(wanted: _Wanted, origin: Origin, name: str) -> list[tuple[str, Rate]]:
    """Return the rates under the keys that they are counted by. No address looks like the name of an API key."""
    who = {"address": origin.address, "server": "", "key": f"key {name}"}
    return [(f"{limit.name}:{rate.seconds}:{who[limit.whose]}", rate) for limit, rate in wanted]


def _in_words(wait_us: int) -> str:
    """Return a wait to the millisecond, never shorter than it is: "2.5 seconds", "1 hour 4 minutes 0.25 seconds"."""
    left, parts = -(-wait_us // 1000), []
    for name, size in (("hour", 3_600_000), ("minute", 60_000)):
        whole, left = divmod(left, size)
        parts += [f"{whole:,} {name}{'' if whole == 1 else 's'}"] if whole else []
    parts += [f"{left / 1000:g} seconds"] if left or not parts else []
    return " ".join(parts)
