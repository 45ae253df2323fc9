"""The public keys of an issuer (JSON Web Keys): from the settings, or from a URL."""

from __future__ import annotations

import asyncio
import logging
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPException
from ipaddress import ip_address
from typing import Any, Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request, build_opener
from urllib.request import HTTPRedirectHandler as RedirectHandler

import msgspec
from jwt import PyJWK
from jwt.exceptions import InvalidKeyError, PyJWKError

from skerry_service.access.identity.identity_errors import IdentityUnavailable

ALGORITHMS = ("EdDSA", "ES256", "RS256")
_ALGORITHM_OF: Mapping[tuple[Any, Any], str] = {
    ("OKP", "Ed25519"): "EdDSA",
    ("EC", "P-256"): "ES256",
    ("RSA", None): "RS256",
}
"""The algorithm of a key, by its type and curve."""
_MIN_RSA_BITS = 2048
_PRIVATE = ("d", "k")
"""Members of a JSON Web Key that are secret."""
MOST_KEYS = 64
_LARGEST_SET = 256 * 1024
_FETCH_SECONDS = 5.0
MIN_INTERVAL_SECONDS = 10.0
"""The shortest time between two fetches of one set of keys, so that tokens with unknown keys cause no storm."""
MAX_AGE_SECONDS = 600.0
"""The age at which a set is fetched again, so that a withdrawn key does not stay in force."""
_log = logging.getLogger(__name__)


class UnusableKey(ValueError):
    """A JSON Web Key cannot be used. The message says why, without secrets."""


class WebKey(msgspec.Struct, frozen=True):
    """A public key that verifies signatures."""

    kid: str
    """The id of the key; empty without one."""
    algorithm: str
    key: PyJWK


def read_web_key(document: Any) -> WebKey:
    """Return the key in a JSON Web Key. Raises UnusableKey."""
    if not isinstance(document, dict):
        raise UnusableKey("a key is a JSON object (RFC 7517)")
    if any(member in document for member in _PRIVATE):
        raise UnusableKey("the key is secret; register only the public part, without the member d or k")
    algorithm = _ALGORITHM_OF.get((_text(document, "kty"), _text(document, "crv")))
    if algorithm is None or document.get("alg", algorithm) != algorithm:
        raise UnusableKey("the key is none of Ed25519 (EdDSA), P-256 (ES256) and RSA (RS256)")
    if document.get("use", "sig") != "sig":
        raise UnusableKey("the key is not for signatures (use)")
    try:
        key = PyJWK(document, algorithm)
    except (PyJWKError, InvalidKeyError, ValueError, TypeError, AttributeError, KeyError):
        raise UnusableKey("the members of the key are not valid") from None
    if algorithm == "RS256" and key.key.key_size < _MIN_RSA_BITS:
        raise UnusableKey(f"the RSA key has fewer than {_MIN_RSA_BITS} bits")
    return WebKey(_text(document, "kid") or "", algorithm, key)


def _text(document: Mapping[str, Any], member: str) -> str | None:
    value = document.get(member)
    return value if isinstance(value, str) else None


def find_key(keys: Sequence[WebKey], kid: str | None, algorithm: str) -> WebKey | None:
    """Return the key with this id. A token without an id means the only key of its algorithm."""
    fitting = [one for one in keys if one.algorithm == algorithm and (kid is None or one.kid == kid)]
    return fitting[0] if fitting and (kid is not None or len(fitting) == 1) else None


class KeySource(Protocol):
    """The keys of an issuer."""

    @property
    def version(self) -> int:
        """Increases when the keys change."""

    async def find(self, kid: str | None, algorithm: str) -> WebKey | None:
        """Return the key of a token; ``None`` for an unknown one. Raises IdentityUnavailable if no keys are known."""

    def keep_fresh(self) -> None:
        """Begin to read the keys again if they are old. Called for each token, also where ``find`` is not needed."""


class InlineKeys:
    """Keys in the file of issuers."""

    version = 0

    def __init__(self, keys: Sequence[WebKey]) -> None:
        self._keys = keys

    async def find(self, kid: str | None, algorithm: str) -> WebKey | None:
        """See ``KeySource.find``."""
        return find_key(self._keys, kid, algorithm)

    def keep_fresh(self) -> None:
        """See ``KeySource.keep_fresh``. The file is watched."""


