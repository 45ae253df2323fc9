"""TLS credentials: trusted authorities and the client certificate."""

from __future__ import annotations

import os
import ssl
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
    """Return credentials for a client: ``Client("play.example:443", credentials=tls_credentials())``.

    ``ca``: a PEM file with trusted authorities. Default: those of gRPC.
    ``certificate``, ``key``: PEM files with a client certificate and its key, where the service requires one.
    Raises OSError if a file cannot be read, ValueError if it is not in PEM form.
    """
    _require_both(certificate, key)
    return grpc.ssl_channel_credentials(
        root_certificates=_pem("ca", ca, b"CERTIFICATE-----"),
        private_key=_pem("key", key, b"PRIVATE KEY-----"),
        certificate_chain=_pem("certificate", certificate, b"CERTIFICATE-----"),
    )


def _require_both(certificate: str | Path | None, key: str | Path | None) -> None:
    if (certificate is None) != (key is None):
        given, missing = ("certificate", "key") if key is None else ("key", "certificate")
        raise ValueError(f"{missing}: Pass the {missing} together with the {given}.")


def _pem(argument: str, path: str | Path | None, mark: bytes) -> bytes | None:
    if path is None:
        return None
    data = Path(path).read_bytes()
    if mark not in data:
        content = "private key" if argument == "key" else "certificate"
        raise ValueError(f"{argument}: {path} has no {content} in PEM form.")
    return data


def tls_requested() -> bool:
    """Return whether the environment asks for TLS, with SKERRY_TLS=1 or with a file for TLS."""
    return os.environ.get(TLS_VARIABLE, "") not in {"", "0"} or any(os.environ.get(name) for name in VARIABLES[1:])


def credentials_from_environment(*, wanted: bool = False) -> grpc.ChannelCredentials | None:
    """Return the credentials that the environment names; ``None`` without TLS. Raises as ``tls_credentials``.

    ``wanted``: use TLS regardless of SKERRY_TLS.
    """
    if not wanted and not tls_requested():
        return None
    ca, certificate, key = (os.environ.get(name) or None for name in VARIABLES[1:])
    return tls_credentials(ca=ca, certificate=certificate, key=key)


def context_from_environment() -> ssl.SSLContext | None:
    """Return the TLS context that the environment names, for Connect; ``None`` without TLS.

    Raises OSError, ValueError for a certificate without its key or a key without its certificate.
    """
    if not tls_requested():
        return None
    ca, certificate, key = (os.environ.get(name) or None for name in VARIABLES[1:])
    _require_both(certificate, key)
    context = ssl.create_default_context(cafile=ca)
    if certificate is not None:
        context.load_cert_chain(certificate, key)
    return context
