"""The Python client plays over mutual TLS with each transport, and finds a port for gRPC alone under TLS too."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest
from msgspec.structs import replace

from skerry_client import AsyncClient, errors, tls_credentials
from skerry_client.transport.choice import Credentials, TransportName
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config, GrpcKind
from skerry_service.wiring.server import running_server

from .authority import Authority


@pytest.mark.parametrize(
    ("server", "transport", "own_context"),
    [
        ("nghttp2", "connect", False),
        ("nghttp2", "connect", True),
        ("nghttp2", "auto", False),
        ("nghttp2", "grpc", False),
        ("grpcio", "auto", False),
    ],
)
async def test_seats_play_over_mutual_tls(
    valkey: EmbeddedServer, tmp_path: Path, server: GrpcKind, transport: TransportName, own_context: bool
) -> None:
    authority = Authority(tmp_path)
    pem, own = authority.issue("server"), authority.issue("client", "player")
    config = Config(port=0, grpc=server, redis_url=valkey.url, tls_certificate=pem.certificate, tls_key=pem.key)
    config = replace(config, tls_client_ca=authority.file)
    credentials: Credentials = tls_credentials(ca=authority.file, certificate=own.certificate, key=own.key)
    if own_context:
        credentials = ssl.create_default_context(cafile=authority.file)
        credentials.load_cert_chain(own.certificate, own.key)
    async with running_server(config) as running:
        async with AsyncClient(running.address, transport=transport, credentials=credentials) as skerry:
            seat, moves = await (await skerry.create("kreta", seats=2, bots=1)).join("Ada"), 0
            async for position in seat.turns():
                await seat.act(position.legal_moves[0])
                moves += 1
            assert moves > 5
        async with AsyncClient(
            running.address, transport=transport, credentials=tls_credentials(ca=authority.file), retry_for=0
        ) as nobody:
            with pytest.raises(errors.Unavailable):
                await nobody.games()


async def test_a_port_for_grpc_alone_says_so_under_tls(valkey: EmbeddedServer, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    pem = authority.issue("server")
    config = Config(port=0, grpc="grpcio", redis_url=valkey.url, tls_certificate=pem.certificate, tls_key=pem.key)
    async with running_server(config) as running:
        credentials = tls_credentials(ca=authority.file)
        async with AsyncClient(running.address, transport="connect", credentials=credentials) as skerry:
            with pytest.raises(errors.UnexpectedResponse, match="pass transport='grpc'"):
                await skerry.games()
