"""What an operator can set: the settings of a server, and the table of where each of them comes from."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from skerry_service.kinds import ADDRESS, FILE, FOLDER, HOSTS, LAST_PORT, NETWORKS, ORIGINS, PATH, PEM, RECEIVERS, URL
from skerry_service.quotas.limits import BOUNDS, QUOTAS, Mode, Settings, setting_of
from skerry_service.sessions.limits import Limits
from skerry_service.settings import FLAG, HOST, PREFIX, Given, Kind, Setting, at, choice, given, number
from skerry_service.store.address import without_secrets
from skerry_service.store.waiting import LONGEST_MS
from skerry_service.telemetry.service_log import FORMS, LEVELS, TEXT, Form, Level

Fsync = Literal["always", "everysec"]
_YEAR_MINUTES = 525_600
_MOST_WORKERS = 256
_MOST_REPLICAS = 16
_SMALLEST_STORE, _LARGEST_STORE = 16, 2**24
"""MiB. An empty Valkey takes one or two."""
_ANY = sys.maxsize


class Config(Struct, frozen=True):
    """The settings of one server process."""

    host: str = "127.0.0.1"
    port: int = 50051
    """0: any free one."""
    http: str | None = None
    """``HOST:PORT`` for REST/JSON; ``None``: not served. Port 0: any free one."""
    health: str | None = None
    """``HOST:PORT`` at which probes find health over HTTP in the clear, and nothing else; ``None``: not served."""
    admin: str | None = None
    """``HOST:PORT`` for the calls of operators; ``None``: not served. Port 0: any free one."""
    tls_certificate: Path | None = None
    """Of both fronts, as a file in PEM form; ``None``: they speak in the clear."""
    tls_key: Path | None = None
    tls_client_ca: Path | None = None
    """Whose clients' certificates are needed; ``None``: clients need none."""
    keys: Path | None = None
    """The file of API keys; ``None``: none are asked for."""
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
    redis_wait: int = 0
    """Replicas of that Redis that must have what is acknowledged; 0: it is not waited for any."""
    redis_wait_ms: int = 1000
    """For how long they are waited for."""
    bot_workers: int = 1
    """Processes in which bots think; 0: there are none that do."""
    workers: int = 1
    """Processes that serve the ports together."""
    engine_workers: int = 0
    """Processes that answer for the engine service; 0: it is not offered."""
    access_log: str | None = None
    """A file to which a line for each call is added, ``-``: standard output; ``None``: no log of calls."""
    log_form: Form = TEXT
    """Of the service's own log."""
    log_level: Level | None = None
    """From which on it tells; ``None``: see ``log_from``."""
    metrics: str | None = None
    """``HOST:PORT`` at which Prometheus finds the counters; ``None``: they are not served. Port 0: any free one."""
    traces: bool = False
    """Whether OpenTelemetry is told of calls. Its own variables say where that goes."""
    webhooks_allow: tuple[str, ...] = ()
    """Hosts, with a port or without, to which players and hosts may have webhooks sent; none: there are no webhooks."""
    archive: str | None = None
    """A directory, or a URL of fsspec's, to which finished games move; ``None``: they end in the store."""
    archive_after: int = 360
    """Minutes after its end at which a game moves."""
    limits: Limits = field(default_factory=Limits)
    quotas: Settings = field(default_factory=Settings)
    """How much callers may ask for."""

    def __post_init__(self) -> None:
        """Raise ValueError for a value that could not have been read, such as an address that is none."""
        for setting in SETTINGS:
            setting.read(setting.variable, setting.kind.write(setting.get(self)))

    @property
    def log_from(self) -> Level:
        """The level from which on the log tells. That it serves, and stops, a terminal is told anyway."""
        return self.log_level or ("warning" if self.log_form == TEXT else "info")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Config:
        """Read what is set, and nothing else that looks as if it were ours. Raises ValueError."""
        return in_force(environment).config


class InForce(Struct, frozen=True):
    """The settings of a process, and what was given for them."""

    config: Config
    given: Mapping[str, Given]
    """By variable; a setting that is not there has its default."""


def in_force(environment: Mapping[str, str] = os.environ, options: Mapping[str, str] | None = None) -> InForce:
    """Read all settings. ``options``: texts by variable, which go before the environment. Raises ValueError."""
    found = given(SETTINGS, environment, options or {}, OF_CLIENTS)
    config = Config()
    for setting in SETTINGS:
        if one := found.get(setting.variable):
            config = setting.put(config, setting.read(one.name, one.text))
    return InForce(config, found)


