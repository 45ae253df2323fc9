"""The list of keys in ``store/redis_keys.py`` is complete: it is compared with the code and the Lua scripts."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

from skerry_service.store import redis_keys

ROOM = Path(redis_keys.__file__).parent
SERVICE = ROOM.parent
SCRIPTS = sorted((ROOM / "scripts").glob("*.lua"))
LIST = redis_keys.__doc__ or ""
LISTED_KEYS = re.findall(r"^``(skerry:.*)``$", LIST, re.MULTILINE)
LISTED_NAMES = set(re.findall(r"``([^`]+)``", LIST))
_KEY = re.compile(r"skerry:(?!//)\S")
"""A key, and no address of a resource (``skerry://rules/kreta``)."""
_FIELD = re.compile(r"'([a-z])'")


def keys_of_code() -> set[str]:
    """Return every key that ``redis_keys`` makes, with its parameters as placeholders."""
    return {name for name in names_of_code() if name.startswith("skerry:")}


def names_of_code() -> set[str]:
    """Return every key, field and entry that ``redis_keys`` makes or names."""
    constants = {value.decode() for value in vars(redis_keys).values() if isinstance(value, bytes)}
    functions = [
        value
        for value in vars(redis_keys).values()
        if inspect.isfunction(value) and inspect.signature(value).return_annotation == "bytes"
    ]
    return constants | {named(function) for function in functions}


def named(function: object) -> str:
    """Return what a function of ``redis_keys`` makes of its parameters' names: ``skerry:{<session>}``."""
    assert callable(function)
    arguments = {
        name: 7 if parameter.annotation == "int" else f"<{name}>"
        for name, parameter in inspect.signature(function).parameters.items()
    }
    numbers = [name for name, value in arguments.items() if value == 7]
    made: str = function(**arguments).decode()
    return made.replace("7", f"<{numbers[0]}>") if numbers else made


def test_the_list_has_every_key_of_the_code_and_no_other() -> None:
    assert sorted(LISTED_KEYS) == sorted(keys_of_code())


def test_the_list_names_every_field_and_entry_of_the_code() -> None:
    assert names_of_code() - LISTED_NAMES == set()


def test_the_list_names_every_field_of_the_scripts() -> None:
    fields = {field for script in SCRIPTS for field in _FIELD.findall(script.read_text())}
    assert fields
    assert fields <= {value.decode() for value in vars(redis_keys).values() if isinstance(value, bytes)}


def test_scripts_receive_their_keys_and_name_none() -> None:
    assert SCRIPTS
    assert [script.name for script in SCRIPTS if _KEY.search(script.read_text())] == []


def test_only_redis_keys_names_keys() -> None:
    found = {
        path.relative_to(SERVICE).as_posix()
        for path in SERVICE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and is_a_key(node.value)
    }
    assert found == {"store/redis_keys.py"}


def is_a_key(text: str | bytes) -> bool:
    return _KEY.match(text if isinstance(text, str) else text.decode(errors="replace")) is not None
