"""Instructions of games for people, drawn once for each ruleset and theme."""

from __future__ import annotations

from typing import Final

from skerry.v1 import catalogue_pb2
from skerry.v1 import service_pb2 as pb
from skerry_games.api import AnyGame
from skerry_games.looks.figures import drawing_of
from skerry_games.looks.instructions import MARKS, NAMES, Figure, HowToPlay
from skerry_games.looks.themes import THEMES
from skerry_games.sentences import fill
from skerry_games.texts.instruction_text import instructions_text
from skerry_service.domain.cooperative import CooperativeTask
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.languages.phrases import either, phrase
from skerry_service.wire.caller_language import caller_language, localized
from skerry_service.wire.sentence_messages import asked_sentence, asked_sentences
from skerry_service.wire.serialized import Serialized, serialize

INSTRUCTION_THEMES: Final = (*THEMES, "variables")


def instruction_theme_of(request: pb.GetHowToPlayRequest) -> str:
    """Return the theme of a request; by default the first. Raises InvalidField."""
    if request.theme and request.theme not in INSTRUCTION_THEMES:
        raise InvalidField("theme", phrase("field-use", allowed=either(INSTRUCTION_THEMES)))
    return request.theme or INSTRUCTION_THEMES[0]


def instructions(game: AnyGame, theme: str) -> CooperativeTask[Serialized[pb.GetHowToPlayResponse]]:
    """Return the instructions of a game. Yields before each drawing."""
    written = catalogue_pb2.HowToPlay(ruleset=game.ruleset)
    for mark, meaning in MARKS.items():
        written.marks.add(mark=mark, meaning=localized(meaning), meaning_sentence=asked_sentence(meaning))
    if game.how_to_play is not None:
        how = game.how_to_play(game)
        written.aim, written.least_age = localized(how.aim), how.least_age
        written.set_up[:] = map(localized, how.set_up)
        written.shortest_minutes, written.longest_minutes = how.minutes
        written.example_title, written.example_rule = localized(how.example.title), how.example.rule
        written.hints[:], written.house_edition = map(localized, how.hints), localized(how.house_edition)
        written.MergeFrom(_sentences(how))
        written.text = instructions_text(game, how, caller_language())
        for figures, drawn in ((how.turn, written.turn), (how.example.figures, written.example)):
            for figure in figures:
                yield
                drawn.append(_figure(game, figure, theme))
    return serialize(pb.GetHowToPlayResponse(how_to_play=written))


def _figure(game: AnyGame, figure: Figure, theme: str) -> catalogue_pb2.Figure:
    picture = drawing_of(game, figure, theme, caller_language())
    caption = fill(localized(figure.caption), NAMES)
    return catalogue_pb2.Figure(caption=caption, picture=picture, caption_sentence=asked_sentence(figure.caption))


def _sentences(how: HowToPlay) -> catalogue_pb2.HowToPlay:
    """Return the messages of texts that are not captions, if the current call asks for them."""
    return catalogue_pb2.HowToPlay(
        aim_sentence=asked_sentence(how.aim),
        set_up_sentences=asked_sentences(how.set_up),
        example_title_sentence=asked_sentence(how.example.title),
        hints_sentences=asked_sentences(how.hints),
        house_edition_sentence=asked_sentence(how.house_edition),
    )
