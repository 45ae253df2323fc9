"""What a check of ``skerry doctor`` yields."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

State = Literal["ok", "advice", "wrong"]


class Diagnosis(Struct, frozen=True):
    """The result of one check."""

    state: State
    topic: str
    sentence: str
    advice: str = ""
    """What to do, as a sentence; empty if the check passed."""
