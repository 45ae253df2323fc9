"""Sentences of the service, errors and entries of a log, in German."""

from __future__ import annotations

import ast
import re
from contextvars import copy_context
from pathlib import Path

import pytest

import skerry_games
import skerry_service
from skerry.games.tenerife.v1 import tenerife_pb2
from skerry.v1 import payload_pb2, session_pb2
from skerry_games.api import MalformedMove
from skerry_games.catalogue import all_games
from skerry_games.languages.catalogues import ENGLISH, catalogue
from skerry_games.languages.translation import Translator, in_language
from skerry_service.access.identity import identity_errors
from skerry_service.access.quotas import QUOTAS, LimitSettings
from skerry_service.domain import errors
from skerry_service.domain.bans import ban_errors
from skerry_service.domain.bans.ban import BannedKind
from skerry_service.domain.languages.phrases import grouped, phrase
from skerry_service.wire.caller_language import enter_wording
from skerry_service.wire.entry_sentences import sentences
from skerry_service.wire.payloads import read_move, read_options
from skerry_service.wire.sentence_messages import write_sentence
from tests.languages.raised_sentences import Raised, english_of

KINDS = {
    name
    for module in (errors, ban_errors, identity_errors)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, errors.SkerryError)
}


RAISERS = frozenset({*KINDS, "BadOptions", "IllegalMove", "MalformedMove", "EngineRefusal", "invalid_field"})
"""What the code makes errors of calls with."""
SOURCES = [
    path
    for package in (skerry_service, skerry_games)
    for path in sorted(Path(str(package.__file__)).parent.rglob("*.py"))
]


def raised(path: Path) -> list[ast.expr]:
    return list(Raised(path, RAISERS).arguments())