class FetchedKeys:
    """Keys at a URL, fetched when a token needs them. After a failed fetch the earlier keys stay in force."""

    def __init__(
        self,
        url: str,
        fetch: Callable[[str], bytes] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``fetch``: returns the document at the URL, in a thread; raises OSError. ``clock``: in seconds."""
        self._url = url
        self._fetch = fetch or fetch_document
        self._clock = clock
        self._document = b""
        self._keys: Sequence[WebKey] | None = None
        self._fetched_at = self._tried_at = -MAX_AGE_SECONDS
        self._fetching: asyncio.Task[None] | None = None
        self.version = 0

    async def find(self, kid: str | None, algorithm: str) -> WebKey | None:
        """See ``KeySource.find``. Fetches the keys for an unknown id, at most once in ``MIN_INTERVAL_SECONDS``."""
        found = find_key(self._keys or (), kid, algorithm)
        if found is None:
            await self._refresh()
            found = find_key(self._keys or (), kid, algorithm)
        if self._keys is None:
            raise IdentityUnavailable(max(0.0, self._tried_at + MIN_INTERVAL_SECONDS - self._clock()))
        return found

    def keep_fresh(self) -> None:
        """See ``KeySource.keep_fresh``. The earlier keys are in force until the fetch is over."""
        if self._keys is not None and self._clock() - self._fetched_at > MAX_AGE_SECONDS:
            self._begin()

    async def _refresh(self) -> None:
        """Fetch the keys, unless that was tried a moment ago. Calls at the same time share a fetch."""
        task = self._begin()
        if task is not None:
            await asyncio.shield(task)

    def _begin(self) -> asyncio.Task[None] | None:
        if self._fetching is None and self._clock() - self._tried_at >= MIN_INTERVAL_SECONDS:
            self._tried_at = self._clock()
            self._fetching = asyncio.get_running_loop().create_task(self._load())
        return self._fetching

    async def _load(self) -> None:
        try:
            document = await asyncio.wait_for(asyncio.to_thread(self._fetch, self._url), 2 * _FETCH_SECONDS)
            keys = self._keys if self._keys is not None and document == self._document else read_key_set(document)
        except (OSError, ValueError, HTTPException) as error:  # a timeout is an OSError
            _log.error("cannot fetch the keys of an issuer from %s: %s", self._url, str(error) or "timeout")
        else:
            self.version += keys is not self._keys
            self._document, self._keys, self._fetched_at = document, keys, self._clock()
        finally:
            self._fetching = None


def read_key_set(document: bytes) -> Sequence[WebKey]:
    """Return the usable keys of a JSON Web Key Set. Keys of other kinds are left out. Raises ValueError."""
    try:
        keys = msgspec.json.decode(document, type=dict[str, Any])["keys"]
    except (msgspec.DecodeError, KeyError, RecursionError):
        raise ValueError("the document is not a JSON Web Key Set") from None
    if not isinstance(keys, list) or len(keys) > MOST_KEYS:
        raise ValueError(f"the document is not a JSON Web Key Set of at most {MOST_KEYS} keys")
    usable = []
    for one in keys:
        try:
            usable.append(read_web_key(one))
        except UnusableKey as error:
            _log.info("a key of an issuer is not used: %s", error)
    if not usable:
        raise ValueError("the set has no usable key")
    return usable


def require_key_url(url: str) -> None:
    """Raise ValueError unless a URL has the scheme https, or http on this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        raise ValueError(f"{url!r} is not a URL") from None
    if parts.scheme == "https" and host and not parts.username:
        return
    if parts.scheme != "http" or not _is_loopback(host):
        raise ValueError(f"{url!r} is not an https URL without a user; http is allowed on loopback addresses only")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _NoRedirects(RedirectHandler):
    """Rejects redirects: only the URL in the settings is trusted."""

    def redirect_request(self, *_: Any) -> None:
        return None


def fetch_document(url: str) -> bytes:
    """Return the document at a URL. Blocks, at most twice as long as ``_FETCH_SECONDS`` once the name is resolved.

    Raises OSError, HTTPException, ValueError.
    """
    request = Request(url, headers={"Accept": "application/json", "User-Agent": "skerry"})
    try:
        with _opener(url).open(request, timeout=_FETCH_SECONDS) as response:
            data = _read_within(response.read1)
    except HTTPError as error:
        error.close()
        raise OSError(f"the server responded {error.code}") from None
    except URLError as error:
        raise OSError(str(error.reason)) from None
    if len(data) > _LARGEST_SET:
        raise ValueError(f"the document is larger than {_LARGEST_SET >> 10} KiB")
    return data


def _read_within(read: Callable[[int], bytes]) -> bytes:
    """Read to the end, or a little more than the largest set. Raises TimeoutError: a server can send byte by byte."""
    data, ends = b"", time.monotonic() + _FETCH_SECONDS
    while len(data) <= _LARGEST_SET and (part := read(_LARGEST_SET + 1 - len(data))):
        data += part
        if time.monotonic() > ends:
            raise TimeoutError
    return data


def _opener(url: str) -> OpenerDirector:
    if url.startswith("http:"):
        return build_opener(ProxyHandler({}), HTTPHandler(), _NoRedirects())
    return build_opener(HTTPSHandler(context=ssl.create_default_context()), _NoRedirects())
