"""ListSessions for a vouched player, over the wire: what it lists, in which order, and for nobody else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.access.identity.vouched_players import vouched_id
from skerry_service.api.requests.list_requests import write_player_cursor
from skerry_service.archive.archive import archive_at
from skerry_service.archive.mover import Mover
from skerry_service.sessions.lists.player_list import PlayerCursor, Section
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.wire import OPEN, Api, bearer, create, refused
from tests.identity.issuing import ISS, token, write_issuers
from tests.identity.test_identity_calls import identity, join, vouching
from tests.store.servers import open_store

ADA = vouched_id(ISS, "ada")
UNLISTED = session_pb2.VISIBILITY_UNLISTED
DAYS = session_pb2.Clock(correspondence=session_pb2.Correspondence(days=1))


@pytest.fixture
def issuers(tmp_path: Path) -> Path:
    return write_issuers(tmp_path / "issuers.json")


async def mine(api: Api, subject: str, **fields: object) -> pb.ListSessionsResponse:
    request = pb.ListSessionsRequest(mine=True, **fields)  # type: ignore[arg-type]
    listed: pb.ListSessionsResponse = await api.stub.ListSessions(request, metadata=identity(token(subject)))
    return listed


async def played(api: Api, **fields: Any) -> tuple[str, list[str]]:
    """Return the name of an unlisted game of Ada and Bob, and their tokens."""
    sitting = await create(api, OPEN, OPEN, visibility=UNLISTED, **fields)
    tokens = []
    for subject in ("ada", "bob"):
        joined = await join(api, sitting.name, token(subject), display_name=subject.title())
        tokens.append(joined.seat_token)
    return sitting.name, tokens


async def test_a_player_lists_the_games_that_wait_first(valkey: EmbeddedServer, issuers: Path) -> None:
    async with vouching(valkey, issuers) as api:
        lobby = await create(api, OPEN, OPEN, visibility=UNLISTED, labels={"club": "north", "season": "3"})
        await join(api, lobby.name, token("ada"), display_name="Ada")
        name, _ = await played(api, clock=DAYS, labels={"club": "north"})
        over, tokens = await played(api)
        await api.stub.ResignSession(pb.ResignSessionRequest(name=over), metadata=bearer(tokens[1]))
        listed = {subject: await mine(api, subject) for subject in ("ada", "bob")}
        assert {one.name for one in listed["ada"].sessions} == {name, lobby.name, over}
        assert {one.name for one in listed["bob"].sessions} == {name, over}
        (acting,) = {seat for one in listed["ada"].turns for seat in one.to_act}
        for number, subject in enumerate(("ada", "bob")):
            page = listed[subject]
            assert page.waiting == int(number == acting)
            assert page.sessions[0].name == name or not page.waiting
            assert page.sessions[-1].name == over
            assert len(page.turns) == len(page.sessions)
            turn_of = dict(zip((one.name for one in page.sessions), page.turns, strict=True))
            assert (turn_of[name].seat, turn_of[name].waits) == (number, number == acting)
            assert turn_of[name].clocks.seats[acting].deadline_ms > turn_of[name].clocks.server_time_ms
            assert turn_of[name].HasField("change_time")
            assert not turn_of[over].to_act and not turn_of[over].waits
        assert listed["ada"].sessions[0].seats[0].player_id == ADA
        found = await mine(api, "ada", labels=["season", "club=north"])
        assert [one.name for one in found.sessions] == [lobby.name]
        assert {one.name for one in (await mine(api, "ada", label="club")).sessions} == {name, lobby.name}
        ended = await mine(api, "ada", state=session_pb2.SESSION_STATE_FINISHED)
        assert [one.name for one in ended.sessions] == [over]
        names, after = [], ""
        while True:
            page = await mine(api, "ada", page_size=1, page_token=after)
            names += [one.name for one in page.sessions]
            if not (after := page.next_page_token):
                break
        # A game that changed within the last seconds can come again.
        assert list(dict.fromkeys(names)) == [one.name for one in listed["ada"].sessions]


async def test_nobody_else_lists_them(valkey: EmbeddedServer, issuers: Path) -> None:
    async with vouching(valkey, issuers) as api:
        name, tokens = await played(api)
        assert not (await mine(api, "cyd")).sessions
        for metadata in ((), bearer(tokens[0])):
            with refused("UNAUTHENTICATED", "IDENTITY_MISSING"):
                await api.stub.ListSessions(pb.ListSessionsRequest(mine=True), metadata=metadata)
        public = await api.stub.ListSessions(pb.ListSessionsRequest(), metadata=identity(token("ada")))
        assert name not in {one.name for one in public.sessions}
        for bad in ("x", "W10=", "A" * 300):
            with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="page_token"):
                await mine(api, "ada", page_token=bad)


@pytest.mark.parametrize(
    ("section", "after"),
    [(Section.WAITING, ()), (Section.WAITING, (1,)), (Section.WAITING, (1, 2, 3)), (Section.OPEN, (1, 2))],
)
async def test_a_changed_page_token_is_rejected(
    valkey: EmbeddedServer, issuers: Path, section: Section, after: tuple[int, ...]
) -> None:
    async with vouching(valkey, issuers) as api:
        await played(api)
        for subject in ("ada", "bob"):  # one of them is to act
            sent = write_player_cursor(PlayerCursor(section, 0, None, after, "x"))
            with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="page_token"):
                await mine(api, subject, page_token=sent)


async def test_public_lists_have_turns_where_spectators_have_them(valkey: EmbeddedServer, issuers: Path) -> None:
    async with vouching(valkey, issuers) as api:
        kinds: dict[str, dict[str, Any]] = {
            "open": {},
            "delayed": {"delay": session_pb2.SpectatorDelay(entries=2)},
            "closed": {"spectating": session_pb2.SPECTATING_NOBODY},
        }
        names = {}
        for kind, fields in kinds.items():
            sitting = await create(api, OPEN, OPEN, labels={"kind": kind, "all": "yes"}, **fields)
            for player in ("Ada", "Bob"):
                await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name=player))
            names[sitting.name] = kind
        request = pb.ListSessionsRequest(labels=["all"], include_turns=True)
        page = await api.stub.ListSessions(request)
        shown = {names[one.name]: len(each.to_act) for one, each in zip(page.sessions, page.turns, strict=True)}
        assert shown == {"open": 1, "delayed": 0, "closed": 0}
        assert not (await api.stub.ListSessions(pb.ListSessionsRequest(labels=["all"]))).turns
        page = await api.stub.ListSessions(pb.ListSessionsRequest(labels=["all", "kind=closed"]))
        assert [names[one.name] for one in page.sessions] == ["closed"]
        for labels in (["x"] * 9, ["Bad Key"]):
            with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="labels"):
                await api.stub.ListSessions(pb.ListSessionsRequest(labels=labels))


async def test_archived_games_stay_listed(valkey: EmbeddedServer, issuers: Path, tmp_path: Path) -> None:
    archive = str(tmp_path / "archive")
    async with vouching(valkey, issuers, archive=archive) as api:
        name, tokens = await played(api)
        await api.stub.ResignSession(pb.ResignSessionRequest(name=name), metadata=bearer(tokens[1]))
        async with open_store(valkey) as store:
            assert await Mover(store, archive_at(archive), 0).move(name.removeprefix("sessions/"))
        for subject in ("ada", "bob"):
            page = await mine(api, subject)
            assert [one.name for one in page.sessions] == [name]
            assert page.sessions[0].outcome.reason == "Bob resigned."
