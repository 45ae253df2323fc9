"""The TLS options of commands. They set the environment variables of the client."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Final

import typer

from skerry_arena.cli.errors import MISUSED, CommandError, os_error_text

Tls = Annotated[bool, typer.Option("--tls", help="Connect with TLS (SKERRY_TLS=1).")]
Ca = Annotated[str | None, typer.Option(metavar="FILE", help="Trusted authorities for TLS, in PEM form (SKERRY_CA).")]
ClientCertificate = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="The client certificate, in PEM form (SKERRY_CLIENT_CERTIFICATE)."),
]
ClientKey = Annotated[
    str | None, typer.Option(metavar="FILE", help="The key of the client certificate (SKERRY_CLIENT_KEY).")
]

_FILES: Final = ("SKERRY_CA", "SKERRY_CLIENT_CERTIFICATE", "SKERRY_CLIENT_KEY")


def set_tls_environment(tls: bool, ca: str | None, certificate: str | None, key: str | None) -> bool:
    """Set the client's variables for this process. Return whether TLS is on. Raises CommandError for invalid files."""
    given = {name: value for name, value in zip(_FILES, (ca, certificate, key), strict=True) if value}
    os.environ.update(given)
    for path in given.values():
        _require_pem(Path(path))
    wanted = tls or os.environ.get("SKERRY_TLS", "") not in {"", "0"}
    return wanted or any(os.environ.get(name) for name in _FILES)


def _require_pem(path: Path) -> None:
    try:
        if b"-----BEGIN " not in path.read_bytes():
            raise CommandError(f"{path}: The file is not in PEM form.", MISUSED)
    except OSError as error:
        raise CommandError(os_error_text(error), MISUSED) from None
