"""``skerry doctor``: check the settings, the store and its sessions, and say what to do."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer
from msgspec import Struct

from skerry_games.sentences import counted
from skerry_service import __version__
from skerry_service.access.certificates import load_tls, tls_files_of
from skerry_service.access.keyring import Keyring
from skerry_service.access.reloaded_files import UnusableFile, read_files
from skerry_service.archive.archive import archive_at
from skerry_service.cli.operators.deployment_checks import of_limits, of_ports, of_workers
from skerry_service.cli.operators.diagnosed import Diagnosis
from skerry_service.cli.operators.matchmaking_check import damaged_keys
from skerry_service.cli.operators.store_checks import of_writes, store_diagnoses
from skerry_service.cli.output import console
from skerry_service.cli.refusal import FAILED
from skerry_service.domain.errors import StoreUnavailable
from skerry_service.domain.record import Record
from skerry_service.store.connections.free_space import FreeSpace, on_disk
from skerry_service.store.connections.redacted_address import without_secrets
from skerry_service.store.connections.tls_mismatch import mismatch
from skerry_service.store.diagnosis import Trouble, Vitals, trouble_with, vitals
from skerry_service.store.embedded.embedded_server import socket_path
from skerry_service.store.embedded.server_binary import EmbeddedServerError, find_binary, kind_of
from skerry_service.store.health.write_health import problem_of
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.upgrades.index_survey import all_sessions, survey
from skerry_service.store.upgrades.store_format import FORMAT, UnsupportedFormat, format_of
from skerry_service.wire.session_messages import write_session
from skerry_service.wiring import file_descriptors
from skerry_service.wiring.config import Config, EffectiveSettings
from skerry_service.wiring.ports import needs_of
from skerry_service.wiring.store.store_probe import root_cause

_RENEWED = timedelta(days=14)
"""Warning time before a certificate or key expires. Automatic renewal happens earlier."""
_PAGE = 100
_NAMED = 5
_STYLES = {"ok": "green", "advice": "yellow", "wrong": "bold red"}
ADVICE: dict[Trouble, tuple[str, str]] = {
    "damaged": (
        "Damaged sessions",
        "restore the store from a backup (docs/how-to/backups.md), or leave them to expire.",
    ),
    "overdue": (
        "Sessions whose bot or clock is overdue for more than a minute",
        "run a service with SKERRY_BOT_WORKERS above 0, and search its log for these ids.",
    ),
    "unknown": (
        "Sessions with rulesets that this build does not support",
        "run a build that supports them until they are over (`skerry validate`).",
    ),
}


def doctor_command(
    settings: EffectiveSettings,
    *,
    sessions: Annotated[int, typer.Option(min=0, help="Maximum number of sessions to check.")] = 10_000,
    players: Annotated[
        int, typer.Option(min=0, help="Players at the same time that the limits and connections must allow.")
    ] = 0,
    accept_loss: Annotated[
        bool, typer.Option("--accept-loss", help="Accept a store without an append-only file.")
    ] = False,
) -> None:
    """Check the settings, the store and its sessions, and say what to do.

    It writes a probe to the store and to the archive, and deletes it.

    Takes the options of `serve`. The exit code is 0 if nothing is wrong, 1 if something is, and 2 if a setting is
    invalid. `wrong` prevents the service from serving or a session from continuing; `advice` does not.
    """
    wrong = asyncio.run(_print_diagnoses(settings, sessions, Accepted(players, accept_loss)))
    if wrong:
        raise typer.Exit(FAILED)


class Accepted(Struct, frozen=True):
    """What the operator expects and accepts."""

    players: int = 0
    """Players at the same time; 0: not stated."""
    loss: bool = False
    """Whether the store may have no append-only file."""


async def _print_diagnoses(settings: EffectiveSettings, sessions: int, accepted: Accepted) -> bool:
    out, wrong = console(), False
    async for diagnosis in diagnoses(settings, sessions, accepted):
        wrong = wrong or diagnosis.state == "wrong"
        advice = f" To do: {diagnosis.advice}" if diagnosis.advice else ""
        line = f"{diagnosis.state:7} {diagnosis.topic:12} {diagnosis.sentence}{advice}"
        out.print(line, style=_STYLES[diagnosis.state], soft_wrap=True)
    return wrong


async def diagnoses(settings: EffectiveSettings, sessions: int, accepted: Accepted) -> AsyncIterator[Diagnosis]:
    """Yield the result of each check. The last one checks at most ``sessions`` sessions."""
    config = settings.config
    yield Diagnosis("ok", "settings", f"All settings are valid. Given: {', '.join(settings.given) or 'none'}.")
    yield _of_descriptors(config)
    yield of_workers(config)
    for diagnosis in (of_tls(config), of_keys(config), *of_ports(config), of_limits(config, accepted.players)):
        if diagnosis is not None:
            yield diagnosis
    url = config.redis_url or f"unix://{socket_path(config.data_dir.resolve())}"
    shown = without_secrets(url)
    try:
        store = RedisStore(url)
    except ValueError as error:
        yield Diagnosis("wrong", "store", f"{shown} is not the URL of a Redis: {error}.", "correct REDIS_URL.")
        return
    if config.archive is not None:
        yield await of_archive(config.archive, store)
    try:
        async for diagnosis in _of_store(store, shown, config, sessions, accepted):
            yield diagnosis
    except StoreUnavailable as error:
        if problem := await mismatch(url):
            yield Diagnosis("wrong", "store", f"The Redis at {shown} cannot be used: {problem}.", "correct REDIS_URL.")
        else:
            yield _of_absence(config, shown, str(problem_of(error)))
    finally:
        await store.close()


def _of_descriptors(config: Config) -> Diagnosis:
    allowed, wanted = file_descriptors.raise_limit(), config.limits.connections
    connections = file_descriptors.connections_within(allowed, wanted)
    sentence = f"{allowed:,} file descriptors are allowed, enough for {connections:,} connections on each port."
    if connections == wanted:
        return Diagnosis("ok", "descriptors", sentence)
    enough = 2 * wanted + file_descriptors.RESERVED
    return Diagnosis("advice", "descriptors", sentence, f"allow {enough:,} open files (ulimit -n, LimitNOFILE).")


async def of_archive(where: str, store: RedisStore) -> Diagnosis:
    """Write, read and delete an object, and compare the archive's id with the id in the store."""
    shown = without_secrets(where)
    try:
        archive = archive_at(where)
        await archive.probe()
        archive_id = await archive.id()
    except OSError as error:
        return Diagnosis("wrong", "archive", f"{str(error)[0].upper()}{str(error)[1:]}.", "correct SKERRY_ARCHIVE.")
    except StoreUnavailable as error:
        sentence = f"The archive at {shown} cannot be written and read: {root_cause(error).rstrip('.')}."
        return Diagnosis("wrong", "archive", sentence, "make sure that this machine can reach it and may write there.")
    with suppress(StoreUnavailable):
        expected_id = await store.finished.archive_id()
        if expected_id is not None and expected_id != archive_id:
            sentence = f"{shown} is not the archive to which the games of this store have moved."
            return Diagnosis("wrong", "archive", sentence, "mount the right archive, or read docs/how-to/archive.md.")
    return Diagnosis("ok", "archive", f"An object was written, read and deleted at {shown}.")


