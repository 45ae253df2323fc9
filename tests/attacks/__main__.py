"""``make attack``: carry the attacks out one after the other, and print what came of each.

``make attack ARGS="bots head"`` carries out those whose names hold one of these words. The exit code is 1 if one took
more than its bound, made the service print a traceback, or let the victim wait for longer than a second.
"""

from __future__ import annotations

import asyncio
import sys
from types import ModuleType

from tests.attacks import amounts, connections, sessions
from tests.attacks.ground import Attack, Outcome, carry_out

WORST_SECONDS = 1.0
MODULES: tuple[ModuleType, ...] = (connections, sessions, amounts)
ATTACKS: list[Attack] = [one for module in MODULES for one in vars(module).values() if isinstance(one, Attack)]
_ROW = "{:<66} {:>30} {:>10} {:>10} {:>7}  {}"


def holds(one: Attack, outcome: Outcome) -> bool:
    """Whether the service kept what it promises."""
    return outcome.measured <= one.most and not outcome.tracebacks


async def main(words: list[str]) -> int:
    """Attack; return the exit code."""
    chosen = [one for one in ATTACKS if not words or any(word in one.name for word in words)]
    print(_ROW.format("attack", "bound", "measured", "worst wait", "moves", ""))
    failed = False
    for one in chosen:
        outcome = await carry_out(one)
        good = holds(one, outcome) and outcome.worst_seconds <= WORST_SECONDS
        failed |= not good
        said = "" if good else f"BROKEN, {outcome.tracebacks} tracebacks"
        bound, wait = f"{one.most:g} {one.unit}", f"{outcome.worst_seconds * 1000:.0f} ms"
        print(_ROW.format(one.name, bound, f"{outcome.measured:.0f}", wait, outcome.moves, said), flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
