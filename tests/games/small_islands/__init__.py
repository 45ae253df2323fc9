from typing import Final

# What no move and no options can break: what is given, what is permitted, and what happens by itself.
UNBREAKABLE: Final = {
    *("SMALL-SETUP-2", "SMALL-SETUP-5", "SMALL-TILE-1", "SMALL-ISLAND-1", "SMALL-ISLAND-2", "SMALL-PREP-1"),
    *("SMALL-PREP-4", "SMALL-REWARD-4", "SMALL-REWARD-5", "SMALL-ROUND-1", "SMALL-SCORE-1", "SMALL-TIE-1"),
    *("SMALL-MISSION-1", "SMALL-MISSION-2", "SMALL-MISSION-3", "SMALL-MISSION-4"),
}
