"""Setting webhooks, the messages that a table calls for, and the URLs that are allowed."""

from __future__ import annotations

import pytest

from skerry_games.kreta import GAME as KRETA
from skerry_service.domain import webhook_events
from skerry_service.domain.errors import (
    GameOver,
    InvalidField,
    LimitReached,
    NotAllowed,
    RequestIdReused,
    SkerryError,
    TokenInvalid,
    TokenMissing,
)
from skerry_service.domain.limits import MAX_ENTRIES_BEFORE_START
from skerry_service.domain.record import Clock as PlayerClock
from skerry_service.domain.record import ClockKind, Spectating, WebhookEvent
from skerry_service.domain.seating.nudges import MIN_WAIT_MS
from skerry_service.domain.table import OPEN, Table
from skerry_service.domain.webhook_events import MAX_URL_LENGTH, Condition, WebhookMessage, receiver_of, targets_in
from skerry_service.sessions.service import Sessions
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, Sitting, begin, play_out, sit_down, stored, uuid
from tests.store.schedules import due
from tests.timers.clocks import now

URL = "https://hooks.example/x?key=abc"
ALL = tuple(WebhookEvent)


@pytest.fixture
def sessions(store: FaultyStore) -> Sessions:
    return Sessions(store, clock_ms=Clock(), webhooks=lambda host, port: (host, port) == ("hooks.example", 443))


async def hook(sessions: Sessions, sitting: Sitting, token: str | None, url: str = URL, by: int | None = None) -> str:
    made = await sessions.webhooks.set(sitting.id, token, url, ALL, None if by is None else uuid(by))
    return made[1] or ""


async def hooks(sessions: Sessions, sitting: Sitting) -> list[bool]:
    """Return who has one: the host, then the seats."""
    record = (await now(sessions, sitting)).record
    return [record.webhook is not None, *(one.webhook is not None for one in record.seats)]


