"""The options by which commands connect to a service with TLS. They stand for the client's variables."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Final

import typer

from skerry_arena.cli.errors import MISUSED, CommandError, os_error_text

Tls = Annotated[bool, typer.Option("--tls", help="Connect with TLS (SKERRY_TLS=1).")]
Ca = Annotated[
    str | None, typer.Option(metavar="FILE", help="Authorities to believe, in PEM form, for TLS (SKERRY_CA).")
]
ClientCertificate = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="The certificate to show, in PEM form (SKERRY_CLIENT_CERTIFICATE)."),
]
ClientKey = Annotated[str | None, typer.Option(metavar="FILE", help="Its key (SKERRY_CLIENT_KEY).")]

_FILES: Final = ("SKERRY_CA", "SKERRY_CLIENT_CERTIFICATE", "SKERRY_CLIENT_KEY")


def set_tls_environment(tls: bool, ca: str | None, certificate: str | None, key: str | None) -> bool:
    """Let every client of this process connect so; return whether it is with TLS. Refuses files that are of no use."""
    given = {name: value for name, value in zip(_FILES, (ca, certificate, key), strict=True) if value}
    os.environ.update(given)
    for path in given.values():
        _require_pem(Path(path))
    wanted = tls or os.environ.get("SKERRY_TLS", "") not in {"", "0"}
    return wanted or any(os.environ.get(name) for name in _FILES)


def _require_pem(path: Path) -> None:
    try:
        if b"-----BEGIN " not in path.read_bytes():
            raise CommandError(f"{path}: It is not in PEM form.", MISUSED)
    except OSError as error:
        raise CommandError(os_error_text(error), MISUSED) from None
