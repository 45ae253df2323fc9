"""Changes whose result the service then refuses to show: the agent learns of them, and loses no seat."""

from __future__ import annotations

from tests.agents.conftest import limited_replicas
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
