"""What players and bots are called: names that show, that differ to the eye, and that are nobody else's."""

from __future__ import annotations

import asyncio
import sys

import pytest

from skerry_service.domain.errors import NameTaken, SeatTaken
from skerry_service.domain.seating.display_names import (
    is_printable,
    is_reserved_name,
    look_alike,
    starts_with_combining_mark,
)
from skerry_service.domain.table import BOT, OPEN
from skerry_service.sessions.service import Sessions
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import begin, log_of, sit_down, uuid

HEART, JOINER, STYLE = "\u2764", "\u200d", "\ufe0f"
SHOWN = (
    "Ada Lovelace",
    "Ωμέγα",
    "e\u0301",
    "ก็",
    "\U0001f3b2",
    f"Ada {HEART}{STYLE}",
    "\U0001f469\U0001f3fd\u200d\U0001f680",
    f"{HEART}{STYLE}{JOINER}\U0001f525",
    f"1{STYLE}\u20e3",
    "\u00a9\ufe0f",
)
NOT_SHOWN = (
    "\n",
    "\t",
    "\x7f",
    "\u00a0",
    "\u2003",
    "\u00ad",
    "A\u200bda",
    "A\u200cda",
    "A\u2060da",
    "\u202eadA",
    "\u2066Ada\u2069",
    "\u061cAda",
    f"Ada{STYLE}",
    f"A{JOINER}da",
    f"Ada{HEART}{JOINER}",
    f"{JOINER}{HEART}",
    f"{HEART}{STYLE}{STYLE}",
    "\u3164",
    "\uffa0",
    "\u2800",
    "A\u034fda",
    "A\U000e0100da",
    "\U000e0041",
    "\ud800",
    "\ue000",
    "\U0010ffff",
)
ALIKE = (
    ("Ada", "ada"),
    ("Ada", "ＡＤＡ"),
    ("Ada", "𝒜da"),
    ("Ada B", "ada   b"),
    ("Straße", "STRASSE"),
    ("\u00e9va", "E\u0301va"),
    ("ﬁn", "Fin"),
    (f"Ada {HEART}", f"ada {HEART}{STYLE}"),
    ("Ada\u00b2", "Ada2"),
    ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
    ("Ada", "Аdа"),  # the second with Cyrillic letters
    ("ADA", "Αda"),  # the second with a Greek letter
    ("Bob", "Воb"),
    ("Ida", "lda"),
    ("IDA", "lda"),
    ("Ida", "1da"),
    ("Arne", "Ame"),
    ("Bob", "B0b"),
    ("Rose", "ꓣose"),
    ("Сергей", "Cергей"),
)
UNLIKE = (
    *(("Ada", "Adam"), ("Ada B", "AdaB"), ("Ada", "\u00c1da"), ("Ada 1", "Ada 2")),
    *(("Ada", "Ида"), ("Ira", "Lara"), ("Борис", "Boris"), ("Λένα", "Lena"), ("Eva", "Эва"), ("Bob", "Rob")),
)
NO_PLAYERS = (
    *("Seat 2", "seat2", "SEAT-2", "Seat #10", "Seat", "Seat ②", "Seat ٢", "𝐒𝐞𝐚𝐭 𝟐", "ſeat 1"),
    *("Bot", "bot 1", "(Bot 1)", "ＢＯＴ １", "ⓑⓞⓣ", "B.o.t"),
    *("Chance", "chance", "Spectator", "spectator 3"),
    *("Вot 1", "Bоt", "Ѕeаt 2", "B0T", "сhance"),  # with letters of other scripts, or a digit
    *("Seat l", "Seat I", "bot-O", "Bot 1O", "Bot_l"),  # with letters that look like digits
)
PLAYERS = (
    "Ada",
    "Bottom",
    "Seaton",
    "Chancellor",
    "Spectators",
    "Bot Ada",
    "Seat of Power",
    "Robot",
    "2",
    "Player 1",
    "Boto",
    "Seat IV",
)


@pytest.mark.parametrize("text", SHOWN)
def test_letters_marks_symbols_and_emoji_show(text: str) -> None:
    assert is_printable(text)


@pytest.mark.parametrize("text", NOT_SHOWN, ids=ascii)
def test_what_shows_nothing_or_turns_the_text_around_does_not(text: str) -> None:
    assert not is_printable(text)


