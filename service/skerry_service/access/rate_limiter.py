"""The rate limiter: counts calls, streams and connections, and rejects those above a limit. Knows no sessions."""

from __future__ import annotations

import logging
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from skerry_games.sentences import counted, joined_by
from skerry_service.access.client_addresses import AddressResolver, CallerAddress, Peer
from skerry_service.access.gcra import LocalCounters, SharedCounters, Taken
from skerry_service.access.key_limits import STREAMS_OF_A_KEY, KeyLimits
from skerry_service.access.quota_reports import QuotaUse, quota_report
from skerry_service.access.quotas import QUOTA_OF_RPC, ConcurrencyLimit, LimitSettings, Quota, Rate, RateLimit
from skerry_service.domain.errors import LimitReached, StoreFull, StoreUnavailable
from skerry_service.domain.languages.phrases import grouped, phrase

_MAX_CONNECTIONS = 1 << 16
"""Connections remembered as counted. A connection that was forgotten is counted again."""
_MATCHMAKING = ("FindMatch", "FindLadderGame")
"""The RPCs whose streams also occupy the store."""
_WARN_EVERY_US = 60_000_000
_log = logging.getLogger(__name__)

_Rates = Sequence[tuple[RateLimit, Rate]]


class RateLimiter:
    """The limits of one process. ``now_us``: a monotonic clock, in microseconds."""

    def __init__(self, settings: LimitSettings, counters: SharedCounters, now_us: Callable[[], int]) -> None:
        """``counters``: those that replicas share. Raises ValueError for a proxy that is not a network."""
        self._settings = settings
        self._shared = counters
        self._local = LocalCounters(now_us)
        self._now_us = now_us
        self._addresses = AddressResolver(
            settings.proxies, local=not settings.local, on_untrusted_proxy=self._warn_of_untrusted_proxy
        )
        self._rates = {kind: _rates_of(quota) for kind, quota in settings.quotas.items()}
        self._open: Counter[tuple[str, str]] = Counter()
        self._counted: OrderedDict[str, None] = OrderedDict()
        self._warned_at: dict[str, int] = {}
        self.refused = Counter(dict.fromkeys(_names(settings), 0))
        """How often each limit was reached, by name. In shadow mode: how often it would have rejected a call."""
        self.limited = frozenset(rpc for rpc, kind in QUOTA_OF_RPC.items() if kind and settings.mode != "off")
        """The RPCs that need ``admit``. All others pass."""

    # ------------------------------------------------------------ calls

    async def admit(self, rpc: str, peer: Peer, key_limits: KeyLimits | None = None) -> CallerAddress:
        """Count a call; return the address of its caller.

        ``key_limits``: the limits of the caller's API key, which also apply on this machine. Raises LimitReached, and
        for kinds that replicas count together StoreFull and StoreUnavailable.
        """
        kind = QUOTA_OF_RPC[rpc]
        assert kind is not None, "the RPC is not limited"
        caller = self._addresses.resolve(peer)
        if not caller.local:
            self._count_connection(caller)
        await self._count(kind, caller, key_limits)
        return caller

    async def count_identity(self, peer: Peer, key_limits: KeyLimits | None = None) -> None:
        """Count the verification of an identity token. Raises LimitReached."""
        if self._settings.mode != "off":
            await self._count("identity", self._addresses.resolve(peer), key_limits)

    async def _count(self, kind: str, caller: CallerAddress, key_limits: KeyLimits | None) -> None:
        if key_limits is not None and kind in key_limits.rates:
            await self._take(kind, self._rates_with_key(kind, key_limits, local=caller.local), caller, key_limits.name)
        elif not caller.local:
            await self._take(kind, self._rates[kind], caller)

    def _rates_with_key(self, kind: str, key_limits: KeyLimits, *, local: bool) -> _Rates:
        """Return the rates of a kind of call, with those of the key instead of those of the address."""
        limits = [
            key_limits.limit(limit) if limit.per == "address" else limit for limit in self._settings.quotas[kind].limits
        ]
        return [(limit, rate) for limit in limits for rate in limit.rates if limit.per == "key" or not local]

    async def _take(self, kind: str, rates: _Rates, caller: CallerAddress, key_name: str = "") -> None:
        """Count a call, in this process or in the store. ``key_name``: whose limits of a key apply."""
        if not self._settings.quotas[kind].shared:
            taken = self._local.take(_keyed(rates, caller, key_name))
            self._report(rates, taken)
            self._require_within(rates, taken)
        elif rates:
            try:
                taken = await self._shared.take(kind, _keyed(rates, caller, key_name))
            except (StoreFull, StoreUnavailable):
                if self._settings.mode == "on":
                    raise
            else:
                self._report(rates, taken)
                self._require_within(rates, taken)

    def _report(self, rates: _Rates, taken: Taken) -> None:
        """Report the caller's own quotas. Those of all callers would show what the others do."""
        report = quota_report.get()
        if report is not None and self._settings.mode == "on":
            used = zip(rates, taken.used_us, strict=True)
            report([QuotaUse(limit.name, rate, us) for (limit, rate), us in used if limit.per != "server"])

    def _require_within(self, rates: _Rates, taken: Taken) -> None:
        exceeded = taken.exceeded
        if exceeded is None:
            return
        limit, rate = rates[exceeded.index]
        wait_us = exceeded.wait_us
        self.refuse(
            limit.name,
            phrase("limit-rate", counts=limit.counts, rate=rate.words, per=limit.per, wait=_in_words(wait_us)),
            wait_us / 1e6,
        )

    # ------------------------------------------------------------ connections and streams

    def _count_connection(self, caller: CallerAddress) -> None:
        """Count a new connection by its first call, for transports that do not report connections."""
        if caller.connection and caller.connection not in self._counted:
            self._take_connection(caller)

    def _take_connection(self, caller: CallerAddress) -> None:
        rates = self._rates["connect"]
        self._require_within(rates, self._local.take(_keyed(rates, caller, "")))
        self._counted[caller.connection] = None
        if len(self._counted) > _MAX_CONNECTIONS:
            self._counted.popitem(last=False)

    @contextmanager
    def connection(self, peer: Peer) -> Iterator[None]:
        """Hold the concurrency slot of a connection. Connections of trusted proxies need none. Raises LimitReached."""
        caller = self._addresses.resolve(peer)
        if self._settings.mode == "off" or caller.local or self._addresses.is_proxy(peer):
            yield
            return
        self._take_connection(caller)
        with self._slots(("connections_address", caller.address)):
            yield

    @contextmanager
    def stream(self, caller: CallerAddress, rpc: str, key_limits: KeyLimits | None = None) -> Iterator[None]:
        """Hold the concurrency slots of a stream of an RPC. Raises LimitReached."""
        slots = [("streams_server", "")]
        has_key_limit = key_limits is not None and key_limits.streams is not None
        if key_limits is not None and has_key_limit:
            slots.append((STREAMS_OF_A_KEY, key_limits.name))
        if not caller.local:
            if rpc in _MATCHMAKING:
                slots.append(("tickets_address", caller.address))
            if not has_key_limit:
                slots.append(("streams_address", caller.address))
            if caller.connection:
                slots.append(("streams_connection", caller.connection))
        with self._slots(*slots, key_limits=key_limits):
            yield

    @contextmanager
    def drawing(self, caller: CallerAddress, *, animated: bool) -> Iterator[None]:
        """Hold the concurrency slots of a PNG picture that is being drawn. Raises LimitReached.

        ``animated``: an animation takes seconds, so those that wait take no slots of other pictures.
        """
        kind = "animations" if animated else "drawings"
        slots = [(f"{kind}_server", "")]
        if not caller.local:
            slots.append((f"{kind}_address", caller.address))
        with self._slots(*slots, advice="Wait until one is drawn."):
            yield

    @contextmanager
    def _slots(
        self, *slots: tuple[str, str], key_limits: KeyLimits | None = None, advice: str = "Close one first."
    ) -> Iterator[None]:
        """Hold slots. Each is the name of a concurrency limit, and the caller that it is counted for."""
        for slot in slots:
            limit = self._concurrency_limit(slot[0], key_limits)
            if limit.maximum is not None and self._open[slot] >= limit.maximum:
                most = grouped(limit.maximum)
                self.refuse(limit.name, phrase("limit-at-once", most=most, counts=limit.counts, advice=advice))
        self._open.update(slots)
        try:
            yield
        finally:
            for slot in slots:
                self._open[slot] -= 1
                if not self._open[slot]:
                    del self._open[slot]

    def _concurrency_limit(self, name: str, key_limits: KeyLimits | None) -> ConcurrencyLimit:
        if key_limits is not None and name == STREAMS_OF_A_KEY:
            return ConcurrencyLimit(name, "streams open under one API key", key_limits.streams)
        return self._settings.concurrency[name]

    def address_of(self, peer: Peer) -> str:
        """Return the address that the peer's calls are counted for."""
        return self._addresses.resolve(peer).address

    def is_proxy(self, peer: Peer) -> bool:
        """Return whether the peer is a trusted proxy, or at a unix socket."""
        return self._addresses.is_proxy(peer)

    # ------------------------------------------------------------ rejections

    def refuse(self, name: str, sentence: str, wait: float | None = None) -> None:
        """Count and log that a limit was reached. Raises LimitReached, unless limits are in shadow mode or off.

        ``wait``: seconds after which the caller may try again.
        """
        if self._settings.mode == "off":
            return
        self.refused[name] += 1
        enforced = self._settings.mode == "on"
        self._warn(name, "limit %s reached, %d times so far%s", name, self.refused[name], _SHADOW[enforced])
        if enforced:
            raise LimitReached(name, sentence) if wait is None else LimitReached(name, sentence, wait)

    def _warn_of_untrusted_proxy(self, host: str) -> None:
        self._warn(
            f"proxy {host}",
            "a proxy at %s is not in SKERRY_TRUSTED_PROXIES, so all its clients count as one caller",
            host,
        )

    def _warn(self, subject: str, message: str, *values: object) -> None:
        """Log a warning, at most once a minute for each subject."""
        now = self._now_us()
        if now - self._warned_at.get(subject, now - _WARN_EVERY_US) >= _WARN_EVERY_US:
            self._warned_at[subject] = now
            _log.warning(message, *values)


