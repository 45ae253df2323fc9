"""``skerry mcp``: the tools over the standard streams."""

from __future__ import annotations

import signal
import subprocess
import sys
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
        await agent.sit("start_table", game="kreta", name="Ada", level="greedy")
        assert await agent.play() > 10


@pytest.mark.deep
def test_an_interrupt_ends_the_command_while_its_client_is_silent() -> None:
    given = [sys.executable, "-m", "skerry_service.cli", "mcp", "--server", "127.0.0.1:1"]
    with subprocess.Popen(given, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        process.stdin.flush()
        process.stdout.readline()  # it serves
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
