"""A program that plays in plain JSON, without the rules, and with the fault that its argument names.

python tests/arena/faulty_program.py {first,last,hang,...}
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time


def send(line: object) -> None:
    print(json.dumps(line), flush=True)


def answer(line: dict[str, object], choice: int = 0) -> None:
    send({"type": "move", "decision": line["decision"], "choice": choice})


def hang(line: dict[str, object]) -> None:
    time.sleep(1000)


def crash(line: dict[str, object]) -> None:
    sys.exit("out of ideas")


def close(line: dict[str, object]) -> None:
    os.close(1)
    time.sleep(1000)


def garble(line: dict[str, object]) -> None:
    print("e2e4", flush=True)


def nest(line: dict[str, object]) -> None:
    print('{"type": "move", "decision": 1, "choice": 0, "why": ' + "[" * 30_000 + "]" * 30_000 + "}", flush=True)


def flood(line: dict[str, object]) -> None:
    while True:
        os.write(1, b"x" * 65536)


def complain(line: dict[str, object]) -> None:
    os.write(2, b"complaint\n" * 100_000)
    answer(line)


def chatter(line: dict[str, object]) -> None:
    answer(line)
    answer(line)


def lie(line: dict[str, object]) -> None:
    answer({"decision": 99})


def cheat(line: dict[str, object]) -> None:
    answer(line, 10_000)


def eat(line: dict[str, object]) -> None:
    bytearray(1 << 36)


def fill(line: dict[str, object]) -> None:
    with open("big", "wb") as file:
        while True:
            file.write(b"x" * (1 << 20))


def spawn(line: dict[str, object]) -> None:
    """Start a long-lived child process, write its id to a file, and hang."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    with open("child", "w") as file:
        file.write(str(child.pid))
    time.sleep(1000)


def bequeath(line: dict[str, object]) -> None:
    """Start a child process that keeps the output open, and crash."""
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    sys.exit("out of ideas")


def share(line: dict[str, object]) -> None:
    """Use much memory in several processes, each of which stays within the limit."""
    for _ in range(4):
        if os.fork() == 0:
            kept = bytearray(os.urandom(1 << 20) * 80)
            time.sleep(1000)
            del kept
    time.sleep(1000)


def leave(line: dict[str, object]) -> None:
    """Start a process that leaves the process group, the session and its parent, write its id to a file, and answer."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            with open("child.new", "w") as file:
                file.write(str(os.getpid()))
            os.rename("child.new", "child")
            for stream in (0, 1, 2):
                os.close(stream)
            time.sleep(1000)
        os._exit(0)
    while not os.path.exists("child"):
        time.sleep(0.01)
    answer(line)


def first(line: dict[str, object]) -> None:
    answer(line)


def last(line: dict[str, object]) -> None:
    words = line["words"]
    assert isinstance(words, list)
    answer(line, len(words) - 1)


def main(how: str) -> None:
    for text in sys.stdin:
        line = json.loads(text)
        if line["type"] == "hello":
            if how in ("mute", "dead"):
                time.sleep(1000) if how == "mute" else sys.exit("born dead")
            send({"type": "hello", "wants": ["everything"] if how == "demand" else ["words"]})
        elif line["type"] == "new_game":
            if how == "sleep":
                time.sleep(1000)
            send({"type": "ready"})
        elif line["type"] == "choose":
            globals()[how](line)


if __name__ == "__main__":
    main(sys.argv[1])
