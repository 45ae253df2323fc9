"""Says in sentences what bounds the programs of a tournament, and what does not."""

from __future__ import annotations

from typing import Final

from skerry_arena.entrants import builtin_factory
from skerry_arena.programs import control_group, sandbox
from skerry_arena.settings import Limits, Sandbox, Settings

_FREE: Final = "could change files, see other processes and use the network with the rights of their user"


def sentences(settings: Settings) -> tuple[str, ...]:
    """Return the sentences about the programs of a tournament on this machine; none without programs."""
    if all(builtin_factory(one) is not None for one in settings.players):
        return ()
    group = control_group.make(settings.limits.memory_mib)
    memory = group is not None and control_group.bounds_memory(group)
    processors = group is not None and control_group.bounds_processors(group)
    if group is not None:
        control_group.remove(group)
    return (
        _of_sandbox(settings),
        _of_memory(settings.limits, together=memory),
        _of_processors(settings.limits, enforced=processors),
        _of_children(settings.limits, grouped=group is not None),
    )


def _of_sandbox(settings: Settings) -> str:
    limits = settings.limits
    if limits.sandbox is Sandbox.OFF:
        return f"Programs ran without a sandbox, as the settings say, so they {_FREE}."
    if reason := sandbox.why_unusable():
        return f"Programs ran without a sandbox, because {reason}, so they {_FREE}."
    api = any(one.uses_api for one in settings.players)
    network = "had the network" if limits.network else "had no network"
    network += ", apart from those that use the API" if api and not limits.network else ""
    return (
        f"Programs ran in bubblewrap: they {network}, saw no other processes, and could only read files, apart from "
        "private ones in /tmp."
    )


def _of_memory(limits: Limits, *, together: bool) -> str:
    if together:
        return f"A program had {limits.memory_mib} MiB of memory for all its processes together."
    return (
        f"Each process of a program had {limits.memory_mib} MiB of memory, and all its processes together the same, "
        "checked every half a second, because there is no control group with the memory controller."
    )


def _of_processors(limits: Limits, *, enforced: bool) -> str:
    if limits.processors is None:
        return "Nothing bounded the processors of a program."
    if enforced:
        return f"A program had the time of {limits.processors} processors."
    return (
        f"A program was started on {limits.processors} processors, which it could change, because there is no control "
        "group with the processor controller."
    )


def _of_children(limits: Limits, *, grouped: bool) -> str:
    if grouped or sandbox.is_used(limits):
        return "All processes of a program ended with it."
    return "All processes of a program ended with it, unless somebody killed its keeper process."
