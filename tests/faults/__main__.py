"""``make faults``: make faults of each kind while games are played, and print what came of it.

``make faults ARGS="--seconds 60 kills"`` makes those of one kind, for so long. The exit code is 1 if something was
lost, or if play did not go on after a fault. ``--seconds 3600 --pause 0.15 ladders`` is an hour of ten bots, for a
quarter of a core.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence

from tests.faults.suite.crowds import CROWDS
from tests.faults.suite.disks import DISKS
from tests.faults.suite.kills import KILLS
from tests.faults.suite.kinds import Asked, Kind, Outcome
from tests.faults.suite.ladders import LADDERS
from tests.faults.suite.partitions import PARTITIONS
from tests.faults.suite.players import in_words
from tests.faults.suite.retries import CUTS, RETRIES
from tests.faults.suite.soak import SOAK
from tests.faults.suite.timers import TIMERS
from tests.faults.suite.upgrades import UPGRADES

KINDS: tuple[Kind, ...] = (KILLS, TIMERS, RETRIES, CUTS, PARTITIONS, DISKS, CROWDS, LADDERS, UPGRADES, SOAK)
SECONDS = 60.0
_ROW = "{:<76} {:>6} {:>9} {:>6}  {}"


async def try_all(kinds: Sequence[Kind], asked: Asked) -> int:
    """Try them one after the other; return the exit code."""
    print(_ROW.format("fault", "tried", "survived", "lost", ""))
    outcomes = []
    for kind in kinds:
        try:
            outcomes.append(await kind.run(asked))
        except Exception as error:
            outcomes.append(Outcome(received="not tried to the end", findings=[in_words(error)]))
        tell(kind, outcomes[-1])
    tried, survived, lost = (sum(getattr(one, name) for one in outcomes) for name in ("tried", "survived", "lost"))
    print(_ROW.format("all", tried, survived, lost, "").rstrip())
    return int(not all(outcome.good for outcome in outcomes))


def tell(kind: Kind, outcome: Outcome) -> None:
    """Print what came of a kind."""
    said = outcome.received if outcome.good else f"{outcome.received}: BROKEN"
    what = f"{kind.name}: {kind.what}"
    print(_ROW.format(what, outcome.tried, outcome.survived, outcome.lost, said))
    for row in outcome.rows:
        print(_ROW.format(f"  {row.what}", row.tried, row.survived, "", "").rstrip())
    for finding in outcome.findings:
        print(f"  {finding}")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Read what is wanted, and try it."""
    names = [kind.name for kind in KINDS]
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description="Makes faults while games are played.")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"any of {', '.join(names)}; default: all")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each kind; default: %(default)g")
    parser.add_argument("--seed", type=int, default=0, help="of the plans; default: %(default)s")
    parser.add_argument("--pause", type=float, default=0.0, help="of ladder bots before moves; default: %(default)g")
    parser.add_argument("--no-namespaces", action="store_true", help="make no networks, though it may be allowed here")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.kinds) - set(names):
        parser.error(f"no such kind: {', '.join(sorted(unknown))}")
    kinds = [kind for kind in KINDS if not asked.kinds or kind.name in asked.kinds]
    plan = Asked(asked.seconds, asked.seed, pause=asked.pause, namespaces=not asked.no_namespaces)
    return asyncio.run(try_all(kinds, plan))


if __name__ == "__main__":
    sys.exit(main())
