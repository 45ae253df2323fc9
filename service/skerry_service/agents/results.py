"""The structured results of the tools. Their fields are the output schemas."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

State = Literal["lobby", "playing", "finished", "cancelled"]


@dataclass(frozen=True)
class GameSummary:
    """A game that can be played."""

    id: str
    title: str
    seats: list[int]
    """The supported numbers of seats."""
    levels: list[str]
    """The levels of bots, from weak to strong."""


@dataclass(frozen=True)
class OpenTable:
    """A public table with an open seat."""

    table: str
    game: str
    players: list[str]
    open_seats: int
    needs_join_code: bool


@dataclass(frozen=True)
class GameList:
    """Result of list_games."""

    games: list[GameSummary]
    open_tables: list[OpenTable]


@dataclass(frozen=True)
class ListedMove:
    """A legal move."""

    number: int
    """The number that play_move takes, with this sequence."""
    text: str


@dataclass(frozen=True)
class SeatLook:
    """What a seat sees. Result of all tools that concern one seat."""

    table: str
    game: str
    seat: int
    """The caller's seat."""
    state: State
    sequence: int
    """The newest entry of the table's log. play_move takes it, and look and wait_for_turn as `since`."""
    your_turn: bool
    to_act: list[int]
    """The seats that owe a decision."""
    events: list[str]
    """What happened, as sentences, oldest first. Only the newest if there are many."""
    event_count: int
    """The number of events, with those that `events` leaves out."""
    legal_moves: list[ListedMove]
    """One page of the caller's legal moves."""
    legal_move_count: int
    ranks: list[int] = field(default_factory=list)
    """The rank of each seat, once the game is over."""
    scores: list[int] = field(default_factory=list)
    """The points of each seat, once the game is over."""
    position: str = ""
    """The position in words. Empty unless the tool returns it."""
    handle: str = ""
    """The handle of the seat, from start_table and join_table."""
    join_code: str = ""
    """The code with which other players join, for a private table."""


@dataclass(frozen=True)
class Explanation:
    """Result of explain."""

    game: str
    rules: list[str]
    """Numbered rules, each with its id."""
    text: str
    """The board in words, or an overview. Empty for rules."""
