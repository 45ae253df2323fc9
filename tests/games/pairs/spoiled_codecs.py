"""Faulty codecs of Pairs, each with one fault. The checks of messages must catch every one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from skerry_service.wire.codecs.game_codec import GameCodec
from tests.games.pairs import GAME
from tests.games.pairs.messages import MESSAGES, class_of
from tests.games.pairs.state import Options, Stay

Spoil = Callable[[Any], Any]


def codec() -> GameCodec:
    """Return a sound codec of Pairs."""
    return GameCodec(GAME, MESSAGES)


def _writing(method: str, message: str, spoil: Spoil) -> GameCodec:
    """Return a codec with a method that changes each message that it serializes."""
    spoiled = codec()
    write = getattr(spoiled, method)

    def write_spoiled(value: Any) -> bytes:
        sent = class_of(message).FromString(write(value))
        spoil(sent)
        return bytes(sent.SerializeToString())

    setattr(spoiled, method, write_spoiled)
    return spoiled


def _returning(method: str, spoil: Spoil) -> GameCodec:
    """Return a codec with a method whose result is changed."""
    spoiled = codec()
    sound = getattr(spoiled, method)
    setattr(spoiled, method, lambda value: spoil(sound(value)))
    return spoiled


def _view(spoil: Spoil) -> GameCodec:
    return _writing("view_to_wire", "View", spoil)


def _event(spoil: Spoil) -> GameCodec:
    return _writing("event_to_wire", "Event", spoil)


def _without(*names: str) -> Spoil:
    def clear(sent: Any) -> Any:
        for name in names:
            sent.ClearField(name)
        return sent

    return clear


def _without_in(case: str, name: str) -> Spoil:
    return lambda sent: sent.HasField(case) and getattr(sent, case).ClearField(name)


def _swap_counts(view: Any) -> None:
    view.round, view.deck_size = view.deck_size, view.round


def _name_the_same_card(event: Any) -> None:
    for case in ("dealt", "laid", "buried"):
        if event.HasField(case):
            getattr(event, case).card = "one"


def _swap_seats(view: Any) -> None:
    for score in view.scores:
        score.seat = len(view.scores) - 1 - score.seat


def _shift_the_stage(view: Any) -> None:
    view.stage = view.stage % 4 + 1


def _send_as_laid(event: Any) -> None:
    if event.HasField("dealt"):
        event.laid.card = event.dealt.card


def _drop_a_card(board: Any) -> Any:
    del board.copies[-1]
    return board


SPOILED_CODECS: Final[dict[str, GameCodec]] = {
    "a field of a view is dropped": _view(_without("deck_size")),
    "a list of a view is emptied": _view(_without("hand")),
    "two counts of a view are swapped": _view(_swap_counts),
    "a view names the wrong seats": _view(_swap_seats),
    "a view has another member of an enum": _view(_shift_the_stage),
    "an id of an event is constant": _event(_name_the_same_card),
    "an event is sent as another kind": _event(_send_as_laid),
    "a list of an event is emptied": _event(
        lambda event: event.HasField("revealed") and _without("cards")(event.revealed)
    ),
    "a field of an event is dropped": _event(
        lambda event: event.HasField("scored") and _without("points")(event.scored)
    ),
    "a card of a move is dropped": _writing("move_to_wire", "Move", _without_in("lay", "card")),
    "a move comes back as another one": _returning("move_from_proto", lambda move: Stay()),
    "a list of a board is cut": _returning("board_to_proto", _drop_a_card),
    "an option is not sent": _returning("options_to_proto", _without("edition")),
    "an option is lost": _returning("options_from_proto", lambda options: Options()),
    "an option has another default": _returning(
        "options_from_proto", lambda options: Options("mirror") if options == Options() else options
    ),
}
"""The faulty codecs, by a description of the fault."""