_SHADOW = {True: "", False: " (not enforced: SKERRY_LIMITS is shadow)"}


def _rates_of(quota: Quota) -> _Rates:
    return [(limit, rate) for limit in quota.limits for rate in limit.rates]


def _names(settings: LimitSettings) -> Sequence[str]:
    """Return the names of all limits."""
    limits = (limit.name for quota in settings.quotas.values() for limit in quota.limits)
    return *limits, *settings.concurrency, STREAMS_OF_A_KEY


def _keyed(rates: _Rates, caller: CallerAddress, key_name: str) -> list[tuple[str, Rate]]:
    """Return the rates with the keys of their counters. No address looks like the name of an API key."""
    counted_for = {"address": caller.address, "server": "", "key": f"key {key_name}"}
    return [(f"{limit.name}:{rate.seconds}:{counted_for[limit.per]}", rate) for limit, rate in rates]


def _in_words(wait_us: int) -> str:
    """Return a wait in words, rounded up to the millisecond: "2.5 seconds", "1 hour 4 minutes 0.25 seconds"."""
    left, parts = -(-wait_us // 1000), list[str]()
    for name, size in (("hour", 3_600_000), ("minute", 60_000)):
        whole, left = divmod(left, size)
        parts += [counted(whole, name)] if whole else []
    parts += [phrase("wait-seconds", seconds=f"{left / 1000:g}")] if left or not parts else []
    return joined_by(" ", parts)
