"""The service's TLS certificate and key, and the authorities of client certificates: from files that are reloaded."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

from msgspec import Struct

from skerry_service.access.certificate_dates import expiry_of
from skerry_service.access.reloaded_files import Contents, ReloadedFiles, UnusableFile, read_files

CERTIFICATE, KEY, CLIENT_CA = "SKERRY_TLS_CERTIFICATE", "SKERRY_TLS_KEY", "SKERRY_TLS_CLIENT_CA"
_PRIVATE_KEY = b"PRIVATE KEY-----"
_ENCRYPTED = (b"ENCRYPTED PRIVATE KEY-----", b"Proc-Type: 4,ENCRYPTED")
_log = logging.getLogger(__name__)


class TlsFiles(Struct, frozen=True):
    """The paths of the files, all in PEM form."""

    certificate: Path
    """The server's certificate, followed by the intermediate certificates."""
    key: Path
    client_ca: Path | None = None
    """Authorities of client certificates, which clients must present. ``None``: clients need no certificate."""

    def by_setting(self) -> Mapping[str, Path]:
        """Return the files by the settings that name them."""
        named = {CERTIFICATE: self.certificate, KEY: self.key, CLIENT_CA: self.client_ca}
        return {setting: path for setting, path in named.items() if path is not None}


def tls_files_of(certificate: Path | None, key: Path | None, client_ca: Path | None) -> TlsFiles | None:
    """Return the files; ``None`` without TLS. Raises UnusableFile if the certificate or the key is missing."""
    if certificate is None and key is None and client_ca is None:
        return None
    if certificate is None or key is None:
        missing = CERTIFICATE if certificate is None else KEY
        raise UnusableFile(f"{missing} is not set, and TLS needs a certificate and its key")
    return TlsFiles(certificate, key, client_ca)


class TlsMaterial(Struct, frozen=True):
    """The contents of the files at one time, which are checked to fit together."""

    certificate: bytes
    key: bytes
    client_ca: bytes | None
    context: ssl.SSLContext
    """For servers."""
    ends_at: datetime
    """When the certificate expires."""


IsUsable = Callable[[TlsMaterial], bool]


def _always_usable(_: TlsMaterial) -> bool:
    return True


def load_tls(files: TlsFiles, contents: Contents, is_usable: IsUsable = _always_usable) -> TlsMaterial:
    """Return the material in the files. Raises UnusableFile.

    ``is_usable``: returns whether another server, such as gRPC's, can use the material too.
    """
    certificate, key = contents[files.certificate], contents[files.key]
    if _PRIVATE_KEY not in key:
        raise UnusableFile(f"{KEY} names {files.key}, which holds no private key in PEM form")
    if any(mark in key for mark in _ENCRYPTED):
        raise UnusableFile(f"{KEY} names {files.key}, which is encrypted; the service needs a key without a passphrase")
    try:
        ends = expiry_of(certificate)
    except ValueError as error:
        raise UnusableFile(f"{CERTIFICATE} names {files.certificate}, which {error}") from None
    authorities = contents[files.client_ca] if files.client_ca else None
    context = _context(files, authorities)
    if read_files(files.by_setting()) != contents:  # ssl reads the files itself, so they must not have changed
        raise UnusableFile("the TLS files changed while they were read")
    material = TlsMaterial(certificate, key, authorities, context, ends)
    if not is_usable(material):
        raise UnusableFile(
            f"{_both(files)} cannot be used: gRPC does not support keys of this kind; "
            "use RSA, or ECDSA on P-256 or P-384"
        )
    return material


def _context(files: TlsFiles, authorities: bytes | None) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["h2", "http/1.1"])
    try:
        context.load_cert_chain(files.certificate, files.key, password=_no_passphrase)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise UnusableFile(
                f"the key in {files.key} does not match the certificate in {files.certificate}"
            ) from None
        raise UnusableFile(f"{_both(files)} cannot be used: {error.reason}") from None
    except OSError as error:
        raise UnusableFile(f"{_both(files)} cannot be read: {error.strerror}") from None
    if authorities is not None:
        try:
            # Bundles have names in comments, and ssl accepts only ASCII.
            context.load_verify_locations(cadata=authorities.decode("ascii", "ignore"))
        except (ssl.SSLError, ValueError):
            message = f"{CLIENT_CA} names {files.client_ca}, which holds no certificates in PEM form"
            raise UnusableFile(message) from None
        context.verify_mode = ssl.CERT_REQUIRED
    return context


def _both(files: TlsFiles) -> str:
    return f"the certificate in {files.certificate} and the key in {files.key}"


def _no_passphrase() -> NoReturn:
    """Keep OpenSSL from prompting at the terminal."""
    raise UnusableFile("the key is encrypted; the service needs a key without a passphrase")


class Certificates(ReloadedFiles[TlsMaterial]):
    """The TLS material in force."""

    def __init__(self, files: TlsFiles, is_usable: IsUsable = _always_usable) -> None:
        """Load the files. ``is_usable``: see ``load_tls``. Raises UnusableFile."""
        super().__init__(
            files.by_setting(), lambda contents: load_tls(files, contents, is_usable), "TLS certificate and key"
        )
        self._certificate = files.certificate
        self._expired: TlsMaterial | None = None
        """The material whose expiry was logged."""
        self._check_expiry()

    async def poll(self) -> bool:
        """Reload the material if the files have changed; log when the certificate in force has expired."""
        changed = await super().poll()
        self._check_expiry()
        return changed

    def _check_expiry(self) -> None:
        now = self.value
        if now is not self._expired and now.ends_at <= datetime.now(UTC):
            self._expired = now
            _log.error("the certificate %s expired on %s, clients reject it", self._certificate, now.ends_at.date())

    def context(self) -> ssl.SSLContext:
        """Return the context for a new connection."""
        return self.value.context
