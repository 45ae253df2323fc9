"""TLS on both fronts: who gets in, what is shown after a change, and what clients take that do not mean it."""

from __future__ import annotations

import asyncio
import json
import logging
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from skerry_client import AsyncClient, errors, tls_credentials
from skerry_games.catalogue import all_games
from skerry_service.access.certificates import Certificates
from skerry_service.edge.listening import tls_connection
from skerry_service.edge.listening.first_bytes import HTTP2_PREFACE
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import RunningServer, running_server
from tests.rest.web import Response, connection, read_head, request
from tests.store.servers import until

from .authority import HOST, Authority, Pem

SETTINGS_FRAME = b"\x04"
"""The type of the first frame on every connection of HTTP/2."""


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@asynccontextmanager
async def secure(valkey: EmbeddedServer, pem: Pem, **more: Any) -> AsyncIterator[RunningServer]:
    files: dict[str, Any] = {"tls_certificate": pem.certificate, "tls_key": pem.key}
    config = Config(port=0, http=f"{HOST}:0", health=f"{HOST}:0", redis_url=valkey.url, **files, **more)
    async with running_server(config) as running:
        yield running


def trusting(authority: Authority, own: Pem | None = None) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=authority.file)
    if own is not None:
        context.load_cert_chain(own.certificate, own.key)
    return context


async def asked(address: str, path: str, context: ssl.SSLContext | None) -> tuple[Response, int]:
    """Make a request over TLS; return the answer, and the serial number of the certificate that was shown."""
    host, port = address.rsplit(":", 1)
    reader, writer = await asyncio.open_connection(host, int(port), ssl=context)
    try:
        writer.write(request("GET", path, {"connection": "close"}))
        head = await read_head(reader)
        head.body = await reader.readexactly(int(head.headers["content-length"]))
        shown = writer.get_extra_info("peercert") if context else None
        return head, int(shown["serialNumber"], 16) if shown else 0
    finally:
        writer.close()


def client(running: RunningServer, authority: Authority, own: Pem | None = None) -> AsyncClient:
    certificate, key = (own.certificate, own.key) if own else (None, None)
    credentials = tls_credentials(ca=authority.file, certificate=certificate, key=key)
    return AsyncClient(running.address, credentials=credentials, retry_for=0, timeout=30)


async def test_both_fronts_speak_tls_and_health_is_in_the_clear(valkey: EmbeddedServer, authority: Authority) -> None:
    async with secure(valkey, authority.issue("server")) as running:
        assert running.secure and running.http and running.health
        async with client(running, authority) as skerry:
            table = await skerry.create("kreta", seats=2, bots=2)
            seen = [update.sequence async for update in table.observe(after_sequence=0)]
        assert seen == sorted(seen)
        over_http = AsyncClient(running.http, transport="connect", credentials=trusting(authority), retry_for=0)
        async with over_http as skerry:
            again = await skerry.table(table.name)
            assert [update.sequence async for update in again.observe(after_sequence=0)] == seen
        answer, _ = await asked(running.http, f"/v1/{table.name}", trusting(authority))
        assert (answer.status, json.loads(answer.body)["session"]["name"]) == (200, table.name)
        for path, status in (("/healthz", 200), ("/readyz", 200), ("/v1/games", 404), ("/openapi.json", 404)):
            assert (await asked(running.health, path, None))[0].status == status
        with pytest.raises(ssl.SSLCertVerificationError):
            await asked(running.http, "/healthz", ssl.create_default_context())
        async with AsyncClient(running.address, retry_for=0) as in_the_clear:
            with pytest.raises(errors.Unavailable):
                await in_the_clear.games()


async def test_clients_need_a_certificate_where_there_are_authorities_for_them(
    valkey: EmbeddedServer, authority: Authority, tmp_path: Path
) -> None:
    theirs = Authority(tmp_path, "theirs")
    own, stranger = theirs.issue("client", "player"), authority.issue("stranger", "player")
    async with secure(valkey, authority.issue("server"), tls_client_ca=theirs.file) as running:
        assert running.http and running.health
        async with client(running, authority, own) as skerry:
            assert len(await skerry.games()) == len(all_games())
        async with AsyncClient(running.http, transport="connect", credentials=trusting(authority, own)) as skerry:
            assert len(await skerry.games()) == len(all_games())
        assert (await asked(running.http, "/v1/games", trusting(authority, own)))[0].status == 200
        assert (await asked(running.health, "/readyz", None))[0].status == 200
        for nobody in (None, stranger):
            async with client(running, authority, nobody) as skerry:
                with pytest.raises(errors.Unavailable):
                    await skerry.games()
            with pytest.raises((ssl.SSLError, ConnectionError, asyncio.IncompleteReadError)):
                await asked(running.http, "/v1/games", trusting(authority, nobody))


