"""What a setting is, and how settings are read: from options, the environment and files, every one of them known.

The settings themselves are a table in ``config.py``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import reduce
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

PREFIX = "SKERRY_"
IN_A_FILE = "_FILE"
"""Ends the name of the variable that names the file in which a secret stands."""
_MOST_OF_A_FILE = 65_536
_OF_KUBERNETES = re.compile(r"SKERRY(_\w+)?_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP)(_\w+)?)")
_ADDRESS_OF_KUBERNETES = re.compile(r"SKERRY(_\w+)?_PORT")
"""Could be a setting of ours, or a misspelt one: its text tells."""
_FLAGS: Mapping[str, bool] = {"": False, "0": False, "1": True}
_NEAR, _VERY_NEAR = 0.6, 0.85
"""How like a known name, of 1, another must be to be taken for it: with our prefix, and without it."""


class SettingKind(Struct, frozen=True):
    """What the text of a setting can be."""

    wanted: str
    """What it has to be, as in "SKERRY_PORT is a number": begins with a verb."""
    parse: Callable[[str], Any]
    """Returns the value; raises ValueError for any other text."""
    metavar: str
    many: bool = False
    """Whether it lists any number, separated by commas."""
    optional: bool = False
    """Whether the empty text stands for none."""

    def read(self, text: str) -> Any:
        """Return the value. Raises ValueError, which says what was wanted."""
        if self.many:
            return tuple([self._one(part) for part in text.split(",") if part])
        return None if self.optional and not text else self._one(text)

    def _one(self, text: str) -> Any:
        try:
            return self.parse(text)
        except ValueError:
            raise ValueError(f"{self.wanted}, not {text!r}") from None

    def write(self, value: Any) -> str:
        """Return the text of a value."""
        if value is None:
            return ""
        if isinstance(value, tuple):
            return ",".join(value)
        return str(int(value)) if isinstance(value, bool) else str(value)


class Setting(Struct, frozen=True):
    """One thing that an operator can set."""

    variable: str
    """Of the environment."""
    kind: SettingKind
    get: Callable[[Any], Any]
    """Returns its value in a ``Config``."""
    put: Callable[[Any, Any], Any]
    """Returns a ``Config`` with this value; may raise ValueError."""
    does: str
    """What it does: the help of its option, and its line in docs/reference/settings.md, in Markdown."""
    option: str | None = None
    """Of ``skerry serve``; ``None``: there is none."""
    default: str = ""
    """In words, where the page shall not show the value itself."""
    hide: Callable[[str], str] | None = None
    """Of a secret: returns what may be shown of its text."""

    @property
    def file_variable(self) -> str | None:
        """The variable that names a file in which it stands; secrets have one."""
        return f"{self.variable}{IN_A_FILE}" if self.hide else None

    def shown(self, config: Any) -> str:
        """Return its text as anybody may see it."""
        text = self.kind.write(self.get(config))
        return self.hide(text) if self.hide and text else text

    def read(self, name: str, text: str) -> Any:
        """Return the value of a text that was given under this name. Raises ValueError, without a secret in it."""
        try:
            return self.kind.read(text)
        except ValueError as error:
            raise ValueError(f"{name} {self.kind.wanted if self.hide else error}") from None


class Given(Struct, frozen=True):
    """The text of a setting, and where it comes from."""

    name: str
    """The variable or option, as it was written."""
    text: str
    origin: str
    """``environment``, ``file PATH`` or ``option``."""


def at(path: str) -> tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]:
    """Return what gets and what puts a value at a place such as ``quotas.mode``."""
    names = path.split(".")

    def get(config: Any) -> Any:
        return reduce(getattr, names, config)

    def put(config: Any, value: Any) -> Any:
        for depth in reversed(range(len(names))):
            value = replace(reduce(getattr, names[:depth], config), **{names[depth]: value})
        return value

    return get, put


# ---------------------------------------------------------------- kinds


def number(least: int, most: int, unit: str = "") -> SettingKind:
    """Return the kind of whole numbers within these bounds, in a unit such as "MiB"."""

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and least <= int(text) <= most):
            raise ValueError(text)
        return int(text)

    of = f" of {unit}" if unit else ""
    return SettingKind(f"is a number{of} from {least} to {most}", parse, unit.upper() or "NUMBER")


def choice(*words: str, optional: bool = False) -> SettingKind:
    """Return the kind of these words."""
    among = {word: word for word in words}

    def parse(text: str) -> str:
        if text not in among:
            raise ValueError(text)
        return among[text]

    return SettingKind(f"is {', '.join(words[:-1])} or {words[-1]}", parse, "|".join(words), optional=optional)


def _parse_flag(text: str) -> bool:
    if text not in _FLAGS:
        raise ValueError(text)
    return _FLAGS[text]


FLAG = SettingKind("is 1 or 0", _parse_flag, "")


def require_host(text: str) -> None:
    """Raise ValueError for what can be no host: what no name is looked up for."""
    if not text or text.split() != [text]:
        raise ValueError(text)
    text.encode("idna")  # as whoever looks a name up does: no label is empty, or too long


def _parse_host(text: str) -> str:
    require_host(text)
    return text


HOST = SettingKind("is an address or the name of a host", _parse_host, "HOST")


# ---------------------------------------------------------------- reading


def given(
    settings: Sequence[Setting], environment: Mapping[str, str], options: Mapping[str, str], others: Sequence[str]
) -> Mapping[str, Given]:
    """Return what was given of each setting, by its variable; an option goes before the environment.

    ``options``: texts by variable; ``others``: variables that are known and no settings. Raises ValueError.
    """
    environment = {name: text for name, text in environment.items() if not _is_of_kubernetes(name, text)}
    _require_known(settings, environment, others)
    found: dict[str, Given] = {}
    for setting in settings:
        if setting.variable in options:
            text = options[setting.variable]
            found[setting.variable] = Given(setting.option or setting.variable, text, "option")
        elif one := _from_environment(setting, environment):
            found[setting.variable] = one
    return found


def _from_environment(setting: Setting, environment: Mapping[str, str]) -> Given | None:
    name, of_file = setting.variable, setting.file_variable
    path = environment.get(of_file, "") if of_file else ""
    if not path:
        return Given(name, environment[name], "environment") if name in environment else None
    if environment.get(name):
        raise ValueError(f"{name} and {of_file} are both set: which one is meant?")
    return Given(str(of_file), _read_secret(str(of_file), Path(path)), f"file {path}")


def _read_secret(name: str, path: Path) -> str:
    """Return what the file holds, without the line end that editors leave. Raises ValueError, without a word of it."""
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_OF_A_FILE + 1).decode()
    except OSError as error:
        raise ValueError(f"{name} names {path}, which cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{name} names {path}, which is not text") from None
    if len(text) > _MOST_OF_A_FILE or len(text.split()) != 1:
        raise ValueError(f"{name} names {path}, which does not hold one line without spaces")
    return text.strip()


def _is_of_kubernetes(name: str, text: str) -> bool:
    """Tell whether Kubernetes set it, for a Service named skerry or skerry-something, which it does for every pod."""
    if _OF_KUBERNETES.fullmatch(name):
        return True
    return bool(_ADDRESS_OF_KUBERNETES.fullmatch(name)) and text.startswith(("tcp:", "udp:"))


def _require_known(settings: Sequence[Setting], environment: Mapping[str, str], others: Sequence[str]) -> None:
    """Raise ValueError for a variable that looks like one of ours and is none, with the name that was meant."""
    known = {*others, *_names(settings)}
    for name in sorted(environment.keys() - known):
        ours = name.startswith(PREFIX)
        meant = _meant(name, known, _NEAR if ours else _VERY_NEAR)
        if ours or (meant is not None and meant not in environment):
            hint = f"{meant} is meant, perhaps" if meant else "`skerry config` lists the settings"
            raise ValueError(f"{name} is no setting: {hint}")


def _names(settings: Sequence[Setting]) -> Iterator[str]:
    for setting in settings:
        yield setting.variable
        if setting.file_variable:
            yield setting.file_variable


def _meant(name: str, known: set[str], least: float) -> str | None:
    """Return the known name that is nearest, if one is near; case, dashes and our prefix make no difference."""
    by_rest = {one.removeprefix(PREFIX) if name.startswith(PREFIX) else one: one for one in sorted(known)}
    rest = name.removeprefix(PREFIX).upper().replace("-", "_")
    near = get_close_matches(rest, by_rest, n=1, cutoff=least)
    return by_rest[near[0]] if near else None
