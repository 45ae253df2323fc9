"""The description says of every call why it can be refused: what happens here is listed, and what is listed happens.

What takes a broken store, another build or a crowd of callers is provoked by other tests; those reasons are named here.
"""

from __future__ import annotations

from typing import Any

import pytest

from skerry.v1.errors_pb2 import ErrorReason
from skerry_service.domain.limits import SessionLimits
from skerry_service.edge.rest.openapi.document import describe_services
from skerry_service.edge.rest.openapi.operations import path_of
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.wire import SERVICE, sit_down
from tests.rest.reason_scene import Scene, scene_of
from tests.rest.web import ROUTES, Web, events, served

pytestmark = pytest.mark.asyncio(loop_scope="module")

DESCRIPTION = describe_services(SERVICE)
ELSEWHERE = {
    "API_KEY_INVALID",
    "API_KEY_MISSING",
    "API_KEY_SCOPE",
    "BANNED",
    "IDENTITY_INVALID",
    "IDENTITY_UNAVAILABLE",
    "INTERNAL",
    "LIMIT_REACHED",
    "RULESET_UNSUPPORTED",
    "SESSION_DAMAGED",
    "SHUTTING_DOWN",
    "STORE_FULL",
    "STORE_UNAVAILABLE",
    "WRONG_CELL",
}
RARE = {
    "StartSession": {"BAD_OPTIONS"},
    "Act": {"TIME_UP"},
    "UndoMove": {"TIME_UP", "REQUEST_ID_REUSED", "STALE_SEQUENCE"},
    "ReturnToSession": {"TIME_UP"},
    "RematchSession": {"BAD_OPTIONS"},
    "RecoverSeat": {"NOT_ALLOWED", "GAME_OVER", "REQUEST_ID_REUSED"},
}
"""Options that fit all seats and not those that are left, or that are of a former ruleset; a move in the moment before
the flag falls; a return during a turn whose time is up; what only a caller with an identity token meets."""
NOWHERE = "sessions/aaaaaaaaaaaaaaaa"
AGAIN = "f47ac10b-58cc-4372-a567-0e02b2c3d479"


def listed(rpc: str) -> dict[str, set[str]]:
    """Return the reasons of an operation, by status."""
    described = DESCRIPTION["paths"][path_of(ROUTES[rpc])][ROUTES[rpc].verb.lower()]["responses"]
    return {status: set(one["x-reasons"]) for status, one in described.items() if "x-reasons" in one}


Case = tuple[str, str, Any, str | None]
"""RPC, what follows ``/v1/``, body, token."""


def of_reading(scene: Scene) -> list[Case]:
    return [
        ("GetGame", "games/chess", None, None),
        ("GetGame", "games/kreta?edition=unknown", None, None),
        ("GetHowToPlay", "games/chess:howToPlay", None, None),
        ("GetHowToPlay", "games/kreta:howToPlay?edition=unknown", None, None),
        ("ListSessions", "sessions?game=chess", None, None),
        ("ListOpenTables", "sessions:openTables?game=chess", None, None),
        ("ListSessions", "sessions?mine=true", None, None),
        *((rpc, f"{NOWHERE}{tail}", None, None) for rpc, tail in (("GetSession", ""), *LOGS)),
        *((rpc, f"{scene.invited.name}{tail}", None, None) for rpc, tail in LOGS),
        *((rpc, f"{scene.hidden.name}{tail}", None, scene.hidden.host) for rpc, tail in LOGS),
        ("Observe", f"{scene.playing.name}:observe?afterSequence=999", None, None),
        ("GetSession", f"{scene.playing.name}?sequence=999", None, None),
        ("GetSession", f"{scene.playing.name}?sequence=1", None, None),
    ]


LOGS = (("Observe", ":observe"), ("GetReplay", "/replay"), ("GetSession", "?sequence=1"))
"""What shows the past of a session."""


