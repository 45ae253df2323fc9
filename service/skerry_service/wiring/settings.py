"""The description of a setting, and the reader of settings from options, the environment and files.

``config.py`` lists the settings themselves.
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
FILE_SUFFIX = "_FILE"
"""Suffix of a variable that names a file with the value of a secret setting."""
_MAX_SECRET_LENGTH = 65_536
_KUBERNETES_VARIABLE = re.compile(r"SKERRY(_\w+)?_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP)(_\w+)?)")
_MAYBE_KUBERNETES_PORT = re.compile(r"SKERRY(_\w+)?_PORT")
"""Kubernetes sets such a variable to ``tcp://...``. Otherwise it is a setting, perhaps misspelt."""
_FLAGS: Mapping[str, bool] = {"": False, "0": False, "1": True}
_SIMILAR, _VERY_SIMILAR = 0.6, 0.85
"""Minimum similarity, from 0 to 1, to suggest a known name: for names with our prefix, and for names without it."""


class SettingKind(Struct, frozen=True):
    """The values that a setting accepts."""

    accepts: str
    """A description of the accepted values, which follows "must be" in an error message."""
    parse: Callable[[str], Any]
    """Returns the value; raises ValueError for any other text."""
    metavar: str
    many: bool = False
    """Whether the setting is a list, separated by commas."""
    optional: bool = False
    """Whether the empty text means ``None``."""
    require: Callable[[Sequence[Any]], None] | None = None
    """Raises ValueError, whose text follows the name of the setting, if the list as a whole is not accepted."""

    def read(self, text: str) -> Any:
        """Return the value. Raises ValueError, whose text says what is accepted."""
        if self.many:
            parts = tuple([self._parse(part) for part in text.split(",") if part])
            if self.require is not None:
                self.require(parts)
            return parts
        return None if self.optional and not text else self._parse(text)

    def _parse(self, text: str) -> Any:
        try:
            return self.parse(text)
        except ValueError:
            raise ValueError(f"must be {self.accepts}, not {text!r}") from None

    def write(self, value: Any) -> str:
        """Return the text of a value."""
        if value is None:
            return ""
        if isinstance(value, tuple):
            return ",".join(value)
        return str(int(value)) if isinstance(value, bool) else str(value)


class Setting(Struct, frozen=True):
    """One setting of a server."""

    variable: str
    """The environment variable."""
    kind: SettingKind
    get: Callable[[Any], Any]
    """Returns the value in a ``Config``."""
    put: Callable[[Any, Any], Any]
    """Returns a ``Config`` with the new value; may raise ValueError."""
    help: str
    """The help text of the option and the description in docs/reference/settings.md, in Markdown."""
    option: str | None = None
    """The option of ``skerry serve``; ``None``: it has none."""
    default: str = ""
    """The default in words, for documentation; empty: the documentation shows the value itself."""
    redact: Callable[[str], str] | None = None
    """Returns the text without its secret parts; ``None``: the setting is not secret."""

    @property
    def file_variable(self) -> str | None:
        """The variable that names a file with the value; ``None`` unless the setting is secret."""
        return f"{self.variable}{FILE_SUFFIX}" if self.redact else None

    def display(self, config: Any) -> str:
        """Return the text of the value, without secrets."""
        text = self.kind.write(self.get(config))
        return self.redact(text) if self.redact and text else text

    def read(self, name: str, text: str) -> Any:
        """Return the value of a text given under this variable or option. Raises ValueError, without secrets."""
        try:
            return self.kind.read(text)
        except ValueError as error:
            raise ValueError(f"{name} must be {self.kind.accepts}" if self.redact else f"{name} {error}") from None


class GivenSetting(Struct, frozen=True):
    """The text given for a setting, and its origin."""

    name: str
    """The variable or option under which it was given."""
    text: str
    origin: str
    """``environment``, ``file PATH`` or ``option``."""


def accessors(path: str) -> tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]:
    """Return a getter and a copying setter for an attribute path such as ``quotas.mode``."""
    names = path.split(".")

    def get(config: Any) -> Any:
        return reduce(getattr, names, config)

    def put(config: Any, value: Any) -> Any:
        for depth in reversed(range(len(names))):
            value = replace(reduce(getattr, names[:depth], config), **{names[depth]: value})
        return value

    return get, put


# ---------------------------------------------------------------- kinds


def number(lowest: int, highest: int, unit: str = "") -> SettingKind:
    """Return the kind of whole numbers within these bounds, in a unit such as "MiB"."""

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and lowest <= int(text) <= highest):
            raise ValueError(text)
        return int(text)

    of_unit = f" of {unit}" if unit else ""
    return SettingKind(f"a number{of_unit} from {lowest} to {highest}", parse, unit.upper() or "NUMBER")