async def test_seats_and_the_host_have_one_each(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    secrets = {await hook(sessions, sitting, token) for token in (sitting.host, *sitting.seats)}
    assert len(secrets) == 3
    assert all(one.startswith("whsec_") for one in secrets)
    assert await hooks(sessions, sitting) == [True, True, True]
    assert await stored(store, sitting.id) == await now(sessions, sitting)
    assert await hook(sessions, sitting, sitting.seats[0], "") == ""
    assert await hooks(sessions, sitting) == [True, False, True]


async def test_a_repeat_has_the_first_secret_and_another_request_another(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    secret = await hook(sessions, sitting, sitting.host, by=1)
    assert await hook(sessions, sitting, sitting.host, by=1) == secret
    assert await hook(sessions, sitting, sitting.host, by=2) != secret
    with pytest.raises(RequestIdReused):
        await hook(sessions, sitting, sitting.host, f"{URL}2", by=2)


async def test_the_same_request_has_another_secret_at_another_session(sessions: Sessions) -> None:
    """So a request's id does not reveal the secret: that takes the session's salt, which is never sent."""
    sittings = [await sit_down(sessions, KRETA, 2) for _ in range(2)]
    secrets = {await hook(sessions, sitting, sitting.host, by=1) for sitting in sittings}
    assert len(secrets) == 2


async def test_no_decision_becomes_stale(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    before = (await now(sessions, sitting)).open_since
    await hook(sessions, sitting, sitting.host)
    assert (await now(sessions, sitting)).open_since == before


async def test_neither_address_nor_key_are_stored_where_a_reader_of_the_session_finds_them(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    secret = await hook(sessions, sitting, sitting.seats[0])
    head = await store.load(sitting.id)
    assert head is not None
    assert secret.removeprefix("whsec_").encode() not in head.record


async def test_it_goes_with_the_token(sessions: Sessions) -> None:
    lobby = await begin(sessions, KRETA, OPEN, OPEN, OPEN)
    for name in ("Ada", "Bob"):
        lobby.seats.append((await sessions.players.join(lobby.id, name, None, None))[2])
        await hook(sessions, lobby, lobby.seats[-1])
    await sessions.players.leave(lobby.id, lobby.seats[0], None)
    assert await hooks(sessions, lobby) == [False, False, True, False]
    await sessions.host.remove(lobby.id, lobby.host, 1, None)
    assert await hooks(sessions, lobby) == [False, False, False, False]
    playing = await sit_down(sessions, KRETA, 3)
    for token in playing.seats[:2]:
        await hook(sessions, playing, token)
    for token in playing.seats[:2]:
        await sessions.players.leave(playing.id, token, None)
    assert await hooks(sessions, playing) == [False, True, True, False]
    await sessions.players.return_to_seat(playing.id, playing.seats[0], None)
    await sessions.host.open_seat(playing.id, playing.host, 1, None)
    assert await hooks(sessions, playing) == [False, True, False, False]
    await sessions.players.join(playing.id, "Eve", None, None)
    assert await hooks(sessions, playing) == [False, True, False, False]


async def test_it_moves_with_the_seat_when_seats_close_up(sessions: Sessions) -> None:
    sitting = await begin(sessions, KRETA, OPEN, OPEN, OPEN)
    tokens = [(await sessions.players.join(sitting.id, name, seat, None))[2] for seat, name in ((1, "Ada"), (2, "Bob"))]
    await hook(sessions, sitting, tokens[1])
    await sessions.host.start(sitting.id, sitting.host, False, None)
    assert await hooks(sessions, sitting) == [False, False, True]


async def test_who_may_not(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    refusals: list[tuple[str | None, type[SkerryError]]] = [
        (None, TokenMissing),
        (sitting.spectator, NotAllowed),
        ("skerry_seat_nonsense", TokenInvalid),
    ]
    for token, refusal in refusals:
        with pytest.raises(refusal):
            await hook(sessions, sitting, token)
    with pytest.raises(InvalidField):
        await hook(sessions, sitting, sitting.host, "https://other.example/")
    with pytest.raises(NotAllowed):
        await hook(Sessions(store, clock_ms=Clock()), sitting, sitting.host)
    await play_out(sessions, sitting)
    with pytest.raises(GameOver):
        await hook(sessions, sitting, sitting.host)


async def test_no_log_is_filled_with_them(sessions: Sessions) -> None:
    lobby = await begin(sessions, KRETA, OPEN, OPEN)
    for number in range(MAX_ENTRIES_BEFORE_START - 1):
        await hook(sessions, lobby, lobby.host, by=number)
    with pytest.raises(LimitReached):
        await hook(sessions, lobby, lobby.host)


async def test_a_session_without_one_is_in_no_index(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    await play_out(sessions, sitting)
    store.now_ms += 3_600_000
    assert await due(store, "deliveries") == []


# ---------------------------------------------------------------- the messages that a table calls for


def webhook_messages(table: Table) -> list[WebhookMessage]:
    """Return the messages to the host and the seats."""
    return [one for target in targets_in(table.record) for one in webhook_events.webhook_messages(table, target)]


def messages(table: Table) -> list[tuple[str, WebhookEvent, int | None]]:
    """Return each message of the table: its webhook ("host", or the URL's last letter), event and seat."""
    found = webhook_messages(table)
    return [(one.target.url.rpartition("/")[2], one.condition.event, one.condition.seat) for one in found]


async def with_webhooks(sessions: Sessions, sitting: Sitting) -> None:
    """Set a webhook for the host and for each seat, whose URLs end in "host" and in the seat's number."""
    await hook(sessions, sitting, sitting.host, "https://hooks.example/host")
    for seat, token in enumerate(sitting.seats):
        await hook(sessions, sitting, token, f"https://hooks.example/{seat}")


async def test_a_lobby_calls_for_no_message(sessions: Sessions) -> None:
    lobby = await begin(sessions, KRETA, OPEN, OPEN)
    await hook(sessions, lobby, lobby.host)
    assert messages(await now(sessions, lobby)) == []


async def test_a_turn_is_reported_to_its_seat_and_to_the_host(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    await with_webhooks(sessions, sitting)
    table = await now(sessions, sitting)
    (seat,) = table.to_act
    assert messages(table) == [("host", WebhookEvent.TURN, seat), (str(seat), WebhookEvent.TURN, seat)]
    (message, _) = webhook_messages(table)
    assert message.condition == Condition(WebhookEvent.TURN, seat, table.open_since[seat])


async def test_a_host_who_may_not_view_the_game_gets_no_turns(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2, spectating=Spectating.NOBODY)
    await with_webhooks(sessions, sitting)
    table = await now(sessions, sitting)
    (seat,) = table.to_act
    assert messages(table) == [(str(seat), WebhookEvent.TURN, seat)]


async def test_a_webhook_gets_only_the_events_that_it_names(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    await sessions.webhooks.set(sitting.id, sitting.host, URL, (WebhookEvent.END,), None)
    assert messages(await now(sessions, sitting)) == []


@pytest.mark.parametrize(
    ("grace_ms", "lead_ms"), [(19_999, None), (20_000, 5_000), (3_600_000, 900_000), (86_400_000, 3_600_000)]
)
async def test_a_deadline_is_reported_when_a_quarter_is_left_but_at_most_an_hour(
    sessions: Sessions, grace_ms: int, lead_ms: int | None
) -> None:
    sitting = await sit_down(sessions, KRETA, 2, clock=PlayerClock(ClockKind.PER_MOVE, grace_ms=grace_ms))
    await with_webhooks(sessions, sitting)
    table = await now(sessions, sitting)
    deadline = table.clocks[table.to_act[0]].deadline_ms
    due = {one.condition.due_ms for one in webhook_messages(table) if one.condition.event is WebhookEvent.DEADLINE}
    assert due == (set() if lead_ms is None or deadline is None else {deadline - lead_ms})


async def test_a_nudge_is_reported_as_long_as_its_decision_is_owed(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, KRETA, 2)
    await with_webhooks(sessions, sitting)
    (seat,) = (await now(sessions, sitting)).to_act
    store.now_ms += MIN_WAIT_MS
    other = sitting.seats[1 - seat]
    later = Sessions(store, clock_ms=lambda: 10**13)
    table = await later.players.nudge(sitting.id, other, seat, None)
    assert (str(seat), WebhookEvent.NUDGE, seat) in messages(table)
    await later.players.leave(sitting.id, sitting.seats[seat], None)
    left = messages(await later.live(sitting.id))
    assert WebhookEvent.NUDGE not in {event for _, event, _ in left}


async def test_the_end_is_reported_to_all_and_nothing_else_is(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    await with_webhooks(sessions, sitting)
    await play_out(sessions, sitting)
    table = await now(sessions, sitting)
    assert messages(table) == [(url, WebhookEvent.END, None) for url in ("host", "0", "1")]
    assert {one.condition.sequence for one in webhook_messages(table)} == {table.sequence}


async def test_a_message_keeps_its_id_until_its_condition_changes(sessions: Sessions) -> None:
    """Each webhook, seat and event has one slot, and each condition one id in it."""
    sitting = await sit_down(sessions, KRETA, 2)
    await with_webhooks(sessions, sitting)
    table = await now(sessions, sitting)
    (seat,) = table.to_act
    first = list(webhook_messages(table))
    assert first == list(webhook_messages(await now(sessions, sitting)))
    assert [one.slot for one in first] == [f"h.{seat}.1", f"{seat}.{seat}.1"]
    assert len({one.id for one in first}) == 2
    await hook(sessions, sitting, sitting.host, "https://hooks.example/host")
    again = list(webhook_messages(await now(sessions, sitting)))
    assert [one.slot for one in again] == [one.slot for one in first]
    assert again[0].id != first[0].id, "another webhook"
    assert again[1].id == first[1].id


# ---------------------------------------------------------------- receivers


@pytest.mark.parametrize(
    ("url", "host", "port", "target", "authority"),
    [
        ("https://hooks.example", "hooks.example", 443, "/", "hooks.example"),
        ("http://Hooks.Example/a?b=c", "hooks.example", 80, "/a?b=c", "hooks.example"),
        ("https://10.1.2.3:8443/", "10.1.2.3", 8443, "/", "10.1.2.3:8443"),
        ("https://[::1]:8443/x", "::1", 8443, "/x", "[::1]:8443"),
        ("https://[::1]?x", "::1", 443, "/?x", "[::1]"),
    ],
)
def test_an_address_is_taken_apart(url: str, host: str, port: int, target: str, authority: str) -> None:
    one = receiver_of(url)
    assert (one.host, one.port, one.target, one.authority) == (host, port, target, authority)


@pytest.mark.parametrize(
    "url",
    [
        "hooks.example",
        "//hooks.example",
        "ftp://hooks.example/",
        "file:///etc/passwd",
        "https://",
        "https:///x",
        "https://user@hooks.example/",
        "https://user:pass@hooks.example/",
        "https://hooks.example@evil.example/",
        "https://hooks.example\\@evil.example/",
        "https://hooks.example/#fragment",
        "https://hooks.example:0/",
        "https://hooks.example:/",
        "https://hooks.example:99999/",
        "https://hooks.example:-1/",
        "https://hooks.example:x/",
        "https://hooks .example/",
        "https://hooks.example/a b",
        "https://hooks.example/a\r\nx: y",
        "https://hooks.example/a\tb",
        "https://höoks.example/",
        "https://[::1/",
        "https://[fe80::1%25eth0]/",
        f"https://hooks.example/{'x' * MAX_URL_LENGTH}",
        "x" * 1_000_000,
    ],
)
async def test_what_is_no_address_is_refused_in_a_sentence(sessions: Sessions, url: str) -> None:
    with pytest.raises(InvalidField) as refused:
        receiver_of(url)
    assert len(str(refused.value)) < 200
    sitting = await sit_down(sessions, KRETA, 2)
    with pytest.raises(InvalidField):
        await hook(sessions, sitting, sitting.host, url)
    assert await hooks(sessions, sitting) == [False, False, False]
