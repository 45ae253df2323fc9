from typing import Final

# What no move and no options can break: what is given, what is permitted, and what happens by itself.
UNBREAKABLE: Final = {
    *("KRETA-SETUP-2", "KRETA-SETUP-3", "KRETA-TURN-3", "KRETA-PEACE-2", "KRETA-PEACE-3", "KRETA-FARMER-3"),
    *("KRETA-CASTELLAN-1", "KRETA-CASTELLAN-2", "KRETA-SCORE-1", "KRETA-SCORE-2", "KRETA-SCORE-3", "KRETA-SCORE-4"),
}
