"""@grpc/grpc-js, the gRPC of Node: games over unary calls and over both kinds of streams, and drain."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.clients.servers import ServerProcess
from tests.generators.workshop import Workshop
from tests.interop.services import Service

pytestmark = [pytest.mark.deep, pytest.mark.timeout(300)]  # plays many games


def test_a_client_plays_and_observes_each_game(node_programs: Workshop, service: Service) -> None:
    arguments = f"protos {service.address} '{service.authority_argument}' {service.games_argument}"
    printed = node_programs.run(f"node player.mjs {arguments}")
    service.expect_games(printed, times=2)


def test_a_channel_outlives_a_restart_of_the_service(node_programs: Workshop, tmp_path: Path) -> None:
    """Calls under way finish, and the client makes the others again: none ends in another way."""
    server = ServerProcess(tmp_path)
    server.start()
    command = ["node", "drain.mjs", "protos", server.address]
    try:
        with subprocess.Popen(command, cwd=node_programs.folder, stdout=subprocess.PIPE, text=True) as client:
            try:
                assert client.stdout is not None
                assert client.stdout.readline() == "ready\n"
                assert server.stop() == 0
                server.start()
                received = json.loads(client.stdout.readline())
            finally:
                client.kill()
        Service(server.address, "").expect_sessions(received["games"])
    finally:
        server.stop()
    assert received["outcomes"].keys() <= {"OK", "SHUTTING_DOWN"}
    assert received["play"] == "SHUTTING_DOWN"
