"""``skerry mcp``: the tools over the standard streams."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.agents.conftest import SECRET
from tests.agents.scripted_agent import Agent
from tests.clients.servers import ServerProcess


def command(*arguments: str) -> StdioServerParameters:
    environment = {"SKERRY_MCP_KEY": SECRET}
    return StdioServerParameters(
        command=sys.executable, args=["-m", "skerry_service.cli", "mcp", *arguments], env=environment
    )


async def test_an_agent_plays_on_after_the_server_and_the_command_restart() -> None:
    with TemporaryDirectory(prefix="skerry-test-") as folder:
        server = ServerProcess(Path(folder))
        server.start()
        try:
            async with Client(stdio_client(command("--server", server.address))) as client:
                agent = Agent(client)
                await agent.sit("start_table", game="kreta", name="Ada")
                await agent.move()
                server.kill()
                server.start()
                await agent.seat("look")
                await agent.move()
            async with Client(stdio_client(command("--server", server.address))) as client:
                agent.client = client
                await agent.play()
                assert agent.look["state"] == "finished"
            assert not agent.saw_a_token()
        finally:
            server.stop()


@pytest.mark.deep
async def test_without_an_address_the_command_has_a_server_of_its_own() -> None:
    async with Client(stdio_client(command())) as client:
        agent = Agent(client)
        await agent.sit("start_table", game="kreta", name="Ada", level="easy")
        assert await agent.play() > 10


@pytest.mark.deep
def test_an_interrupt_ends_the_command_while_its_client_is_silent() -> None:
    with serving("--server", "127.0.0.1:1") as process:
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130


@pytest.mark.deep
def test_sigterm_removes_the_folder_of_its_own_server(tmp_path: Path) -> None:
    with serving(TMPDIR=str(tmp_path)) as process:
        assert list(tmp_path.glob("skerry-*"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 143
        assert not list(tmp_path.iterdir())


@contextmanager
def serving(*arguments: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run the command. Yield it once it answers."""
    given = [sys.executable, "-m", "skerry_service.cli", "mcp", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(given, stdin=pipe, stdout=pipe, env=os.environ | environment) as process:
        assert process.stdin and process.stdout
        try:
            process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
            process.stdin.flush()
            process.stdout.readline()
            yield process
        finally:
            process.kill()
