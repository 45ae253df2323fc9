"""Run the image that ``build.sh`` has built as a container engine would, and print measurements.

    python3 deploy/image/trial.py [ROOT]

Bubblewrap runs the image: read-only, as the image's user, without privileges, in its own process namespace with the
service as process 1, on loopback ports of this machine. The trial checks the health check, plays a game, verifies the
replay and stops the service with the image's signal. It fails if stopping takes longer than the grace period in
compose.yaml.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "build" / "image"
GRACE_SECONDS = 30
START_SECONDS = 30
PROBES = 20
PORTS = {"SKERRY_PORT": "50151", "SKERRY_HTTP": "127.0.0.1:8180", "SKERRY_HOST": "127.0.0.1"}
"""The container shares the machine's network, so it uses unusual ports, and the health check must follow them."""


class Image:
    """The files of an image and its configuration."""

    def __init__(self, root: Path, described: Path) -> None:
        self.root = root
        self.config: dict[str, Any] = json.loads(described.read_text(encoding="utf-8"))["Docker"]["config"]

    def command(self, arguments: Sequence[str], *, volume: Path | None = None) -> list[str]:
        """Return the command line that runs a command in the image. ``volume``: the folder at /data; None: a tmpfs."""
        user, _, group = self.config["User"].partition(":")
        sandbox = ["bwrap", "--unshare-all", "--share-net", "--die-with-parent", "--as-pid-1", "--cap-drop", "ALL"]
        sandbox += ["--uid", user, "--gid", group, "--ro-bind", str(self.root), "/", "--proc", "/proc", "--dev", "/dev"]
        sandbox += ["--tmpfs", "/tmp", *(("--bind", str(volume), "/data") if volume else ("--tmpfs", "/data"))]
        sandbox += ["--clearenv", "--chdir", self.config["WorkingDir"]]
        for variable in (*self.config["Env"], *(f"{name}={value}" for name, value in PORTS.items())):
            sandbox += ["--setenv", *variable.split("=", 1)]
        return [*sandbox, "--", *arguments]

    def entry(self, *arguments: str) -> list[str]:
        """Return the entry point with these arguments, or with the default ones of the image."""
        return [*self.config["Entrypoint"], *(arguments or self.config["Cmd"])]


def main(root: Path) -> None:
    """Run the trial. Raises RuntimeError, CalledProcessError or TimeoutExpired if the image fails it."""
    image = Image(root, FOLDER / "inspected.json")
    log = (FOLDER / "trial.log").open("w+", encoding="utf-8")
    began = time.monotonic()
    service = subprocess.Popen(image.command(image.entry()), stdout=log, stderr=subprocess.STDOUT)
    try:
        probe = image.config["Healthcheck"]["Test"][1:]
        wait_until_healthy(image, probe, service, log.name)
        print(f"healthy {time.monotonic() - began:.1f} s after the start; the health check follows the settings")
        print(f"a health check, with its sandbox: {cost_of(image.command(probe)) * 1000:.0f} ms of processor time")
        first = first_process(service)
        user = subprocess.run(image.command(["id", "-u"]), capture_output=True, text=True, check=True).stdout.strip()
        print(f"user {user}; process 1 is the command, and its only child is a Valkey")
        play(image)
        stop(service, first, getattr(signal, image.config.get("StopSignal", "SIGTERM")))
    finally:
        service.kill()
    if "Traceback" in Path(log.name).read_text(encoding="utf-8"):
        raise RuntimeError(f"the log {log.name} contains a traceback")


def wait_until_healthy(image: Image, probe: Sequence[str], service: subprocess.Popen[bytes], log: str) -> None:
    """Repeat the health check until it passes. Raises RuntimeError."""
    until = time.monotonic() + START_SECONDS
    while subprocess.run(image.command(probe), stderr=subprocess.DEVNULL, check=False).returncode:
        if service.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"the service is not healthy; {log} contains: {Path(log).read_text(encoding='utf-8')}")
        time.sleep(0.05)


def cost_of(command: Sequence[str]) -> float:
    """Return the least processor time of several runs of a command, in seconds."""
    costs = []
    for _ in range(PROBES):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        costs.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(costs)


def first_process(service: subprocess.Popen[bytes]) -> int:
    """Return the id of the container's process 1. Raises RuntimeError unless its only child is a Valkey."""
    children: dict[int, list[tuple[int, str]]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text(encoding="utf-8")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if found := re.fullmatch(r"(\d+) \((.*)\) \S (\d+) .*", stat, re.DOTALL):
            children.setdefault(int(found[3]), []).append((int(found[1]), found[2]))
    ((first, name),) = children[service.pid]
    if (names := [one for _, one in children.get(first, [])]) != ["valkey-server"]:
        raise RuntimeError(f"{name} has the children {names}; expected one valkey-server")
    return first


def play(image: Image) -> None:
    """Play a game with the image's command line, and verify the replay in another container."""
    shared = FOLDER / "shared"
    shared.mkdir(exist_ok=True)
    shared.chmod(0o777)
    server = f"127.0.0.1:{PORTS['SKERRY_PORT']}"
    playing = image.entry("play", "kreta", "--server", server, "--json", "--replay", "/data/game.json")
    answer = subprocess.run(image.command(playing, volume=shared), capture_output=True, text=True, check=True).stdout
    retelling = image.entry("verify", "/data/game.json")
    verdict = subprocess.run(image.command(retelling, volume=shared), capture_output=True, text=True, check=True).stdout
    print(f"played a game of {json.loads(answer)['sequence']} entries; {verdict.strip()}")


def stop(service: subprocess.Popen[bytes], first: int, number: int) -> None:
    """Stop the service like an engine. Raises TimeoutExpired after the grace period, RuntimeError on failure."""
    began = time.monotonic()
    os.kill(first, number)
    if code := service.wait(GRACE_SECONDS):
        raise RuntimeError(f"the service exited with code {code}")
    print(f"stopped within {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER / "root")
