"""The messages of the API, and the JSON names of their fields: ``expectedSequence``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from google.protobuf.descriptor import Descriptor

from skerry.v1 import service_pb2
from skerry_games.catalogue import all_games

_NAME = re.compile(r"(?<![\w/-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w/-])")


def reachable_messages(kinds: Iterable[Descriptor]) -> Iterator[Descriptor]:
    """Yield these message types and all that they contain, each once."""
    waiting, known = list(kinds), set[str]()
    while waiting:
        kind = waiting.pop()
        if kind.full_name not in known:
            known.add(kind.full_name)
            yield kind
            waiting += [field.message_type for field in kind.fields if field.message_type is not None]


def to_json_names(text: str) -> str:
    """Replace the names of fields in a text, or in a path to a field, by their JSON names.

    Ids of games stay unchanged, although they are also names of fields.
    """
    return _NAME.sub(lambda found: _json_names().get(found[0], found[0]), text)


@cache
def _json_names() -> dict[str, str]:
    rpcs = [rpc for service in service_pb2.DESCRIPTOR.services_by_name.values() for rpc in service.methods]
    kinds = reachable_messages([kind for rpc in rpcs for kind in (rpc.input_type, rpc.output_type)])
    names = {field.name: field.json_name for kind in kinds for field in kind.fields}
    return {name: json_name for name, json_name in names.items() if name not in all_games()}
