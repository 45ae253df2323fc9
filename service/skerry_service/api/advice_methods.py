"""The RPCs with which players learn: hints during a game, and its analysis afterwards."""

from __future__ import annotations

from skerry.v1 import payload_pb2, session_pb2
from skerry.v1 import service_pb2 as pb
from skerry_games.sentences import fill, phrase
from skerry_service.access.caller_shares import current_share
from skerry_service.api.requests.request_checks import session_of
from skerry_service.domain.bot_decisions import RankedMoves
from skerry_service.domain.table import Table
from skerry_service.sessions.service import Sessions
from skerry_service.wire.caller_language import localized
from skerry_service.wire.payloads import legal_moves_to_wire
from skerry_service.wire.sentence_messages import asked_sentence


class AdviceMethods:
    """The RPCs of advice."""

    _sessions: Sessions

    async def get_hint(self, request: pb.GetHintRequest, token: str | None) -> pb.GetHintResponse:
        """Return what a strong player would do."""
        hint = await self._sessions.hints.hint(session_of(request.name), token)
        table, sentence = hint.table, _hint_sentence(hint.table, hint.ranked)
        return pb.GetHintResponse(
            sequence=table.sequence,
            move=_move(table, hint.ranked[0][0]),
            text=fill(localized(sentence), table.record.names),
            sentence=asked_sentence(sentence),
        )

    async def get_analysis(self, request: pb.GetAnalysisRequest, token: str | None) -> pb.GetAnalysisResponse:
        """Return how the chances to win changed in a finished game, as far as that is known."""
        analysis = await self._sessions.analyses.analysis(session_of(request.name), token, current_share())
        table = analysis.table
        response = pb.GetAnalysisResponse(complete=analysis.complete)
        for point in analysis.points:
            response.points.add(sequence=point.sequence, chances=point.chances)
        for swing in analysis.swings:
            move = table.game.say_move(swing.move)
            response.swings.add(
                sequence=swing.sequence,
                seat=swing.seat,
                text=fill(localized(move), table.record.names),
                before=swing.before,
                after=swing.after,
                sentence=asked_sentence(move),
            )
        return response


def _move(table: Table, move: object) -> payload_pb2.Move:
    serialized = legal_moves_to_wire(table.game, (move,), table.record.names)
    return session_pb2.Position.FromString(serialized).legal_moves[0]


def _hint_sentence(table: Table, ranked: RankedMoves) -> str:
    """Return the sentences of a hint, as a template for the players' names."""
    moves = [table.game.say_move(move) for move, _ in ranked[:2]]
    if len(moves) == 1:
        return phrase("hint-only", move=moves[0])
    best, next_best = (round(100 * utility) for _, utility in ranked[:2])
    message = "hint-of-two" if len(table.record.seats) == 2 else "hint-of-several"
    return phrase(message, move=moves[0], best=best, next=moves[1], next_best=next_best)
