"""One method for each RPC of ``EngineService``: what can be refused without the rules is refused here."""

from __future__ import annotations

from skerry.v1 import engine_pb2 as pb
from skerry_games.api import AnyGame
from skerry_games.players import UnknownPlayer, shipped_player
from skerry_service.api.request_checks import game_of, seed_of
from skerry_service.domain.errors import InvalidField
from skerry_service.processes.engine_pool import EnginePool

ENGINE = pb.DESCRIPTOR.services_by_name["EngineService"]
MOST_SNAPSHOTS = 64
MOST_MOVES = 500
MOST_PLAY_OUTS = 256
_GAMES = "games/"


class EngineMethods:
    """The RPCs of ``EngineService``. They take no token: there is nothing here that is anybody's."""

    def __init__(self, pool: EnginePool) -> None:
        self._pool = pool

    async def new_state(self, request: pb.NewStateRequest, token: str | None) -> pb.NewStateResponse:
        """Set a game up."""
        game = _game(request.name)
        if request.seats and request.seats not in game.seats:
            raise InvalidField("seats", f"{game.title} is played by {', '.join(map(str, game.seats))}.")
        seed_of(request.seed)
        return await self._pool.ask("NewState", request, pb.NewStateResponse)

    async def apply_moves(self, request: pb.ApplyMovesRequest, token: str | None) -> pb.ApplyMovesResponse:
        """Make moves on each of several snapshots."""
        _check_ruleset(request)
        _check_number("branches", len(request.branches))
        for number, branch in enumerate(request.branches):
            if len(branch.moves) > MOST_MOVES:
                raise InvalidField(f"branches[{number}].moves", f"Send at most {MOST_MOVES} moves in a branch.")
        seed_of(request.seed)
        return await self._pool.ask("ApplyMoves", request, pb.ApplyMovesResponse)

    async def read_states(self, request: pb.ReadStatesRequest, token: str | None) -> pb.ReadStatesResponse:
        """Tell of each snapshot who is to act with which moves, and what a seat sees."""
        _check_ruleset(request)
        _check_number("snapshots", len(request.snapshots))
        return await self._pool.ask("ReadStates", request, pb.ReadStatesResponse)

    async def play_out(self, request: pb.PlayOutRequest, token: str | None) -> pb.PlayOutResponse:
        """Play each snapshot out."""
        _check_ruleset(request)
        _check_number("snapshots", len(request.snapshots))
        _check_player(request.player)
        if request.count < 0 or max(request.count, 1) * len(request.snapshots) > MOST_PLAY_OUTS:
            raise InvalidField("count", f"Ask for 1 to {MOST_PLAY_OUTS} play-outs of all snapshots together.")
        if request.max_decisions < 0:
            raise InvalidField("max_decisions", "It is a number of decisions, or 0 for all of the game.")
        if seed_of(request.seed) is None:
            raise InvalidField("seed", "Send 32 bytes to draw from.")
        return await self._pool.ask("PlayOut", request, pb.PlayOutResponse)


def _game(name: str) -> AnyGame:
    if not name.startswith(_GAMES):
        raise InvalidField("name", "The name of a game has the form games/{id}.")
    return game_of(name.removeprefix(_GAMES))


def _check_ruleset(request: pb.ApplyMovesRequest | pb.ReadStatesRequest | pb.PlayOutRequest) -> None:
    game = _game(request.name)
    if not request.ruleset:
        raise InvalidField("ruleset", "Name the ruleset that the snapshots came with.")
    if request.ruleset != game.ruleset:
        raise InvalidField("ruleset", f"This server plays {game.ruleset}, and reads no snapshots of another ruleset.")


def _check_number(field: str, number: int) -> None:
    if not 1 <= number <= MOST_SNAPSHOTS:
        raise InvalidField(field, f"Send 1 to {MOST_SNAPSHOTS} of them, not {number:,}.")


def _check_player(name: str) -> None:
    if not name:
        return
    try:
        shipped_player(name)
    except UnknownPlayer as error:
        raise InvalidField("player", str(error)) from None
    if name.endswith("ms"):  # equal requests have equal answers
        raise InvalidField("player", "Give the strength of a search in iterations here, not in milliseconds.")
