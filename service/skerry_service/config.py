"""What an operator can set. Every setting is an environment variable, and most are options of ``skerry serve`` too."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct, field

from skerry_service.quotas.limits import Mode, Settings, setting_of
from skerry_service.quotas.origins import read_network
from skerry_service.sessions.limits import Limits

Fsync = Literal["always", "everysec"]
ANY_ORIGIN = "*"
_NAMED_HOST = r"(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])"
_HOST = re.compile(_NAMED_HOST, re.IGNORECASE)
_ORIGIN = re.compile(rf"https?://{_NAMED_HOST}(?::[0-9]{{1,5}})?")
_LAST_PORT = 65535
SMALLEST_STORE, _LARGEST_STORE = 16, 2**24
"""MiB. An empty Valkey takes one or two."""
MOST_WORKERS = 256
_FLAGS: Mapping[str, bool] = {"": False, "0": False, "1": True}
_LIMIT = setting_of("")
_ANY = sys.maxsize
_MODES: Mapping[str, Mode] = {"on": "on", "shadow": "shadow", "off": "off"}
_FSYNC: Mapping[str, Fsync] = {"always": "always", "everysec": "everysec"}


class Config(Struct, frozen=True):
    """The settings of one server process."""

    host: str = "127.0.0.1"
    port: int = 50051
    """0: any free one."""
    http: str | None = None
    """``HOST:PORT`` for REST/JSON; ``None``: not served. Port 0: any free one."""
    cors_origins: tuple[str, ...] = ()
    """Origins whose pages may call over HTTP; ``*``: all."""
    allowed_hosts: tuple[str, ...] = ()
    """Hosts that a request over HTTP may be for, without ports; none: any."""
    redis_url: str | None = None
    """``None``: a server of our own in ``data_dir``."""
    data_dir: Path = Path(".skerry")
    fsync: Fsync = "always"
    """Of the server of our own: ``always`` survives any crash, ``everysec`` may lose a second if the machine dies."""
    store_memory: int = 512
    """MiB that the server of our own may use for data."""
    allow_eviction: bool = False
    """Whether a Redis may be used that throws sessions away when memory is short."""
    bot_workers: int = 1
    """Processes in which bots think; 0: there are none that do."""
    engine_workers: int = 0
    """Processes that answer for the engine service; 0: it is not offered."""
    access_log: str | None = None
    """A file to which a line for each call is added, ``-``: standard output; ``None``: no log of calls."""
    metrics: str | None = None
    """``HOST:PORT`` at which Prometheus finds the counters; ``None``: they are not served. Port 0: any free one."""
    limits: Limits = field(default_factory=Limits)
    quotas: Settings = field(default_factory=Settings)
    """How much callers may ask for."""

    def __post_init__(self) -> None:
        """Raise ValueError for an address or a host that is none, or an origin that no browser sends."""
        for name, address in (("SKERRY_HTTP", self.http), ("SKERRY_METRICS", self.metrics)):
            if address is not None:
                split_address(address, name)
        for origin in self.cors_origins:
            check_origin(origin)
        for network in self.quotas.proxies:
            read_network(network)
        for host in self.allowed_hosts:
            _check_host(host)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Config:
        """Read REDIS_URL and the variables that begin with SKERRY_ (docs/operations.md). Raises ValueError."""
        default = cls()
        fsync = environment.get("SKERRY_FSYNC", default.fsync)
        if fsync not in _FSYNC:
            raise ValueError(f"SKERRY_FSYNC is always or everysec, not {fsync!r}")
        quotas = _quotas(environment)
        return cls(
            host=environment.get("SKERRY_HOST", default.host),
            port=_port(environment.get("SKERRY_PORT", str(default.port))),
            http=environment.get("SKERRY_HTTP") or None,
            cors_origins=tuple(filter(None, environment.get("SKERRY_CORS_ORIGINS", "").split(","))),
            allowed_hosts=tuple(filter(None, environment.get("SKERRY_ALLOWED_HOSTS", "").split(","))),
            redis_url=environment.get("REDIS_URL") or None,
            data_dir=Path(environment.get("SKERRY_DATA_DIR", default.data_dir)),
            fsync=_FSYNC[fsync],
            store_memory=_mebibytes(environment.get("SKERRY_STORE_MEMORY", str(default.store_memory))),
            bot_workers=_workers(environment, "SKERRY_BOT_WORKERS", default.bot_workers),
            engine_workers=_workers(environment, "SKERRY_ENGINE", default.engine_workers),
            access_log=environment.get("SKERRY_ACCESS_LOG") or None,
            metrics=environment.get("SKERRY_METRICS") or None,
            allow_eviction=_flag("SKERRY_ALLOW_EVICTION", environment.get("SKERRY_ALLOW_EVICTION", "")),
            limits=_limits_of(quotas),
            quotas=quotas,
        )


def split_address(address: str, name: str = "an address") -> tuple[str, int]:
    """Return host and port of ``HOST:PORT``; an IPv6 address stands in brackets. Raises ValueError."""
    host, _, port = address.rpartition(":")
    if not host or not port.isascii() or not port.isdecimal() or int(port) > _LAST_PORT or _is_bare_ipv6(host):
        raise ValueError(f"{name} is HOST:PORT, for example 127.0.0.1:8080 or [::1]:8080, not {address!r}")
    return host, int(port)


def check_origin(origin: str) -> None:
    """Raise ValueError unless it is ``*`` or what browsers send as ``Origin``."""
    if origin != ANY_ORIGIN and not _ORIGIN.fullmatch(origin):
        raise ValueError(f"SKERRY_CORS_ORIGINS lists origins such as https://play.example, or *, not {origin!r}")


def _quotas(environment: Mapping[str, str]) -> Settings:
    mode = environment.get("SKERRY_LIMITS", "on")
    if mode not in _MODES:
        raise ValueError(f"SKERRY_LIMITS is on, shadow or off, not {mode!r}")
    local = _flag("SKERRY_LIMITS_LOCAL", environment.get("SKERRY_LIMITS_LOCAL", ""))
    proxies = tuple(filter(None, environment.get("SKERRY_TRUSTED_PROXIES", "").split(",")))
    quotas = Settings(mode=_MODES[mode], local=local, proxies=proxies)
    for variable, text in environment.items():
        if variable.startswith(_LIMIT):
            quotas = quotas.with_limit(variable.removeprefix(_LIMIT).lower(), text)
    return quotas


def _limits_of(quotas: Settings) -> Limits:
    """Return what sessions are bounded by, as far as an operator can set it."""
    return Limits(
        streams_per_token=quotas.bounds["streams_token"].most or _ANY,
        spectator_streams=quotas.bounds["spectators_session"].most or _ANY,
        spectators_per_address=quotas.bounds["spectators_address"].most or _ANY,
    )


def _check_host(host: str) -> None:
    if not _HOST.fullmatch(host):
        raise ValueError(f"SKERRY_ALLOWED_HOSTS lists hosts without ports, such as play.example, not {host!r}")


def _is_bare_ipv6(host: str) -> bool:
    return ":" in host and not (host.startswith("[") and host.endswith("]"))


def _flag(name: str, text: str) -> bool:
    if text not in _FLAGS:
        raise ValueError(f"{name} is 1 or 0, not {text!r}")
    return _FLAGS[text]


def _mebibytes(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not SMALLEST_STORE <= int(text) <= _LARGEST_STORE:
        raise ValueError(f"SKERRY_STORE_MEMORY is a number of MiB, {SMALLEST_STORE} or more, not {text!r}")
    return int(text)


def _workers(environment: Mapping[str, str], name: str, default: int) -> int:
    text = environment.get(name, str(default))
    if not text.isascii() or not text.isdecimal() or int(text) > MOST_WORKERS:
        raise ValueError(f"{name} is a number from 0 to {MOST_WORKERS}, not {text!r}")
    return int(text)


def _port(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) > _LAST_PORT:
        raise ValueError(f"SKERRY_PORT is a number from 0 to {_LAST_PORT}, not {text!r}")
    return int(text)
