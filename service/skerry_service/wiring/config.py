"""The settings of a server, and the table that describes each of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from msgspec import Struct, field

from skerry_service.access.quotas import LimitSettings, Mode
from skerry_service.domain.limits import SessionLimits
from skerry_service.sessions.actions.new_games import supported_rulesets
from skerry_service.store.connections.redacted_address import without_secrets
from skerry_service.store.connections.replication_wait import LONGEST_MS
from skerry_service.telemetry.service_log import LEVELS, LOG_FORMATS, TEXT, Level, LogFormat
from skerry_service.wiring.limit_settings import LIMIT_SETTINGS
from skerry_service.wiring.setting_kinds import (
    ADDRESS,
    CELL_ID,
    FILE,
    FOLDER,
    HOSTS,
    KEY,
    LAST_PORT,
    MOST_PEERS,
    NETWORKS,
    ORIGINS,
    ORIGINS_OR_ANY,
    PATH,
    PEERS,
    PEM,
    RECEIVERS,
    SECRET,
    URL,
)
from skerry_service.wiring.settings import (
    FLAG,
    HOST,
    PREFIX,
    GivenSetting,
    Setting,
    SettingKind,
    accessors,
    choice,
    given_settings,
    number,
)

Fsync = Literal["always", "everysec"]
GrpcKind = Literal["nghttp2", "grpcio"]
_YEAR_MINUTES = 525_600
_MAX_WORKERS = 256
_MAX_REPLICAS = 16
_MIN_STORE, _MAX_STORE = 16, 2**24
"""MiB. An empty Valkey takes one or two."""


class Config(Struct, frozen=True):
    """The settings of one server process."""

    host: str = "127.0.0.1"
    port: int = 50051
    """0: any free port."""
    http: str | None = None
    """``HOST:PORT`` of REST/JSON; ``None``: not served. Port 0: any free port."""
    grpc: GrpcKind = "nghttp2"
    """The implementation of the gRPC server."""
    socket: Path | None = None
    """Path of a unix socket that serves every protocol without TLS; ``None``: none."""
    health: str | None = None
    """``HOST:PORT`` of the health pages alone, over HTTP without TLS; ``None``: not served."""
    admin: str | None = None
    """``HOST:PORT`` of the operator API; ``None``: not served. Port 0: any free port."""
    tls_certificate: Path | None = None
    """PEM file with the certificate of gRPC and HTTP; ``None``: no TLS."""
    tls_key: Path | None = None
    tls_client_ca: Path | None = None
    """PEM file with the authorities of client certificates; ``None``: clients need no certificate."""
    keys: Path | None = None
    """The file of API keys; ``None``: calls need no key."""
    issuers: Path | None = None
    """The file of issuers that vouch for players; ``None``: none do."""
    cors_origins: tuple[str, ...] = ()
    """Origins whose web pages may call over HTTP; ``*``: all."""
    embed_origins: tuple[str, ...] = ()
    """Origins whose web pages may show the web page in a frame."""
    allowed_hosts: tuple[str, ...] = ()
    """Host names, without ports, that HTTP requests may name; empty: any."""
    mcp: bool = False
    """Whether the HTTP port serves tools for agents at ``/mcp``. Needs the extra ``mcp``."""
    mcp_key: str | None = None
    """The secret that seals the handles of agents, the same on all replicas; ``None``: random for this process."""
    redis_url: str | None = None
    """``None``: an embedded Valkey in ``data_dir``."""
    data_dir: Path = Path(".skerry")
    fsync: Fsync = "always"
    """When the embedded Valkey writes to disk. ``everysec`` may lose a second if the machine crashes."""
    store_memory: int = 512
    """MiB that the embedded Valkey may use for data."""
    allow_eviction: bool = False
    """Whether the Redis may evict sessions when memory is short."""
    redis_wait: int = 0
    """Number of Redis replicas that must confirm a change before it is acknowledged; 0: none."""
    redis_wait_ms: int = 1000
    """How long to wait for those replicas."""
    bot_workers: int = 1
    """Processes in which bots think; 0: only random bots play."""
    workers: int = 1
    """Processes that share the ports."""
    engine_workers: int = 0
    """Processes of the engine; 0: the engine is off."""
    access_log: str | None = None
    """File of the access log; ``-``: standard output; ``None``: no access log."""
    log_form: LogFormat = TEXT
    """Format of the service log."""
    log_level: Level | None = None
    """Lowest level of the service log; ``None``: see ``log_from``."""
    metrics: str | None = None
    """``HOST:PORT`` of the Prometheus metrics; ``None``: not served. Port 0: any free port."""
    traces: bool = False
    """Whether to send traces with OpenTelemetry, whose own variables set the destination."""
    webhooks_allow: tuple[str, ...] = ()
    """Hosts, with or without a port, that webhooks may reach; empty: webhooks are off."""
    editions: tuple[str, ...] = ()
    """Folders of editions; empty: only those of the house."""
    new_games_ruleset: tuple[str, ...] = ()
    """Rulesets with which new games begin; for other games, the newest one that all live replicas support."""
    cell: str = ""
    """The id of this installation among several; empty for one alone."""
    peers: tuple[str, ...] = ()
    """The other cells, each as ``CELL=URL``. The own cell may be among them."""
    peers_api_key: str | None = None
    """The API key of calls to other cells."""
    archive: str | None = None
    """Directory or fsspec URL of the archive; ``None``: finished games expire in the store."""
    archive_after: int = 360
    """Minutes between the end of a game and its move to the archive."""
    limits: SessionLimits = field(default_factory=SessionLimits)
    quotas: LimitSettings = field(default_factory=LimitSettings)
    """Limits on callers."""

    def __post_init__(self) -> None:
        """Raise ValueError for a value that the environment could not contain, such as an invalid address."""
        for setting in SETTINGS:
            setting.read(setting.variable, setting.kind.write(setting.get(self)))

    @property
    def log_from(self) -> Level:
        """The lowest level that is logged. As text the default is ``warning``, since the command prints the start."""
        return self.log_level or ("warning" if self.log_form == TEXT else "info")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Config:
        """Read the settings from environment variables. Raises ValueError, also for unknown variables of Skerry."""
        return effective_settings(environment).config


class EffectiveSettings(Struct, frozen=True):
    """The settings of a process, and the texts given for them."""

    config: Config
    given: Mapping[str, GivenSetting]
    """By variable. A setting that is missing has its default."""


def effective_settings(
    environment: Mapping[str, str] = os.environ, options: Mapping[str, str] | None = None
) -> EffectiveSettings:
    """Read all settings. ``options``: texts by variable, which override the environment. Raises ValueError."""
    given = given_settings(SETTINGS, environment, options or {}, OF_CLIENTS)
    config = Config()
    for setting in SETTINGS:
        if source := given.get(setting.variable):
            config = setting.put(config, setting.read(source.name, source.text))
    return EffectiveSettings(config, given)


# ---------------------------------------------------------------- kinds of single settings


def _ruleset(text: str) -> str:
    if not any(text in rulesets for rulesets in supported_rulesets().values()):
        raise ValueError(text)
    return text


_WORKERS = number(0, _MAX_WORKERS)
_LEVEL = choice(*LEVELS, optional=True)
_RULESETS = SettingKind(
    "rulesets that this build supports, such as kreta-2, comma-separated", _ruleset, "RULESET", many=True
)
_FOLDERS = SettingKind("paths of folders, comma-separated", str, "DIR", many=True)
_ARCHIVE = SettingKind("the path of a folder, or a URL such as s3://bucket/games", str, "DIR or URL", optional=True)


# ---------------------------------------------------------------- the table


def _of(path: str, variable: str, kind: SettingKind, help: str, **fields: Any) -> Setting:
    """Return the setting at an attribute path of ``Config``. Its option is derived from the variable by default."""
    get, put = accessors(path)
    option = "--" + variable.removeprefix(PREFIX).lower().replace("_", "-")
    return Setting(variable, kind, get, put, help, **{"option": option, **fields})


SETTINGS: Sequence[Setting] = (
    _of("host", "SKERRY_HOST", HOST, "address to listen on. Use `0.0.0.0` in a container"),
    _of(
        "port",
        "SKERRY_PORT",
        number(0, LAST_PORT),
        "port of gRPC, which serves REST too. 0 takes any free port and prints it",
    ),
    _of(
        "http",
        "SKERRY_HTTP",
        ADDRESS,
        "second address of all protocols, for REST/JSON and the web page. `make run` and the image use port 8080",
    ),
    _of(
        "socket",
        "SKERRY_SOCKET",
        PATH,
        "path of a unix socket that serves all protocols too, without TLS, to its owner and group. For "
        "[a proxy on the same machine](../how-to/operations.md#put-a-proxy-in-front). Needs one worker",
    ),
    _of(
        "grpc",
        "SKERRY_GRPC",
        choice(*get_args(GrpcKind)),
        "implementation of the gRPC server. `grpcio` is [the earlier one](../design/http2.md#the-earlier-server)",
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
        "issuers",
        "SKERRY_ISSUERS",
        PATH,
        "file of [issuers](../how-to/identity.md) that vouch for players by signed tokens. The service reloads the "
        "file when it changes",
    ),
    _of(
        "cors_origins",
        "SKERRY_CORS_ORIGINS",
        ORIGINS_OR_ANY,
        "origins whose web pages may call over HTTP, or `*`. Apps: `capacitor://localhost`, `ionic://localhost`, "
        "`tauri://localhost`, `chrome-extension://ID`",
        option="--cors-origin",
    ),
    _of(
        "embed_origins",
        "SKERRY_EMBED_ORIGINS",
        ORIGINS,
        "origins whose web pages may [show the web page in a frame](../how-to/embedding.md)",
        option="--embed-origin",
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
        "mcp",
        "SKERRY_MCP",
        FLAG,
        "serve tools for [agents on language models](../how-to/agents.md) at `/mcp`. Needs the extra `mcp`, which the "
        "image has",
    ),
    _of(
        "mcp_key",
        "SKERRY_MCP_KEY",
        SECRET,
        "secret that seals the seats of agents, of at least 32 characters. Set the same value on all replicas. Without "
        "it, the service draws one at each start, and the handles of earlier starts are void",
        redact=lambda secret: "***",
        default="random",
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
        redact=without_secrets,
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
        number(0, _MAX_REPLICAS),
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
        number(1, _MAX_WORKERS),
        "number of [processes](../how-to/operations.md#several-processes) that share the ports, at most one per core",
    ),
    _of(
        "bot_workers",
        "SKERRY_BOT_WORKERS",
        _WORKERS,
        "number of processes in which bots think. Each uses up to one core and 25 to 60 MiB, and starts when needed. "
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
        number(_MIN_STORE, _MAX_STORE, "MiB"),
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
        "editions",
        "SKERRY_EDITIONS",
        _FOLDERS,
        "folders of [editions](../how-to/editions.md): components of games that you supply",
        default="the house's editions",
    ),
    _of(
        "new_games_ruleset",
        "SKERRY_NEW_GAMES_RULESET",
        _RULESETS,
        "rulesets with which new games begin. By default, a game begins with the newest ruleset that "
        "[every live replica](../how-to/upgrading.md#rulesets) supports",
        default="chosen by the service",
    ),
    _of(
        "cell",
        "SKERRY_CELL",
        CELL_ID,
        "id of this installation among [several](../how-to/cells.md): a lowercase letter and up to 15 more lowercase "
        "letters, digits or hyphens. New names end with it. Set the same value on all replicas, and never change it",
    ),
    _of(
        "peers",
        "SKERRY_PEERS",
        PEERS,
        "other [cells](../how-to/cells.md#list-the-open-tables-of-all-cells) and the addresses of their public ports, "
        "such as `us1=https://us1.example.org`. The directory of open tables lists theirs too. The own cell may be "
        f"among them, so that all cells can have the same value. At most {MOST_PEERS}",
        option="--peer",
    ),
    _of(
        "peers_api_key",
        "SKERRY_PEERS_API_KEY",
        KEY,
        "an [API key](../how-to/security.md#api-keys) that the service sends to the cells of `SKERRY_PEERS`, if they "
        "require keys. It needs the scope `watch`. The cells must then have `https` addresses",
        redact=lambda key: "***",
    ),
    _of(
        "archive",
        "SKERRY_ARCHIVE",
        _ARCHIVE,
        "directory or URL of the [archive](../how-to/archive.md) of finished games. Without it, finished games expire "
        "in the store. Set the same value on all replicas",
        redact=without_secrets,
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
    *LIMIT_SETTINGS,
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
"""Variables that clients and programs of the arena read. The environment of a server may contain them."""