# ---------------------------------------------------------------- kinds of our own

_WORKERS = number(0, _MOST_WORKERS)
_LEVEL = choice(*LEVELS, optional=True)
_PLACE = Kind("is the path of a folder, or a URL such as s3://bucket/games", str, "DIR or URL", optional=True)
_RATES = Kind("is rates or a number", str, "")


# ---------------------------------------------------------------- the table


def _of(path: str, variable: str, kind: Kind, does: str, **more: Any) -> Setting:
    """Return the setting of a field of ``Config``. ``more`` names its option if the variable does not."""
    get, put = at(path)
    option = "--" + variable.removeprefix(PREFIX).lower().replace("_", "-")
    return Setting(variable, kind, get, put, does, **{"option": option, **more})


def _limit(name: str) -> Setting:
    """Return the setting of a limit or bound on callers."""

    def get(config: Config) -> str:
        return config.quotas.text_of(name)

    def put(config: Config, text: str) -> Config:
        quotas = config.quotas.with_limit(name, text)
        return replace(config, quotas=quotas, limits=_within(quotas, config.limits))

    return Setting(setting_of(name), _RATES, get, put, "")


def _within(quotas: Settings, limits: Limits) -> Limits:
    """Return what sessions are bounded by, with what an operator can set of it."""
    bounds = quotas.bounds
    return replace(
        limits,
        streams_per_token=bounds["streams_token"].most or _ANY,
        spectator_streams=bounds["spectators_session"].most or _ANY,
        spectators_per_address=bounds["spectators_address"].most or _ANY,
    )


