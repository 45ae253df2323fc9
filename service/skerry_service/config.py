"""What an operator can set. Every setting is an environment variable and an option of ``skerry serve``."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct, field

from skerry_service.sessions.limits import Limits

Fsync = Literal["always", "everysec"]
ANY_ORIGIN = "*"
_ORIGIN = re.compile(r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")
_LAST_PORT = 65535
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
    redis_url: str | None = None
    """``None``: a server of our own in ``data_dir``."""
    data_dir: Path = Path(".skerry")
    fsync: Fsync = "always"
    """Of the server of our own: ``always`` survives any crash, ``everysec`` may lose a second if the machine dies."""
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        """Raise ValueError for an address that is none, or an origin that no browser sends."""
        if self.http is not None:
            split_address(self.http)
        for origin in self.cors_origins:
            check_origin(origin)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Config:
        """Read SKERRY_HOST, SKERRY_PORT, SKERRY_HTTP, SKERRY_CORS_ORIGINS, REDIS_URL, SKERRY_DATA_DIR, SKERRY_FSYNC.

        Raises ValueError.
        """
        default = cls()
        fsync = environment.get("SKERRY_FSYNC", default.fsync)
        if fsync not in _FSYNC:
            raise ValueError(f"SKERRY_FSYNC is always or everysec, not {fsync!r}")
        return cls(
            host=environment.get("SKERRY_HOST", default.host),
            port=_port(environment.get("SKERRY_PORT", str(default.port))),
            http=environment.get("SKERRY_HTTP") or None,
            cors_origins=tuple(filter(None, environment.get("SKERRY_CORS_ORIGINS", "").split(","))),
            redis_url=environment.get("REDIS_URL") or None,
            data_dir=Path(environment.get("SKERRY_DATA_DIR", default.data_dir)),
            fsync=_FSYNC[fsync],
        )


def split_address(address: str) -> tuple[str, int]:
    """Return host and port of ``HOST:PORT``; an IPv6 address stands in brackets. Raises ValueError."""
    host, _, port = address.rpartition(":")
    if not host or not port.isascii() or not port.isdecimal() or int(port) > _LAST_PORT or _is_bare_ipv6(host):
        raise ValueError(f"SKERRY_HTTP is HOST:PORT, for example 127.0.0.1:8080 or [::1]:8080, not {address!r}")
    return host, int(port)


def check_origin(origin: str) -> None:
    """Raise ValueError unless it is ``*`` or what browsers send as ``Origin``."""
    if origin != ANY_ORIGIN and not _ORIGIN.fullmatch(origin):
        raise ValueError(f"SKERRY_CORS_ORIGINS lists origins such as https://play.example, or *, not {origin!r}")


def _is_bare_ipv6(host: str) -> bool:
    return ":" in host and not (host.startswith("[") and host.endswith("]"))


def _port(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) > _LAST_PORT:
        raise ValueError(f"SKERRY_PORT is a number from 0 to {_LAST_PORT}, not {text!r}")
    return int(text)
