"""Explains why a caller cannot play a place or a piece now, and keeps the explanations of recent positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from skerry.v1 import service_pb2 as pb
from skerry_games.looks.explanations import UnknownThing, explain
from skerry_games.looks.guidance import Explanation
from skerry_games.sentences import fill
from skerry_service.api.requests.field_rules import LONGEST_ID, most_items
from skerry_service.domain.errors import InvalidField, NotStarted
from skerry_service.domain.languages.phrases import phrase, quoted
from skerry_service.domain.record import Phase
from skerry_service.domain.table import Table
from skerry_service.domain.tokens import Caller
from skerry_service.wire.bounded_cache import RecentFiles
from skerry_service.wire.caller_language import caller_wording, localized
from skerry_service.wire.sentence_messages import asked_sentence
from skerry_service.wire.serialized import Serialized, serialize

MOST_CHOSEN: Final = most_items("ExplainTargetRequest.chosen")
_MOST_CHOSEN_KEPT: Final = 4
"""Explanations after more choices are not kept: their keys are larger than an entry of a cache counts."""
_KNOWN: Final = RecentFiles("explanations", 2 << 20)
_OVER: Final = Explanation("The game is over.")


def explanation(
    table: Table, caller: Caller, epoch: str, target: str, chosen: tuple[str, ...]
) -> Serialized[pb.ExplainTargetResponse]:
    """Return why the caller cannot play a target after it has touched others. Raises NotStarted, InvalidField."""
    record = table.record
    if record.phase is Phase.LOBBY or table.state is None:
        raise NotStarted
    if len(chosen) > _MOST_CHOSEN_KEPT:
        return serialize(_response(table, caller, target, chosen))
    # With the sequence, because a delayed view can be inside a batch, where the hash is that of the batch before.
    key = (
        record.id,
        epoch,
        table.chained_hash,
        table.sequence,
        record.names,
        caller.seat,
        target,
        chosen,
        caller_wording(),
    )
    known = _KNOWN.get(key)
    if known is None:
        known = _response(table, caller, target, chosen).SerializeToString()
        _KNOWN.keep(key, known)
    return Serialized(pb.ExplainTargetResponse, known)


def touched_of(request: pb.ExplainTargetRequest) -> tuple[str, tuple[str, ...]]:
    """Return the target of a request, and what was touched before it. Raises InvalidField."""
    if not request.target:
        raise InvalidField("target", "Send the id of a place or a piece.")
    if len(request.chosen) > MOST_CHOSEN:
        raise InvalidField("chosen", phrase("field-ids", most=MOST_CHOSEN, number=len(request.chosen)))
    for field, ids in (("target", [request.target]), ("chosen", request.chosen)):
        if any(len(one) > LONGEST_ID for one in ids):
            raise InvalidField(field, phrase("field-id", most=LONGEST_ID))
    return request.target, tuple(request.chosen)


def _response(table: Table, caller: Caller, target: str, chosen: Sequence[str]) -> pb.ExplainTargetResponse:
    game, state = table.game, table.state
    try:
        reason = explain(game, state, caller.seat, target, chosen)
    except UnknownThing as unknown:
        field = "target" if unknown.thing == target else "chosen"
        raise InvalidField(field, phrase("field-no-thing", id=quoted(unknown.thing))) from None
    if table.record.over and game.outcome(state) is None:  # cancelled, or ended by its players
        reason = _OVER
    text = fill(localized(reason.text), table.record.names)
    sentence = asked_sentence(reason.text)
    return pb.ExplainTargetResponse(sequence=table.sequence, text=text, rule=reason.rule, sentence=sentence)
