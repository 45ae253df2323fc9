"""The checks of messages catch faults: the codec of Pairs passes them, and each faulty copy fails a named one."""

from __future__ import annotations

import pytest

from tests.games.conformance.messages import MESSAGE_CHECKS, MessageCheck
from tests.games.pairs import GAME
from tests.games.pairs.messages import class_of
from tests.games.pairs.spoiled_codecs import SPOILED_CODECS, codec

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
