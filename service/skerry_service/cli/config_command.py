"""The settings as command-line options, and ``skerry config``, which prints the effective settings."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any

import typer

from skerry_service.cli.output import console
from skerry_service.cli.refusal import MISUSED, Refusal
from skerry_service.wiring.config import SETTINGS, Config, EffectiveSettings, effective_settings
from skerry_service.wiring.settings import FLAG, Setting

_DEFAULT = "default"
_LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")


def read_settings(options: Mapping[str, str] | None = None) -> EffectiveSettings:
    """Return the settings of this process. ``options``: texts by variable. Raises Refusal if one is invalid."""
    try:
        return effective_settings(options=options)
    except ValueError as error:
        raise Refusal(str(error), MISUSED) from None


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each setting to a command. The command receives ``EffectiveSettings`` as its first argument."""
    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    with_option = [setting for setting in SETTINGS if setting.option]

    @wraps(command)
    def with_settings(**arguments: Any) -> None:
        options = {
            setting.variable: text
            for setting in with_option
            if (text := _text(setting, arguments.pop(_parameter(setting)))) is not None
        }
        command(read_settings(options), **arguments)

    keyword = inspect.Parameter.KEYWORD_ONLY
    added = [
        inspect.Parameter(_parameter(setting), keyword, default=None, annotation=_option(setting))
        for setting in with_option
    ]
    own = [parameter.replace(kind=keyword) for parameter in own]
    with_settings.__signature__ = inspect.Signature([*added, *own])  # type: ignore[attr-defined]
    with_settings.__annotations__ = {}
    return with_settings


def _parameter(setting: Setting) -> str:
    return setting.variable.lower()


def _text(setting: Setting, value: Any) -> str | None:
    """Return the value of an option as text of its variable; ``None`` if the option was not given."""
    if value is None or value == []:
        return None
    return ",".join(value) if isinstance(value, list) else setting.kind.write(value)


def _option(setting: Setting) -> Any:
    kind, option = setting.kind, str(setting.option)
    text = _LINK.sub(r"\1", setting.help)
    default = "" if kind is FLAG else setting.default or setting.display(Config())
    help_text = f"{text[0].upper()}{text[1:]} ({setting.variable}{default and f'; default: {default}'})."
    if kind is FLAG:
        return Annotated[bool | None, typer.Option(option, help=help_text)]
    value_type = list[str] if kind.many else str
    return Annotated[value_type | None, typer.Option(option, metavar=kind.metavar, help=help_text)]


def config_command(
    settings: EffectiveSettings,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Print the effective settings and the origin of each, without secrets.

    Takes the options of `serve`. The exit code is 2 if a setting is invalid.
    """
    rows = {setting.variable: (setting.display(settings.config), _origin(settings, setting)) for setting in SETTINGS}
    if as_json:
        print(json.dumps({name: {"value": value, "from": origin} for name, (value, origin) in rows.items()}, indent=2))
        return
    width = max(map(len, rows))
    out = console()
    for name, (value, origin) in rows.items():
        line = f"{name:{width}}  {value or '-':24}  {origin}"
        out.print(line, soft_wrap=True, style="" if origin != _DEFAULT else "dim")


def _origin(settings: EffectiveSettings, setting: Setting) -> str:
    given = settings.given.get(setting.variable)
    return given.origin if given else _DEFAULT
