"""``skerry`` of a later build: Kreta has a new ruleset there, and its present one is an earlier one."""

from __future__ import annotations

import sys
from dataclasses import replace

from skerry_games.catalogue import all_games, earlier_rulesets
from skerry_games.kreta import GAME as KRETA
from skerry_service.cli.app import run

NEWER = "kreta-3"

if __name__ == "__main__":
    earlier_rulesets()[KRETA.ruleset] = KRETA
    all_games()[KRETA.id] = replace(KRETA, ruleset=NEWER)
    sys.exit(run())