def test_the_catalogue_has_every_sentence_that_an_error_is_made_with() -> None:
    found = {
        node.value
        for path in SOURCES
        for node in raised(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.endswith(".")
    }
    known = {message.static for message in catalogue(ENGLISH).messages.values()}
    assert len(found) > 120
    assert found - known == set()


def test_no_error_is_made_with_a_text_that_has_no_message() -> None:
    """Such as an f-string, of which no language has a translation."""
    found = [
        f"{path.name}:{node.lineno}: {words}"
        for path in SOURCES
        for node in raised(path)
        if (words := english_of(node))
    ]
    assert found == []


def test_texts_without_a_message_are_found(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(
        """
_WORDS = f"one {1}"
raise InvalidField("a", _WORDS)
def f(n):
    why = "Two." if n else f"three {n}"
    raise errors.LimitReached("x", why)
raise InvalidField(f"a[{0}]", "Four " + f"and {5}")
raise BadOptions("a", str(ValueError()))
raise InvalidField("a", phrase("six", seven=f"eight {9}"))
raise KeyError(f"ten {11}")
""",
        encoding="utf-8",
    )
    found = [words for node in raised(file) if (words := english_of(node))]
    assert found == ["one ", "three ", "and ", "str(ValueError())"]


@pytest.mark.parametrize(
    ("error", "english", "german"),
    [
        (
            errors.NameTaken("Abbot"),
            "The name Abbot is taken at this table. Choose another name.",
            "Den Namen Abbot gibt es an diesem Tisch schon. Wähle einen anderen Namen.",
        ),
        (
            errors.NameTaken("King", "tournament"),
            "The name King is taken in this tournament. Choose another name.",
            "Den Namen King gibt es in diesem Turnier schon. Wähle einen anderen Namen.",
        ),
        (
            errors.NotYourTurn([0, 1], ["Ada", "King"]),
            "It is not your turn: Ada and King are to act.",
            "Du bist nicht am Zug. Am Zug sind Ada und King.",
        ),
        (
            errors.TooFewSeats(1, (2, 3)),
            "1 seat is taken. This game needs 2 or 3.",
            "1 Platz ist besetzt. Dieses Spiel braucht 2 oder 3.",
        ),
        (errors.GameNotFound("abbot"), "This server has no game 'abbot'.", "Dieser Server hat kein Spiel 'abbot'."),
        (errors.InvalidField("game", "Name a game."), "game: Name a game.", "Nenne ein Spiel."),
        (errors.SeatTaken(2), "Seat 2 is taken.", "Platz 2 ist besetzt."),
        (
            errors.InvalidField("n", phrase("field-range", value=grouped(12345), least=grouped(1), most=grouped(9999))),
            "n: 12,345 is out of range. Send a number from 1 to 9,999.",
            "12.345 liegt außerhalb der Grenzen. Sende eine Zahl von 1 bis 9.999.",
        ),
        (
            errors.LadderClosed("chess", "it is closed"),
            "Ladder 'chess' begins no new games of bots: it is closed.",
            "Die Rangliste 'chess' beginnt keine neuen Spiele von Bots: sie ist geschlossen.",
        ),
        (
            ban_errors.Banned(BannedKind.KEY, "Leaked.", 3 * 86_400_000 - 1),
            "This API key is banned for 3 days more. Reason: Leaked.",
            "Dieser API-Schlüssel ist noch 3 Tage gesperrt. Grund: Leaked.",
        ),
        (
            ban_errors.Banned(BannedKind.PLAYER, "Spam", 1),
            "This player is banned for 1 second more. Reason: Spam",
            "Dieser Spieler ist noch 1 Sekunde gesperrt. Grund: Spam",
        ),
        (
            ban_errors.Banned(BannedKind.ADDRESS, "Spam.", 7_200_001),
            "This address is banned for 3 hours more. Reason: Spam.",
            "Diese Adresse ist noch 3 Stunden gesperrt. Grund: Spam.",
        ),
        (errors.TokenMissing(), "This call needs a token.", "Dieser Aufruf braucht ein Token."),
    ],
)
def test_an_error_has_a_sentence_in_german(error: errors.SkerryError, english: str, german: str) -> None:
    """Names of callers stay as they are, even if they are words of a game."""
    missing = list[str]()
    translator = Translator("de", missing.append)
    assert (str(error), translator.show(error.sentence)) == (english, german)
    assert [text for text in missing if re.search("[a-z]", text)] == []


def in_german(entry: session_pb2.Entry) -> list[str]:
    def said() -> list[str]:
        enter_wording(b"de", None)
        return sentences(entry)

    return copy_context().run(said)


def test_every_entry_about_players_has_a_sentence_in_german() -> None:
    spoken = 0
    for field in session_pb2.Entry.DESCRIPTOR.oneofs_by_name["kind"].fields:
        entry = session_pb2.Entry(seat=3)
        getattr(entry, field.name).SetInParent()
        if field.name == "joined":
            entry.joined.display_name = "King"
        english, german = sentences(entry), in_german(entry)
        assert len(english) == len(german), field.name
        assert not set(english) & set(german), field.name
        spoken += len(english)
    assert spoken == 14


def test_emotes_are_said_in_german() -> None:
    entry = session_pb2.Entry(seat=1, emoted=session_pb2.Emoted(emote=session_pb2.EMOTE_GOOD_LUCK))
    assert sentences(entry) == ["The player of seat 1 says: Good luck!"]
    assert in_german(entry) == ["Platz 1 sagt: Viel Glück!"]


def test_limits_on_calls_are_refused_in_german() -> None:
    """Down to what they count. Rates like ``100 in 10 s`` are the same in every language."""
    missing = list[str]()
    translator = Translator("de", missing.append)
    settings = LimitSettings()
    counted = [limit.counts for quota in QUOTAS.values() for limit in quota.limits]
    for words in (*counted, *(limit.counts for limit in settings.concurrency.values()), "Close one first."):
        assert translator.show(words) != words
    assert missing == []


@pytest.mark.parametrize(
    ("move", "id_", "english", "german"),
    [
        (
            payload_pb2.Move(),
            "move-empty",
            "The move is empty. Send a move of kreta.",
            "Der Zug ist leer. Sende einen Zug von kreta.",
        ),
        (
            payload_pb2.Move(tenerife=tenerife_pb2.Move()),
            "move-of-other-game",
            "The move is a move of tenerife. Send a move of kreta.",
            "Der Zug ist ein Zug von tenerife. Sende einen Zug von kreta.",
        ),
    ],
)
def test_a_move_of_another_game_is_refused_by_a_message(
    move: payload_pb2.Move, id_: str, english: str, german: str
) -> None:
    with pytest.raises(MalformedMove) as refused:
        read_move(move, all_games()["kreta"])
    sentence = refused.value.args[0]
    assert (str(refused.value), in_language(sentence, "de")) == (english, german)
    assert write_sentence(sentence).id == id_


def test_options_of_another_game_are_refused_by_a_message() -> None:
    with pytest.raises(errors.InvalidField) as refused:
        read_options(payload_pb2.GameOptions(tenerife=tenerife_pb2.Options()), all_games()["kreta"])
    german = "Das sind Optionen von tenerife. Sende Optionen von kreta."
    assert in_language(refused.value.sentence, "de") == german
    assert write_sentence(refused.value.sentence).id == "options-of-other-game"