def of_tls(config: Config) -> Diagnosis | None:
    """Check the certificate and its key. Return ``None`` without TLS."""
    try:
        files = tls_files_of(config.tls_certificate, config.tls_key, config.tls_client_ca)
        if files is None:
            return None
        left = load_tls(files, read_files(files.by_setting()), *needs_of(config)).ends_at - datetime.now(UTC)
    except UnusableFile as error:
        sentence = f"{str(error)[0].upper()}{str(error)[1:]}."
        return Diagnosis("wrong", "tls", sentence, "provide a certificate in PEM form and its key.")
    when = f"{(datetime.now(UTC) + left):%Y-%m-%d}"
    if left <= timedelta():
        sentence = f"The certificate expired on {when}, so clients reject it."
        return Diagnosis("wrong", "tls", sentence, "renew it; the service reloads it without a restart.")
    sentence = f"Key and certificate match. The certificate is valid for {left.days:,} days, until {when}."
    if left < _RENEWED:
        return Diagnosis("advice", "tls", sentence, "renew it; the service reloads it without a restart.")
    return Diagnosis("ok", "tls", sentence)


def of_keys(config: Config) -> Diagnosis | None:
    """Check the file of API keys. Return ``None`` if calls need no key."""
    if config.keys is None:
        return None
    try:
        found = Keyring(config.keys).value
    except UnusableFile as error:
        advice = "write the line as `skerry keys new` does."
        return Diagnosis("wrong", "keys", f"{error}.", advice)
    every = [key for keys in found.by_name.values() for key in keys]
    named = f"{counted(len(every), 'key')} of {counted(len(found.by_name), 'name')}"
    ending = sorted({key.name for key in every if key.expires and key.expires < time.time() + _RENEWED.total_seconds()})
    if ending:
        sentence = f"Keys that have expired or expire within 14 days: {', '.join(ending)}."
        return Diagnosis("advice", "keys", sentence, "create new keys (`skerry keys new`) and delete the expired ones.")
    anonymous = ", ".join(sorted(found.anonymous_scopes))
    free = f"scopes without a key: {anonymous}" if anonymous else "every call needs a key"
    return Diagnosis("ok", "keys", f"The file has {named}; {free}.")


