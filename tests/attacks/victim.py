"""A player during an attack: makes one move after the other. ``python -m tests.attacks.victim HOST:PORT CA``

``CA`` is the file of the authority of the service's certificate, or empty for plain text.

Prints ``playing`` after the first move, plays until stdin ends, then prints the number of moves and the longest wait.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from time import perf_counter

import grpc

from tests.api.wire import Api, Sitting, look, move_once, sit_down

PAUSE_SECONDS = 0.01
TABLES = 40
"""Games that the victim joins in advance: the service may refuse new games during the attack."""


async def play(address: str, ca: str, stop: asyncio.Future[str]) -> dict[str, float]:
    """Play games of two with a service until ``stop`` is done; return the number of moves and the longest wait."""
    moves, worst = 0, 0.0
    async with _channel(address, ca) as channel:
        api = Api(channel)
        sittings = [await sit_down(api, seed=bytes(32)) for _ in range(TABLES)]
        while not stop.done():
            begun = perf_counter()
            if not await moved(api, sittings[-1], moves):
                sittings.pop()
                continue
            moves, worst = moves + 1, max(worst, perf_counter() - begun)
            if moves == 1:
                print("playing", flush=True)
                worst = 0.0  # the service has just started
            await asyncio.sleep(PAUSE_SECONDS)
    return {"moves": moves, "worst_seconds": worst}


def _channel(address: str, ca: str) -> grpc.aio.Channel:
    if not ca:
        return grpc.aio.insecure_channel(address)
    return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(Path(ca).read_bytes()))


async def moved(api: Api, sitting: Sitting, pick: int) -> bool:
    """Read the position and make a move; return false if the game is over."""
    if not (await look(api, sitting)).to_act:
        return False
    await move_once(api, sitting, pick)
    return True


async def main() -> None:
    stop = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    print(json.dumps(await play(sys.argv[1], sys.argv[2], stop)))


if __name__ == "__main__":
    asyncio.run(main())
