"""Ids and parameters of sentences: with the catalogues, they make the sentences that the service writes."""

from __future__ import annotations

import pytest

from skerry.v1.sentence_pb2 import SentenceParameter
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_games.languages.catalogues import languages
from skerry_games.languages.translation import in_language
from skerry_games.sentences import counted, fill, listed, phrase
from skerry_service.domain.languages.phrases import verbatim
from skerry_service.wire.sentence_messages import write_sentence
from tests.games.conformance.texts import NAMES
from tests.languages.rebuilding import written
from tests.languages.test_german import said


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in all_games().values()])
def test_what_the_rules_say_in_whole_games_can_be_written_from_messages(game: AnyGame) -> None:
    """In positions, notes, headings and lessons too."""
    ids = set[str]()
    for text in filter(None, said(game)):
        sent = write_sentence(text)
        ids.add(sent.id)
        for language in languages():
            assert written(sent, language, NAMES) == fill(in_language(text, language), NAMES), sent
    assert len(ids) > 50


def parameter(text: str, name: str) -> SentenceParameter:
    return write_sentence(text).parameters[name]


def test_parameters_say_what_they_are() -> None:
    plays = phrase("kreta-plays", seat="{1}", card="abbot")
    assert write_sentence(plays).id == "kreta-plays"
    assert parameter(plays, "seat") == SentenceParameter(seat=1)
    assert parameter(plays, "card") == SentenceParameter(term="abbot")
    assert parameter(counted(5, "movement point"), "number") == SentenceParameter(number=5)
    assert parameter(counted(5, "movement point"), "thing") == SentenceParameter(term="movement point")
    assert parameter(listed(["{0}", "Chania"]), "items").list.items == [
        SentenceParameter(seat=0),
        SentenceParameter(text="Chania"),
    ]


def test_words_of_callers_are_texts_even_if_they_are_words_of_a_game() -> None:
    taken = phrase("entry-joined", name=verbatim("King"), seat=3)
    assert parameter(taken, "name") == SentenceParameter(text="King")


def test_a_number_that_does_not_fit_is_a_text() -> None:
    assert parameter(phrase("common-seat", seat=1 << 31), "seat") == SentenceParameter(text="2147483648")


def test_a_text_without_parameters_and_a_single_word_are_messages() -> None:
    assert write_sentence("The game is over.").id == "common-over"
    assert parameter("Houses", "words") == SentenceParameter(term="Houses")
    assert parameter("Chania", "words") == SentenceParameter(text="Chania")


def test_parameters_that_the_english_text_does_not_show_are_not_sent() -> None:
    hidden = phrase("kreta-plays", seat="{1}", card="abbot", hand="king")
    assert set(write_sentence(hidden).parameters) == {"seat", "card"}
