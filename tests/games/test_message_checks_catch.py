"""The checks of messages catch faults: the codec of Pairs passes them, and each faulty copy fails a named one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from tests.games.conformance.messages import MESSAGE_CHECKS, MessageCheck, compare_message
from tests.games.pairs import GAME
from tests.games.pairs.messages import class_of
from tests.games.pairs.spoiled_codecs import SPOILED_CODECS, codec
from tests.games.test_codecs import CHART, MOVE, MOVE_OF_ALL, Chart, message

FAULTS = [
    ("a field of a view is dropped", "check_views_are_sent_whole", "View.deck_size is 0 instead of"),
    ("a list of a view is emptied", "check_views_are_sent_whole", "View.hand has 0 items instead of"),
    ("two counts of a view are swapped", "check_views_are_sent_whole", "View.round is"),
    ("a view names the wrong seats", "check_views_are_sent_whole", "View.scores.seat is"),
    ("a view has another member of an enum", "check_views_are_sent_whole", "View.stage is STAGE_"),
    ("an id of an event is constant", "check_events_are_sent_whole", "card is 'one' instead of"),
    ("an event is sent as another kind", "check_events_are_sent_whole", "sent as another case"),
    ("a list of an event is emptied", "check_events_are_sent_whole", "cards has 0 items instead of 3"),
    ("a field of an event is dropped", "check_events_are_sent_whole", "Event.scored.points is 0 instead of"),
    ("a card of a move is dropped", "check_moves_are_sent_whole", "Move.lay.card is '' instead of"),
    ("a move comes back as another one", "check_moves_are_sent_whole", "comes back as another move"),
    ("a list of a board is cut", "check_boards_are_sent_whole", "Board.copies has 4 items instead of 5"),
    ("an option is not sent", "check_options_are_sent_whole", "Options.edition is '' instead of"),
    ("an option is lost", "check_options_are_sent_whole", "an option is lost"),
    ("an option has another default", "check_options_are_sent_whole", "not the default options"),
]


@pytest.mark.parametrize("check", MESSAGE_CHECKS, ids=lambda check: check.__name__)
def test_the_codec_of_pairs_passes(check: MessageCheck) -> None:
    check(GAME, codec(), class_of, 3, 1)


@pytest.mark.parametrize(("fault", "check", "message"), FAULTS)
def test_a_fault_in_a_codec_is_caught(fault: str, check: str, message: str) -> None:
    checks = {each.__name__: each for each in MESSAGE_CHECKS}
    with pytest.raises(AssertionError, match=message):
        checks[check](GAME, SPOILED_CODECS[fault], class_of, 3, 1)


def test_every_check_and_every_fault_is_listed() -> None:
    assert {fault for fault, _, _ in FAULTS} == set(SPOILED_CODECS)
    assert {check for _, check, _ in FAULTS} == {check.__name__ for check in MESSAGE_CHECKS}


SAIL = MOVE_OF_ALL
NOTED = Chart(berths=(0, 2), courses=((), ((1, 2),)), mark=11)


def chart(**changed: Any) -> Any:
    """Return the message of ``NOTED``, with some fields changed."""
    fields: dict[str, Any] = {
        "berths": [{"crew": 1, "ships": 2}],
        "courses": [{"leg": 1}, {"leg": 2, "points": [{"x": 1, "y": 2}]}],
        "mark": {"x": 1, "y": 3},
    }
    return CHART(**fields | changed)


@pytest.mark.parametrize(("value", "sent"), [(SAIL, message().go), (NOTED, chart())])
def test_fields_of_every_shape_are_equal(value: Any, sent: Any) -> None:
    compare_message("it", value, type(value), sent)


@pytest.mark.parametrize(
    ("value", "sent", "problem"),
    [
        (SAIL, message(seat=None).go, "it.seat is absent, but it is 0"),
        (replace(SAIL, seat=None), message().go, "it.seat is sent, but it is None"),
        (replace(SAIL, cargo=None), message(cargo="").go, "it.cargo is sent, but it is None"),
        (replace(SAIL, berth=None), message(berth=0).go, "it.berth cannot be absent"),
        (SAIL, message(at=None).go, "it.at is absent"),
        (SAIL, message(at={"x": 4, "y": 3}).go, "it.at.x is 4 instead of 3"),
        (SAIL, message(crew=[1, 2]).go, "it.crew[0] is CREW_KIND_COOK instead of CREW_KIND_MATE"),
        (SAIL, message(way=[{"x": 1, "y": 2}]).go, "it.way has 1 items instead of 2"),
        (SAIL, message(way=[{"x": 1, "y": 2}, {"x": 6, "y": 5}]).go, "it.way[1].x is 6 instead of 5"),
        (SAIL, message(harbour="KYD").go, "it.harbour is 'KYD' instead of 'CAN'"),
        (replace(SAIL, harbour=-1), message().go, "it.harbour has no id: -1"),
        (replace(SAIL, fast=1), message().go, "it.fast has another type than 1"),
        (SAIL, MOVE(stop={}).stop, "it has other fields in its message"),
        (NOTED, chart(berths=[{"crew": 2, "ships": 2}]), "it.berths.crew is CREW_KIND_MATE instead of CREW_KIND_COOK"),
        (NOTED, chart(berths=[{"crew": 2}, {"crew": 1, "ships": 2}]), "it.berths has 2 items instead of 1"),
        (
            NOTED,
            chart(courses=[{"leg": 1}, {"leg": 1, "points": [{"x": 1, "y": 2}]}]),
            "it.courses.leg is 1 instead of 2",
        ),
        (NOTED, chart(courses=[{"leg": 1}, {"leg": 2}]), "it.courses[2] has 0 items instead of 1"),
        (NOTED, chart(mark={"x": 3, "y": 1}), "it.mark.x is 3 instead of 1"),
    ],
)
def test_a_field_that_says_something_else_is_caught(value: Any, sent: Any, problem: str) -> None:
    with pytest.raises(AssertionError, match=re.escape(problem)):
        compare_message("it", value, type(value), sent)
