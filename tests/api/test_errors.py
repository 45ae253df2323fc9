"""The table of errors is complete, and statuses tell what it says."""

from __future__ import annotations

import re
from contextvars import copy_context
from inspect import getmembers, isclass
from pathlib import Path

import pytest
from google.rpc import code_pb2
from google.rpc.error_details_pb2 import ErrorInfo, LocalizedMessage, RetryInfo
from google.rpc.status_pb2 import Status

from skerry.v1.errors_pb2 import ErrorReason
from skerry.v1.sentence_pb2 import Sentence
from skerry_games import api
from skerry_games.api import BadOptions, GameError, IllegalMove, MalformedMove
from skerry_service.access.identity import identity_errors
from skerry_service.api.error_table import TABLE, UnknownField, is_refusal, status_of
from skerry_service.domain import errors
from skerry_service.domain.bans import ban_errors
from skerry_service.domain.bans.ban import BannedKind
from skerry_service.domain.errors import SkerryError
from skerry_service.domain.languages.phrases import grouped, phrase
from skerry_service.wire.caller_language import enter_wording
from tests.languages.rebuilding import written

EXAMPLES: tuple[Exception, ...] = (
    errors.InvalidField("seats", "There are too many."),
    UnknownField("Move"),
    MalformedMove("There is no such place."),
    BadOptions("edition", "There is no such edition."),
    errors.RequestIdReused(),
    errors.GameNotFound("chess"),
    errors.SessionNotFound("abc"),
    errors.TokenMissing(),
    errors.TokenInvalid(),
    errors.NotAllowed("You may not do this."),
    errors.JoinCodeWrong(),
    errors.SeatReserved("oracle~0123456789abcdef0123456789abcdef"),
    ban_errors.Banned(BannedKind.ADDRESS, "Spam.", 90_000),
    ban_errors.BanNotFound("0123456789abcdef0123"),
    errors.ReplicaNotFound("0123456789abcdef"),
    errors.ApiKeyMissing(),
    errors.ApiKeyInvalid(),
    errors.ApiKeyScope(("play", "bots")),
    identity_errors.IdentityMissing(),
    identity_errors.IdentityInvalid("expired", "The identity token has expired."),
    identity_errors.IdentityUnavailable(),
    IllegalMove("KRETA-ABBOT-1", "The abbot cannot go there."),
    errors.NotYourTurn((1, 2), ("Ada", "Bob", "Cyd")),
    errors.NotStarted(),
    errors.AlreadyStarted(),
    errors.GameOver(),
    errors.NotFinished(),
    errors.FormatUnsupported("png", "Use SVG."),
    errors.SeatTaken(3),
    errors.NoPlayer(3),
    errors.SubstitutePlays(),
    errors.InPlay((1, 2), ("Ada", "Bob", "Cyd")),
    errors.TimeUp(),
    errors.NotToAct(3, "Dot"),
    errors.ProposalExpired(),
    errors.LadderNotFound("kreta-2"),
    errors.BotNotFound("gull"),
    errors.WebhookEndpointNotFound("main"),
    errors.LadderClosed("kreta-2", "it is closed"),
    errors.TournamentNotFound("abcdefghijklmnop"),
    errors.TournamentClosed("abcdefghijklmnop", "it is full"),
    errors.VersionOutdated("gull", "0" * 64),
    errors.BotRests("gull", "gull left the game.", "mfzwizltmfzwizlt"),
    errors.NameTaken("Ada"),
    errors.SeatOpen("start_seat", 2),
    errors.TooFewSeats(1, (2, 3, 4)),
    errors.RulesetUnsupported("kreta-0", "kreta-1"),
    errors.WrongCell("sessions/mfzwizltmfzwizlt.eu1", "eu1"),
    errors.WrongCell(None, "eu1", "us1"),
    errors.StaleSequence(3, 5),
    errors.SequenceAhead(9, 5),
    errors.NothingToUndo("Chance has acted since."),
    errors.LimitReached("streams", "There are too many."),
    errors.StoreFull(),
    errors.StoreUnavailable(),
    errors.ShuttingDown(),
    errors.SessionDamaged("abc"),
)
METADATA = {
    "BANNED": {"banned": "address", "why": "Spam."},
    "BAN_NOT_FOUND": {"ban": "0123456789abcdef0123"},
    "REPLICA_NOT_FOUND": {"replica": "0123456789abcdef"},
    "LADDER_NOT_FOUND": {"ladder": "kreta-2"},
    "WEBHOOK_ENDPOINT_NOT_FOUND": {"endpoint": "main"},
    "BOT_NOT_FOUND": {"bot": "gull"},
    "LADDER_CLOSED": {"ladder": "kreta-2"},
    "TOURNAMENT_NOT_FOUND": {"tournament": "abcdefghijklmnop"},
    "TOURNAMENT_CLOSED": {"tournament": "abcdefghijklmnop"},
    "VERSION_OUTDATED": {"hash": "0" * 64},
    "BOT_RESTS": {"session": "sessions/mfzwizltmfzwizlt"},
    "API_KEY_SCOPE": {"scopes": "play, bots"},
    "IDENTITY_INVALID": {"problem": "expired"},
    "SEAT_RESERVED": {"reserved_for": "oracle~0123456789abcdef0123456789abcdef"},
    "INVALID_FIELD": {"field": "seats"},
    "UNKNOWN_FIELD": {"field": "Move"},
    "BAD_OPTIONS": {"field": "edition"},
    "GAME_NOT_FOUND": {"game": "chess"},
    "WRONG_CELL": {"cell": "eu1"},
    "SESSION_NOT_FOUND": {"session": "abc"},
    "RULE_BROKEN": {"rule": "KRETA-ABBOT-1"},
    "NOT_YOUR_TURN": {"to_act": "1, 2"},
    "SEAT_TAKEN": {"seat": "3"},
    "FORMAT_UNSUPPORTED": {"format": "png"},
    "NO_PLAYER": {"seat": "3"},
    "IN_PLAY": {"seats": "1, 2"},
    "NOT_TO_ACT": {"seat": "3"},
    "NAME_TAKEN": {"display_name": "Ada"},
    "SEAT_OPEN": {"field": "start_seat", "seat": "2"},
    "TOO_FEW_SEATS": {"seats": "2, 3, 4"},
    "RULESET_UNSUPPORTED": {"ruleset": "kreta-0", "supported": "kreta-1"},
    "STALE_SEQUENCE": {"sequence": "5"},
    "SEQUENCE_AHEAD": {"sequence": "5"},
    "LIMIT_REACHED": {"limit": "streams"},
    "SESSION_DAMAGED": {"session": "abc"},
}


