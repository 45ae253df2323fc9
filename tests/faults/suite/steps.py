"""The steps of a commit at which the service can be doomed, and the plan of who is killed when."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

FILE, SEED, PLANTED = "DOOM", "DOOM_SEED", "DOOM_PLANTED"
DOOMED_WRITE = "DOOMED_WRITE"
EARLY, FORGETFUL = "early", "forgetful"
"""Mistakes: to acknowledge before it is stored; to remember no request."""

DECIDED, SENT, IN_SCRIPT, UNDER_WAY, ANSWERED, NOTED, NOTIFIED, GONE_OUT = range(1, 9)
STEPS = {
    DECIDED: "decided, nothing sent",
    SENT: "sent, not read by the store",
    IN_SCRIPT: "amid the store's script, after its first write",
    UNDER_WAY: "sent, a moment later",
    ANSWERED: "answered by the store, nothing noted",
    NOTED: "noted, nobody told",
    NOTIFIED: "streams told, the caller not",
    GONE_OUT: "the caller's answer on its way",
}
Victim = Literal["service", "store", "both"]
VICTIMS: tuple[Victim, ...] = ("service", "store", "both")

_SOONEST, _LATEST = 4, 20
"""Commits before a kill: as many as let play go on between two of them."""


class Plan(NamedTuple):
    """One kill: of whom, at which step, of which commit from now on."""

    step: int
    victim: Victim
    commit: int


def plan_of(seed: int, number: int) -> Plan:
    """Return the plan of that kill. All steps come by turns, and at each of them all victims."""
    step = 1 + number % len(STEPS)
    victim = VICTIMS[number // len(STEPS) % len(VICTIMS)]
    return Plan(step, victim, Random(f"{seed} {number}").randint(_SOONEST, _LATEST))


def spared(file: Path) -> Path:
    """Return the file that ends all this, given the one in which kills are written down."""
    return file.with_name("spared")
