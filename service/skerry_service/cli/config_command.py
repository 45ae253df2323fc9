"""The settings on the command line: an option for each of them, and ``skerry config``, which tells what is in force."""

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
from skerry_service.wiring.config import SETTINGS, Config, EffectiveSettings, in_force
from skerry_service.wiring.settings import FLAG, Setting

_DEFAULT = "default"
_LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")


def settings_in_force(options: Mapping[str, str] | None = None) -> EffectiveSettings:
    """Return the settings of this process. ``options``: texts by variable. Raises Refusal."""
    try:
        return in_force(options=options)
    except ValueError as error:
        raise Refusal(f"An environment variable or option is not understood: {error}.", MISUSED) from None


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each setting to a command, which receives ``EffectiveSettings`` before its own arguments."""
    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    having = [setting for setting in SETTINGS if setting.option]

    @wraps(command)
    def with_settings(**arguments: Any) -> None:
        options = {
            setting.variable: text
            for setting in having
            if (text := _text(setting, arguments.pop(_parameter(setting)))) is not None
        }
        command(settings_in_force(options), **arguments)

    only = inspect.Parameter.KEYWORD_ONLY
    named = [inspect.Parameter(_parameter(one), only, default=None, annotation=_option(one)) for one in having]
    own = [parameter.replace(kind=only) for parameter in own]
    with_settings.__signature__ = inspect.Signature([*named, *own])  # type: ignore[attr-defined]
    with_settings.__annotations__ = {}
    return with_settings


def _parameter(setting: Setting) -> str:
    return setting.variable.lower()


def _text(setting: Setting, given: Any) -> str | None:
    """Return what an option was given as the environment would have it; ``None``: it was not given."""
    if given is None or given == []:
        return None
    return ",".join(given) if isinstance(given, list) else setting.kind.write(given)


def _option(setting: Setting) -> Any:
    kind, option = setting.kind, str(setting.option)
    does = _LINK.sub(r"\1", setting.does)
    default = "" if kind is FLAG else setting.default or setting.shown(Config())
    about = f"{does[0].upper()}{does[1:]} ({setting.variable}{default and f'; default: {default}'})."
    if kind is FLAG:
        return Annotated[bool | None, typer.Option(option, help=about)]
    several = list[str] if kind.many else str
    return Annotated[several | None, typer.Option(option, metavar=kind.metavar, help=about)]


def config_command(
    found: EffectiveSettings,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print them as one JSON object.")] = False,
) -> None:
    """Print the settings that are in force, and where each comes from; of secrets only what may be seen.

    It takes the options of `serve`, and exits with 2, as that would, if one of them is not understood.
    """
    told = {setting.variable: (setting.shown(found.config), _origin(found, setting)) for setting in SETTINGS}
    if as_json:
        print(json.dumps({name: {"value": value, "from": origin} for name, (value, origin) in told.items()}, indent=2))
        return
    widest = max(map(len, told))
    out = console()
    for name, (value, origin) in told.items():
        line = f"{name:{widest}}  {value or '-':24}  {origin}"
        out.print(line, soft_wrap=True, style="" if origin != _DEFAULT else "dim")


def _origin(found: EffectiveSettings, setting: Setting) -> str:
    given = found.given.get(setting.variable)
    return given.origin if given else _DEFAULT
