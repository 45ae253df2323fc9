"""The audit of operators: who calls, and an entry in the audit log for each call that does more than read."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from functools import partial
from typing import Any

from skerry.admin.v1 import admin_pb2 as pb
from skerry_service.access.client_addresses import LOCAL
from skerry_service.api.error_table import code_and_reason
from skerry_service.api.interceptors import Interceptor
from skerry_service.domain.errors import SkerryError
from skerry_service.sessions.resources.audit_log import AuditLog, OperatorAction
from skerry_service.telemetry.call_observers import CANCELLED, OK, Call

Method = Callable[[Any, str | None], Awaitable[Any]]
_READING = ("list_", "get_", "inspect_", "watch_")
"""How the methods begin that change nothing."""
_RESOURCE = re.compile(r"(?:sessions|ladders|tournaments|bans|bots|replicas)/[a-z0-9_.-]{1,64}")
"""Names that may be logged. Any other text in their place may be a secret."""
_log = logging.getLogger(__name__)
_current: ContextVar[str] = ContextVar("operator of the call", default=LOCAL)


def current_operator() -> str:
    """Return the operator who calls: the name of the API key, or the address."""
    return _current.get()


class NameOperators(Interceptor):
    """Notes which operator makes a call. It follows the interceptor that finds the API key."""

    def begin(self, call: Call) -> None:
        _current.set(call.key or call.peer().host or LOCAL)


class AuditedMethods:
    """The methods of a service for operators. Those that do more than read are logged with their outcome."""

    def __init__(self, methods: object, audit: AuditLog, clock_ms: Callable[[], int]) -> None:
        """``clock_ms``: the wall clock, in ms since 1970."""
        self._methods = methods
        self._audit = audit
        self._clock_ms = clock_ms
        self._writes = set[asyncio.Task[None]]()

    def __getattr__(self, name: str) -> Method:
        method: Method = getattr(self._methods, name)
        return method if name.startswith(_READING) else partial(self._audited, name, method)

    async def _audited(self, name: str, method: Method, request: Any, token: str | None) -> Any:
        try:
            answer = await method(request, token)
        except BaseException as error:
            outcome = code_and_reason(error)[1] if isinstance(error, Exception) else CANCELLED
            await self._record(name, request, None, outcome)
            raise
        await self._record(name, request, answer, OK)
        return answer

    async def _record(self, name: str, request: Any, answer: Any, outcome: str) -> None:
        """Store an entry before the operator gets the answer, also if the call is cancelled meanwhile."""
        action = OperatorAction(
            current_operator(),
            "".join(word.capitalize() for word in name.split("_")),
            _resource_of(request, answer),
            outcome,
            self._clock_ms(),
            _detail_of(request, answer),
        )
        write = asyncio.get_running_loop().create_task(self._write(action))
        self._writes.add(write)
        write.add_done_callback(self._writes.discard)
        await asyncio.shield(write)

    async def _write(self, action: OperatorAction) -> None:
        """Store an entry. Without a store, the service log alone has it: operators can still act then."""
        try:
            await self._audit.append(action)
        except SkerryError as error:
            _log.error("the audit log has no entry of %s: %s", action, error)


def _resource_of(*messages: Any) -> str:
    """Return the first name of a resource among messages. Empty: none."""
    for message in messages:
        name = getattr(message, "name", "") or getattr(getattr(message, "ban", None), "name", "")
        if _RESOURCE.fullmatch(name):
            return name
    return ""


def _detail_of(request: Any, answer: Any) -> str:
    """Return more about an action, in words. A player's id is left out: ``ForgetPlayer`` could not erase it."""
    if isinstance(answer, pb.CreateBanResponse | pb.LiftBanResponse):
        ban = answer.ban
        subject = {"address": ban.address, "key": f"key {ban.key}"}.get(ban.WhichOneof("subject") or "", "a player")
        return f"{subject}, {ban.duration.seconds} s: {ban.reason}"
    if isinstance(request, pb.StartLadderSeasonRequest):
        return f"season {request.season}"
    if isinstance(answer, pb.ForgetPlayerResponse):
        return f"{answer.sessions} sessions, {len(answer.problems)} problems"
    return ""
