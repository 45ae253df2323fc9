"""``make attack``: run the attacks one after the other and print the outcome of each.

``make attack ARGS="bots head"`` runs the attacks whose names contain one of these words. The exit code is 1 if one
exceeds its bound, makes the service print a traceback, or makes the victim wait for longer than a second.
"""

from __future__ import annotations

import asyncio
import sys
from types import ModuleType

from tests.attacks import amounts, bots, connections, http2_floods, matchmaking, sessions, slow_clients
from tests.attacks.target import Attack, Outcome, carry_out

WORST_SECONDS = 1.0
MODULES: tuple[ModuleType, ...] = (connections, slow_clients, http2_floods, sessions, amounts, bots, matchmaking)
ATTACKS: list[Attack] = [entry for module in MODULES for entry in vars(module).values() if isinstance(entry, Attack)]
_ROW = "{:<66} {:>30} {:>10} {:>10} {:>7}  {}"


def within_bound(attack: Attack, outcome: Outcome) -> bool:
    """Return whether the attack stayed within its bound and caused no traceback."""
    return outcome.measured <= attack.most and not outcome.tracebacks


async def main(words: list[str]) -> int:
    """Run the attacks whose names contain one of the words, or all; return the exit code."""
    chosen = [attack for attack in ATTACKS if not words or any(word in attack.name for word in words)]
    print(_ROW.format("attack", "bound", "measured", "worst wait", "moves", ""))
    failed = False
    for attack in chosen:
        outcome = await carry_out(attack)
        good = within_bound(attack, outcome) and outcome.worst_seconds <= WORST_SECONDS
        failed |= not good
        verdict = "" if good else f"BROKEN, {outcome.tracebacks} tracebacks"
        bound, wait = f"{attack.most:g} {attack.unit}", f"{outcome.worst_seconds * 1000:.0f} ms"
        print(_ROW.format(attack.name, bound, f"{outcome.measured:.0f}", wait, outcome.moves, verdict), flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
