"""Examples of calls about ladders. They are made up, because the real ones need a day of games."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from skerry.v1 import ladder_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.api import AnyGame
from skerry_service.wire.payloads import write_options

_SECONDS = 1_767_225_600
"""The beginning of 2026."""
_SESSION = "sessions/mfzwizltmfzwizlt"


def ladder_calls(game: AnyGame) -> Mapping[str, tuple[Message, Message]]:
    """Return a request and its answer for each RPC about ladders."""
    seats = game.seats[0]
    name, bot = f"ladders/{game.id}-{seats}", _bot()
    ladder = _ladder(name, game, seats)
    played = pb.LadderGame(
        session=_SESSION, season=1, seats=_seats(bot), start_time=_time(600), end_time=_time(900), block="4f1a2b3c"
    )
    played.reason = "The last round is over."
    row = pb.HeadToHead(opponent="bots/tide", wins=31, ties=2, losses=27)
    registering = pb.RegisterBotRequest(name=bot.name, hash=bot.version.hash, engine_commit="9fceb02")
    finding = pb.FindLadderGameRequest(name=name, bot=bot.name, hash=bot.version.hash)
    return {
        "RegisterBot": (registering, pb.RegisterBotResponse(bot=bot)),
        "GetBot": (pb.GetBotRequest(name=bot.name), pb.GetBotResponse(bot=bot)),
        "WakeBot": (pb.WakeBotRequest(name=bot.name), pb.WakeBotResponse(bot=bot)),
        "ListLadders": (pb.ListLaddersRequest(), pb.ListLaddersResponse(ladders=[ladder])),
        "GetLadder": (
            pb.GetLadderRequest(name=name),
            pb.GetLadderResponse(ladder=ladder, season=1, standings=[_standing(bot)], games=60),
        ),
        "ListLadderGames": (
            pb.ListLadderGamesRequest(parent=name),
            pb.ListLadderGamesResponse(games=[played], next_page_token="40"),
        ),
        "GetHeadToHead": (
            pb.GetHeadToHeadRequest(name=name, bot=bot.name),
            pb.GetHeadToHeadResponse(rows=[row]),
        ),
        "FindLadderGame": (finding, pb.FindLadderGameResponse(other_bots=3)),
    }


def _bot() -> pb.Bot:
    version = pb.BotVersion(hash=sha256(b"").hexdigest(), engine_commit="9fceb02", register_time=_time(0))
    return pb.Bot(name="bots/gull", version=version)


def _ladder(name: str, game: AnyGame, seats: int) -> pb.Ladder:
    clock = session_pb2.Clock(
        bank=session_pb2.Bank(time_ms=300_000, increment_ms=5_000), on_expiry=session_pb2.TIMEOUT_ACTION_END
    )
    season = pb.LadderSeason(season=1, ruleset=game.ruleset, start_time=_time(0))
    return pb.Ladder(
        name=name,
        game=game.id,
        seats=seats,
        options=write_options(game, game.options_type()),
        clock=clock,
        kind=pb.LADDER_KIND_BOTS,
        state=pb.LADDER_STATE_OPEN,
        seasons=[season],
        playing=4,
        waiting=3,
    )


def _standing(bot: pb.Bot) -> pb.Standing:
    return pb.Standing(
        rank=1,
        bot=bot.name,
        version=bot.version.hash,
        newest=True,
        engine_commit=bot.version.engine_commit,
        display_name="gull",
        rating=pb.LadderRating(value=1523.4, low=1452.0, high=1594.8),
        games=60,
        blocks=30,
        points=32,
        last_seen_time=_time(900),
        waiting=True,
    )


def _seats(bot: pb.Bot) -> list[pb.LadderGameSeat]:
    tide = sha256(b"tide").hexdigest()
    return [
        pb.LadderGameSeat(bot=bot.name, version=bot.version.hash, display_name="gull", rank=1, score=47),
        pb.LadderGameSeat(bot="bots/tide", version=tide, display_name="tide", rank=2, score=41),
    ]


def _time(later: int) -> Timestamp:
    return Timestamp(seconds=_SECONDS + later)
