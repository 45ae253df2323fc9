"""Every limit on callers. ``scripts/write_limits.py`` writes the tables of ``docs/reference/limits.md`` from it.

A rate limit counts calls. A concurrency limit counts streams or connections that are open at once. The setting of each
is ``SKERRY_LIMIT_`` and its name.
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
    """``count`` calls at once, then one more every ``seconds / count``."""

    count: int
    seconds: int

    @property
    def step_us(self) -> int:
        """Microseconds until one more call is allowed."""
        return max(1, self.seconds * 1_000_000 // self.count)

    @property
    def words(self) -> str:
        """The rate in words: ``100 in 10 s``."""
        return f"{self.count:,} in {self.seconds // _SECONDS[self._unit]} {self._unit}"

    @property
    def text(self) -> str:
        """The rate as a setting: ``100/10s``."""
        return f"{self.count}/{self.seconds // _SECONDS[self._unit]}{self._unit}"

    @property
    def _unit(self) -> str:
        return max((unit for unit, size in _SECONDS.items() if self.seconds % size == 0), key=_SECONDS.__getitem__)


class RateLimit(Struct, frozen=True):
    """A limit on calls. An accepted call counts against all rates, a rejected one against none."""

    name: str
    counts: str
    """What the limit counts, in words: "sessions created"."""
    per: Literal["address", "server", "key"]
    """Whose calls are counted together."""
    rates: tuple[Rate, ...]
    """A fast and a slow rate. Empty: the limit is off."""


class Quota(Struct, frozen=True):
    """The limits on one kind of call."""

    kind: str
    shared: bool
    """Whether all replicas share the counters, in the store. Otherwise each process has its own."""
    limits: tuple[RateLimit, ...]


class ConcurrencyLimit(Struct, frozen=True):
    """A limit on how many streams or connections are open at once."""

    name: str
    counts: str
    maximum: int | None
    """``None``: unlimited."""


def _quota(kind: str, counts: str, address: tuple[Rate, Rate], server: tuple[Rate, Rate], *, shared: bool) -> Quota:
    limits = (RateLimit(kind, counts, "address", address), RateLimit(f"{kind}_server", counts, "server", server))
    return Quota(kind, shared, limits)


_HOUR = 3600
QUOTAS: Mapping[str, Quota] = {
    quota.kind: quota
    for quota in (
        # Calls that write to the store are counted there: sessions fill it, and seats run out.
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
            "starts, labels, removals and other actions of hosts; nudges; emotes; moves taken back; webhooks",
            (Rate(200, 10), Rate(6_000, _HOUR)),
            (Rate(2_000, 10), Rate(120_000, _HOUR)),
            shared=True,
        ),
        _quota(
            "resend",
            "requests to send webhooks again",
            (Rate(2, 60), Rate(10, _HOUR)),
            (Rate(10, 60), Rate(100, _HOUR)),
            shared=True,
        ),
        # Reads are counted in the process: a round trip to the store would double their cost.
        _quota(
            "read",
            "sessions and games read",
            (Rate(3_000, 10), Rate(400_000, _HOUR)),
            (Rate(20_000, 10), Rate(4_000_000, _HOUR)),
            shared=False,
        ),
        _quota(
            "picture",
            "pictures",
            (Rate(200, 10), Rate(20_000, _HOUR)),
            (Rate(2_000, 10), Rate(400_000, _HOUR)),
            shared=False,
        ),
        _quota(
            "list",
            "pages of sessions, ladders and tournaments listed",
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
            "hint",
            "hints",
            (Rate(20, 10), Rate(1_000, _HOUR)),
            (Rate(200, 10), Rate(20_000, _HOUR)),
            shared=False,
        ),
        _quota(
            "analysis",
            "analyses of finished games read",
            (Rate(20, 10), Rate(1_000, _HOUR)),
            (Rate(200, 10), Rate(20_000, _HOUR)),
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
        _quota(
            "identity",
            "identity tokens verified, valid or not; the process remembers valid ones",
            (Rate(500, 10), Rate(20_000, _HOUR)),
            (Rate(5_000, 10), Rate(400_000, _HOUR)),
            shared=False,
        ),
    )
}

QUOTA_OF_RPC: Mapping[str, str | None] = {
    "CreateSession": "create",
    "JoinSession": "join",
    "FindMatch": "join",
    "ConfirmMatch": "join",
    "StartSession": "manage",
    "RematchSession": "create",
    "ForkSession": "create",
    "LabelSession": "manage",
    "RemovePlayer": "manage",
    "LeaveSession": None,  # at most one for each join
    "ReturnToSession": None,  # bounded by the session
    "ResignSession": None,
    "OpenSeat": "manage",
    "RecoverSeat": "join",
    "NudgeSeat": "manage",
    "SendEmote": "manage",
    "UndoMove": "manage",
    "SetWebhook": "manage",
    "CancelSession": "manage",
    "Act": None,  # moves must not wait for the limiter
    "ListGames": "read",
    "GetGame": "read",
    "GetHowToPlay": "read",
    "GetSession": "read",
    "GetPositionText": "read",
    "ExplainTarget": "read",
    "GetPicture": "picture",
    "ListSessions": "list",
    "ListOpenTables": "list",
    "GetReplay": "replay",
    "GetReplayPicture": "replay",
    "ListEntries": "replay",
    "RegisterBot": "manage",
    "WakeBot": "manage",
    "FindLadderGame": "join",
    "GetBot": "read",
    "ListLadders": "list",
    "GetLadder": "list",
    "ListLadderGames": "list",
    "GetHeadToHead": "list",
    "SetWebhookEndpoint": "manage",
    "GetWebhookEndpoint": "manage",
    "ListWebhookEndpoints": "manage",
    "DeleteWebhookEndpoint": "manage",
    "PingWebhookEndpoint": "manage",
    "ResendWebhooks": "resend",
    "CreateTournament": "create",
    "EnterTournament": "join",
    "LeaveTournament": "manage",
    "StartTournament": "manage",
    "CancelTournament": "manage",
    "GetTournament": "list",
    "ListTournaments": "list",
    "ListTournamentGames": "read",  # entrants wait for their games with it
    "SampleStates": "sample",
    "GetHint": "hint",
    "GetAnalysis": "analysis",
    "Observe": "stream",
    "Play": "stream",
    "NewState": "engine",
    "ApplyMoves": "engine",
    "ReadStates": "engine",
    "PlayOut": "engine",
}
"""The kind of each RPC of all services; ``None``: it is not limited."""

_SESSION_LIMITS = SessionLimits()
CONCURRENCY_LIMITS: Mapping[str, ConcurrencyLimit] = {
    limit.name: limit
    for limit in (
        ConcurrencyLimit("streams_connection", "streams open on one connection", 500),
        ConcurrencyLimit("streams_address", "streams open from one address", 1_000),
        ConcurrencyLimit("streams_server", "streams open in one process", 10_000),
        ConcurrencyLimit("drawings_address", "PNG pictures for one address being drawn", 8),
        ConcurrencyLimit("drawings_server", "PNG pictures being drawn in one process", 128),
        ConcurrencyLimit("animations_address", "animated pictures for one address being drawn", 1),
        ConcurrencyLimit("animations_server", "animated pictures being drawn in one process", 8),
        ConcurrencyLimit("tickets_address", "streams of `FindMatch` and `FindLadderGame` from one address", 50),
        ConcurrencyLimit(
            "streams_token", "streams of one session with one host or seat token", _SESSION_LIMITS.streams_per_token
        ),
        ConcurrencyLimit(
            "spectators_address", "spectators of one session from one address", _SESSION_LIMITS.spectators_per_address
        ),
        ConcurrencyLimit(
            "spectators_session", "spectators of one session in one process", _SESSION_LIMITS.spectator_streams
        ),
        ConcurrencyLimit("connections_address", "connections open from one address", 500),
    )
}


class LimitSettings(Struct, frozen=True):
    """The settings of all limits."""

    mode: Mode = "on"
    """``shadow``: count and log, but reject nothing."""
    local: bool = False
    """Whether limits apply to callers on this machine too."""
    proxies: tuple[str, ...] = ()
    """Networks of the proxies per ``X-Forwarded-For`` is believed."""
    quotas: Mapping[str, Quota] = field(default_factory=lambda: QUOTAS)
    concurrency: Mapping[str, ConcurrencyLimit] = field(default_factory=lambda: CONCURRENCY_LIMITS)

    def with_limit(self, name: str, text: str) -> LimitSettings:
        """Return settings with a changed limit: ``100/10s 2000/1h``, ``500``, or ``off``. Raises ValueError."""
        if name in self.concurrency:
            changed = replace(self.concurrency[name], maximum=read_count(setting_of(name), text))
            return replace(self, concurrency={**self.concurrency, name: changed})
        for kind, quota in self.quotas.items():
            if any(limit.name == name for limit in quota.limits):
                rates = read_rates(setting_of(name), text)
                limits = tuple([replace(limit, rates=rates) if limit.name == name else limit for limit in quota.limits])
                return replace(self, quotas={**self.quotas, kind: replace(quota, limits=limits)})
        raise ValueError(f"{setting_of(name)} is not the setting of a limit; see docs/reference/limits.md")

    def text_of(self, name: str) -> str:
        """Return a limit in the form that ``with_limit`` takes."""
        if name in self.concurrency:
            return str(self.concurrency[name].maximum or _OFF)
        (limit,) = [limit for quota in self.quotas.values() for limit in quota.limits if limit.name == name]
        return " ".join(rate.text for rate in limit.rates) or _OFF


def setting_of(name: str) -> str:
    """Return the environment variable of a limit."""
    return f"SKERRY_LIMIT_{name.upper()}"


def read_rates(name: str, text: str) -> tuple[Rate, ...]:
    """Return rates such as ``100/10s 2000/1h``, none for ``off``. Raises ValueError, which contains the ``name``."""
    if text == _OFF:
        return ()
    found = [_RATE.fullmatch(word) for word in text.split()]
    rates = tuple([Rate(int(match[1]), int(match[2]) * _SECONDS[match[3]]) for match in found if match])
    if not rates or len(rates) != len(found):
        raise ValueError(f"{name} is {text!r}; use one or more rates such as 100/10s 2000/1h, or off")
    return rates


def read_count(name: str, text: str) -> int | None:
    """Return a number of at least 1, ``None`` for ``off``. Raises ValueError, which contains the ``name``."""
    if text == _OFF:
        return None
    if not text.isascii() or not text.isdecimal() or not int(text):
        raise ValueError(f"{name} is {text!r}; use a number of at least 1, or off")
    return int(text)
