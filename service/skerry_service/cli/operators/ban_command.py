"""``skerry ban``: bans of a running server, over the operator API at the address of ``SKERRY_ADMIN``."""

from __future__ import annotations

import re
from typing import Annotated

import typer
from google.protobuf.json_format import MessageToJson

from skerry.admin.v1 import admin_pb2 as pb
from skerry_service.access.bans.ban_subjects import banned_address, banned_key
from skerry_service.cli.operators.admin_command import begin, call_operators
from skerry_service.cli.refusal import MISUSED, Refusal
from skerry_service.domain.bans.ban import BannedKind, BanSubject

app = typer.Typer(
    help="Ban callers of a running server for a time. See docs/how-to/security.md.",
    rich_markup_mode=None,
    no_args_is_help=True,
)
app.callback()(begin)
_SECONDS = 30.0
_PAGE = 500
_TIME = re.compile(r"([1-9][0-9]{0,8})(s|min|h|d)")
_UNITS = {"s": 1, "min": 60, "h": 3_600, "d": 86_400}

Address = Annotated[str, typer.Option(help="An IPv4 or IPv6 address, or a network such as 203.0.113.0/24.")]
Key = Annotated[str, typer.Option(help="The name of an API key.")]
Player = Annotated[str, typer.Option(help="The id of a player.")]


@app.command("add")
def add_command(
    context: typer.Context,
    time: Annotated[str, typer.Option("--for", metavar="TIME", help="For how long: 30s, 10min, 12h or 7d.")],
    reason: Annotated[str, typer.Option(help="Why. The banned caller reads it.")],
    address: Address = "",
    key: Key = "",
    player: Player = "",
) -> None:
    """Ban an address, an API key or a player. A second ban of the same one replaces the first."""
    subject = _subject_of(address, key, player)
    request = pb.CreateBanRequest(reason=reason)
    if subject.kind is BannedKind.ADDRESS:
        request.address = subject.text
    elif subject.kind is BannedKind.KEY:
        request.key = subject.text
    else:
        request.player_id = subject.text
    request.duration.FromSeconds(_seconds_of(time))
    response = call_operators(context, lambda stub, meta: stub.CreateBan(request, metadata=meta, timeout=_SECONDS))
    print(_as_line(response.ban))


@app.command("list")
def list_command(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
) -> None:
    """List the bans in force, those that end last first."""
    request = pb.ListBansRequest(page_size=_PAGE)
    while True:
        page = call_operators(context, lambda stub, meta: stub.ListBans(request, metadata=meta, timeout=_SECONDS))
        for ban in page.bans:
            print(MessageToJson(ban, indent=None) if as_json else _as_line(ban))
        request.page_token = page.next_page_token
        if not request.page_token:
            return


@app.command("lift")
def lift_command(
    context: typer.Context,
    ban: Annotated[str, typer.Argument(metavar="[BAN]", help="The ban's name in the list, bans/ID.")] = "",
    address: Address = "",
    key: Key = "",
    player: Player = "",
) -> None:
    """End a ban before its time. Name the ban, or who is banned."""
    if ban and (address or key or player):
        raise Refusal("Pass a ban, or one of --address, --key and --player.", MISUSED)
    name = f"bans/{ban.removeprefix('bans/') if ban else _subject_of(address, key, player).ban_id}"
    request = pb.LiftBanRequest(name=name)
    call_operators(context, lambda stub, meta: stub.LiftBan(request, metadata=meta, timeout=_SECONDS))
    print(f"{name} is lifted.")


def _subject_of(address: str, key: str, player: str) -> BanSubject:
    if [bool(address), bool(key), bool(player)].count(True) != 1:
        raise Refusal("Pass one of --address, --key and --player.", MISUSED)
    try:
        if address:
            return banned_address(address)
        return banned_key(key) if key else BanSubject(BannedKind.PLAYER, player)
    except ValueError as error:
        raise Refusal(f"--{'address' if address else 'key'}: {error}", MISUSED) from None


def _seconds_of(text: str) -> int:
    found = _TIME.fullmatch(text)
    if found is None:
        raise Refusal(
            f"--for: {text!r} is not a time. Pass a number with a unit, such as 30s, 10min, 12h or 7d.", MISUSED
        )
    return int(found[1]) * _UNITS[found[2]]


def _as_line(ban: pb.Ban) -> str:
    subject = {"address": ban.address, "key": f"key {ban.key}", "player_id": f"player {ban.player_id}"}
    who = subject[ban.WhichOneof("subject") or "address"]
    return f"{ban.name}  {who}  {_in_units(ban.remaining.seconds)} left  by {ban.operator}  {ban.reason}"


def _in_units(seconds: int) -> str:
    """Return a time in its largest unit of which it has two or more, rounded down."""
    unit = next((name for name in ("d", "h", "min") if seconds >= 2 * _UNITS[name]), "s")
    return f"{seconds // _UNITS[unit]} {unit}"
