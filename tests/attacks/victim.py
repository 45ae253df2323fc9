"""Somebody who plays while others attack, one move after the other. ``python -m tests.attacks.victim HOST:PORT``

Says ``playing`` with the first move, plays until stdin ends, then prints the number of moves and the longest wait.
"""

from __future__ import annotations

import asyncio
import json
import sys
from time import perf_counter

import grpc

from tests.api.wire import Api, Sitting, look, move_once, sit_down

PAUSE_SECONDS = 0.01
TABLES = 20
"""Games that it sits down to beforehand: new ones may be refused while it plays."""


async def play(address: str, enough: asyncio.Future[str]) -> dict[str, float]:
    """Play games of two until it is enough."""
    moves, worst = 0, 0.0
    async with grpc.aio.insecure_channel(address) as channel:
        api = Api(channel)
        sittings = [await sit_down(api, seed=bytes(32)) for _ in range(TABLES)]
        while not enough.done():
            begun = perf_counter()
            if not await moved(api, sittings[-1], moves):
                sittings.pop()
                continue
            moves, worst = moves + 1, max(worst, perf_counter() - begun)
            if moves == 1:
                print("playing", flush=True)
                worst = 0.0  # the first one meets a service that has just started
            await asyncio.sleep(PAUSE_SECONDS)
    return {"moves": moves, "worst_seconds": worst}


async def moved(api: Api, sitting: Sitting, pick: int) -> bool:
    """Look, and make a move, if the game is not over."""
    if not (await look(api, sitting)).to_act:
        return False
    await move_once(api, sitting, pick)
    return True


async def main() -> None:
    enough = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    print(json.dumps(await play(sys.argv[1], enough)))


if __name__ == "__main__":
    asyncio.run(main())
