"""German grammar, and the sentences of whole games in German."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from random import Random
from typing import Any

import msgspec
import pytest

from skerry_games import Dice, start
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games, game_module
from skerry_games.languages.catalogues import catalogue, key_of
from skerry_games.languages.translation import Translator, in_language
from skerry_games.looks.drawn_words import drawn_in
from skerry_games.looks.explanations import explain
from skerry_games.looks.svg import lines_of, text
from skerry_games.sentences import capitalized, counted, joined_by, listed, phrase, winners_sentence

GERMAN = [game for game in all_games().values() if f"{game.id}-goes-first" in catalogue("de").messages]


def de(text: str) -> str:
    return in_language(text, "de")


@pytest.mark.parametrize(
    ("english", "german"),
    [
        (counted(1, "point"), "1 Punkt"),
        (counted(0, "point"), "0 Punkte"),
        (counted(0, "movement point", none="no"), "keine Bewegungspunkte"),
        (listed(["wheat", "wine", "cheese"]), "Weizen, Wein und Käse"),
        (listed(["wheat", "wine"], "or"), "Weizen oder Wein"),
        (joined_by(", and ", ["wheat", "wine"]), "Weizen, und Wein"),
        (joined_by(" and per ", ["temple", "flower"]), "Tempel und je Blume"),
        (capitalized("play a card"), "Spiele eine Karte"),
        (winners_sentence([1], counted(1, "point")), "Das Spiel ist zu Ende: {1} führt mit 1 Punkt."),
        (winners_sentence([0, 2], counted(5, "point")), "Das Spiel ist zu Ende: {0} und {2} führen mit je 5 Punkten."),
        (phrase("kreta-play", card="commander"), "den Kommandanten spielen"),
        (phrase("kreta-play-as", card="king", copied="farmer"), "den König als Bauern spielen"),
        (phrase("kreta-plays", seat="{0}", card="abbot"), "{0} spielt den Abt."),
        ("a text that nobody translates", "a text that nobody translates"),
    ],
)
def test_german_declines_our_nouns(english: str, german: str) -> None:
    assert de(english) == german


@pytest.mark.parametrize(("english", "size"), [("farmer", 24), ("exporter", 21)])
def test_a_word_that_is_longer_than_a_line_has_smaller_letters(english: str, size: int) -> None:
    drawing = lines_of([text(english, 0, 0, 24)], 8, 24)
    assert drawn_in(drawing, "de") == drawing.replace(english, de(english)).replace('"24"', f'"{size}"')
    assert drawn_in(drawing, "en") == drawing


@pytest.mark.parametrize("game", GERMAN, ids=[game.id for game in GERMAN])
def test_a_whole_game_is_german(game: AnyGame) -> None:
    """Every sentence is translated, down to its words. Names of places and people stay as they are."""
    missing = set[str]()
    spoken, translator = set(said(game)), Translator("de", missing.add)
    for sentence in filter(None, spoken):
        german = translator.show(sentence)
        assert german and not re.search(r"\b(and|the|of|per|with)\b", german)
    names = {key_of(name) for board in game.boards for name in strings(msgspec.to_builtins(board, enc_hook=str))}
    words = sorted(text for text in missing if re.search("[a-z]", text))
    assert [text for text in words if key_of(text) not in names and text != game.author] == []


def said(game: AnyGame) -> Iterator[str]:
    """Yield what is said in random games for each number of seats, in instructions and in the lesson, and labels."""
    guide = game.guide
    for symbol in (one for board in game.boards for one in game.look.symbols(board)):
        yield symbol.label
        yield from drawn_words(symbol.drawing)
    assert guide is not None and game.how_to_play is not None
    for seats in game.seats:
        rng = Dice(Random(seats))
        position = start(game.id, seats=seats, rng=rng)
        while position.to_act:
            seat = position.to_act[0]
            moves = position.legal_moves(seat)
            yield from map(game.say_move, moves[:20])
            yield from (guide.heading(move).text for move in moves[:20])
            view = game.view(position.state, seat)
            yield guide.task(view)
            if len(moves) % 5 == 0:
                yield game.text(view, seat)
                yield from (note.text for note in guide.annotations(view, seat))
                areas = game.look.areas(game.boards[0], view)
                yield from (area.label for area in areas)
                yield from (place.label for area in areas for place in area.places)
                for area in areas:
                    for drawing in (area.ground, area.print_over, *(place.drawing for place in area.places)):
                        yield from drawn_words(drawing)
                pieces = game.look.pieces(view, seat)
                yield from (words for piece in pieces for words in (piece.label, piece.badge))
                yield from (
                    explain(game, position.state, seat, piece.id).text for piece in pieces[:: len(pieces) // 5 or 1]
                )
            position = position.play(rng.choice(moves), seat, rng)
            yield from map(game.say, position.events)
            yield from (gain.source for event in position.events for gain in guide.gains(event))
        assert position.outcome is not None
        yield position.outcome.reason.partition(": ")[2]
    how = game.how_to_play(game)
    yield from (how.aim, *how.set_up, *how.hints, how.house_edition, how.example.title)
    yield from (figure.caption for figure in (*how.turn, *how.example.figures))
    lesson = game_module(game.id, game.ruleset, "teaching.lesson")
    assert lesson is not None
    for step in lesson.LESSON.steps:
        yield from (step.text, step.more, *step.wrong.values())


def drawn_words(drawing: str) -> Iterator[str]:
    """Yield the texts of a drawing: those in several lines joined, and names of places one by one."""
    for block in re.findall(r"<g data-lines.*?</g>|<text.*?</text>", drawing):
        words = unescape(" ".join(re.findall(r"<text[^>]*>([^<]*)<", block)))
        yield from words.split(", ") if words.istitle() else [words]


def strings(value: Any) -> Iterator[str]:
    """Yield every string inside of lists and dictionaries."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings(inner)