def choice(*words: str, optional: bool = False) -> SettingKind:
    """Return the kind that accepts one of these words."""
    by_text = {word: word for word in words}

    def parse(text: str) -> str:
        if text not in by_text:
            raise ValueError(text)
        return by_text[text]

    return SettingKind(f"{', '.join(words[:-1])} or {words[-1]}", parse, "|".join(words), optional=optional)


def _parse_flag(text: str) -> bool:
    if text not in _FLAGS:
        raise ValueError(text)
    return _FLAGS[text]


FLAG = SettingKind("1 or 0", _parse_flag, "")


def require_host(text: str) -> None:
    """Raise ValueError for text that cannot be a host name or address."""
    if not text or text.split() != [text]:
        raise ValueError(text)
    text.encode("idna")  # name resolution does the same, and rejects labels that are empty or too long


def _parse_host(text: str) -> str:
    require_host(text)
    return text


HOST = SettingKind("an address or a host name", _parse_host, "HOST")


# ---------------------------------------------------------------- reading


def given_settings(
    settings: Sequence[Setting], environment: Mapping[str, str], options: Mapping[str, str], others: Sequence[str]
) -> Mapping[str, GivenSetting]:
    """Return the texts given for settings, by variable. Options take precedence over the environment.

    ``options``: texts by variable; ``others``: known variables that are not settings. Raises ValueError.
    """
    environment = {name: text for name, text in environment.items() if not _is_of_kubernetes(name, text)}
    _require_known(settings, environment, others)
    given: dict[str, GivenSetting] = {}
    for setting in settings:
        if setting.variable in options:
            text = options[setting.variable]
            given[setting.variable] = GivenSetting(setting.option or setting.variable, text, "option")
        elif from_environment := _from_environment(setting, environment):
            given[setting.variable] = from_environment
    return given


def _from_environment(setting: Setting, environment: Mapping[str, str]) -> GivenSetting | None:
    name, file_variable = setting.variable, setting.file_variable
    path = environment.get(file_variable, "") if file_variable else ""
    if not path:
        return GivenSetting(name, environment[name], "environment") if name in environment else None
    if environment.get(name):
        raise ValueError(f"{name} and {file_variable} are both set. Set only one of them")
    return GivenSetting(str(file_variable), _read_secret(str(file_variable), Path(path)), f"file {path}")


def _read_secret(name: str, path: Path) -> str:
    """Return the file's only line. Raises ValueError, whose text contains nothing of the file."""
    try:
        with path.open("rb") as file:
            text = file.read(_MAX_SECRET_LENGTH + 1).decode()
    except OSError as error:
        raise ValueError(f"{name} names {path}, which cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{name} names {path}, which is not UTF-8 text") from None
    if len(text) > _MAX_SECRET_LENGTH or len(text.split()) != 1:
        raise ValueError(f"{name} names {path}, which must contain one line without spaces")
    return text.strip()


def _is_of_kubernetes(name: str, text: str) -> bool:
    """Return whether Kubernetes set the variable in every pod, for a Service named skerry or skerry-something."""
    if _KUBERNETES_VARIABLE.fullmatch(name):
        return True
    return bool(_MAYBE_KUBERNETES_PORT.fullmatch(name)) and text.startswith(("tcp:", "udp:"))


def _require_known(settings: Sequence[Setting], environment: Mapping[str, str], others: Sequence[str]) -> None:
    """Raise ValueError for a variable that looks like a setting but is unknown, with the most similar known name."""
    known = {*others, *_names(settings)}
    for name in sorted(environment.keys() - known):
        has_prefix = name.startswith(PREFIX)
        similar = _most_similar(name, known, _SIMILAR if has_prefix else _VERY_SIMILAR)
        if has_prefix or (similar is not None and similar not in environment):
            hint = f"Did you mean {similar}?" if similar else "`skerry config` lists all settings"
            raise ValueError(f"Unknown setting {name}. {hint}")


def _names(settings: Sequence[Setting]) -> Iterator[str]:
    for setting in settings:
        yield setting.variable
        if setting.file_variable:
            yield setting.file_variable


def _most_similar(name: str, known: set[str], cutoff: float) -> str | None:
    """Return the most similar known name, if one is similar enough. Case, dashes and our prefix do not count."""
    by_rest = {other.removeprefix(PREFIX) if name.startswith(PREFIX) else other: other for other in sorted(known)}
    rest = name.removeprefix(PREFIX).upper().replace("-", "_")
    matches = get_close_matches(rest, by_rest, n=1, cutoff=cutoff)
    return by_rest[matches[0]] if matches else None