SETTINGS: Sequence[Setting] = (
    _of("host", "SKERRY_HOST", HOST, "address to listen on; `0.0.0.0` in a container"),
    _of("port", "SKERRY_PORT", number(0, LAST_PORT), "port; 0 takes any free one and prints it"),
    _of(
        "http",
        "SKERRY_HTTP",
        ADDRESS,
        "where to serve REST/JSON and the page; none: not served. `make run` and the image set it to port 8080",
    ),
    _of(
        "health",
        "SKERRY_HEALTH",
        ADDRESS,
        "where `/healthz` and `/readyz` are served in the clear, and nothing else: for probes, which know neither "
        "certificates nor keys",
    ),
    _of(
        "admin",
        "SKERRY_ADMIN",
        ADDRESS,
        "where [operators' calls](security.md#operators) are served, over gRPC; beyond this machine only with TLS and "
        "API keys",
    ),
    _of(
        "tls_certificate",
        "SKERRY_TLS_CERTIFICATE",
        PEM,
        "a certificate in PEM form, with those that lead to its authority: gRPC and HTTP speak "
        "[TLS](security.md#tls). Read again when it changes",
    ),
    _of("tls_key", "SKERRY_TLS_KEY", PEM, "the private key of that certificate, without a passphrase"),
    _of(
        "tls_client_ca",
        "SKERRY_TLS_CLIENT_CA",
        PEM,
        "authorities in PEM form: only clients with a certificate of one of them get in",
    ),
    _of(
        "keys",
        "SKERRY_KEYS",
        PATH,
        "a file of [API keys](security.md#api-keys), which `skerry keys` writes: calls need one. Read again when it "
        "changes",
    ),
    _of(
        "cors_origins",
        "SKERRY_CORS_ORIGINS",
        ORIGINS,
        "origins whose pages may call over HTTP, or `*`",
        option="--cors-origin",
    ),
    _of(
        "allowed_hosts",
        "SKERRY_ALLOWED_HOSTS",
        HOSTS,
        "hosts that HTTP requests may be for; others are refused, but for `/healthz` and `/readyz`",
        option="--allowed-host",
        default="any",
    ),
    _of(
        "webhooks_allow",
        "SKERRY_WEBHOOKS_ALLOW",
        RECEIVERS,
        "hosts that webhooks may lead to, with a port or without; what lies in a private network has to be named by "
        "its address too. None: there are no webhooks. The same for all replicas",
        option="--webhook-host",
    ),
    _of(
        "redis_url",
        "REDIS_URL",
        URL,
        "a Redis to keep the games in: `redis://`, `rediss://` or `unix://`; several servers by `redis+sentinel://` "
        "([failover](../explanation/durability.md#failover)) or `redis+cluster://` "
        "([cluster](../explanation/durability.md#redis-cluster)); user and "
        "password are never printed",
        option="--redis-url",
        hide=without_secrets,
    ),
    _of(
        "allow_eviction",
        "SKERRY_ALLOW_EVICTION",
        FLAG,
        "start even if that Redis may throw games away when memory is short",
    ),
    _of(
        "redis_wait",
        "SKERRY_REDIS_WAIT",
        number(0, _MOST_REPLICAS),
        "replicas of that Redis that must have a move before it is acknowledged "
        "([WAIT](../explanation/durability.md#wait)); 0: none",
    ),
    _of(
        "redis_wait_ms",
        "SKERRY_REDIS_WAIT_MS",
        number(1, LONGEST_MS, "ms"),
        "how long they are waited for; then the call is UNAVAILABLE, to be repeated",
    ),
    _of(
        "data_dir",
        "SKERRY_DATA_DIR",
        FOLDER,
        "where the service's own Valkey keeps the games; unused with `REDIS_URL`",
    ),
    _of("fsync", "SKERRY_FSYNC", choice("always", "everysec"), "when the service's own Valkey writes to disk"),
    _of(
        "workers",
        "SKERRY_WORKERS",
        number(1, _MOST_WORKERS),
        "how many [processes](#several-processes) serve the ports together: up to one for each core",
    ),
    _of(
        "bot_workers",
        "SKERRY_BOT_WORKERS",
        _WORKERS,
        "processes in which bots think, each on a core of its own; started when they are needed, about 25 MiB each. "
        "0: bots are random",
    ),
    _of(
        "engine_workers",
        "SKERRY_ENGINE",
        _WORKERS,
        "processes that answer for [the engine](../reference/engine.md), started when they are needed, "
        "about 40 MiB each. "
        "0: it is not offered, as befits a public port",
    ),
    _of(
        "store_memory",
        "SKERRY_STORE_MEMORY",
        number(_SMALLEST_STORE, _LARGEST_STORE, "MiB"),
        "MiB that the service's own Valkey may use for games; a game takes about 14 KiB",
    ),
    _of(
        "access_log",
        "SKERRY_ACCESS_LOG",
        FILE,
        "a file that gets [a line for each call](#seeing-what-happens); `-`: standard output",
    ),
    _of(
        "log_form",
        "SKERRY_LOG_FORMAT",
        choice(*FORMS),
        "how [its own log](#its-own-log) is written",
    ),
    _of(
        "log_level",
        "SKERRY_LOG_LEVEL",
        _LEVEL,
        "from which level on it tells; it can be changed [while it runs](#its-own-log)",
        default="`warning`; `info` as JSON",
    ),
    _of(
        "metrics",
        "SKERRY_METRICS",
        ADDRESS,
        "where Prometheus finds [counters](#seeing-what-happens); keep it from the public",
    ),
    _of(
        "archive",
        "SKERRY_ARCHIVE",
        _PLACE,
        "a folder or a URL to which finished games [move](archive.md), and from which they are read; none: they end in "
        "the store. The same for all replicas",
        hide=without_secrets,
    ),
    _of(
        "archive_after",
        "SKERRY_ARCHIVE_AFTER",
        number(0, _YEAR_MINUTES, "minutes"),
        "minutes after its end at which a game moves there",
    ),
    _of("traces", "SKERRY_TRACES", FLAG, "send [traces](#traces) to where OpenTelemetry's own variables say"),
    _of(
        "quotas.mode",
        "SKERRY_LIMITS",
        choice(*get_args(Mode)),
        "whether there are [limits on callers](../reference/limits.md)",
    ),
    _of("quotas.local", "SKERRY_LIMITS_LOCAL", FLAG, "callers over loopback are limited too"),
    _of(
        "quotas.proxies",
        "SKERRY_TRUSTED_PROXIES",
        NETWORKS,
        "networks whose `X-Forwarded-For` is believed",
        option="--trusted-proxy",
    ),
    *(_limit(limit.name) for quota in QUOTAS.values() for limit in quota.limits),
    *(_limit(name) for name in BOUNDS),
)
"""Every setting: what reads the environment, the options of ``skerry serve``, ``skerry config`` and the table in
docs/how-to/operations.md (``scripts/write_settings.py``) follow from this."""

OF_CLIENTS = (
    "SKERRY_SERVER",
    "SKERRY_SESSION",
    "SKERRY_SEAT_TOKEN",
    "SKERRY_BOT_TOKEN",
    "SKERRY_TLS",
    "SKERRY_API_KEY",
    "SKERRY_CA",
    "SKERRY_CLIENT_CERTIFICATE",
    "SKERRY_CLIENT_KEY",
)
"""Variables that clients, and programs of the arena, read. They may stand in a server's environment as well."""
