"""The transition that sends an emote to the table, and how often a player can do that."""

from __future__ import annotations

from math import ceil

from skerry_service.domain.change_set import ChangeSet
from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import GameOver, LimitReached, NotStarted
from skerry_service.domain.languages.phrases import phrase
from skerry_service.domain.limits import (
    MAX_EMOTES,
    MAX_ENTRIES_FOR_EMOTES_BEFORE_START,
    MAX_ENTRIES_FOR_PRESENCE,
    MIN_EMOTE_INTERVAL_MS,
)
from skerry_service.domain.log import Emoted
from skerry_service.domain.record import Emote, Emotes, Phase
from skerry_service.domain.table import Change, Table


def send_emote(table: Table, seat: int, emote: Emote, now: Moment) -> Change:
    """Send an emote of a player to the table, in the lobby or in play. GOOD_GAME needs a game.

    After the end, the log stays as it is: streams have ended and replays were verified.

    Raises GameOver, NotStarted, LimitReached.
    """
    record = table.record
    if record.over:
        raise GameOver
    if emote is Emote.GOOD_GAME and not record.playing:
        raise NotStarted
    if (sent := record.seats[seat].emotes) is not None:
        _require_due(sent, now)
    in_lobby = record.phase is Phase.LOBBY
    most = MAX_ENTRIES_FOR_EMOTES_BEFORE_START if in_lobby else MAX_ENTRIES_FOR_PRESENCE
    if table.sequence - record.opening >= most:
        raise LimitReached("entries", "The log is too long for emotes.", retry_after=None)
    changes = ChangeSet(table, now)
    changes.add(Emoted(seat, emote, now.uptime_ms))
    return changes.build()


def _require_due(sent: Emotes, now: Moment) -> None:
    """Raise LimitReached if the player has sent too many emotes, or one just before."""
    if sent.count >= MAX_EMOTES:
        raise LimitReached("emotes", phrase("limit-emotes", most=MAX_EMOTES), retry_after=None)
    passed_ms = now.uptime_ms - sent.last_ms
    if 0 <= passed_ms < MIN_EMOTE_INTERVAL_MS:  # negative after a store has lost its last seconds
        left = (MIN_EMOTE_INTERVAL_MS - passed_ms) / 1000
        raise LimitReached("emotes", phrase("limit-emote-now", seconds=ceil(left)), retry_after=left)
