"""The checks of ``skerry doctor`` on the settings of a deployment: processes, ports, and limits for many players."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from skerry_service.access.quotas import RateLimit
from skerry_service.cli.operators.diagnosed import Diagnosis
from skerry_service.edge.admin.admin_port import is_loopback
from skerry_service.wiring.config import Config
from skerry_service.wiring.setting_kinds import split_address

_CPU_LIMIT = Path("/sys/fs/cgroup/cpu.max")
PLAYERS_PER_TABLE, GAMES_PER_HOUR = 3, 2
"""What docs/explanation/capacity.md assumes of a player."""
_HOUR = 3600
_SESSION_CALLS: Mapping[str, float] = {
    "create_server": GAMES_PER_HOUR / PLAYERS_PER_TABLE,
    "join_server": GAMES_PER_HOUR,
}
"""The calls of a player per hour that count against the limits of all callers."""


def of_workers(config: Config) -> Diagnosis:
    """Compare the number of workers with that of cores."""
    cores = usable_cores()
    sentence = f"Workers: {config.workers}. Cores: {cores:g}."
    if config.workers <= max(1.0, cores):
        return Diagnosis("ok", "workers", sentence)
    return Diagnosis("advice", "workers", sentence, f"set SKERRY_WORKERS to at most {max(1, int(cores))}.")


def usable_cores(cpu_limit: Path = _CPU_LIMIT) -> float:
    """Return how many cores this process can use. ``cpu_limit``: the file of its control group."""
    cores = float(len(os.sched_getaffinity(0)))
    try:
        quota, period = cpu_limit.read_text(encoding="ascii").split()
        return min(cores, int(quota) / int(period))
    except (OSError, ValueError):  # no control group, or one without a limit
        return cores


def of_ports(config: Config) -> Iterator[Diagnosis]:
    """Check what other machines can reach."""
    public = [f"{config.host}:{config.port}"] if not is_loopback(config.host) else []
    if config.http is not None and not is_loopback(split_address(config.http)[0]):
        public.append(config.http)
    if not public:
        yield Diagnosis("ok", "ports", "Only this machine can reach the service.")
    else:
        yield _of_public(" and ".join(public), config)
    if config.admin is not None and not is_loopback(split_address(config.admin)[0]):
        yield _of_operators(config)


def _of_public(ports: str, config: Config) -> Diagnosis:
    steps = {
        "TLS": (config.tls_certificate, "set SKERRY_TLS_CERTIFICATE, or put a proxy with TLS in front"),
        "API keys": (config.keys, "set SKERRY_KEYS unless anyone may play"),
    }
    missing = {name: advice for name, (given, advice) in steps.items() if given is None}
    if not missing:
        return Diagnosis("ok", "ports", f"Other machines can reach {ports}, with TLS and API keys.")
    sentence = f"Other machines can reach {ports} without {' and '.join(missing)}."
    return Diagnosis("advice", "ports", sentence, f"{'; '.join(missing.values())}.")


def _of_operators(config: Config) -> Diagnosis:
    advice = "listen on 127.0.0.1, or let a firewall admit operators only."
    if config.tls_certificate is None or config.keys is None:
        sentence = f"Other machines can reach the operator port {config.admin}, so the service does not start."
        return Diagnosis("wrong", "operators", sentence, f"set SKERRY_TLS_CERTIFICATE and SKERRY_KEYS, or {advice}")
    return Diagnosis("advice", "operators", f"Other machines can reach the operator port {config.admin}.", advice)


def of_limits(config: Config, players: int) -> Diagnosis | None:
    """Compare the limits of all callers with the stated number of players. Return ``None`` if none is stated."""
    if not players:
        return None
    limits = {limit.name: limit for quota in config.quotas.quotas.values() for limit in quota.limits}
    enough = {name: _players_of(limits[name], calls) for name, calls in _SESSION_CALLS.items()}
    short = {name: most for name, most in enough.items() if most < players}
    each = config.limits.connections
    needed = f"{players:,} players need {-(-players // each):,} processes for their connections, {each:,} each."
    if not short or config.quotas.mode != "on":
        return Diagnosis("ok", "limits", f"The limits allow {players:,} players. {needed}")
    ends = ", ".join(f"{name} at {most:,}" for name, most in short.items())
    settings = " and ".join(f"SKERRY_LIMIT_{name.upper()}" for name in short)
    sentence = f"Limits end below {players:,} players: {ends}. {needed}"
    return Diagnosis("wrong", "limits", sentence, f"raise {settings} (docs/reference/limits.md).")


def _players_of(limit: RateLimit, calls_per_hour: float) -> int:
    """Return how many players the limit allows, by its slowest rate."""
    slowest = min((rate.count * _HOUR / rate.seconds for rate in limit.rates), default=float("inf"))
    return int(min(slowest / calls_per_hour, 1e12))
