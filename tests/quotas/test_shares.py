"""A session uses the share of its creator's address or API key, however it is repeated, and so does its rematch.

An analysis uses that of its caller.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from functools import partial
from typing import TypeVar
from uuid import UUID

from skerry.v1 import service_pb2 as pb
from skerry_games.canarias import GAME as CANARIAS
from skerry_service.access.caller_shares import SHARES, share_of
from skerry_service.access.client_addresses import Peer
from skerry_service.access.gcra import Taken
from skerry_service.access.quotas import LimitSettings
from skerry_service.access.rate_limiter import RateLimiter
from skerry_service.api.endpoint import sessions_endpoint
from skerry_service.domain.table import BOT
from skerry_service.sessions.service import Sessions
from tests.api.wire import OPEN
from tests.matching.strangers import PATIENCE
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, begin, uuid
from tests.sessions.test_analysis import Bots

Sent = TypeVar("Sent")


class NoCounters:
    """Counters of a limiter that is off."""

    async def take(self, kind: str, rates: object) -> Taken:
        raise AssertionError("nothing is counted")


async def shares_of(*calls: tuple[str, str]) -> list[int]:
    """Create a session by each call, given its address and request id; return the share of each session."""
    sessions = Sessions(FaultyStore(), clock_ms=Clock())
    endpoint = sessions_endpoint(sessions, RateLimiter(LimitSettings(mode="off"), NoCounters(), lambda: 0))
    found = []
    for address, request_id in calls:
        asked = pb.CreateSessionRequest(game="kreta", seats=[OPEN, OPEN], request_id=request_id)
        answer = await endpoint.answer("CreateSession", partial(_sent, asked), partial(Peer, address))
        table = await sessions.live(answer.message.session.name.removeprefix("sessions/"))
        found.append(table.record.share)
    await sessions.close()
    return found


def _sent(request: Sent) -> tuple[Sent, None]:
    return request, None


async def test_sessions_of_one_address_have_one_share() -> None:
    one, two, other = await shares_of(("198.51.100.7", ""), ("198.51.100.7", ""), ("198.51.100.8", ""))
    assert one == two == share_of("198.51.100.7")
    assert other == share_of("198.51.100.8") != one


async def test_addresses_of_one_network_have_one_share() -> None:
    one, two = await shares_of(("2001:db8::1", ""), ("2001:db8::ffff:2", ""))
    assert one == two


async def test_an_analysis_uses_the_share_of_the_caller_that_asks_for_it() -> None:
    sessions = Sessions(FaultyStore(), clock_ms=Clock())
    sessions.analyses.bots = bots = Bots()
    bots.go_on.clear()
    endpoint = sessions_endpoint(sessions, RateLimiter(LimitSettings(mode="off"), NoCounters(), lambda: 0))
    sitting = await begin(sessions, CANARIAS, BOT, BOT)
    asked = pb.GetAnalysisRequest(name=f"sessions/{sitting.id}")
    call = asyncio.create_task(endpoint.answer("GetAnalysis", lambda: (asked, None), partial(Peer, "198.51.100.8")))
    await bots.was_asked.wait()
    await sessions.close()
    await asyncio.gather(call, return_exceptions=True)
    assert set(bots.shares) == {share_of("198.51.100.8")}


async def test_a_repeat_from_another_address_is_the_same_request() -> None:
    request_id = str(UUID(bytes=uuid(1)))
    assert len(set(await shares_of(("198.51.100.7", request_id), ("198.51.100.8", request_id)))) == 1


async def test_a_matched_session_has_the_share_of_a_ticket() -> None:
    sessions = Sessions(FaultyStore(), clock_ms=Clock())
    endpoint = sessions_endpoint(sessions, RateLimiter(LimitSettings(mode="off"), NoCounters(), lambda: 0))
    peer = partial(Peer, "198.51.100.7")

    async def seat_of(name: str) -> str:
        asked = pb.FindMatchRequest(game="kreta", seats=[2], display_name=name)
        async with aclosing(endpoint.messages("FindMatch", partial(_sent, asked), peer)) as updates:
            async for update in updates:
                message = update.message
                if message.HasField("session"):
                    return str(message.session.name)
                if message.HasField("proposal") and not message.heartbeat:
                    confirmed = pb.ConfirmMatchRequest(ticket=message.ticket, proposal=message.proposal.id)
                    await endpoint.answer("ConfirmMatch", partial(_sent, confirmed), peer)
        raise AssertionError("the stream ended without a seat")

    async with asyncio.timeout(PATIENCE):
        one, other = await asyncio.gather(seat_of("Ada"), seat_of("Bob"))
    assert one == other
    assert (await sessions.live(one.removeprefix("sessions/"))).record.share == share_of("198.51.100.7")
    await sessions.close()


def test_a_share_does_not_identify_an_address() -> None:
    shares = [share_of(f"10.0.{high}.{low}") for high in range(256) for low in range(256)]
    assert all(0 < share < SHARES for share in shares)
    assert len(set(shares)) < 0.7 * len(shares)