def _of_absence(config: Config, shown: str, reason: str) -> Diagnosis:
    """Judge a store that cannot be used. An embedded Valkey runs only while a service does."""
    if config.redis_url:
        sentence = f"The Redis at {shown} cannot be used: {reason.rstrip('.')}."
        return Diagnosis("wrong", "store", sentence, "make sure that it runs and that this machine can reach it.")
    try:
        kind = kind_of(find_binary())
    except EmbeddedServerError as error:
        return Diagnosis("wrong", "store", f"There is {error}.", "do one of these.")
    folder = config.data_dir.resolve()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK) or on_disk(existing) is not FreeSpace.PLENTY:
        sentence = f"{existing} is not a writable folder, or its disk is full."
        return Diagnosis("wrong", "store", sentence, "make room, or set SKERRY_DATA_DIR.")
    return Diagnosis("ok", "store", f"No service uses {folder}. A service that starts there runs {kind}.")


async def _of_store(
    store: RedisStore, shown: str, config: Config, sessions: int, accepted: Accepted
) -> AsyncIterator[Diagnosis]:
    signs = await vitals(store, _clock_ms)
    yield Diagnosis("ok", "store", f"{signs.server} answers at {shown}.")
    yield await of_writes(store)
    for diagnosis in store_diagnoses(store, signs, config, accept_loss=accepted.loss):
        yield diagnosis
    for diagnosis in await _of_format(store):
        yield diagnosis
    found, checked = await _troubles(store, signs, sessions)
    for trouble, ids in found.items():
        sentence, advice = ADVICE[trouble]
        named = ", ".join(ids[:_NAMED]) + (" and others" if len(ids) > _NAMED else "")
        yield Diagnosis("wrong", "sessions", f"{sentence}: {len(ids):,} ({named}).", advice)
    if not found:
        yield Diagnosis("ok", "sessions", f"No overdue or damaged session among {checked:,}.")
    if damaged := await damaged_keys(store):
        sentence = f"Keys of the matchmaker with damaged values, which it leaves out: {', '.join(damaged)}."
        yield Diagnosis("advice", "matchmaking", sentence, "find out what else writes to the store.")


async def _of_format(store: RedisStore) -> Sequence[Diagnosis]:
    """Check the format of the store, and whether its indexes have all of its sessions."""
    try:
        found = await format_of(store, __version__)
    except UnsupportedFormat as error:
        return (Diagnosis("wrong", "format", str(error), "read docs/how-to/upgrading.md."),)
    if found is None:
        return (Diagnosis("ok", "format", f"The store is new. A service that starts on it gives it format {FORMAT}."),)
    if found.number < FORMAT:
        sentence = f"The store has format {found.number}; this build has format {FORMAT}."
        return (Diagnosis("wrong", "format", sentence, "run `skerry migrate`, or start a service of this build."),)
    compared = await survey(store)
    written = Diagnosis("ok", "format", f"The store has format {found.number}, which Skerry {found.build} wrote.")
    if compared.agrees:
        return written, Diagnosis("ok", "indexes", f"The indexes have all {len(compared.sessions):,} sessions.")
    return written, Diagnosis("wrong", "indexes", compared.sentence, "run `skerry repair`.")


async def _troubles(store: RedisStore, signs: Vitals, most: int) -> tuple[dict[Trouble, list[str]], int]:
    """Return the ids of faulty sessions by kind of fault, and the number of checked sessions."""
    found: dict[Trouble, list[str]] = {}
    stored = (await all_sessions(store))[:most]
    now_ms = _clock_ms() + signs.skew_ms
    for at in range(0, len(stored), _PAGE):
        page = stored[at : at + _PAGE]
        troubles = await asyncio.gather(*(trouble_with(store, one, signs.uptime_ms, now_ms, _show) for one in page))
        for session, trouble in zip(page, troubles, strict=True):
            if trouble is not None:
                found.setdefault(trouble, []).append(session)
    return found, len(stored)


def _show(record: Record, sequence: int) -> object:
    return write_session(record, sequence, "", with_player_ids=True)


def _clock_ms() -> int:
    return time.time_ns() // 1_000_000
