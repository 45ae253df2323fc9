"""A finished game, recomputed from its replay: every state, and what each viewer may see of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from skerry.v1 import payload_pb2, session_pb2
from skerry_games.api import CHANCE, CHANCE_ACTS, OVER, AnyGame, Viewer
from skerry_games.catalogue import all_games
from skerry_games.rng import Rng
from skerry_games.sentences import fill
from skerry_service.wire.payloads import codec_of
from tests.games.conformance.play import spread
from tests.games.conformance.secrecy import position
from tests.games.conformance.state_paths import StatePath, differences, varied

_MOVES = 4
_REDEALS = 12


def in_bytes(message: Message) -> bytes:
    """Return the bytes of a message. Equal messages have equal bytes."""
    return message.SerializeToString(deterministic=True)


@dataclass
class Step:
    """One entry, with the game before and after it; in the lobby the states are ``None``."""

    entry: session_pb2.Entry
    before: Any = None
    actor: int = CHANCE
    move: Any = None
    events: tuple[Any, ...] = ()
    after: Any = None


class RecomputedReplay:
    """A replay, recomputed with the games and their codecs alone, without the service."""

    def __init__(self, replay: session_pb2.Replay) -> None:
        self.session = replay.session
        self.game: AnyGame = all_games()[replay.session.game]
        self.codec = codec_of(self.game.id)
        self.steps = tuple(self._recompute(replay))

    def _recompute(self, replay: session_pb2.Replay) -> Iterator[Step]:
        state: Any = None
        for entry in replay.entries:
            step = Step(entry, before=state)
            if entry.HasField("created" if replay.session.opening else "started"):
                options = self.codec.options_from_proto(getattr(replay.session.options, self.game.id))
                state = self.game.setup(options, len(replay.session.seats))
            elif entry.HasField("moved"):
                step.actor = entry.seat if entry.HasField("seat") else CHANCE
                step.move = self.codec.move_from_proto(getattr(entry.moved.move, self.game.id))
                state, step.events = self.game.apply(state, step.actor, step.move)
            step.after = state
            yield step

    @property
    def last(self) -> int:
        """The last sequence."""
        return len(self.steps)

    def text(self, sequence: int, viewer: Viewer) -> str:
        """Return the position after an entry in words, as that viewer may see it."""
        state = self.steps[sequence - 1].after
        names = [seat.display_name for seat in self.session.seats]
        return fill(self.game.text(self.game.view(state, viewer), viewer), names)

    def position(self, sequence: int, viewer: Viewer) -> session_pb2.Position:
        """Return all that this viewer may see after that entry."""
        return self._position(self.steps[sequence - 1].after, sequence, viewer)

    def redealt(self, sequence: int, viewer: Viewer, rng: Rng) -> session_pb2.Position:
        """Return this viewer's position after redealing all that the viewer cannot know."""
        state = self.game.redeal(self.steps[sequence - 1].after, viewer, rng)
        return self._position(state, sequence, viewer)

    def _position(self, state: Any, sequence: int, viewer: Viewer) -> session_pb2.Position:
        game = self.game
        to_act = OVER if game.to_act(state) == CHANCE_ACTS else game.to_act(state)
        position = session_pb2.Position(sequence=sequence, seat=viewer, to_act=to_act)
        getattr(position.view, game.id).MergeFromString(self.codec.view_to_wire(game.view(state, viewer)))
        if viewer is not None and viewer in to_act:
            position.legal_moves.extend(map(self.move, game.legal_moves(state, viewer)))
        if (outcome := game.outcome(state)) is not None:
            position.outcome.ranks.extend(outcome.ranks)
            position.outcome.scores.extend(outcome.scores)
            position.outcome.reason = outcome.reason
        return position

    def entry(self, sequence: int, viewer: Viewer, *, over: bool) -> session_pb2.Entry:
        """Return that entry as this viewer may see it; ``over``: after the game has ended."""
        return self._entry(self.steps[sequence - 1], viewer, over=over)

    def alternatives(self, received: session_pb2.Entry, viewer: Viewer) -> Iterator[session_pb2.Entry]:
        """Yield the entries that this viewer would have received instead if a secret choice had been another one.

        Each follows from another move of another seat or of chance that leaves this viewer's position the same and
        changes only what redeals for the viewer vary. Entries with the same bytes as the received one are left out.
        """
        step = self.steps[received.sequence - 1]
        if step.move is None or step.actor == viewer:
            return
        for other in self._other_steps(step, viewer):
            entry = self._entry(other, viewer, over=False)
            if in_bytes(entry) != in_bytes(received) and self._is_secret(step, other, viewer):
                yield entry

    def _is_secret(self, step: Step, other: Step, viewer: Viewer) -> bool:
        hidden = differences(step.after, other.after)
        unknown = set[StatePath]().union(*varied(self.game, step.after, viewer, _REDEALS))
        return bool(hidden) and hidden <= unknown

    def _other_steps(self, step: Step, viewer: Viewer) -> Iterator[Step]:
        """Yield steps of some other moves after which that viewer's position is the same."""
        here = position(self.game, step.after, viewer)
        for move in spread(self.game.legal_moves(step.before, step.actor), _MOVES):
            after, events = self.game.apply(step.before, step.actor, move)
            if move != step.move and position(self.game, after, viewer) == here:
                yield Step(step.entry, step.before, step.actor, move, events, after)

    def _entry(self, step: Step, viewer: Viewer, *, over: bool) -> session_pb2.Entry:
        entry = session_pb2.Entry()
        entry.CopyFrom(step.entry)
        if not step.entry.HasField("moved"):
            return entry
        entry.moved.Clear()
        move = step.move if over else self.game.show_move(step.move, step.actor, viewer)
        if move is not None:
            entry.moved.move.CopyFrom(self.move(move))
        for event in step.events:
            shown = event if over else self.game.show(event, viewer)
            if shown is not None:
                message = self._payload(payload_pb2.Event, self.codec.event_to_proto(shown))
                self._add_text(message, self.game.say(shown))
                entry.moved.events.append(message)
        return entry

    def move(self, move: Any) -> payload_pb2.Move:
        """Return a move as the service lists it."""
        listed: payload_pb2.Move = self._payload(payload_pb2.Move, self.codec.move_to_proto(move))
        self._add_text(listed, self.game.say_move(move))
        return listed

    def _add_text(self, message: payload_pb2.Move | payload_pb2.Event, template: str) -> None:
        message.text = fill(template, [seat.display_name for seat in self.session.seats])
        if "{" in template:
            message.template = template

    def _payload(self, kind: type[Message], message: Message) -> Any:
        return kind(**{self.game.id: message})