def of_the_lobby(scene: Scene) -> list[Case]:
    playing, lobby, half = scene.playing, scene.lobby, scene.half
    kreta: dict[str, Any] = {"game": "kreta", "requestId": AGAIN}
    return [
        ("CreateSession", "sessions", {"game": "chess", "seats": [{}]}, None),
        ("CreateSession", "sessions", {"game": "kreta", "seats": [{}] * 9}, None),
        *(("CreateSession", "sessions", kreta | {"seats": [{}] * seats}, None) for seats in (2, 3)),
        ("JoinSession", f"{NOWHERE}:join", {"displayName": "Eve"}, None),
        ("JoinSession", f"{playing.name}:join", {"displayName": "Eve"}, None),
        ("JoinSession", f"{half.name}:join", {"displayName": "Eve", "seat": 0}, None),
        ("JoinSession", f"{half.name}:join", {"displayName": "Ada"}, None),
        ("JoinSession", f"{half.name}:join", {"displayName": "Eve", "botToken": "skerry_bot_" + 26 * "a"}, None),
        *(("JoinSession", f"{lobby.name}:join", {"displayName": n, "requestId": AGAIN}, None) for n in ("Eve", "Fay")),
        ("JoinSession", f"{scene.closed.name}:join", {"displayName": "Eve"}, None),
        ("JoinSession", f"{scene.cancelled.name}:join", {"displayName": "Eve"}, None),
        ("StartSession", f"{scene.cancelled.name}:start", {}, scene.cancelled.host),
        ("StartSession", f"{NOWHERE}:start", {}, lobby.host),
        ("StartSession", f"{playing.name}:start", {}, playing.host),
        ("StartSession", f"{half.name}:start", {}, half.host),
        ("StartSession", f"{scene.awaited.name}:start", {}, scene.awaited.host),
        ("StartSession", f"{half.name}:start", {}, None),
        ("StartSession", f"{playing.name}:start", {}, scene.token),
        ("StartSession", f"{half.name}:start", {"fillWithBots": True, "requestId": AGAIN}, half.host),
        ("StartSession", f"{half.name}:start", {"requestId": AGAIN}, half.host),
    ]


def of_removals(scene: Scene) -> list[Case]:
    lobby, half = scene.awaited, scene.half
    return [
        ("RemovePlayer", f"{NOWHERE}:remove", {"seat": 0}, lobby.host),
        ("RemovePlayer", f"{scene.cancelled.name}:remove", {"seat": 0}, scene.cancelled.host),
        ("RemovePlayer", f"{lobby.name}:remove", {"seat": 0}, None),
        ("RemovePlayer", f"{half.name}:remove", {"seat": 0}, half.seats[0]),
        ("RemovePlayer", f"{lobby.name}:remove", {"seat": 2}, lobby.host),
        ("RemovePlayer", f"{scene.playing.name}:remove", {"seat": 0}, scene.playing.host),
        *(("RemovePlayer", f"{lobby.name}:remove", {"seat": x, "requestId": AGAIN}, lobby.host) for x in (0, 1)),
    ]


def of_going(scene: Scene) -> list[Case]:
    playing, half, over, left = scene.playing, scene.half, scene.over, scene.left
    own: list[Case] = []
    for rpc, verb in (("ReturnToSession", "return"), ("ResignSession", "resign")):
        own += [
            (rpc, f"{NOWHERE}:{verb}", {}, scene.token),
            (rpc, f"{playing.name}:{verb}", {}, None),
            (rpc, f"{playing.name}:{verb}", {}, playing.host),
            (rpc, f"{half.name}:{verb}", {}, half.seats[0]),
            (rpc, f"{over.name}:{verb}", {}, over.seats[0]),
        ]
    return [
        ("LabelSession", f"{left.name}:label", {"requestId": AGAIN}, left.host),
        ("Act", f"{left.name}:act", {"move": scene.move, "expectedSequence": "1"}, left.seats[0]),
        ("LeaveSession", f"{left.name}:leave", {}, left.seats[0]),
        ("OpenSeat", f"{left.name}:open", {"seat": 0, "requestId": AGAIN}, left.host),
        ("CancelSession", f"{left.name}:cancel", {"requestId": AGAIN}, left.host),
        ("LeaveSession", f"{left.name}:leave", {"requestId": AGAIN}, left.seats[2]),
        ("ReturnToSession", f"{left.name}:return", {"requestId": AGAIN}, left.seats[2]),
        ("ResignSession", f"{left.name}:resign", {"requestId": AGAIN}, left.seats[2]),
        ("ResignSession", f"{left.name}:resign", {}, left.seats[2]),
        ("OpenSeat", f"{NOWHERE}:open", {"seat": 0}, left.host),
        ("OpenSeat", f"{left.name}:open", {"seat": 0}, None),
        ("RecoverSeat", f"{NOWHERE}:recover", {}, None),
        ("RecoverSeat", f"{left.name}:recover", {}, left.seats[1]),
        ("OpenSeat", f"{left.name}:open", {"seat": 0}, left.seats[1]),
        ("OpenSeat", f"{left.name}:open", {"seat": 1}, left.host),
        ("OpenSeat", f"{half.name}:open", {"seat": 0}, half.host),
        ("OpenSeat", f"{over.name}:open", {"seat": 0}, over.host),
        ("CancelSession", f"{NOWHERE}:cancel", {}, left.host),
        ("CancelSession", f"{left.name}:cancel", {}, None),
        ("CancelSession", f"{left.name}:cancel", {}, left.seats[1]),
        ("CancelSession", f"{left.name}:cancel", {}, left.host),
        ("CancelSession", f"{over.name}:cancel", {}, over.host),
        *own,
    ]


