"""Skeletons of texts follow Unicode Technical Standard 39."""

from __future__ import annotations

import pytest

from skerry_service.domain.seating.skeletons import load_prototypes, skeleton


@pytest.mark.parametrize(
    ("one", "other"),
    [("paypal", "раураl"), ("Ida", "1da"), ("m", "rn"), ("\u00e9", "e\u0301"), ("scope", "ѕсоре"), ("O", "0")],
)
def test_texts_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert one != other
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize("text", ["Ada", "ab cd", "Борис", "玛丽", "\U0001f3b2"])
def test_a_skeleton_is_its_own_skeleton(text: str) -> None:
    assert skeleton(skeleton(text)) == skeleton(text)


def test_every_prototype_stands_for_itself() -> None:
    changed = {one: skeleton(of) for one, of in load_prototypes().items() if skeleton(of) != skeleton(skeleton(of))}
    assert changed == {}


def test_letters_that_look_like_nothing_else_stay() -> None:
    assert skeleton("xyz 42") == "xyz 42"
