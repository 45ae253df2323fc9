"""Changes whose result the service then refuses to show: the agent learns of them, and loses no seat."""

from __future__ import annotations

import asyncio

from skerry_client.transport import A, Method, Q
from skerry_service.local import LocalTransport
from tests.agents.conftest import Replicas, limited_replicas
from tests.agents.scripted_agent import Agent


async def test_a_seat_whose_look_is_refused_has_its_handle() -> None:
    async with limited_replicas(stream="1/1h").client() as client:
        ada, bob, eve = Agent(client), Agent(client), Agent(client)
        await ada.sit("start_table", game="kreta", name="Ada", opponents="players", private=True)
        table, code = ada.look["table"], ada.look["join_code"]
        await bob.sit("join_table", table=table, name="Bob", join_code=code)
        assert bob.look["table"] == table
        assert bob.look["seat"] == 1
        assert "You have a seat. Call look" in bob.received[-1]
        assert "LIMIT_REACHED" in bob.received[-1]
        assert bob.handle in bob.received[-1]
        await eve.sit("start_table", game="kreta", name="Eve", opponents="players", private=True)
        assert eve.look["join_code"]
        assert f"Join code for the other players: {eve.look['join_code']}" in eve.received[-1]
        for agent in (bob, eve):
            shown = await agent.seat("look", since=agent.look["sequence"])
            assert shown["table"] in agent.received[0]
        assert not bob.saw_a_token() and not eve.saw_a_token()


async def test_a_move_needs_no_look() -> None:
    async with limited_replicas(stream="1/1h").client() as client:
        agent = Agent(client)
        await agent.sit("start_table", game="kreta", name="Ada")
        before = agent.look["sequence"]
        await agent.move()
        assert agent.look["sequence"] > before
        assert agent.look["events"][0].startswith("Ada plays the ")
        refusal = await agent.refused("play_move", handle=agent.handle, sequence=agent.look["sequence"], move="none")
        assert f"Nothing was played. Sequence {agent.look['sequence']}. It is your turn." in refusal
        assert await agent.play() > 10
        assert agent.look["state"] == "finished"
        assert "The game is over. " in agent.received[-1]
        assert (await agent.seat("look", since=agent.look["sequence"]))["ranks"]


async def test_a_repeated_move_whose_look_is_refused_is_said_to_be_played() -> None:
    async with limited_replicas(stream="1/1h").client() as client:
        agent = Agent(client)
        await agent.sit("start_table", game="kreta", name="Ada")
        before = agent.look["sequence"]
        first = await agent.seat("play_move", sequence=before, move="1")
        assert await agent.seat("play_move", sequence=before, move="1") == first
        assert "Your move is played. Call look" in agent.received[-1]
        assert "LIMIT_REACHED" in agent.received[-1]


async def test_a_refused_name_leaves_no_table(replicas: Replicas) -> None:
    async with replicas.client() as client:
        agent = Agent(client)
        for name in ("{0}", "Seat 1"):
            refusal = await agent.refused("start_table", game="kreta", name=name, opponents="players")
            assert "INVALID_FIELD" in refusal
        assert (await agent.call("list_games"))["open_tables"] == []


class NeverSeats(LocalTransport):
    """Holds up those who join, for ever."""

    def __init__(self) -> None:
        super().__init__()
        self.joining = asyncio.Event()

    async def call(self, method: Method[Q, A], request: Q, token: str | None, timeout: float) -> A:
        if method.name == "JoinSession":
            self.joining.set()
            await asyncio.Event().wait()
        return await super().call(method, request, token, timeout)


async def test_a_caller_who_leaves_while_joining_leaves_no_table() -> None:
    transport = NeverSeats()
    async with Replicas(transport).client() as client:
        agent = Agent(client)
        starting = asyncio.create_task(agent.call("start_table", game="kreta", name="Ada", opponents="players"))
        await transport.joining.wait()
        assert len((await agent.call("list_games"))["open_tables"]) == 1
        starting.cancel()
        while (await agent.call("list_games"))["open_tables"]:
            pass
