from typing import Final

# What no move and no options can break: what is given, what is permitted, and what happens by itself.
UNBREAKABLE: Final = {
    *("CANARIAS-SETUP-2", "CANARIAS-SETUP-5", "CANARIAS-TURN-3", "CANARIAS-SHIP-1", "CANARIAS-BUILD-3"),
    *("CANARIAS-BUILD-4", "CANARIAS-SCORE-1", "CANARIAS-ARRIVE-2", "CANARIAS-ARRIVE-3", "CANARIAS-ARRIVE-4"),
    *("CANARIAS-ARRIVE-5", "CANARIAS-PIRATE-3", "CANARIAS-PRIV-1", "CANARIAS-PRIV-2", "CANARIAS-PRIV-TIES"),
    *("CANARIAS-PRIV-DRAW", "CANARIAS-PRIV-FREE"),
}
