"""The certificate and key that clients see, and the authorities that sign clients' own: from files, read again."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

from msgspec import Struct

from skerry_service.access.certificate_dates import ends_at
from skerry_service.access.reloaded_files import Contents, Unusable, Watched, read_files

CERTIFICATE, KEY, CLIENT_CA = "SKERRY_TLS_CERTIFICATE", "SKERRY_TLS_KEY", "SKERRY_TLS_CLIENT_CA"
_PRIVATE_KEY = b"PRIVATE KEY-----"
_ENCRYPTED = (b"ENCRYPTED PRIVATE KEY-----", b"Proc-Type: 4,ENCRYPTED")
_log = logging.getLogger(__name__)


class Files(Struct, frozen=True):
    """Where everything stands, in PEM form."""

    certificate: Path
    """The server's, and behind it those that lead from it to an authority that clients know."""
    key: Path
    client_ca: Path | None = None
    """Authorities: clients need a certificate of one of them. ``None``: clients need none."""

    def by_setting(self) -> Mapping[str, Path]:
        """Return the files by the settings that name them."""
        named = {CERTIFICATE: self.certificate, KEY: self.key, CLIENT_CA: self.client_ca}
        return {setting: path for setting, path in named.items() if path is not None}


def files_of(certificate: Path | None, key: Path | None, client_ca: Path | None) -> Files | None:
    """Return the files; ``None``: there is no TLS. Raises Unusable if one is named without the others it needs."""
    if certificate is None and key is None and client_ca is None:
        return None
    if certificate is None or key is None:
        missing = CERTIFICATE if certificate is None else KEY
        raise Unusable(f"{missing} is not set, and TLS needs a certificate and its key")
    return Files(certificate, key, client_ca)


class Material(Struct, frozen=True):
    """What the files held at one time, found to fit together."""

    certificate: bytes
    key: bytes
    client_ca: bytes | None
    context: ssl.SSLContext
    """For servers."""
    ends_at: datetime
    """When the certificate does."""


Taken = Callable[[Material], bool]


def _taken_anyway(_: Material) -> bool:
    return True


def load(files: Files, contents: Contents, taken: Taken = _taken_anyway) -> Material:
    """Return what the files hold. ``taken``: whether gRPC can listen with that as well. Raises Unusable."""
    certificate, key = contents[files.certificate], contents[files.key]
    if _PRIVATE_KEY not in key:
        raise Unusable(f"{KEY} names {files.key}, which holds no private key in PEM form")
    if any(mark in key for mark in _ENCRYPTED):
        raise Unusable(f"{KEY} names {files.key}, which is locked with a passphrase; a service can type none")
    try:
        ends = ends_at(certificate)
    except ValueError as error:
        raise Unusable(f"{CERTIFICATE} names {files.certificate}, and {error}") from None
    authorities = contents[files.client_ca] if files.client_ca else None
    context = _context(files, authorities)
    if read_files(files.by_setting()) != contents:
        raise Unusable("the files of TLS changed while they were read")  # ssl reads files only, not what was read
    found = Material(certificate, key, authorities, context, ends)
    if not taken(found):
        wrong = "gRPC has no keys of this kind; take RSA, or ECDSA on P-256 or P-384"
        raise Unusable(f"{_both(files)} cannot be used: {wrong}")
    return found


def _context(files: Files, authorities: bytes | None) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(files.certificate, files.key, password=_no_passphrase)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise Unusable(f"the key in {files.key} is not that of the certificate in {files.certificate}") from None
        raise Unusable(f"{_both(files)} cannot be used: {error.reason}") from None
    except OSError as error:
        raise Unusable(f"{_both(files)} cannot be read: {error.strerror}") from None
    if authorities is not None:
        try:
            # Bundles have names in comments, which ssl takes in ASCII alone.
            context.load_verify_locations(cadata=authorities.decode("ascii", "ignore"))
        except (ssl.SSLError, ValueError):
            wrong = f"{CLIENT_CA} names {files.client_ca}, which holds no certificates in PEM form"
            raise Unusable(wrong) from None
        context.verify_mode = ssl.CERT_REQUIRED
    return context


def _both(files: Files) -> str:
    return f"the certificate in {files.certificate} and the key in {files.key}"


def _no_passphrase() -> NoReturn:
    """Keep OpenSSL from asking at the terminal."""
    raise Unusable("the key is locked with a passphrase; a service can type none")


class Certificates(Watched[Material]):
    """What is in force."""

    def __init__(self, files: Files, taken: Taken = _taken_anyway) -> None:
        """``taken``: see ``load``. Raises Unusable."""
        super().__init__(
            files.by_setting(), lambda contents: load(files, contents, taken), "the certificate or key of TLS"
        )
        self._certificate = files.certificate
        self._expired: Material | None = None
        """What was said to have expired."""
        self._look_at_end()

    async def look(self) -> bool:
        """Make it anew if the files have changed; say if the certificate that is in force has expired."""
        changed = await super().look()
        self._look_at_end()
        return changed

    def _look_at_end(self) -> None:
        now = self.value
        if now is not self._expired and now.ends_at <= datetime.now(UTC):
            self._expired = now
            _log.error("the certificate %s expired on %s: clients refuse it", self._certificate, now.ends_at.date())

    def context(self) -> ssl.SSLContext:
        """Return what a connection is begun with now."""
        return self.value.context
