"""Every limit on what callers may ask for. ``scripts/write_limits.py`` writes ``docs/reference/limits.md`` from it.

A *limit* counts calls, a *bound* counts what is open at a time. Each is set by ``SKERRY_LIMIT_`` and its name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from skerry_service.domain.limits import SessionLimits

Mode = Literal["on", "shadow", "off"]

_SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400}
_RATE = re.compile(r"([1-9][0-9]{0,8})/([1-9][0-9]{0,4})(s|min|h|d)")
_OFF = "off"


class Rate(Struct, frozen=True):
    """``count`` at once; what was taken comes back evenly, all of it within ``seconds``."""

    count: int
    seconds: int

    @property
    def step_us(self) -> int:
        """Microseconds after which one comes back."""
        return max(1, self.seconds * 1_000_000 // self.count)

    @property
    def words(self) -> str:
        """``100 in 10 s``."""
        return f"{self.count:,} in {self.seconds // _SECONDS[self._unit]} {self._unit}"

    @property
    def text(self) -> str:
        """``100/10s``, as it is set."""
        return f"{self.count}/{self.seconds // _SECONDS[self._unit]}{self._unit}"

    @property
    def _unit(self) -> str:
        return max((unit for unit, size in _SECONDS.items() if self.seconds % size == 0), key=_SECONDS.__getitem__)


class Limit(Struct, frozen=True):
    """A call counts against all rates of a limit, or is refused by one and counts against none."""

    name: str
    counts: str
    """What is counted, in words: "sessions created"."""
    whose: Literal["address", "server", "key"]
    rates: tuple[Rate, ...]
    """A fast and a slow one; none: there is no limit."""


class Quota(Struct, frozen=True):
    """The limits of one kind of call."""

    kind: str
    shared: bool
    """Whether replicas count together, in the store. Otherwise each process counts for itself."""
    limits: tuple[Limit, ...]


class Bound(Struct, frozen=True):
    """How many there may be at a time. What leaves makes room."""

    name: str
    counts: str
    most: int | None
    """``None``: any number."""


def _quota(kind: str, counts: str, address: tuple[Rate, Rate], server: tuple[Rate, Rate], *, shared: bool) -> Quota:
    limits = (Limit(kind, counts, "address", address), Limit(f"{kind}_server", counts, "server", server))
    return Quota(kind, shared, limits)


_HOUR = 3600
QUOTAS: Mapping[str, Quota] = {
    one.kind: one
    for one in (
        # What lasts in the store is counted there: sessions fill it, seats run out.
        _quota(
            "create",
            "sessions created",
            (Rate(100, 10), Rate(2_000, _HOUR)),
            (Rate(1_000, 10), Rate(40_000, _HOUR)),
            shared=True,
        ),
        _quota(
            "join",
            "attempts to take a seat",
            (Rate(500, 10), Rate(10_000, _HOUR)),
            (Rate(5_000, 10), Rate(200_000, _HOUR)),
            shared=True,
        ),
        _quota(
            "manage",
            "starts, labels, removals and other actions of hosts; nudges; webhooks",
            (Rate(200, 10), Rate(6_000, _HOUR)),
            (Rate(2_000, 10), Rate(120_000, _HOUR)),
            shared=True,
        ),
        # What takes up a process is counted in it: to ask the store first would double the cost of a read.
        _quota(
            "read",
            "sessions and games read",
            (Rate(3_000, 10), Rate(400_000, _HOUR)),
            (Rate(20_000, 10), Rate(4_000_000, _HOUR)),
            shared=False,
        ),
        _quota(
            "list",
            "pages of sessions listed",
            (Rate(100, 10), Rate(10_000, _HOUR)),
            (Rate(1_000, 10), Rate(200_000, _HOUR)),
            shared=False,
        ),
        _quota(
            "replay",
            "replays and past positions read",
            (Rate(100, 10), Rate(10_000, _HOUR)),
            (Rate(1_000, 10), Rate(200_000, _HOUR)),
            shared=False,
        ),
        _quota(
            "sample",
            "requests for sampled states",
            (Rate(1_000, 10), Rate(100_000, _HOUR)),
            (Rate(5_000, 10), Rate(500_000, _HOUR)),
            shared=False,
        ),
        _quota(
            "engine",
            "engine calls",
            (Rate(1_000, 10), Rate(100_000, _HOUR)),
            (Rate(5_000, 10), Rate(500_000, _HOUR)),
            shared=False,
        ),
        _quota(
            "stream",
            "streams opened",
            (Rate(1_000, 10), Rate(40_000, _HOUR)),
            (Rate(10_000, 10), Rate(400_000, _HOUR)),
            shared=False,
        ),
        _quota(
            "connect",
            "connections opened",
            (Rate(1_000, 10), Rate(100_000, _HOUR)),
            (Rate(10_000, 10), Rate(1_000_000, _HOUR)),
            shared=False,
        ),
    )
}

CALLS: Mapping[str, str | None] = {
    "CreateSession": "create",
    "JoinSession": "join",
    "FindMatch": "join",
    "ConfirmMatch": "join",
    "StartSession": "manage",
    "RematchSession": "create",
    "ForkSession": "create",
    "LabelSession": "manage",
    "RemovePlayer": "manage",
    "LeaveSession": None,  # no more of them than joins
    "ReturnToSession": None,  # bounded by the session
    "ResignSession": None,
    "OpenSeat": "manage",
    "NudgeSeat": "manage",
    "SetWebhook": "manage",
    "CancelSession": "manage",
    "Act": None,  # a game in play waits for no limiter
    "ListGames": "read",
    "GetGame": "read",
    "GetSession": "read",
    "ListSessions": "list",
    "GetReplay": "replay",
    "SampleStates": "sample",
    "Observe": "stream",
    "Play": "stream",
    "NewState": "engine",
    "ApplyMoves": "engine",
    "ReadStates": "engine",
    "PlayOut": "engine",
}
"""The kind of each RPC, of all services; ``None``: it always passes."""

_OF_SESSIONS = SessionLimits()
BOUNDS: Mapping[str, Bound] = {
    one.name: one
    for one in (
        Bound("streams_connection", "streams open on one connection", 500),
        Bound("streams_address", "streams open from one address", 1_000),
        Bound("streams_server", "streams open in one process", 10_000),
        Bound("finders_address", "matchmaking streams from one address", 50),
        Bound("streams_token", "streams of one session with one host or seat token", _OF_SESSIONS.streams_per_token),
        Bound("spectators_address", "spectators of one session from one address", _OF_SESSIONS.spectators_per_address),
        Bound("spectators_session", "spectators of one session in one process", _OF_SESSIONS.spectator_streams),
        Bound("connections_address", "HTTP connections open from one address", 500),
    )
}


class Settings(Struct, frozen=True):
    """What an operator can set about limits."""

    mode: Mode = "on"
    """``shadow``: count and tell in the log, refuse nothing."""
    local: bool = False
    """Whether callers on this machine are limited like all others."""
    proxies: tuple[str, ...] = ()
    """Networks of the proxies whose ``X-Forwarded-For`` is believed."""
    quotas: Mapping[str, Quota] = field(default_factory=lambda: QUOTAS)
    bounds: Mapping[str, Bound] = field(default_factory=lambda: BOUNDS)

    def with_limit(self, name: str, text: str) -> Settings:
        """Return settings with another limit or bound: ``100/10s 2000/1h``, ``500``, or ``off``. Raises ValueError."""
        if name in self.bounds:
            bound = replace(self.bounds[name], most=read_count(setting_of(name), text))
            return replace(self, bounds={**self.bounds, name: bound})
        for kind, quota in self.quotas.items():
            if any(limit.name == name for limit in quota.limits):
                rates = read_rates(setting_of(name), text)
                limits = tuple([replace(one, rates=rates) if one.name == name else one for one in quota.limits])
                return replace(self, quotas={**self.quotas, kind: replace(quota, limits=limits)})
        raise ValueError(f"{setting_of(name)} is no limit; docs/reference/limits.md lists them")

    def text_of(self, name: str) -> str:
        """Return a limit or bound as ``with_limit`` takes it."""
        if name in self.bounds:
            return str(self.bounds[name].most or _OFF)
        (limit,) = [one for quota in self.quotas.values() for one in quota.limits if one.name == name]
        return " ".join(rate.text for rate in limit.rates) or _OFF


def setting_of(name: str) -> str:
    """Return the environment variable of a limit or bound."""
    return f"SKERRY_LIMIT_{name.upper()}"


def read_rates(name: str, text: str) -> tuple[Rate, ...]:
    """Return rates such as ``100/10s 2000/1h``, none for ``off``. Raises ValueError, with the ``name`` in it."""
    if text == _OFF:
        return ()
    found = [_RATE.fullmatch(word) for word in text.split()]
    rates = tuple([Rate(int(one[1]), int(one[2]) * _SECONDS[one[3]]) for one in found if one])
    if not rates or len(rates) != len(found):
        raise ValueError(f"{name} is one or more rates such as 100/10s 2000/1h, or off, not {text!r}")
    return rates


def read_count(name: str, text: str) -> int | None:
    """Return a number of at least 1, ``None`` for ``off``. Raises ValueError, with the ``name`` in it."""
    if text == _OFF:
        return None
    if not text.isascii() or not text.isdecimal() or not int(text):
        raise ValueError(f"{name} is a number of at least 1, or off, not {text!r}")
    return int(text)
