"""Ladders, bots and their games as messages."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp

from skerry.v1 import ladder_pb2 as pb
from skerry_games.catalogue import all_games
from skerry_service.domain.table import unpack_options
from skerry_service.ladders.ladder_readings import LadderStanding
from skerry_service.ladders.ladder_records import (
    GameRow,
    LadderSeatRecord,
    OpenGame,
    RegisteredEntry,
    RegisteredVersion,
    StoredLadder,
)
from skerry_service.wire.payloads import write_options
from skerry_service.wire.session_messages import write_clock


def write_bot(bot: str, entry: RegisteredEntry) -> pb.Bot:
    """Return a bot as a message, without its key and contact."""
    newest, *earlier = map(_write_version, entry.versions)
    return pb.Bot(name=f"bots/{bot}", version=newest, earlier_versions=earlier)


def _write_version(version: RegisteredVersion) -> pb.BotVersion:
    return pb.BotVersion(
        hash=version.hash, engine_commit=version.engine_commit, register_time=_time(version.registered_ms)
    )


def write_ladder(name: str, ladder: StoredLadder, playing: int, waiting: int) -> pb.Ladder:
    """Return a ladder as a message."""
    message = pb.Ladder(
        name=f"ladders/{name}",
        game=ladder.game,
        seats=ladder.seats,
        clock=write_clock(ladder.clock),
        kind=pb.LADDER_KIND_PEOPLE if ladder.people else pb.LADDER_KIND_BOTS,
        state=pb.LADDER_STATE_CLOSED if ladder.closed else pb.LADDER_STATE_OPEN,
        playing=playing,
        waiting=waiting,
    )
    if (game := all_games().get(ladder.game)) is not None:
        message.options.CopyFrom(write_options(game, unpack_options(ladder.game, ladder.options)))
    for at in range(ladder.season, 0, -1):
        season = ladder.seasons[at - 1]
        ended = _time(ladder.seasons[at].started_ms) if at < ladder.season else None
        message.seasons.add(season=at, ruleset=season.ruleset, start_time=_time(season.started_ms), end_time=ended)
    return message


def write_standing(row: LadderStanding, *, people: bool) -> pb.Standing:
    """Return a row of the standings as a message."""
    record = row.record
    message = pb.Standing(
        rank=row.rank,
        display_name=record.name,
        games=record.games,
        blocks=record.blocks,
        points=record.points,
        failures=record.failures,
        session=f"sessions/{row.session}" if row.session else "",
        waiting=row.waiting,
    )
    if record.seen_ms:
        message.last_seen_time.CopyFrom(_time(record.seen_ms))
    if row.rating is not None:
        value, low, high = row.rating
        message.rating.CopyFrom(pb.LadderRating(value=value, low=low, high=high))
    if not people:
        bot, _, version = row.entrant.partition("/")
        message.bot, message.version = f"bots/{bot}", version
        if row.bot is not None:
            message.newest = row.bot.hash == version
            message.engine_commit = next((one.engine_commit for one in row.bot.versions if one.hash == version), "")
    if row.rests and record.rest is not None:
        rest = record.rest
        message.rest.CopyFrom(
            pb.BotRest(reason=rest.reason, session=f"sessions/{rest.session}", time=_time(rest.since_ms))
        )
    return message


def write_open_game(game: OpenGame, *, people: bool) -> pb.LadderGame:
    """Return a game in play as a message."""
    return pb.LadderGame(
        session=f"sessions/{game.session}",
        season=game.season,
        seats=[_write_seat(one, people=people) for one in game.seats],
        start_time=_time(game.started_ms),
        block=game.block,
    )


def write_row(row: GameRow, season: int, *, people: bool) -> pb.LadderGame:
    """Return a finished game as a message."""
    message = pb.LadderGame(
        session=f"sessions/{row.session}",
        season=season,
        start_time=_time(row.started_ms),
        end_time=_time(row.ended_ms),
        block=row.block,
        reason=row.reason,
    )
    for seat, one in enumerate(row.seats):
        written = _write_seat(one, people=people)
        written.rank, written.score, written.failure = row.ranks[seat], row.scores[seat], row.failures[seat]
        message.seats.append(written)
    return message


def _write_seat(seat: LadderSeatRecord, *, people: bool) -> pb.LadderGameSeat:
    if people:
        return pb.LadderGameSeat(display_name=seat.name)
    bot, _, version = seat.entrant.partition("/")
    return pb.LadderGameSeat(bot=f"bots/{bot}", version=version, display_name=seat.name)


def _time(milliseconds: int) -> Timestamp:
    time = Timestamp()
    time.FromMilliseconds(milliseconds)
    return time
