"""Messages of scenes: what a frontend draws. Everything comes from the viewer's view, so nothing hidden is in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from skerry.v1 import scene_pb2, session_pb2
from skerry_games.api import AnyGame, Viewer
from skerry_games.languages.translation import in_language
from skerry_games.looks.drawn_words import drawn_in
from skerry_games.looks.guidance import Fact
from skerry_games.looks.scene import SceneArea, ScenePiece
from skerry_games.sentences import fill
from skerry_service.domain.log import Moved, Undone
from skerry_service.domain.table import Table, options_of
from skerry_service.wire.bounded_cache import BoundedCache
from skerry_service.wire.caller_language import Wording, caller_wording
from skerry_service.wire.scene_frames import frame_between
from skerry_service.wire.sentence_messages import asked_sentence
from skerry_service.wire.splice import message_field

_IN_PIECES, _IN_AREAS = message_field(scene_pb2.Scene, "pieces"), message_field(scene_pb2.Scene, "areas")
_IN_ANNOTATIONS = message_field(scene_pb2.Scene, "annotations")
_IN_PUT, _IN_FRAME = message_field(scene_pb2.SceneFrame, "put"), message_field(session_pb2.Moved, "frames")
_IN_UNDONE = message_field(session_pb2.Undone, "frames")


def symbols_of(game: AnyGame) -> Iterator[scene_pb2.SceneSymbol]:
    """Yield the symbols of a game's default edition."""
    wording = caller_wording()
    for symbol in game.look.symbols(game.boards[0]):
        (width, height), (x, y, size) = symbol.size, symbol.mark
        yield scene_pb2.SceneSymbol(
            id=symbol.id,
            label=in_language(symbol.label, wording.language),
            width=width,
            height=height,
            drawing=drawn_in(symbol.drawing, wording.language),
            mark_x=x,
            mark_y=y,
            mark_size=size,
            label_sentence=asked_sentence(symbol.label, wording),
        )


def pieces_to_wire(pieces: Sequence[ScenePiece]) -> bytes:
    """Return a serialized ``Scene`` with only these pieces."""
    wording = caller_wording()
    return b"".join([_IN_PIECES(_PIECES[piece, wording]) for piece in pieces])


def seats_to_wire(table: Table, view: Any) -> bytes:
    """Return a serialized ``Scene`` with only the task and the seats. ``view``: that of the viewer."""
    guide, wording = table.game.guide, caller_wording()
    task = guide.task(view) if guide is not None and table.to_act else ""
    scene = scene_pb2.Scene(task=in_language(task, wording.language), task_sentence=asked_sentence(task, wording))
    for seat, score in enumerate(table.game.scores(table.state)):
        facts = () if guide is None else guide.facts(view, seat)
        scene.seats.add(seat=seat, score=score, facts=[_write_fact(fact, wording) for fact in facts])
    return scene.SerializeToString(deterministic=True)


def _write_fact(fact: Fact, wording: Wording) -> scene_pb2.Fact:
    return scene_pb2.Fact(
        label=in_language(fact.label, wording.language),
        value=in_language(fact.value, wording.language),
        label_sentence=asked_sentence(fact.label, wording),
        value_sentence=asked_sentence(fact.value, wording),
    )


def annotations_to_wire(table: Table, viewer: Viewer, view: Any) -> Mapping[str, bytes]:
    """Return the annotations of each place and piece, by its id, as serialized ``Scene`` messages."""
    guide, names, wording = table.game.guide, table.record.names, caller_wording()
    written: dict[str, bytes] = {}
    for one in () if guide is None else guide.annotations(view, viewer):
        sentence = in_language(one.text, wording.language)
        template = sentence if "{" in sentence else None
        annotation = scene_pb2.Annotation(
            id=one.id,
            text=sentence if template is None else fill(template, names),
            template=template,
            badge=in_language(one.badge, wording.language),
            of=one.of or None,
            sentence=asked_sentence(one.text, wording),
            badge_sentence=asked_sentence(one.badge, wording),
        )
        written[one.id] = written.get(one.id, b"") + _IN_ANNOTATIONS(annotation.SerializeToString(deterministic=True))
    return written


