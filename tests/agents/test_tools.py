"""The tools: whole games, retries, refusals and bad arguments, with the SDK's client in memory."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from mcp import MCPError
from mcp.types import TextResourceContents

from skerry_games.catalogue import all_games
from skerry_service.agents.look_texts import MAX_EVENTS
from skerry_service.agents.tools import LONGEST_WAIT
from tests.agents.conftest import Replicas
from tests.agents.scripted_agent import Agent
from tests.tiers import one_and_deep

MOST_CHARACTERS = 10_000
"""Of the text of one result: about 2,500 tokens."""


@pytest.mark.parametrize("game", one_and_deep(["kreta", *(game for game in all_games() if game != "kreta")]))
async def test_an_agent_plays_a_game_to_its_end_and_sees_no_token(game: str, replicas: Replicas) -> None:
    async with replicas.client() as client:
        agent = Agent(client)
        await agent.sit("start_table", game=game, name="Ada")
        assert await agent.play() > 10
        assert agent.look["state"] == "finished"
        assert sorted(agent.look["ranks"]) == [1, 2] or agent.look["ranks"] == [1, 1]
        assert len(agent.look["scores"]) == 2
        end = await agent.seat("look")
        assert "The game is over." in agent.received[-1]
        assert not end["legal_moves"]
        await agent.call("explain", game=game)
        await agent.call("list_games")
    assert not agent.saw_a_token()
    assert max(map(len, agent.received)) < 2 * MOST_CHARACTERS  # each result is once text and once structured


async def test_two_agents_play_one_table_and_a_third_finds_it_full(replicas: Replicas) -> None:
    async with replicas.client() as here, replicas.client() as there:
        ada, bob = Agent(here), Agent(there)
        await ada.sit("start_table", game="kreta", name="Ada", opponents="players")
        assert ada.look["state"] == "lobby"
        (opened,) = (await bob.call("list_games"))["open_tables"]
        assert opened["players"] == ["Ada"]
        assert opened["open_seats"] == 1
        await bob.sit("join_table", table=opened["table"], name="Bob")
        assert "ALREADY_STARTED" in await Agent(here).refused("join_table", table=opened["table"], name="Eve")
        await ada.seat("look")
        assert await asyncio.gather(ada.play(), bob.play())
        assert ada.look["scores"] == bob.look["scores"]
    assert not ada.saw_a_token() and not bob.saw_a_token()


async def test_a_private_table_is_unlisted_and_needs_its_code(replicas: Replicas) -> None:
    async with replicas.client() as client:
        ada, bob = Agent(client), Agent(client)
        await ada.sit("start_table", game="kreta", name="Ada", opponents="players", private=True)
        table, code = ada.look["table"], ada.look["join_code"]
        assert (await bob.call("list_games"))["open_tables"] == []
        assert "JOIN_CODE_WRONG" in await bob.refused("join_table", table=table, name="Bob")
        await bob.sit("join_table", table=table, name="Bob", join_code=code)
        assert bob.look["state"] == "playing"


async def test_a_repeated_move_is_played_once(replicas: Replicas) -> None:
    async with replicas.client() as client:
        agent = Agent(client)
        await agent.sit("start_table", game="kreta", name="Ada")
        before = agent.look["sequence"]
        first = await agent.seat("play_move", sequence=before, move="1")
        again = await agent.seat("play_move", sequence=before, move="1")
        in_words = await agent.seat("play_move", sequence=before, move="Play the architect.")
        assert again["sequence"] == in_words["sequence"] == first["sequence"] > before
        assert first["legal_moves"] == again["legal_moves"]
        stale = await agent.refused("play_move", handle=agent.handle, sequence=before, move="2")
        assert "STALE_SEQUENCE" in stale
        assert f"Nothing was played. Sequence {first['sequence']}." in stale


async def test_a_refused_move_names_the_rule_and_what_is_legal(replicas: Replicas) -> None:
    async with replicas.client() as client:
        agent = Agent(client)
        await agent.sit("start_table", game="kreta", name="Ada")
        sequence = agent.look["sequence"]
        refusal = await agent.refused("play_move", handle=agent.handle, sequence=sequence, move='{"halt": {}}')
        assert "(RULE_BROKEN, KRETA-TURN-1)" in refusal
        assert "KRETA-TURN-1: In its turn a seat plays exactly one card" in refusal
        assert f"Nothing was played. Sequence {sequence}. It is your turn." in refusal
        assert "1. play the architect" in refusal
        assert (await agent.seat("look"))["sequence"] == sequence


MEANINGLESS = [
    ("0", "Move 0 does not exist. The moves are numbered 1 to 5."),
    ("9" * 4000, "does not exist"),
    ("0" * 79 + "1" + "0" * 10, "Move 10000000000 does not exist."),
    ("play", "'play' means 5 legal moves: 1. play the architect; "),
    ("take the king", "'take the king' is not a legal move."),
    ("", "'' is not a legal move."),
    ('{"halt":', "This is not a move in JSON"),
    ('{"tenerife": {}}', "This is not a move in JSON"),
    ('{"play_card": {"card": "\\ud800"}}', "This must be one of CARD_UNSPECIFIED, "),
    ("{" * 4000, "This is not a move in JSON"),
]


async def test_a_move_that_means_nothing_is_an_error_with_the_legal_moves(replicas: Replicas) -> None:
    async with replicas.client() as client:
        agent = Agent(client)
        await agent.sit("start_table", game="kreta", name="Ada")
        for move, sentence in MEANINGLESS:
            refusal = await agent.refused("play_move", handle=agent.handle, sequence=agent.look["sequence"], move=move)
            assert sentence in refusal
            assert "5. play the abbot" in refusal
            assert len(refusal) < 1000


async def test_a_move_out_of_turn_says_whose_turn_it_is(replicas: Replicas) -> None:
    async with replicas.client() as client:
        ada, bob = Agent(client), Agent(client)
        await ada.sit("start_table", game="kreta", name="Ada", opponents="players")
        early = await ada.refused("play_move", handle=ada.handle, sequence=ada.look["sequence"], move="1")
        assert "NOT_STARTED" in early or "owes no decision" in early
        await bob.sit("join_table", table=ada.look["table"], name="Bob")
        await ada.seat("look")
        waiting = bob if ada.look["your_turn"] else ada
        refusal = await waiting.refused(
            "play_move",
            handle=waiting.handle,
            sequence=bob.look["sequence"],
            move='{"play_card": {"card": "CARD_ABBOT"}}',
        )
        assert "To act: seat " in refusal


BAD_ARGUMENTS: list[tuple[str, dict[str, Any], str]] = [
    ("look", {"handle": "seat_nonsense"}, "handle is unknown"),
    ("look", {"handle": "x" * 1_000_000}, "at most 200 characters"),
    ("look", {}, "required"),
    ("play_move", {"handle": "seat_x", "sequence": -1, "move": "1"}, "sequence"),
    ("play_move", {"handle": "seat_x", "sequence": 1, "move": "1" * 5_000}, "at most 4000 characters"),
    ("wait_for_turn", {"handle": "seat_x", "seconds": LONGEST_WAIT + 1}, "seconds"),
    ("start_table", {"game": "go", "name": "Ada"}, "GAME_NOT_FOUND"),
    ("start_table", {"game": "kreta", "name": "Ada", "seats": 9}, "BAD_OPTIONS"),
    ("start_table", {"game": "kreta", "name": "Ada", "level": "perfect"}, "INVALID_FIELD"),
    ("start_table", {"game": "kreta", "name": "{0}"}, "INVALID_FIELD"),
    ("join_table", {"table": "sessions/aaaaaaaaaaaaaaaa", "name": "Ada"}, "SESSION_NOT_FOUND"),
    ("join_table", {"table": "anything", "name": "Ada"}, "INVALID_FIELD"),
    ("explain", {"game": "kreta", "about": "zeppelin"}, "Sections of the rules of Kreta"),
    ("dance", {}, "dance"),
]


async def test_bad_arguments_are_errors_that_say_what_is_wrong(replicas: Replicas) -> None:
    async with replicas.client() as client:
        for tool, arguments, word in BAD_ARGUMENTS:
            refusal = await Agent(client).refused(tool, **arguments)
            assert word in refusal
            assert len(refusal) < 2_000


async def test_events_since_a_sequence_and_pages_of_moves(replicas: Replicas) -> None:
    async with replicas.client() as client:
        agent = Agent(client)
        await agent.sit("start_table", game="kreta", name="Ada")
        assert (await agent.seat("look", since=agent.look["sequence"]))["events"] == []
        everything = await agent.seat("look", since=0)
        assert "The game begins." in everything["events"]
        assert everything["event_count"] == len(everything["events"])
        beyond = await agent.seat("look", page=2)
        assert beyond["legal_moves"] == []
        assert beyond["legal_move_count"] == 5
        ahead = await agent.refused("look", handle=agent.handle, since=10_000)
        assert "SEQUENCE_AHEAD" in ahead


async def test_a_look_says_how_many_events_it_leaves_out(replicas: Replicas) -> None:
    async with replicas.client() as client:
        agent = Agent(client)
        await agent.sit("start_table", game="kreta", name="Ada")
        seen = agent.look["event_count"]
        while agent.look["state"] == "playing":
            await agent.move()
            seen += agent.look["event_count"]
        everything = await agent.seat("look", since=0)
        assert everything["event_count"] == seen > len(everything["events"]) == MAX_EVENTS
        assert f"The newest {MAX_EVENTS} of {seen} events:" in agent.received[-1]


async def test_who_leaves_hands_the_seat_to_a_bot(replicas: Replicas) -> None:
    async with replicas.client() as client:
        agent = Agent(client)
        await agent.sit("start_table", game="kreta", name="Ada")
        await agent.seat("leave_table")
        await agent.seat("leave_table")
        refusal = await agent.refused("play_move", handle=agent.handle, sequence=agent.look["sequence"], move="1")
        assert "A substitute plays your seat." in refusal or "The game is over." in refusal


async def test_the_result_of_leaving_is_the_table_afterwards(replicas: Replicas) -> None:
    async with replicas.client() as client:
        ada, bob = Agent(client), Agent(client)
        await ada.sit("start_table", game="kreta", name="Ada", opponents="players")
        await bob.sit("join_table", table=ada.look["table"], name="Bob")
        left = await ada.seat("leave_table")
        seen = await bob.seat("look")
        assert {key: left[key] for key in ("sequence", "state", "to_act")} == {
            key: seen[key] for key in ("sequence", "state", "to_act")
        }
        assert not left["your_turn"]
        await bob.sit("start_table", game="kreta", name="Bob", opponents="players")
        sequence = bob.look["sequence"]
        assert (await bob.seat("leave_table"))["sequence"] == sequence + 1
        assert "TOKEN_INVALID" in await bob.refused("leave_table", handle=bob.handle)


async def test_the_tools_are_few_and_say_what_they_change(replicas: Replicas) -> None:
    async with replicas.client() as client:
        tools = (await client.list_tools()).tools
        assert len(tools) <= 8
        assert all(tool.output_schema and tool.description for tool in tools)
        hints = {tool.name: tool.annotations for tool in tools}
        assert {name for name, hint in hints.items() if hint and hint.read_only_hint} == {
            "list_games", "look", "wait_for_turn", "explain",
        }  # fmt: skip
        assert {name for name, hint in hints.items() if hint and hint.idempotent_hint} == {
            "list_games", "look", "wait_for_turn", "explain", "play_move",
        }  # fmt: skip
        (book,) = (await client.read_resource("skerry://rules/kreta")).contents
        assert isinstance(book, TextResourceContents)
        assert "KRETA-TURN-1" in book.text
        with pytest.raises(MCPError, match="GAME_NOT_FOUND"):
            await client.read_resource("skerry://rules/go")
