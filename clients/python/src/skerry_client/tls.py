"""TLS on the way to the service: whose certificate is believed, and which of one's own is shown."""

from __future__ import annotations

import os
from pathlib import Path

import grpc

TLS_VARIABLE = "SKERRY_TLS"
CA_VARIABLE = "SKERRY_CA"
CERTIFICATE_VARIABLE = "SKERRY_CLIENT_CERTIFICATE"
KEY_VARIABLE = "SKERRY_CLIENT_KEY"
VARIABLES = (TLS_VARIABLE, CA_VARIABLE, CERTIFICATE_VARIABLE, KEY_VARIABLE)


def tls_credentials(
    *, ca: str | Path | None = None, certificate: str | Path | None = None, key: str | Path | None = None
) -> grpc.ChannelCredentials:
    """Return what a client connects with: ``Client("play.example:443", credentials=tls_credentials())``.

    ``ca``: a file with the authorities that are believed; absent, those that gRPC brings. ``certificate``, ``key``:
    files with the client's own, where the service asks for one. All are in PEM form. Raises OSError for a file that
    cannot be read, ValueError for one that holds something else.
    """
    if (certificate is None) != (key is None):
        given, missing = ("certificate", "key") if key is None else ("key", "certificate")
        raise ValueError(f"{missing}: Pass it with the {given}: neither is of use alone.")
    return grpc.ssl_channel_credentials(
        root_certificates=_pem("ca", ca, b"CERTIFICATE-----"),
        private_key=_pem("key", key, b"PRIVATE KEY-----"),
        certificate_chain=_pem("certificate", certificate, b"CERTIFICATE-----"),
    )


def _pem(argument: str, path: str | Path | None, mark: bytes) -> bytes | None:
    if path is None:
        return None
    data = Path(path).read_bytes()
    if mark not in data:
        kind = "private key" if argument == "key" else "certificate"
        raise ValueError(f"{argument}: {path} holds no {kind} in PEM form.")
    return data


def tls_wanted() -> bool:
    """Whether the environment asks for TLS: by SKERRY_TLS=1, or by naming a file for it."""
    return os.environ.get(TLS_VARIABLE, "") not in {"", "0"} or any(os.environ.get(name) for name in VARIABLES[1:])


def credentials_from_environment(*, wanted: bool = False) -> grpc.ChannelCredentials | None:
    """Return what the environment says; ``None``: the connection is in the clear. Raises as ``tls_credentials``.

    ``wanted``: with TLS, whatever SKERRY_TLS says.
    """
    if not wanted and not tls_wanted():
        return None
    ca, certificate, key = (os.environ.get(name) or None for name in VARIABLES[1:])
    return tls_credentials(ca=ca, certificate=certificate, key=key)