def defined_in(module: object, base: type[Exception]) -> set[type[Exception]]:
    return {one for _, one in getmembers(module, isclass) if issubclass(one, base) and one is not base}


def info_of(status: Status) -> ErrorInfo:
    info = ErrorInfo()
    assert status.details[0].Unpack(info)
    return info


def test_every_refusal_has_its_row_and_its_example() -> None:
    ours = set.union(*(defined_in(module, SkerryError) for module in (errors, ban_errors, identity_errors)))
    refusals = {UnknownField} | ours | defined_in(api, GameError)
    assert set(TABLE) == refusals == {type(example) for example in EXAMPLES}


def test_every_reason_is_given_by_exactly_one_row() -> None:
    given = [reason for _, reason in TABLE.values()]
    internal = ErrorReason.Value(f"ERROR_REASON_{info_of(status_of(RuntimeError())).reason}")
    assert sorted([ErrorReason.ERROR_REASON_UNSPECIFIED, *given, internal]) == sorted(ErrorReason.values())


def test_every_reason_has_the_code_that_the_contract_promises() -> None:
    """The comment of each reason begins with its code."""
    text = (Path(__file__).parents[2] / "protos/skerry/v1/errors.proto").read_text(encoding="utf-8")
    for code, reason in TABLE.values():
        comment = re.search(rf"((?:  // .*\n)+)  {ErrorReason.Name(reason)} =", text)
        assert comment is not None
        assert re.match(r"  // ([A-Z_]+)[.,]", comment[1])[1] == code_pb2.Code.Name(code)  # type: ignore[index]


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_a_refusal_is_described_for_people_and_for_programs(error: Exception) -> None:
    status = status_of(error)
    code, reason = TABLE[type(error)]
    info = info_of(status)
    assert is_refusal(error)
    assert (status.code, status.message) == (code, str(error))
    assert (f"ERROR_REASON_{info.reason}", info.domain) == (ErrorReason.Name(reason), "skerry")
    assert dict(info.metadata) == METADATA.get(info.reason, {})


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_what_can_be_tried_again_says_when(error: Exception) -> None:
    status, later = status_of(error), RetryInfo()
    retryable = status.code in (code_pb2.UNAVAILABLE, code_pb2.RESOURCE_EXHAUSTED) or isinstance(
        error, ban_errors.Banned
    )
    assert len(status.details) == 1 + retryable
    if retryable:
        assert status.details[1].Unpack(later)
        assert later.retry_delay.ToMilliseconds() > 0


