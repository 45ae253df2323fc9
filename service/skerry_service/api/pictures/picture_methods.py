"""The RPCs that return pictures: they check the request, read the session, and draw."""

from __future__ import annotations

from skerry.v1 import service_pb2 as pb
from skerry_service.api.pictures.pictures import MEDIA_TYPES, PNG, Pictures, picture_style_of, replay_style_of
from skerry_service.api.requests.request_checks import past_sequence_of, session_of
from skerry_service.domain.tokens import require_view_access
from skerry_service.sessions.service import Sessions

MOST_FRAMES = 60
"""The most frames of an animated picture."""


class PictureMethods:
    """The RPCs of pictures."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._pictures = Pictures()

    async def get_picture(self, request: pb.GetPictureRequest, token: str | None) -> pb.GetPictureResponse:
        """Return a picture of the position, as the caller may see it."""
        style, session, sequence = picture_style_of(request), session_of(request.name), None
        svg, epoch = None, self._sessions.epoch
        if request.HasField("sequence"):
            sequence = past_sequence_of(request.sequence)
        else:
            table, caller = await self._sessions.get(session, token)
            require_view_access(table.record, caller)
            sequence = table.sequence
            svg = self._pictures.known(table, caller.seat, epoch, style)
        if svg is None:  # what the last turn touched stands in the log alone
            _, caller, turn = await self._sessions.turn(session, token, sequence)
            svg, sequence = self._pictures.svg(turn, caller.seat, epoch, style), turn.table.sequence
        data = await self._pictures.file(svg, style)
        return pb.GetPictureResponse(sequence=sequence, media_type=MEDIA_TYPES[style.format], data=data)

    async def get_replay_picture(
        self, request: pb.GetReplayPictureRequest, token: str | None
    ) -> pb.GetReplayPictureResponse:
        """Return an animated picture of a finished game, as the caller may see each position."""
        style, session = replay_style_of(request), session_of(request.name)
        caller, turns = await self._sessions.finished_turns(session, token, MOST_FRAMES)
        data = await self._pictures.animation(turns, caller.seat, self._sessions.epoch, style)
        return pb.GetReplayPictureResponse(frames=len(turns), media_type=MEDIA_TYPES[PNG], data=data)
