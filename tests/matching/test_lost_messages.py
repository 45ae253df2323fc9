"""Messages and news that are lost or damaged on their way: no ticket waits in vain."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import astuple, replace

from skerry_service.domain.log import pack
from skerry_service.matching.criteria import TableSetting
from skerry_service.matching.tickets import (
    CONFIRM_MS,
    Agreement,
    NewsKind,
    read_agreement,
    read_claim,
    read_message,
    read_news,
)
from skerry_service.sessions.match_port import LEASE_MS, Exchange, Received, RoundWrite
from skerry_service.sessions.service import Sessions
from tests.matching.strangers import Stranger
from tests.matching.test_matchmaker import pass_time, seats_of
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import uuid


@pytest.fixture
def damaged() -> bytes:
    return b"\x92\xc4\x01r\xa1\xff"


def lose_message(store: FaultyStore, replica: str, damage: Callable[[bytes], bytes]) -> None:
    """Damage the first message of a replica."""
    exchange, left = store.matching.exchange, [True]

    async def lossy(game: str, sent: Exchange) -> Received:
        if sent.replica == replica and sent.message and left:
            left.clear()
            sent = replace(sent, message=damage(sent.message))
        return await exchange(game, sent)

    store.matching.exchange = lossy  # type: ignore[method-assign, assignment]


def lose_news(store: FaultyStore, kind: NewsKind, replica: str) -> None:
    """Lose the first news of that kind for a replica."""
    publish, left = store.matching.publish, [True]

    async def lossy(game: str, term: bytes, write: RoundWrite) -> Sequence[tuple[int, int]] | None:
        news = read_news(write.news.get(replica, b"\x90"))
        if left and news is not None and any(one.kind is kind for one in news.items):
            left.clear()
            write = replace(write, news={name: packed for name, packed in write.news.items() if name != replica})
        return await publish(game, term, write)

    store.matching.publish = lossy  # type: ignore[method-assign]


@pytest.mark.parametrize("damage", [lambda _: b"", lambda _: b"\xc1"], ids=["lost", "damaged"])
async def test_a_replica_whose_first_message_is_lost_sends_its_tickets_again(
    store: FaultyStore, sessions: Sessions, another: Sessions, damage: Callable[[bytes], bytes]
) -> None:
    ada = await Stranger(sessions, 1).waits()
    await sessions.matchmaker.poll()
    lose_message(store, another.matchmaker._replica, damage)
    bob = await Stranger(another, 2).waits()
    await another.matchmaker.poll()
    await pass_time(store, 2000, another, sessions, another)
    await seats_of(ada, bob)


@pytest.mark.parametrize("kind", [NewsKind.PROPOSED, NewsKind.SEATED])
async def test_a_ticket_whose_news_are_lost_gets_a_seat(
    store: FaultyStore, sessions: Sessions, another: Sessions, kind: NewsKind
) -> None:
    """No later news show the gap."""
    ada = await Stranger(sessions, 1).waits()
    await sessions.matchmaker.poll()
    lose_news(store, kind, another.matchmaker._replica)
    bob = await Stranger(another, 2).waits()
    await ada.offered()
    await pass_time(store, CONFIRM_MS + LEASE_MS + 3000, sessions, another)
    if kind is NewsKind.SEATED:
        await seats_of(ada, bob)
    else:
        assert bob.updates[-1].proposal is None


def test_an_agreement_of_an_earlier_version_is_read() -> None:
    agreement = Agreement(TableSetting(2, b"", None), (), uuid(1), b"salt", share=7, applications=("app",), cell="eu1")
    assert read_agreement(pack(agreement)) == agreement
    older = replace(agreement, cell="")
    assert read_agreement(pack(astuple(agreement)[:-1])) == older
    assert read_agreement(pack(astuple(agreement)[:-2])) == replace(older, applications=())
    assert read_agreement(pack(astuple(agreement)[:-3])) == replace(older, applications=(), share=0)


def test_a_damaged_value_is_left_out_and_logged_once(damaged: bytes, caplog: pytest.LogCaptureFixture) -> None:
    for read in (read_message, read_news, read_claim, read_agreement):
        for packed in (damaged, b"", b"x", b"\x91" * 3000):
            assert read(packed) is None
    assert caplog.text.count("matchmaking (Claim) has a damaged entry") == 4
    before = len(caplog.records)
    assert read_claim(damaged) is None
    assert len(caplog.records) == before
