"""TLS credentials: trusted authorities and the client certificate."""

from __future__ import annotations

import os
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc

TLS_VARIABLE = "SKERRY_TLS"
CA_VARIABLE = "SKERRY_CA"
CERTIFICATE_VARIABLE = "SKERRY_CLIENT_CERTIFICATE"
KEY_VARIABLE = "SKERRY_CLIENT_KEY"
VARIABLES = (TLS_VARIABLE, CA_VARIABLE, CERTIFICATE_VARIABLE, KEY_VARIABLE)


@dataclass(frozen=True)
class TlsCredentials:
    """The PEM files that a client uses for TLS, in the form that each transport needs."""

    ca: str | Path | None
    certificate: str | Path | None
    key: str | Path | None

    def channel_credentials(self) -> grpc.ChannelCredentials:
        """Return the credentials of a gRPC channel. Raises OSError, ValueError."""
        _require_both(self.certificate, self.key)
        return grpc.ssl_channel_credentials(
            root_certificates=_pem("ca", self.ca, b"CERTIFICATE-----"),
            private_key=_pem("key", self.key, b"PRIVATE KEY-----"),
            certificate_chain=_pem("certificate", self.certificate, b"CERTIFICATE-----"),
        )

    def context(self, protocol: str) -> ssl.SSLContext:
        """Return a context for connections of one protocol, by its name in ALPN. Raises OSError, ValueError."""
        try:
            context = ssl.create_default_context(cafile=self.ca)
            if self.certificate is not None:
                context.load_cert_chain(self.certificate, self.key)
        except ssl.SSLError as error:
            files = ", ".join(str(path) for path in (self.ca, self.certificate, self.key) if path is not None)
            raise ValueError(f"credentials: {files}: {error.reason or error}.") from None
        context.set_alpn_protocols([protocol])
        return context


def tls_credentials(
    *, ca: str | Path | None = None, certificate: str | Path | None = None, key: str | Path | None = None
) -> TlsCredentials:
    """Return credentials for a client: ``Client("play.example:443", credentials=tls_credentials())``.

    ``ca``: a PEM file with trusted authorities. Default: those of the system; over gRPC, those of gRPC.
    ``certificate``, ``key``: PEM files with a client certificate and its key, where the service requires one.
    Raises OSError if a file cannot be read, ValueError if it is not in PEM form.
    """
    credentials = TlsCredentials(ca, certificate, key)
    credentials.channel_credentials()
    return credentials


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


def credentials_from_environment(*, wanted: bool = False) -> TlsCredentials | None:
    """Return the credentials that the environment names; ``None`` without TLS. Raises as ``tls_credentials``.

    ``wanted``: use TLS regardless of SKERRY_TLS.
    """
    if not wanted and not tls_requested():
        return None
    ca, certificate, key = (os.environ.get(name) or None for name in VARIABLES[1:])
    return tls_credentials(ca=ca, certificate=certificate, key=key)


def grpc_channel_to(server: str, options: Sequence[tuple[str, int]] = (), *, tls: bool = False) -> grpc.aio.Channel:
    """Return a gRPC channel with the credentials that the environment names. ``tls``: as ``wanted`` above."""
    if (credentials := credentials_from_environment(wanted=tls)) is None:
        return grpc.aio.insecure_channel(server, options)
    return grpc.aio.secure_channel(server, credentials.channel_credentials(), options)
