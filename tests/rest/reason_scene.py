"""Sessions in every state, for the calls that are refused there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from skerry.games.kreta.v1.kreta_pb2 import Options
from skerry.v1 import session_pb2
from skerry.v1.payload_pb2 import GameOptions
from tests.api.wire import OPEN, Sitting, create, play_out, sit_down, turn
from tests.rest.web import Web


@dataclass
class Scene:
    """Sessions in every state.

    Of two seats one is taken in ``half``; the last of three, who is to begin, is missing in ``awaited``; ``token`` is
    to act in ``playing``.
    """

    lobby: Sitting
    half: Sitting
    awaited: Sitting
    closed: Sitting
    hidden: Sitting
    invited: Sitting
    playing: Sitting
    over: Sitting
    left: Sitting
    cancelled: Sitting
    token: str
    other: str
    last: str
    now: str
    move: Any


async def scene_of(web: Web) -> Scene:
    """Create the sessions of a scene."""
    playing, over = await sit_down(web.api), await sit_down(web.api)
    last = await play_out(web.api, over)
    half = await create(web.api, OPEN, OPEN)
    half.seats.append((await web.call("POST", f"/v1/{half.name}:join", {"displayName": "Ada"})).json["seatToken"])
    awaited = await create(web.api, OPEN, OPEN, OPEN, options=GameOptions(kreta=Options(start_seat=2)))
    for name in ("Ada", "Bob"):
        await web.call("POST", f"/v1/{awaited.name}:join", {"displayName": name})
    left = await sit_down(web.api, 3)
    await web.call("POST", f"/v1/{left.name}:leave", {}, left.seats[0])
    cancelled = await create(web.api, OPEN, OPEN)
    await web.call("POST", f"/v1/{cancelled.name}:cancel", {}, cancelled.host)
    token, position = await turn(web.api, playing)
    looked = (await web.call("GET", f"/v1/{playing.name}", token=token)).json
    return Scene(
        lobby=await create(web.api, OPEN, OPEN),
        half=half,
        awaited=awaited,
        closed=await create(web.api, OPEN, OPEN, join_code_required=True),
        hidden=await create(web.api, OPEN, OPEN, spectating=session_pb2.SPECTATING_NOBODY),
        invited=await create(web.api, OPEN, OPEN, spectating=session_pb2.SPECTATING_INVITED),
        playing=playing,
        over=over,
        left=left,
        cancelled=cancelled,
        token=token,
        other=next(one for one in playing.seats if one != token),
        last=str(last),
        now=str(position.sequence),
        move=looked["position"]["legalMoves"][0],
    )
