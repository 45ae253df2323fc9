"""What an operator can set. Every setting is an environment variable and an option of ``skerry serve``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct, field

from skerry_service.sessions.limits import Limits

Fsync = Literal["always", "everysec"]
_LAST_PORT = 65535
_FSYNC: Mapping[str, Fsync] = {"always": "always", "everysec": "everysec"}


class Config(Struct, frozen=True):
    """The settings of one server process."""

    host: str = "127.0.0.1"
    port: int = 50051
    """0: any free one."""
    redis_url: str | None = None
    """``None``: a server of our own in ``data_dir``."""
    data_dir: Path = Path(".skerry")
    fsync: Fsync = "always"
    """Of the server of our own: ``always`` survives any crash, ``everysec`` may lose a second if the machine dies."""
    limits: Limits = field(default_factory=Limits)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Config:
        """Read SKERRY_HOST, SKERRY_PORT, REDIS_URL, SKERRY_DATA_DIR and SKERRY_FSYNC. Raises ValueError."""
        default = cls()
        fsync = environment.get("SKERRY_FSYNC", default.fsync)
        if fsync not in _FSYNC:
            raise ValueError(f"SKERRY_FSYNC is always or everysec, not {fsync!r}")
        return cls(
            host=environment.get("SKERRY_HOST", default.host),
            port=_port(environment.get("SKERRY_PORT", str(default.port))),
            redis_url=environment.get("REDIS_URL") or None,
            data_dir=Path(environment.get("SKERRY_DATA_DIR", default.data_dir)),
            fsync=_FSYNC[fsync],
        )


def _port(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) > _LAST_PORT:
        raise ValueError(f"SKERRY_PORT is a number from 0 to {_LAST_PORT}, not {text!r}")
    return int(text)