def of_labels(scene: Scene) -> list[Case]:
    lobby, over = scene.lobby, scene.over
    return [
        ("LabelSession", f"{NOWHERE}:label", {}, lobby.host),
        ("LabelSession", f"{lobby.name}:label", {}, None),
        ("LabelSession", f"{scene.playing.name}:label", {}, scene.token),
        ("LabelSession", f"{over.name}:label", {}, over.host),
        *(("LabelSession", f"{lobby.name}:label", {"labels": {x: "1"}, "requestId": AGAIN}, lobby.host) for x in "ab"),
    ]


def of_playing_again(scene: Scene) -> list[Case]:
    playing, over, last = scene.playing, scene.over, scene.last
    fork = {"sequence": "4", "seats": [{}, {}]}
    return [
        ("RematchSession", f"{NOWHERE}:rematch", {}, over.seats[0]),
        ("RematchSession", f"{over.name}:rematch", {}, None),
        ("RematchSession", f"{over.name}:rematch", {}, over.host),
        ("RematchSession", f"{playing.name}:rematch", {}, scene.token),
        ("ForkSession", f"{NOWHERE}:fork", fork, None),
        ("ForkSession", f"{playing.name}:fork", fork, None),
        ("ForkSession", f"{scene.hidden.name}:fork", fork, scene.hidden.host),
        ("ForkSession", f"{scene.invited.name}:fork", fork, None),
        *(("ForkSession", f"{over.name}:fork", fork | {"sequence": at}, None) for at in ("1", last, "99999")),
        *(("ForkSession", f"{over.name}:fork", fork | {"sequence": at, "requestId": AGAIN}, None) for at in "45"),
    ]


async def of_rematches(web: Web) -> list[Case]:
    """Return calls for the rematches of two sessions: one that began without the caller, one that was cancelled."""
    cases: list[Case] = []
    for verb, body in (("start", {"fillWithBots": True}), ("cancel", {})):
        sitting = await sit_down(web.api)
        await web.call("POST", f"/v1/{sitting.name}:resign", {}, sitting.seats[0])
        made = (await web.call("POST", f"/v1/{sitting.name}:rematch", {}, sitting.seats[0])).json
        await web.call("POST", f"/v1/{made['session']['name']}:{verb}", body, made["hostToken"])
        cases.append(("RematchSession", f"{sitting.name}:rematch", {}, sitting.seats[1]))
    return cases


def of_samples(scene: Scene) -> list[Case]:
    return [
        ("SampleStates", f"{NOWHERE}:sampleStates", None, scene.token),
        ("SampleStates", f"{scene.playing.name}:sampleStates", None, None),
        ("SampleStates", f"{scene.playing.name}:sampleStates", None, scene.playing.host),
        ("SampleStates", f"{scene.half.name}:sampleStates", None, scene.half.seats[0]),
        ("SampleStates", f"{scene.over.name}:sampleStates", None, scene.over.seats[0]),
        ("GetAnalysis", f"{NOWHERE}/analysis", None, None),
        ("GetAnalysis", f"{scene.playing.name}/analysis", None, None),
        ("GetAnalysis", f"{scene.over.name}/analysis", None, None),
        ("GetAnalysis", f"{scene.invited.name}/analysis", None, None),
        ("GetAnalysis", f"{scene.hidden.name}/analysis", None, None),
        ("GetHint", f"{NOWHERE}/hint", None, scene.token),
        ("GetHint", f"{scene.playing.name}/hint", None, None),
        ("GetHint", f"{scene.playing.name}/hint", None, scene.token),
        ("GetHint", f"{scene.playing.name}/hint", None, scene.other),
        ("GetHint", f"{scene.half.name}/hint", None, scene.half.seats[0]),
        ("GetHint", f"{scene.over.name}/hint", None, scene.over.seats[0]),
        *(("GetHint", f"{scene.left.name}/hint", None, scene.left.seats[seat]) for seat in (0, 2)),
    ]