async def test_a_new_certificate_is_shown_to_the_next_connection_and_open_ones_go_on(
    valkey: EmbeddedServer, authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Certificates] = []

    async def watch(self: Certificates) -> None:
        made.append(self)

    monkeypatch.setattr(Certificates, "watch", watch)
    pem = authority.issue("server")
    async with secure(valkey, pem) as running, client(running, authority) as before:
        assert running.http
        await before.games()
        _, first = await asked(running.http, "/healthz", trusting(authority))
        await until(lambda: bool(made))
        new = Authority(tmp_path, "new")
        new.issue("server")
        assert await made[0].poll()
        answer, second = await asked(running.http, "/healthz", trusting(new))
        assert (answer.status, first != second) == (200, True)
        await before.games()
        async with client(running, new) as after, client(running, authority) as late:
            await after.games()
            with pytest.raises(errors.Unavailable):
                await late.games()


async def test_who_speaks_no_tls_is_cut_off_without_a_word_in_the_log(
    valkey: EmbeddedServer, authority: Authority, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with secure(valkey, authority.issue("server")) as running:
        assert running.http
        with monkeypatch.context() as impatient:
            impatient.setattr(tls_connection, "HANDSHAKE_SECONDS", 0.05)
            for sent in (b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01", b"\0" * 100_000, b""):
                async with connection(running.http) as (reader, writer):
                    writer.write(sent)
                    with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                        await reader.readexactly(1000)
        assert (await asked(running.http, "/healthz", trusting(authority)))[0].status == 200
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING] == []


async def test_a_pending_handshake_makes_room_for_another_client_and_does_not_delay_the_stop(
    valkey: EmbeddedServer, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skerry_service.wiring.file_descriptors.connections_within", lambda *_: 2)
    async with secure(valkey, authority.issue("server")) as running:
        assert running.http
        async with connection(running.http) as (oldest, _), connection(running.http), connection(running.http):
            assert await oldest.read() == b""
            assert (await asked(running.http, "/healthz", trusting(authority)))[0].status == 200


async def test_a_request_that_ends_its_connection_is_answered_over_tls_too(
    valkey: EmbeddedServer, authority: Authority
) -> None:
    async with secure(valkey, authority.issue("server")) as running:
        assert running.http
        answer, _ = await asked(running.http, "/" + "x" * 9000, trusting(authority))
        assert (answer.status, answer.headers["connection"]) == (414, "close")


async def test_files_of_no_use_keep_the_service_from_starting(
    valkey: EmbeddedServer, authority: Authority, tmp_path: Path
) -> None:
    pem, other = authority.issue("server"), authority.issue("other")
    with pytest.raises(OSError, match=r"cannot use TLS: the key in .* does not match the certificate"):
        async with secure(valkey, Pem(pem.certificate, other.key)):
            pass
    with pytest.raises(OSError, match="cannot use TLS: SKERRY_TLS_KEY is not set"):
        async with running_server(Config(port=0, redis_url=valkey.url, tls_certificate=pem.certificate)):
            pass


@pytest.mark.parametrize(("offered", "selected"), [(["h2", "http/1.1"], "h2"), (["http/1.1"], "http/1.1")])
async def test_browsers_get_http2_on_both_ports(
    valkey: EmbeddedServer, authority: Authority, offered: list[str], selected: str
) -> None:
    context = trusting(authority)
    context.set_alpn_protocols(offered)
    async with secure(valkey, authority.issue("server")) as running:
        assert running.http
        for address in (running.address, running.http):
            host, port = address.rsplit(":", 1)
            reader, writer = await asyncio.open_connection(host, int(port), ssl=context)
            assert writer.get_extra_info("ssl_object").selected_alpn_protocol() == selected
            writer.write(HTTP2_PREFACE if selected == "h2" else request("GET", "/healthz", {}))
            first = await reader.readexactly(9)
            assert (first[3:4] == SETTINGS_FRAME) if selected == "h2" else first == b"HTTP/1.1 "
            writer.transport.abort()
