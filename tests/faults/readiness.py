"""What ``/readyz`` of a service says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

from .processes import Service


async def readiness(service: Service) -> tuple[int, Mapping[str, Any]]:
    """Return the status and the body of ``/readyz``."""

    def read() -> tuple[int, bytes]:
        try:
            with urlopen(f"{service.http}/readyz") as answer:
                return answer.status, answer.read()
        except HTTPError as error:
            return error.code, error.read()

    status, body = await asyncio.to_thread(read)
    return status, json.loads(body)