@pytest.mark.parametrize("error", [RuntimeError("the seed is 17"), KeyError("salt"), GameError("hm"), SkerryError("x")])
def test_an_internal_error_says_nothing_of_its_cause(error: Exception) -> None:
    status = status_of(error)
    assert not is_refusal(error)
    assert status.code == code_pb2.INTERNAL
    assert (info_of(status).reason, dict(info_of(status).metadata)) == ("INTERNAL", {})
    assert len(status.details) == 1
    assert str(error).strip("'") not in status.message


def test_a_refusal_that_quotes_the_request_stays_short() -> None:
    """Statuses travel in headers, which clients bound."""
    for error in (MalformedMove("\U0001f600" * 60_000), errors.SessionNotFound("\U0001f600" * 60_000)):
        assert status_of(error).ByteSize() < 4096


def worded(error: Exception, language: str) -> Status:
    """Return the status of an error for a caller that asks for messages with parameters in a language."""

    def answer() -> Status:
        enter_wording(language.encode(), b"true")
        return status_of(error)

    return copy_context().run(answer)


def detail(status: Status, kind: type[Sentence | LocalizedMessage]) -> Sentence | LocalizedMessage | None:
    message = kind()
    return message if any(one.Unpack(message) for one in status.details) else None


WORDED = (
    *EXAMPLES,
    errors.InvalidField("n", phrase("field-range", value=grouped(12345), least=grouped(1), most=grouped(1 << 40))),
    errors.NotYourTurn((0, 1), ("Abbot", "King")),
    errors.TooFewSeats(2, (3,)),
    errors.SeatTaken(1, "Seat 1 opens in 5 s."),
    UnknownField("JoinSessionRequest", "colour"),
)


@pytest.mark.parametrize("error", WORDED, ids=str)
def test_a_refusal_can_be_written_from_its_id_and_parameters(error: Exception) -> None:
    status = worded(error, "en")
    sentence = detail(status, Sentence)
    assert isinstance(sentence, Sentence)
    assert written(sentence, "en", ()) == re.sub(r"^([a-z][\w.]*|KRETA-ABBOT-1): ", "", status.message)
    assert detail(status, LocalizedMessage) is None
    german = worded(error, "de")
    assert detail(german, Sentence) == sentence
    localized = detail(german, LocalizedMessage)
    assert isinstance(localized, LocalizedMessage)
    assert written(sentence, "de", ()) == localized.message


def test_a_broken_rule_names_players_by_their_seats_as_parameters() -> None:
    template = phrase("kreta-plays", seat="{1}", card="abbot")
    sentence = detail(worded(IllegalMove("KRETA-ABBOT-1", "Ben plays.", template, ("Ada", "Ben")), "en"), Sentence)
    assert isinstance(sentence, Sentence)
    assert sentence.parameters["seat"].seat == 1


def test_names_of_callers_in_a_refusal_are_texts_even_if_they_look_like_seats_or_words() -> None:
    sentence = detail(worded(errors.NotYourTurn((0, 1), ("{1}", "King")), "de"), Sentence)
    assert isinstance(sentence, Sentence)
    players = sentence.parameters["players"].sentence.parameters["items"].list.items
    assert [player.text for player in players] == ["{1}", "King"]


def test_a_sentence_that_quotes_a_large_request_is_left_out() -> None:
    for error in (MalformedMove("\U0001f600" * 60_000), errors.SessionNotFound("\U0001f600" * 60_000)):
        status = worded(error, "de")
        assert status.ByteSize() < 4096
        assert detail(status, Sentence) is None
        assert detail(status, LocalizedMessage) is not None
    assert detail(worded(RuntimeError("the seed is 17"), "de"), Sentence) is None
