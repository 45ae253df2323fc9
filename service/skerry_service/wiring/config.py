"""What an operator can set: the settings of a server, and the table of where each of them comes from."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from skerry_service.access.quotas import CONCURRENCY_LIMITS, QUOTAS, LimitSettings, Mode, setting_of
from skerry_service.domain.limits import SessionLimits
from skerry_service.store.connections.redacted_address import without_secrets
from skerry_service.store.connections.replication_wait import LONGEST_MS
from skerry_service.telemetry.service_log import LEVELS, LOG_FORMATS, TEXT, Level, LogFormat
from skerry_service.wiring.setting_kinds import (
    ADDRESS,
    FILE,
    FOLDER,
    HOSTS,
    LAST_PORT,
    NETWORKS,
    ORIGINS,
    PATH,
    PEM,
    RECEIVERS,
    URL,
)
from skerry_service.wiring.settings import FLAG, HOST, PREFIX, Given, Setting, SettingKind, at, choice, given, number

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
    log_form: LogFormat = TEXT
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
    limits: SessionLimits = field(default_factory=SessionLimits)
    quotas: LimitSettings = field(default_factory=LimitSettings)
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


class EffectiveSettings(Struct, frozen=True):
    """The settings of a process, and what was given for them."""

    config: Config
    given: Mapping[str, Given]
    """By variable; a setting that is not there has its default."""


def in_force(
    environment: Mapping[str, str] = os.environ, options: Mapping[str, str] | None = None
) -> EffectiveSettings:
    """Read all settings. ``options``: texts by variable, which go before the environment. Raises ValueError."""
    found = given(SETTINGS, environment, options or {}, OF_CLIENTS)
    config = Config()
    for setting in SETTINGS:
        if one := found.get(setting.variable):
            config = setting.put(config, setting.read(one.name, one.text))
    return EffectiveSettings(config, found)


# ---------------------------------------------------------------- kinds of our own

_WORKERS = number(0, _MOST_WORKERS)
_LEVEL = choice(*LEVELS, optional=True)
_PLACE = SettingKind("is the path of a folder, or a URL such as s3://bucket/games", str, "DIR or URL", optional=True)
_RATES = SettingKind("is rates or a number", str, "")


# ---------------------------------------------------------------- the table


def _of(path: str, variable: str, kind: SettingKind, does: str, **more: Any) -> Setting:
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


def _within(quotas: LimitSettings, limits: SessionLimits) -> SessionLimits:
    """Return what sessions are bounded by, with what an operator can set of it."""
    concurrency = quotas.concurrency
    return replace(
        limits,
        streams_per_token=concurrency["streams_token"].maximum or _ANY,
        spectator_streams=concurrency["spectators_session"].maximum or _ANY,
        spectators_per_address=concurrency["spectators_address"].maximum or _ANY,
    )


SETTINGS: Sequence[Setting] = (
    _of("host", "SKERRY_HOST", HOST, "address to listen on. Use `0.0.0.0` in a container"),
    _of("port", "SKERRY_PORT", number(0, LAST_PORT), "gRPC port. 0 takes any free port and prints it"),
    _of(
        "http",
        "SKERRY_HTTP",
        ADDRESS,
        "address of REST/JSON and the web page. Without it, HTTP is not served. `make run` and the image use port 8080",
    ),
    _of(
        "health",
        "SKERRY_HEALTH",
        ADDRESS,
        "address that serves only `/healthz` and `/readyz`, without TLS and API keys, for probes",
    ),
    _of(
        "admin",
        "SKERRY_ADMIN",
        ADDRESS,
        "address of the [operator API](../how-to/security.md#operators), over gRPC. Any address but loopback needs TLS "
        "and API keys",
    ),
    _of(
        "tls_certificate",
        "SKERRY_TLS_CERTIFICATE",
        PEM,
        "PEM file with the certificate and its intermediate certificates. gRPC and HTTP then use "
        "[TLS](../how-to/security.md#tls). The service reloads the file when it changes",
    ),
    _of("tls_key", "SKERRY_TLS_KEY", PEM, "PEM file with the private key of that certificate, without a passphrase"),
    _of(
        "tls_client_ca",
        "SKERRY_TLS_CLIENT_CA",
        PEM,
        "PEM file with certificate authorities. Clients then need a certificate from one of them",
    ),
    _of(
        "keys",
        "SKERRY_KEYS",
        PATH,
        "file of [API keys](../how-to/security.md#api-keys), written by `skerry keys`. Every call then needs a key. "
        "The service reloads the file when it changes",
    ),
    _of(
        "cors_origins",
        "SKERRY_CORS_ORIGINS",
        ORIGINS,
        "origins whose web pages may call over HTTP, or `*`",
        option="--cors-origin",
    ),
    _of(
        "allowed_hosts",
        "SKERRY_ALLOWED_HOSTS",
        HOSTS,
        "host names that HTTP requests may name. The service rejects all others, except for `/healthz` and `/readyz`",
        option="--allowed-host",
        default="any",
    ),
    _of(
        "webhooks_allow",
        "SKERRY_WEBHOOKS_ALLOW",
        RECEIVERS,
        "hosts, with or without a port, that [webhooks](../how-to/webhooks.md) may reach. A host in a private network "
        "also needs its IP address in the list. Without it, webhooks are off. Set the same value on all replicas",
        option="--webhook-host",
    ),
    _of(
        "redis_url",
        "REDIS_URL",
        URL,
        "Redis that stores the sessions: `redis://`, `rediss://` or `unix://`; `redis+sentinel://` for "
        "[failover](../how-to/redis.md#failover); `redis+cluster://` for a "
        "[cluster](../how-to/redis.md#redis-cluster). User and password are never printed",
        option="--redis-url",
        hide=without_secrets,
    ),
    _of(
        "allow_eviction",
        "SKERRY_ALLOW_EVICTION",
        FLAG,
        "start even if that Redis may evict sessions when memory is short",
    ),
    _of(
        "redis_wait",
        "SKERRY_REDIS_WAIT",
        number(0, _MOST_REPLICAS),
        "number of Redis replicas that must confirm a change before the service acknowledges it "
        "([WAIT](../how-to/redis.md#wait)). 0 waits for none",
    ),
    _of(
        "redis_wait_ms",
        "SKERRY_REDIS_WAIT_MS",
        number(1, LONGEST_MS, "ms"),
        "how long to wait for those replicas. After that the call fails with UNAVAILABLE, and the client repeats it",
    ),
    _of(
        "data_dir",
        "SKERRY_DATA_DIR",
        FOLDER,
        "folder of the embedded Valkey. Unused with `REDIS_URL`",
    ),
    _of("fsync", "SKERRY_FSYNC", choice("always", "everysec"), "when the embedded Valkey writes to disk"),
    _of(
        "workers",
        "SKERRY_WORKERS",
        number(1, _MOST_WORKERS),
        "number of [processes](../how-to/operations.md#several-processes) that share the ports, at most one per core",
    ),
    _of(
        "bot_workers",
        "SKERRY_BOT_WORKERS",
        _WORKERS,
        "number of processes in which bots think. Each uses up to one core and about 25 MiB, and starts when needed. "
        "With 0, only random bots play",
    ),
    _of(
        "engine_workers",
        "SKERRY_ENGINE",
        _WORKERS,
        "number of processes of [the engine](engine.md). Each uses about 40 MiB and starts when needed. "
        "With 0, the engine is off, which is right for a public port",
    ),
    _of(
        "store_memory",
        "SKERRY_STORE_MEMORY",
        number(_SMALLEST_STORE, _LARGEST_STORE, "MiB"),
        "MiB that the embedded Valkey may use for sessions. A finished session takes about 14 KiB",
    ),
    _of(
        "access_log",
        "SKERRY_ACCESS_LOG",
        FILE,
        "file of the [access log](logs.md#access-log), one line per call. `-` is standard output",
    ),
    _of(
        "log_form",
        "SKERRY_LOG_FORMAT",
        choice(*LOG_FORMATS),
        "format of the [service log](logs.md#service-log)",
    ),
    _of(
        "log_level",
        "SKERRY_LOG_LEVEL",
        _LEVEL,
        "lowest level that the service logs. You can [change it at run time](logs.md#log-level)",
        default="`warning`; `info` as JSON",
    ),
    _of(
        "metrics",
        "SKERRY_METRICS",
        ADDRESS,
        "address of the [Prometheus metrics](metrics.md). Keep it private",
    ),
    _of(
        "archive",
        "SKERRY_ARCHIVE",
        _PLACE,
        "directory or URL of the [archive](../how-to/archive.md) of finished games. Without it, finished games expire "
        "in the store. Set the same value on all replicas",
        hide=without_secrets,
    ),
    _of(
        "archive_after",
        "SKERRY_ARCHIVE_AFTER",
        number(0, _YEAR_MINUTES, "minutes"),
        "minutes between the end of a game and its move to the archive",
    ),
    _of(
        "traces",
        "SKERRY_TRACES",
        FLAG,
        "send [traces](../how-to/operations.md#traces). OpenTelemetry's own variables set the destination",
    ),
    _of(
        "quotas.mode",
        "SKERRY_LIMITS",
        choice(*get_args(Mode)),
        "whether the service enforces [limits](limits.md) on callers. `shadow` only counts and logs",
    ),
    _of("quotas.local", "SKERRY_LIMITS_LOCAL", FLAG, "apply the limits to callers on loopback too"),
    _of(
        "quotas.proxies",
        "SKERRY_TRUSTED_PROXIES",
        NETWORKS,
        "networks whose `X-Forwarded-For` header the service trusts",
        option="--trusted-proxy",
    ),
    *(_limit(limit.name) for quota in QUOTAS.values() for limit in quota.limits),
    *(_limit(name) for name in CONCURRENCY_LIMITS),
)
"""All settings. The environment reader, the options of ``skerry serve``, ``skerry config`` and the table in
docs/reference/settings.md (``scripts/write_settings.py``) are derived from this tuple."""

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
