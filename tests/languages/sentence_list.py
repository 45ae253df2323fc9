"""Prints every message of the catalogues with one example in English and German, so that a person can read them.

    python -m tests.languages.sentence_list            prints the messages of all catalogues
    python -m tests.languages.sentence_list kreta      prints the messages of one game

Examples come from random games of every variant and number of seats. Messages that these games do not have are printed
as the catalogues have them.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from typing import Any

from skerry_games.catalogue import all_games
from skerry_games.languages.catalogues import ENGLISH, catalogue_files
from skerry_games.languages.fluent import Message, parse
from skerry_games.languages.translation import in_language
from skerry_games.sentences import Sentence
from skerry_service.domain.languages.phrases import verbatim
from tests.games.sentences import played, rare
from tests.languages.test_german import said


def examples(text: Any) -> Iterator[Sentence]:
    """Yield a sentence, and those inside of it."""
    if isinstance(text, Sentence):
        yield text
        for value in text.parameters.values():
            yield from examples(value)
    elif isinstance(text, tuple):
        for item in text:
            yield from examples(item)


def found() -> dict[str, Sentence]:
    """Return an example of each message in random games, by id. Longer examples say more."""
    known = dict[str, Sentence]()
    texts = list[str]()
    for game in all_games().values():
        texts += said(game)
        things = itertools.chain(played(game), rare(game))
        texts += [game.say_move(value) if what == "move" else game.say(value) for what, value in things]
    for text in texts:
        for one in examples(text):
            if one.id not in known or len(known[one.id]) < len(one) < 200:
                known[one.id] = one
    return known


def main(*chosen: str) -> None:
    """Print the messages of the catalogues with these names, or of all of them."""
    known = found()
    patterns = {
        id_: text.partition("=")[2].strip()
        for _, file in catalogue_files("de")
        for text in file.splitlines()
        if (id_ := text.partition("=")[0].strip()) and not text.startswith((" ", "#", "-"))
    }
    for name, file in catalogue_files(ENGLISH):
        if chosen and name.partition(": ")[2].removesuffix(".ftl") not in chosen:
            continue
        for id_, message in parse(file, name):
            if isinstance(message, Message):
                english = known.get(id_) or verbatim(message.static or "...")
                german = in_language(english, "de") if id_ in known else patterns.get(id_, "")
                print(f"{id_}\n  {english}\n  {german}")


if __name__ == "__main__":
    main(*sys.argv[1:])