def changed_annotations(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> bytes:
    """Return the annotations that differ as a serialized ``Scene``. Those that are gone have no text."""
    changed = [written for id_, written in after.items() if before.get(id_) != written]
    gone = [scene_pb2.Annotation(id=id_).SerializeToString() for id_ in before if id_ not in after]
    return b"".join([*changed, *map(_IN_ANNOTATIONS, gone)])


def areas_to_wire(table: Table, view: Any) -> bytes:
    """Return a serialized ``Scene`` with only the areas of a session. ``view``: any of the session."""
    game, edition = table.game, options_of(table.record).edition
    board = next(board for board in game.boards if board.edition == edition)
    wording = caller_wording()
    return b"".join([_IN_AREAS(_AREAS[area, wording]) for area in game.look.areas(board, view)])


def pieces_of(game: AnyGame, view: Any, viewer: Viewer) -> Sequence[ScenePiece]:
    """Return the pieces of a view."""
    pieces: Sequence[ScenePiece] = game.look.pieces(view, viewer)
    return pieces


def frame_to_wire(
    before: Sequence[ScenePiece], after: Sequence[ScenePiece], events: int, entry: Moved | Undone
) -> bytes:
    """Return the change from some pieces to others as a serialized ``Moved`` or ``Undone`` with only this frame.

    ``events``: how many events of the move the viewer sees in it.
    """
    frame = frame_between(before, after)
    wording = caller_wording()
    put = [_IN_PUT(_PIECES[piece, wording] + _above_to_wire(above)) for piece, above in frame.put]
    written = b"".join([*put, scene_pb2.SceneFrame(removed=frame.removed, events=events).SerializeToString()])
    return _IN_UNDONE(written) if isinstance(entry, Undone) else _IN_FRAME(written)


def _above_to_wire(above: str) -> bytes:
    return scene_pb2.ScenePiece(above=above).SerializeToString()


def _write_piece(piece: ScenePiece, wording: Wording) -> bytes:
    return scene_pb2.ScenePiece(
        id=piece.id,
        symbol=piece.symbol,
        area=piece.area,
        place=piece.place,
        x=round(piece.at[0], 1),
        y=round(piece.at[1], 1),
        owner=piece.owner,
        count=piece.count,
        rotation=piece.rotation,
        label=in_language(piece.label, wording.language),
        badge=in_language(piece.badge, wording.language),
        faded=piece.faded,
        label_sentence=asked_sentence(piece.label, wording),
        badge_sentence=asked_sentence(piece.badge, wording),
    ).SerializeToString(deterministic=True)


def _write_area(area: SceneArea, wording: Wording) -> bytes:
    return scene_pb2.SceneArea(
        id=area.id,
        label=in_language(area.label, wording.language),
        width=area.size[0],
        height=area.size[1],
        ground=drawn_in(area.ground, wording.language),
        places=_places(area, wording),
        print_over=drawn_in(area.print_over, wording.language),
        seat=area.seat,
        margin=area.margin,
        role=scene_pb2.AreaRole.Value(f"AREA_ROLE_{area.role.name}"),
        label_sentence=asked_sentence(area.label, wording),
    ).SerializeToString(deterministic=True)


def _places(area: SceneArea, wording: Wording) -> Iterator[scene_pb2.ScenePlace]:
    for place in area.places:
        x, y = place.at
        yield scene_pb2.ScenePlace(
            id=place.id,
            label=in_language(place.label, wording.language),
            x=x,
            y=y,
            drawing=drawn_in(place.drawing, wording.language),
            badge_y=place.badge_y,
            label_sentence=asked_sentence(place.label, wording),
        )


# Pieces repeat from position to position, and areas from stream to stream.
_PIECES = BoundedCache("pieces", 4 << 20, _write_piece, len)
_AREAS = BoundedCache("areas", 16 << 20, _write_area, len)
