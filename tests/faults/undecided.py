"""Players who take back moves, and send each call again under its request id until it is answered."""

from __future__ import annotations

from collections.abc import Sequence

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2

from .driver import Api, Table, acknowledged_by


class Undecided(Table):
    """A table at which players take back a third of the moves that they can take back, and move again."""

    undo = session_pb2.UNDO_POLICY_OWN_MOVES

    async def act(self, seat: int, client: Api | None = None) -> Sequence[int]:
        """Make a random move, and perhaps take it back. Return who is to act then."""
        to_act = await super().act(seat, client)
        if self._random.randrange(3) or not (position := (await self.look(seat)).position).undoable:
            return to_act
        return list((await self.take_back(seat, self.undo_request(position.sequence))).position.to_act)

    def undo_request(self, sequence: int) -> api.UndoMoveRequest:
        request = api.UndoMoveRequest(name=self.name, expected_sequence=sequence, request_id=self.new_request_id())
        request.view = api.POSITION_VIEW_FULL
        return request

    async def take_back(self, seat: int, request: api.UndoMoveRequest) -> api.UndoMoveResponse:
        """Take back the latest move, and write down what was acknowledged."""
        answer = await self.client.call("UndoMove", request, self.tokens[seat])
        assert isinstance(answer, api.UndoMoveResponse)
        undone = acknowledged_by(answer.entries[0])
        assert (undone.seat, undone.undone) == (seat, self.acknowledged[-1].sequence)
        self.acknowledged.append(undone)
        return answer
