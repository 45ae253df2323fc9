"""What operators do: bans that are malformed, repeated and raced for, their number, and the audit log."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import MessageToJson

from skerry.admin.v1 import admin_pb2 as admin
from skerry.v1 import service_pb2 as pb
from skerry_service.access.bans.ban_subjects import banned_address
from skerry_service.domain.bans.ban import MOST_BANS, Ban, BannedKind, BanSubject
from skerry_service.domain.errors import SkerryError
from skerry_service.domain.log import pack
from skerry_service.edge.admin.admin_methods import ADMIN_SERVICE
from skerry_service.edge.admin.operator_audit import AuditedMethods
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.resources import audit_log
from skerry_service.sessions.resources.audit_log import AuditLog, OperatorAction
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.wire import OPEN, create, refused
from tests.bans.guarded_servers import Guarded, at, comes_to, guarded
from tests.store.servers import ask

ENTRIES = redis_keys.resource_part("bans", "entries")


MALFORMED: list[tuple[str, dict[str, Any]]] = [
    ("subject", {}),
    *(
        ("address", {"address": text})
        for text in (
            "", "nowhere", "198.51.100.256", "198.51.100.7/33", "0.0.0.0/0", "10.0.0.0/7", "::/0", "2001::/15",
            "2001:db8::1/65", "fe80::1%eth0", "198.51.100.7\n", "\uff1198.51.100.7", "1" * 60_000,
        )
    ),
    *(("key", {"key": text}) for text in ("", "Backend", "-a", "a" * 33, "skerry_key_a_b")),
    *(("player_id", {"player_id": text}) for text in ("", "a b", "a" * 60_000, "a\x00")),
    *(("reason", {"key": "a", "reason": text}) for text in ("", " ", "a" * 201, "a\nb", " a")),
    *(("duration", {"key": "a", "seconds": number}) for number in (0, -1, 366 * 86_400 + 1, 2**37)),
]  # fmt: skip


async def test_a_malformed_ban_is_refused_and_bans_nobody(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with guarded(valkey) as server:
        for field, wrong in MALFORMED:
            with refused("INVALID_ARGUMENT", "INVALID_FIELD", field=field):
                await server.ban(**wrong)
        assert await server.bans() == []


async def test_a_fraction_of_a_second_and_unknown_names_and_pages_are_refused(valkey: EmbeddedServer) -> None:
    async with guarded(valkey) as server:
        request = admin.CreateBanRequest(key="a", reason="Spam.")
        request.duration.FromMilliseconds(1_500)
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="duration"):
            await server.operators.CreateBan(request)
        for name in ("", "ban", "bots/a"):
            with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="name"):
                await server.operators.LiftBan(admin.LiftBanRequest(name=name))
        for name in ("bans/", "bans/x", f"bans/{'0' * 20}", f"bans/{'0' * 60_000}"):
            with refused("NOT_FOUND", "BAN_NOT_FOUND"):
                await server.operators.LiftBan(admin.LiftBanRequest(name=name))
        for wrong in ({"page_size": -1}, {"page_size": 1001}, {"page_token": "x"}, {"page_token": "9" * 100}):
            for call, page in (
                (server.operators.ListBans, admin.ListBansRequest),
                (server.operators.ListAuditEntries, admin.ListAuditEntriesRequest),
            ):
                with refused("INVALID_ARGUMENT", "INVALID_FIELD", field=next(iter(wrong))):
                    await call(page(**wrong))  # type: ignore[arg-type]


async def test_two_bans_of_one_subject_are_one_and_a_ban_is_lifted_once(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with guarded(valkey) as one, guarded(valkey) as other:
        texts = ("198.51.100.7", "198.51.100.7/32", "::ffff:198.51.100.7")
        made = await asyncio.gather(
            *(server.ban(600 + at, address=text) for at, text in enumerate(texts) for server in (one, other))
        )
        assert len({ban.name for ban in made}) == 1
        (ban,) = await one.bans()
        last = await other.ban(60, "Calmer.", address="198.51.100.7")
        (ban,) = await one.bans()
        assert (ban.reason, ban.duration.seconds, ban.name) == ("Calmer.", 60, last.name)
        assert 50 <= ban.remaining.seconds <= 60
        lifted = await asyncio.gather(one.lift(ban), other.lift(ban), return_exceptions=True)
        assert any(isinstance(answer, admin.Ban) for answer in lifted)
        with refused("NOT_FOUND", "BAN_NOT_FOUND", ban=ban.name.removeprefix("bans/")):
            await one.lift(ban)
        await comes_to("", lambda: one.api.stub.ListGames(pb.ListGamesRequest(), metadata=at("198.51.100.7")))


async def test_there_are_at_most_ten_thousand_bans_and_those_that_ended_make_room(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    words: list[bytes] = []
    for number in range(MOST_BANS):
        subject = banned_address(f"10.{number // 65_536}.{number // 256 % 256}.{number % 256}")
        ends_ms = 1 if number == 5 else 10**12
        words += [subject.ban_id.encode(), pack(Ban(subject, "Flood.", 60, ends_ms, 0, "ops"))]
    await ask(valkey, "HSET", ENTRIES, *words)
    async with guarded(valkey) as server:
        with refused("PERMISSION_DENIED", "BANNED"):
            await server.api.stub.ListGames(pb.ListGamesRequest(), metadata=at("10.0.39.15"))
        await server.api.stub.ListGames(pb.ListGamesRequest(), metadata=at("10.0.39.16"))
        await server.ban(address="10.0.0.6")  # in place of another
        first = await server.ban(address="192.0.2.1")  # in the place of the one that has ended
        with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit="bans") as refusal:
            await server.ban(address="192.0.2.2")
        assert refusal.retry_after is None
        pages, request = list[admin.Ban](), admin.ListBansRequest(page_size=1000)
        while not pages or request.page_token:
            page = await server.operators.ListBans(request)
            pages += page.bans
            request.page_token = page.next_page_token
        assert len({ban.name for ban in pages}) == len(pages) == MOST_BANS
        await server.lift(first)
        await server.ban(address="192.0.2.2")


async def test_a_damaged_ban_harms_no_other(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with guarded(valkey) as server:
        await server.ban(address="198.51.100.7")
        await ask(valkey, "HSET", ENTRIES, b"\xff", b"\xff", b"x", b"")
        for text in ("nowhere/8", "198.51.100.7/", "198.51.100.7/99", "2001:db8::/129"):
            wrong = BanSubject(BannedKind.ADDRESS, text)
            await ask(valkey, "HSET", ENTRIES, wrong.ban_id, pack(Ban(wrong, "", 1, 10**12 - 1, 0, "")))
    async with guarded(valkey) as server:
        assert "198.51.100.7/32" in [ban.address for ban in await server.bans()]
        with refused("PERMISSION_DENIED", "BANNED"):
            await server.api.stub.ListGames(pb.ListGamesRequest(), metadata=at("198.51.100.7"))


# ---------------------------------------------------------------- the audit log


async def test_each_action_of_an_operator_is_in_the_log_with_its_outcome_and_without_secrets(
    valkey: EmbeddedServer,
) -> None:
    await ask(valkey, "FLUSHALL")
    async with guarded(valkey) as one, guarded(valkey) as other:
        sitting = await create(one.api, OPEN, OPEN)
        await one.operators.EndSession(admin.EndSessionRequest(name=sitting.name))
        with refused("FAILED_PRECONDITION", "GAME_OVER"):
            await other.operators.EndSession(admin.EndSessionRequest(name=sitting.name))
        ban = await one.ban(3600, "Floods.", address="198.51.100.0/24")
        await other.lift(ban)
        player = await one.ban(player_id="secret-player")
        await one.operators.ForgetPlayer(admin.ForgetPlayerRequest(player_id="secret-player"))
        with refused("INVALID_ARGUMENT", "INVALID_FIELD"):
            await one.operators.EndSession(admin.EndSessionRequest(name="skerry_host_secret"))
        await one.operators.ListAllSessions(admin.ListAllSessionsRequest())
        found = await other.audit()
        assert [(entry.action, entry.resource, entry.outcome, entry.detail) for entry in reversed(found)] == [
            ("EndSession", sitting.name, "OK", ""),
            ("EndSession", sitting.name, "GAME_OVER", ""),
            ("CreateBan", ban.name, "OK", "198.51.100.0/24, 3600 s: Floods."),
            ("LiftBan", ban.name, "OK", "198.51.100.0/24, 3600 s: Floods."),
            ("CreateBan", player.name, "OK", "a player, 600 s: Spam."),
            ("ForgetPlayer", "", "OK", "0 sessions, 0 problems"),
            ("EndSession", "", "INVALID_FIELD", ""),
        ]
        assert {entry.operator for entry in found} == {"127.0.0.1"}
        assert not any("secret" in MessageToJson(entry) for entry in found)
        times = [entry.time.ToMilliseconds() for entry in found]
        assert times == sorted(times, reverse=True)


async def test_a_call_that_the_operator_cancels_is_in_the_log(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    audit = AuditLog(MemoryStore().resources)

    class Slow:
        async def end_session(self, request: object, token: str | None) -> None:
            await asyncio.sleep(60)

    task = asyncio.ensure_future(AuditedMethods(Slow(), audit, lambda: 7).end_session(admin.EndSessionRequest(), None))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    actions, _ = await audit.page(None, 10)
    assert [(action.action, action.outcome, action.time_ms) for action in actions] == [("EndSession", "CANCELLED", 7)]


@pytest.mark.parametrize(
    ("name", "resource"),
    [("sessions/mfzwizltmfzwizlt.eu1", "sessions/mfzwizltmfzwizlt.eu1"), ("sessions/Secret token", "")],
)
async def test_the_log_has_names_of_every_cell_and_no_other_text(name: str, resource: str) -> None:
    class Fast:
        async def end_session(self, request: object, token: str | None) -> None:
            pass

    audit = AuditLog(MemoryStore().resources)
    await AuditedMethods(Fast(), audit, lambda: 0).end_session(admin.EndSessionRequest(name=name), None)
    actions, _ = await audit.page(None, 1)
    assert [action.resource for action in actions] == [resource]


async def test_every_rpc_only_reads_or_is_in_the_log() -> None:
    class Failing:
        def __getattr__(self, name: str) -> Any:
            async def fail(request: object, token: str | None) -> None:
                raise SkerryError("no")

            return fail

    audit = AuditLog(MemoryStore().resources)
    methods, reading = AuditedMethods(Failing(), audit, lambda: 0), {"InspectSession", "GetOverview", "GetCompetitions"}
    for rpc in ADMIN_SERVICE.methods:
        name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in rpc.name)[1:]
        with pytest.raises(SkerryError):
            await getattr(methods, name)(None, None)
        actions, _ = await audit.page(None, 1)
        logged = bool(actions) and actions[0].action == rpc.name
        assert logged is not (rpc.name in reading or rpc.name.startswith("List"))


async def test_the_log_keeps_the_newest_and_its_pages_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_log, "KEPT", 20)
    audit = AuditLog(MemoryStore().resources)
    await asyncio.gather(*(audit.append(OperatorAction("ops", f"Act{number}", "", "OK", 0)) for number in range(15)))
    for number in range(15, 50):
        await audit.append(OperatorAction("ops", f"Act{number}", "", "OK", 0))
    seen, before = list[str](), None
    while True:
        actions, before = await audit.page(before, 7)
        seen += [action.action for action in actions]
        if before is None:
            break
    assert seen == [f"Act{number}" for number in reversed(range(30, 50))]


async def test_actions_at_both_replicas_at_once_are_all_in_the_log(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with guarded(valkey) as one, guarded(valkey) as other:
        servers: list[Guarded] = [one, other] * 5
        await asyncio.gather(*(server.ban(key=f"key{at}") for at, server in enumerate(servers)))
        assert len(await one.audit()) == len(await one.bans()) == len(servers)


async def test_operators_act_although_the_log_cannot_be_written(
    valkey: EmbeddedServer, caplog: pytest.LogCaptureFixture
) -> None:
    await ask(valkey, "FLUSHALL")
    async with guarded(valkey) as server:
        sitting = await create(server.api, OPEN, OPEN)
        await ask(valkey, "SET", redis_keys.resource_part("audit", "head"), "damaged")
        await server.operators.EndSession(admin.EndSessionRequest(name=sitting.name))
        assert any("the audit log has no entry of" in record.getMessage() for record in caplog.records)
        with pytest.raises(grpc.aio.AioRpcError):
            await server.audit()
