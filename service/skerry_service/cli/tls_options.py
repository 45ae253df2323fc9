"""The TLS options of commands that connect to a server. Each sets the environment variable of the same meaning."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from skerry_client import arguments
from skerry_client.aio import KEY_VARIABLE as API_KEY_VARIABLE
from skerry_client.transport.tls import (
    CA_VARIABLE,
    CERTIFICATE_VARIABLE,
    KEY_VARIABLE,
    TLS_VARIABLE,
    credentials_from_environment,
)
from skerry_service.cli.refusal import MISUSED, Refusal

Tls = Annotated[bool, typer.Option("--tls", help=f"Connect with TLS ({TLS_VARIABLE}=1).")]
Ca = Annotated[
    str | None,
    typer.Option(metavar="FILE", help=f"PEM file with the trusted certificate authorities ({CA_VARIABLE})."),
]
ClientCertificate = Annotated[
    str | None,
    typer.Option(metavar="FILE", help=f"PEM file with the client certificate ({CERTIFICATE_VARIABLE})."),
]
ClientKey = Annotated[
    str | None, typer.Option(metavar="FILE", help=f"PEM file with the key of that certificate ({KEY_VARIABLE}).")
]


def connect_with(tls: bool, ca: str | None, certificate: str | None, key: str | None) -> None:
    """Set the TLS options of all clients in this process. Raises Refusal if a file is not usable."""
    values = {TLS_VARIABLE: "1" if tls else None, CA_VARIABLE: ca, CERTIFICATE_VARIABLE: certificate, KEY_VARIABLE: key}
    os.environ.update({name: value for name, value in values.items() if value})
    try:
        credentials_from_environment()
    except OSError as error:
        raise Refusal(f"{error.filename}: {error.strerror}.", MISUSED) from None
    except ValueError as error:
        raise Refusal(str(error), MISUSED) from None


def require_usable_address(server: str) -> None:
    """Raise Refusal unless this is a ``HOST:PORT``. A URL, for example of the web page, is not."""
    try:
        arguments.address("--server", server)
    except ValueError as error:
        raise Refusal(str(error), MISUSED) from None


def require_usable_key() -> None:
    """Raise Refusal for an API key in the environment that cannot be sent. Health checks need no key."""
    try:
        if key := os.environ.get(API_KEY_VARIABLE):
            arguments.secret(API_KEY_VARIABLE, key, "an API key")
    except ValueError as error:
        raise Refusal(str(error), MISUSED) from None