def test_no_format_no_control_and_no_space_but_one_shows_alone() -> None:
    shown = {character for character in map(chr, range(sys.maxunicode + 1)) if is_printable(character)}
    assert all(character.isprintable() for character in shown)
    assert [character for character in shown if character.isspace()] == [" "]
    assert len(shown) > 100_000


@pytest.mark.parametrize("text", ["\u0301Ada", "\u0489"])
def test_a_name_that_begins_with_a_mark_is_known(text: str) -> None:
    assert starts_with_combining_mark(text)
    assert not starts_with_combining_mark(f"A{text}")


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_read_the_same_look_alike(one: str, other: str) -> None:
    assert look_alike(one, other)
    assert look_alike(other, one)


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_names_that_read_differently_do_not_look_alike(one: str, other: str) -> None:
    assert not look_alike(one, other)


@pytest.mark.parametrize("name", NO_PLAYERS)
def test_a_name_that_reads_like_a_seat_or_a_bot_is_known(name: str) -> None:
    assert is_reserved_name(name)


@pytest.mark.parametrize("name", PLAYERS)
def test_other_names_do_not_read_like_one(name: str) -> None:
    assert not is_reserved_name(name)


@pytest.mark.parametrize(("one", "other"), [("Ada", "Ada"), *ALIKE])
async def test_no_two_players_at_a_table_have_names_that_read_the_same(
    sessions: Sessions, one: str, other: str
) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, OPEN)
    await sessions.players.join(sitting.id, one, None, None)
    with pytest.raises(NameTaken) as taken:
        await sessions.players.join(sitting.id, other, None, None)
    assert taken.value.metadata == {"display_name": one}
    with pytest.raises(SeatTaken):
        await sessions.players.join(sitting.id, other, 0, None)
    assert (await sessions.players.join(sitting.id, "Zoë", None, None))[1] == 1


async def test_the_name_of_who_left_the_lobby_is_free_again(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN)
    _, _, token = await sessions.players.join(sitting.id, "Ada", None, None)
    await sessions.players.leave(sitting.id, token, None)
    assert (await sessions.players.join(sitting.id, "Ada", None, None))[1] == 0


async def test_the_name_of_who_left_the_game_stays(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, PAIRS, 3)
    table = await sessions.players.leave(sitting.id, sitting.seats[1], None)
    assert table.record.names == ("Ada", "Bob", "Cyd")


async def test_a_repeated_join_keeps_its_name_and_answer(sessions: Sessions, another: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, OPEN)
    first = await sessions.players.join(sitting.id, "Ada", None, uuid(1))
    assert await another.players.join(sitting.id, "Ada", None, uuid(1)) == first
    with pytest.raises(NameTaken):
        await another.players.join(sitting.id, "Ada", None, uuid(2))


async def test_of_two_who_join_at_once_under_one_name_exactly_one_gets_it(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    """Each replica decides on a table in which the name is free; the commit of the slower one is refused."""
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, OPEN)
    for replica in (sessions, another):
        await replica.get(sitting.id, None)
    names = ("Ada", "ada", "ＡＤＡ")
    calls = [(sessions, another)[n % 2].players.join(sitting.id, names[n % 3], n % 3, None) for n in range(12)]
    done = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(one, tuple) for one in done) == 1
    assert {type(one) for one in done if not isinstance(one, tuple)} <= {NameTaken, SeatTaken}
    assert len((await log_of(store, sitting.id))[-1].table.record.open_seats()) == 2


async def test_bots_are_numbered_by_seat_from_the_beginning(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, BOT, OPEN, BOT)
    table, _ = await sessions.get(sitting.id, None)
    assert table.record.names == ("seat 0", "Bot 1", "seat 2", "Bot 2")


async def test_bots_that_fill_open_seats_go_on_counting(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, BOT, OPEN)
    await sessions.players.join(sitting.id, "Ada", 1, None)
    table = await sessions.host.start(sitting.id, sitting.host, True, None)
    assert table.record.names == ("Bot 2", "Ada", "Bot 1", "Bot 3")
    assert (await log_of(store, sitting.id))[-1].table == table


async def test_bots_keep_their_numbers_when_seats_close_up(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, BOT, OPEN, BOT)
    await sessions.players.join(sitting.id, "Ada", 2, None)
    table = await sessions.host.start(sitting.id, sitting.host, False, None)
    assert table.record.names == ("Bot 1", "Ada", "Bot 2")
