"""The keys of issuers at a URL: when they are fetched, and what a server of keys can cause."""

from __future__ import annotations

import asyncio
import logging
import time
from pathlib import Path

import pytest

from skerry_service.access.identity import web_keys
from skerry_service.access.identity.identity_errors import IdentityInvalid, IdentityUnavailable
from skerry_service.access.identity.identity_tokens import IdentityVerifier
from skerry_service.access.identity.issuers_file import IssuersFile
from skerry_service.access.identity.web_keys import (
    MAX_AGE_SECONDS,
    MIN_INTERVAL_SECONDS,
    FetchedKeys,
    fetch_document,
)
from tests.identity.issuing import ISS, KeySetServer, issuer_entry, key_set_server, token, write_issuers


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of issuers."""
    return tmp_path / "issuers.json"


async def free() -> None:
    """Count nothing."""


async def test_keys_are_fetched_when_a_token_needs_them_and_overlap(path: Path) -> None:
    with key_set_server() as server:
        write_issuers(path, issuer_entry(keys=None, jwks_url=server.url))
        server.offer("EdDSA-1")
        now = [0.0]
        issuers = IssuersFile(path)
        source = issuers.value[ISS].keys
        assert isinstance(source, FetchedKeys)
        source._clock = lambda: now[0]
        verifier = IdentityVerifier(issuers)
        assert server.requests == 0
        await asyncio.gather(*(verifier.verify([token(str(n))], free) for n in range(50)))
        assert server.requests == 1
        server.offer("EdDSA-1", "ES256-2")
        now[0] = MIN_INTERVAL_SECONDS
        await verifier.verify([token(kid="ES256-2")], free)
        await verifier.verify([token("old")], free)
        assert server.requests == 2
        for number in range(100):  # one caller cannot cause a storm
            with pytest.raises(IdentityInvalid, match="kid"):
                await verifier.verify([token(str(number), "EdDSA-3")], free)
        assert server.requests == 2
        now[0] += MIN_INTERVAL_SECONDS
        server.body = b"no keys"
        with pytest.raises(IdentityInvalid, match="kid"):
            await verifier.verify([token(kid="EdDSA-3")], free)
        await verifier.verify([token("still", "ES256-2")], free)
        assert server.requests == 3


async def test_a_withdrawn_key_goes_out_of_force_with_the_next_fetch(path: Path) -> None:
    with key_set_server() as server:
        server.offer("EdDSA-1")
        write_issuers(path, issuer_entry(keys=None, jwks_url=server.url))
        now, issuers = [0.0], IssuersFile(path)
        source = issuers.value[ISS].keys
        assert isinstance(source, FetchedKeys)
        source._clock = lambda: now[0]
        verifier, sent = IdentityVerifier(issuers), token()
        await verifier.verify([sent], free)
        server.offer("EdDSA-2")
        now[0] = MAX_AGE_SECONDS + 1
        await verifier.verify([token("bob")], free)
        await _fetched(source, server, 2)
        with pytest.raises(IdentityInvalid, match="kid"):
            await verifier.verify([sent], free)


async def _fetched(source: FetchedKeys, server: KeySetServer, requests: int) -> None:
    """Wait until a fetch that goes on in the background is over."""
    for _ in range(500):
        if server.requests == requests and source._fetching is None:
            return
        await asyncio.sleep(0.01)
    raise AssertionError(server.requests)


async def test_a_withdrawn_key_goes_out_of_force_for_tokens_that_the_process_remembers(path: Path) -> None:
    with key_set_server() as server:
        server.offer("EdDSA-1")
        write_issuers(path, issuer_entry(keys=None, jwks_url=server.url))
        now, issuers = [0.0], IssuersFile(path)
        source = issuers.value[ISS].keys
        assert isinstance(source, FetchedKeys)
        source._clock = lambda: now[0]
        verifier, sent = IdentityVerifier(issuers), token()
        await verifier.verify([sent], free)
        server.offer("EdDSA-2")
        now[0] = MAX_AGE_SECONDS + 1
        await verifier.verify([sent], free)
        await _fetched(source, server, 2)
        with pytest.raises(IdentityInvalid, match="kid"):
            await verifier.verify([sent], free)


async def test_a_fetch_of_the_same_keys_forgets_no_valid_token(path: Path) -> None:
    """Otherwise tokens with unknown keys, which cause fetches, would use up the verifications of all players."""
    counted = []

    async def count() -> None:
        counted.append(1)

    with key_set_server() as server:
        server.offer("EdDSA-1")
        write_issuers(path, issuer_entry(keys=None, jwks_url=server.url))
        now, issuers = [0.0], IssuersFile(path)
        source = issuers.value[ISS].keys
        assert isinstance(source, FetchedKeys)
        source._clock = lambda: now[0]
        verifier, sent = IdentityVerifier(issuers), token()
        await verifier.verify([sent], count)
        now[0] += MIN_INTERVAL_SECONDS
        with pytest.raises(IdentityInvalid, match="kid"):
            await verifier.verify([token(kid="EdDSA-3")], free)
        assert server.requests == 2
        await verifier.verify([sent], count)
        assert len(counted) == 1


def test_a_document_that_arrives_byte_by_byte_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte would renew the timeout of the socket, and the thread would be busy for days."""
    monkeypatch.setattr(web_keys, "_FETCH_SECONDS", 0.2)
    with key_set_server() as server:
        server.offer("EdDSA-1")
        server.pause_seconds = 0.05
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            fetch_document(server.url)
        assert time.monotonic() - began < 5


@pytest.mark.parametrize("status", [302, 404, 500])
async def test_without_any_keys_the_call_can_be_repeated(
    path: Path, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    with key_set_server() as server, caplog.at_level(logging.ERROR):
        server.offer("EdDSA-1")
        server.status = status
        write_issuers(path, issuer_entry(keys=None, jwks_url=server.url))
        verifier = IdentityVerifier(IssuersFile(path))
        for _ in range(5):
            with pytest.raises(IdentityUnavailable) as refusal:
                await verifier.verify([token()], free)
            assert 0 < (refusal.value.retry_after or 0) <= MIN_INTERVAL_SECONDS
        assert server.requests == 1
    assert f"cannot fetch the keys of an issuer from {server.url}" in caplog.text


async def test_a_key_set_of_a_megabyte_is_not_read(path: Path) -> None:
    with key_set_server() as server:
        server.offer("EdDSA-1")
        server.body += b" " * 1_000_000
        write_issuers(path, issuer_entry(keys=None, jwks_url=server.url))
        with pytest.raises(IdentityUnavailable):
            await IdentityVerifier(IssuersFile(path)).verify([token()], free)


async def test_keys_survive_a_reload_of_the_file(path: Path) -> None:
    with key_set_server() as server:
        server.offer("EdDSA-1")
        entry = issuer_entry(keys=None, jwks_url=server.url)
        issuers = IssuersFile(write_issuers(path, entry))
        verifier = IdentityVerifier(issuers)
        await verifier.verify([token()], free)
        write_issuers(path, entry, issuer_entry(iss="https://other.example"))
        assert await issuers.poll()
        server.status = 500
        await verifier.verify([token("bob")], free)
        assert server.requests == 1