def of_play(scene: Scene) -> list[Case]:
    name, token, act = scene.playing.name, scene.token, {"move": scene.move, "expectedSequence": scene.now}
    return [
        ("Act", f"{NOWHERE}:act", act, token),
        ("Act", f"{name}:act", act, None),
        ("Act", f"{name}:act", act, scene.playing.host),
        ("Act", f"{name}:act", act, scene.other),
        ("Act", f"{name}:act", act | {"move": {}}, token),
        ("Act", f"{name}:act", act | {"move": {"kreta": {"halt": {}}}}, token),
        ("Act", f"{name}:act", act | {"expectedSequence": "1"}, token),
        ("Act", f"{name}:act", act | {"expectedSequence": "999"}, token),
        ("Act", f"{scene.over.name}:act", act, scene.over.seats[0]),
        ("Act", f"{scene.half.name}:act", act, scene.half.seats[0]),
        ("Act", f"{name}:act", act | {"requestId": AGAIN}, token),
        ("Act", f"{name}:act", act | {"requestId": AGAIN, "expectedSequence": "1"}, token),
        ("LeaveSession", f"{NOWHERE}:leave", {}, token),
        ("LeaveSession", f"{name}:leave", {}, None),
        ("LeaveSession", f"{name}:leave", {}, scene.playing.host),
        ("LeaveSession", f"{scene.over.name}:leave", {}, scene.over.seats[0]),
        ("LeaveSession", f"{name}:leave", {"requestId": AGAIN}, token),
    ]


def of_nudges(scene: Scene) -> list[Case]:
    """Return calls after those of ``of_play``, which have used a request id."""
    playing, half, over, left = scene.playing, scene.half, scene.over, scene.left
    return [
        ("NudgeSeat", f"{NOWHERE}:nudge", {"seat": 0}, scene.token),
        ("NudgeSeat", f"{playing.name}:nudge", {"seat": 0}, None),
        ("NudgeSeat", f"{playing.name}:nudge", {"seat": 0}, playing.host),
        *(("NudgeSeat", f"{playing.name}:nudge", {"seat": 1 - by}, playing.seats[by]) for by in (0, 1)),
        ("NudgeSeat", f"{playing.name}:nudge", {"seat": 0, "requestId": AGAIN}, scene.token),
        ("NudgeSeat", f"{half.name}:nudge", {"seat": 1}, half.seats[0]),
        ("NudgeSeat", f"{over.name}:nudge", {"seat": 1}, over.seats[0]),
        ("NudgeSeat", f"{left.name}:nudge", {"seat": 1}, left.seats[0]),
        ("NudgeSeat", f"{left.name}:nudge", {"seat": 0}, left.seats[1]),
    ]


def of_emotes(scene: Scene) -> list[Case]:
    name, hello, over = scene.playing.name, {"emote": "EMOTE_HELLO"}, scene.over
    return [
        ("SendEmote", f"{NOWHERE}:emote", hello, scene.token),
        ("SendEmote", f"{name}:emote", hello, None),
        ("SendEmote", f"{name}:emote", hello, scene.playing.host),
        ("SendEmote", f"{name}:emote", {}, scene.token),
        *[("SendEmote", f"{name}:emote", hello, scene.token)] * 2,
        ("SendEmote", f"{name}:emote", hello | {"requestId": AGAIN}, scene.token),
        ("SendEmote", f"{scene.half.name}:emote", {"emote": "EMOTE_GOOD_GAME"}, scene.half.seats[0]),
        ("SendEmote", f"{over.name}:emote", hello, over.seats[0]),
        ("SendEmote", f"{scene.left.name}:emote", hello, scene.left.seats[0]),
    ]


