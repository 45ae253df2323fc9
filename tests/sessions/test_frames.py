"""Frames cost little: each move of an update is applied once, unless its game shows it in steps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from skerry_games.canarias import GAME as CANARIAS
from skerry_games.catalogue import all_games
from skerry_service.domain.cooperative import run_to_completion
from skerry_service.domain.log import Moved
from skerry_service.domain.table import BOT, apply_entry
from skerry_service.sessions.service import Sessions
from skerry_service.wire.scene_positions import MAX_FRAMES, framed_entries_to_wire
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import begin, live, log_of


async def test_frames_apply_each_move_once(
    sessions: Sessions, store: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = await begin(sessions, CANARIAS, BOT, BOT)
    log = [one for change in await log_of(store, sitting.id) for one in change.applied]
    rest, made = log[-MAX_FRAMES // 2 :], []

    def apply(state: Any, actor: int, move: Any) -> Any:
        made.append(move)
        return CANARIAS.apply(state, actor, move)

    monkeypatch.setitem(all_games(), CANARIAS.id, replace(CANARIAS, apply=apply))
    before = None
    for one in log[: -MAX_FRAMES // 2]:
        before, _ = apply_entry(before, one.entry, one.move)
    made.clear()
    serialized = run_to_completion(framed_entries_to_wire(before, await live(sessions, sitting), rest, None))
    assert len(serialized) == len(rest)
    assert made == [one.move for one in rest if isinstance(one.entry, Moved)]
    assert len(made) > 1