def of_undo(scene: Scene) -> list[Case]:
    name, undo = scene.playing.name, {"expectedSequence": scene.now}
    return [
        ("UndoMove", f"{NOWHERE}:undo", undo, scene.token),
        ("UndoMove", f"{name}:undo", undo, None),
        ("UndoMove", f"{name}:undo", undo, scene.playing.host),
        ("UndoMove", f"{name}:undo", undo, scene.token),
        ("UndoMove", f"{name}:undo", {"expectedSequence": "999"}, scene.token),
        ("UndoMove", f"{name}:undo", undo | {"requestId": AGAIN}, scene.token),
        ("UndoMove", f"{scene.half.name}:undo", {"expectedSequence": 1}, scene.half.seats[0]),
        ("UndoMove", f"{scene.over.name}:undo", undo, scene.over.seats[0]),
        ("UndoMove", f"{scene.left.name}:undo", {"expectedSequence": 1}, scene.left.seats[0]),
    ]


def of_webhooks(scene: Scene) -> list[Case]:
    playing, over, hook = scene.playing, scene.over, {"url": "http://127.0.0.1:9/hook"}
    return [
        ("SetWebhook", f"{NOWHERE}:setWebhook", hook, scene.token),
        ("SetWebhook", f"{playing.name}:setWebhook", hook, None),
        ("SetWebhook", f"{playing.name}:setWebhook", hook, playing.spectator),
        ("SetWebhook", f"{over.name}:setWebhook", hook, over.host),
        *(("SetWebhook", f"{playing.name}:setWebhook", one | {"requestId": AGAIN}, playing.host) for one in (hook, {})),
    ]


def everywhere(scene: Scene) -> list[Case]:
    """Return calls of every RPC that are wrong in themselves."""
    found: list[Case] = []
    for rpc, route in ROUTES.items():
        path = path_of(route).removeprefix("/v1/").replace("{game}", "kreta")
        path = path.replace("sessions/{session}", scene.playing.name)
        body: Any = {} if route.body else None
        found.append((rpc, path, body, ""))
        found.append((rpc, path, {"noSuchField": 1}, None) if route.body else (rpc, f"{path}?no=1", None, None))
        found.append((rpc, path, b"[", None))
    return found


async def test_every_reason_is_listed_where_it_occurs_and_occurs_where_it_is_listed(web: Web) -> None:
    scene, seen = await scene_of(web), dict[str, set[str]]()
    known = [
        *of_going(scene),
        *of_reading(scene),
        *of_samples(scene),
        *of_play(scene),
        *of_undo(scene),
        *of_emotes(scene),
        *of_nudges(scene),
        *of_webhooks(scene),
        *of_labels(scene),
        *of_the_lobby(scene),
        *of_removals(scene),
        *of_playing_again(scene),
        *await of_rematches(web),
    ]
    for rpc, path, body, token in [*everywhere(scene), *known]:
        headers = {"authorization": "nonsense"} if token == "" else None
        answer = await web.call(ROUTES[rpc].verb, f"/v1/{path}", body, token, headers)
        if answer.status >= 400:
            assert answer.reason in listed(rpc)[str(answer.status)], (rpc, path, answer.reason)
            seen.setdefault(rpc, set()).add(answer.reason)
    for rpc in {rpc for rpc, *_ in known}:
        missing = set.union(*listed(rpc).values()) - seen[rpc] - ELSEWHERE - RARE.get(rpc, set())
        assert {reason for reason in missing if not reason.startswith("HTTP_")} == set(), rpc


async def test_too_many_streams_are_listed(valkey: EmbeddedServer) -> None:
    async with served(valkey, SessionLimits(spectator_streams=1)) as web:
        sitting = await sit_down(web.api)
        async with events(web, sitting.name), events(web, sitting.name) as second:
            assert second.head.status == 429
            assert second.head.reason in listed("Observe")["429"]


async def test_every_reason_stands_somewhere() -> None:
    anywhere = set.union(*(reasons for rpc in ROUTES for reasons in listed(rpc).values()))
    elsewhere = {"UNSPECIFIED", "BAN_NOT_FOUND", "REPLICA_NOT_FOUND"}  # no RPC of REST has it
    declared = {name.removeprefix("ERROR_REASON_") for name in ErrorReason.keys()} - elsewhere  # noqa: SIM118
    assert {reason for reason in anywhere if not reason.startswith("HTTP_")} == declared, (
        "the comment of an RPC names the reasons that it has of its own"
    )
