"""One method for each RPC of ``EngineService``, with the checks that need no rules."""

from __future__ import annotations

from skerry.v1 import engine_pb2 as pb
from skerry_games.api import AnyGame
from skerry_games.catalogue import added_editions
from skerry_games.players import UnknownPlayer, shipped_player
from skerry_service.api.requests.request_checks import game_of, seed_of
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.languages.phrases import either, grouped, phrase, verbatim
from skerry_service.processes.engine_pool import EnginePool

ENGINE = pb.DESCRIPTOR.services_by_name["EngineService"]
MAX_SNAPSHOTS = 64
MAX_MOVES = 500
MAX_PLAY_OUTS = 256
_GAMES = "games/"


class EngineMethods:
    """The RPCs of ``EngineService``. They ignore tokens, since the engine holds nothing of any player."""

    def __init__(self, pool: EnginePool) -> None:
        self._pool = pool

    async def new_state(self, request: pb.NewStateRequest, token: str | None) -> pb.NewStateResponse:
        """Set up a game."""
        game = _game(request.name)
        if request.seats and request.seats not in game.seats:
            facts = {"game": verbatim(game.title), "allowed": either(game.seats), "seats": request.seats}
            raise InvalidField("seats", phrase("field-seats-of-game", **facts))
        seed_of(request.seed)
        return await self._pool.ask("NewState", request, pb.NewStateResponse)

    async def apply_moves(self, request: pb.ApplyMovesRequest, token: str | None) -> pb.ApplyMovesResponse:
        """Apply the moves of each branch to its snapshot."""
        _check_ruleset(request)
        _check_number("branches", len(request.branches))
        for number, branch in enumerate(request.branches):
            if len(branch.moves) > MAX_MOVES:
                raise InvalidField(f"branches[{number}].moves", phrase("field-branch", most=MAX_MOVES))
        seed_of(request.seed)
        return await self._pool.ask("ApplyMoves", request, pb.ApplyMovesResponse)

    async def read_states(self, request: pb.ReadStatesRequest, token: str | None) -> pb.ReadStatesResponse:
        """Read from each snapshot the actors, their legal moves, and the view of a seat if asked."""
        _check_ruleset(request)
        _check_number("snapshots", len(request.snapshots))
        return await self._pool.ask("ReadStates", request, pb.ReadStatesResponse)

    async def play_out(self, request: pb.PlayOutRequest, token: str | None) -> pb.PlayOutResponse:
        """Play out each snapshot."""
        _check_ruleset(request)
        _check_number("snapshots", len(request.snapshots))
        _check_player(request.player)
        if request.count < 0 or max(request.count, 1) * len(request.snapshots) > MAX_PLAY_OUTS:
            raise InvalidField("count", phrase("field-play-outs", most=MAX_PLAY_OUTS))
        if request.max_decisions < 0:
            raise InvalidField("max_decisions", "Send a positive number of decisions, or 0 for no limit.")
        if seed_of(request.seed) is None:
            raise InvalidField("seed", "Send a seed of 32 bytes.")
        return await self._pool.ask("PlayOut", request, pb.PlayOutResponse)


def _game(name: str) -> AnyGame:
    if not name.startswith(_GAMES):
        raise InvalidField("name", "The name of a game has the form games/{id}.")
    return game_of(name.removeprefix(_GAMES))


def _check_ruleset(request: pb.ApplyMovesRequest | pb.ReadStatesRequest | pb.PlayOutRequest) -> None:
    game = _game(request.name)
    if not request.ruleset:
        raise InvalidField("ruleset", "Send the ruleset that came with the snapshots.")
    supported = [game.ruleset, *(one.ruleset for one in added_editions(game.id))]
    if request.ruleset not in supported:
        sentence = phrase("field-ruleset", supported=verbatim(", ".join(supported)))
        raise InvalidField("ruleset", sentence)


def _check_number(field: str, number: int) -> None:
    if not 1 <= number <= MAX_SNAPSHOTS:
        raise InvalidField(field, phrase("field-snapshots", most=MAX_SNAPSHOTS, number=grouped(number)))


def _check_player(name: str) -> None:
    if not name:
        return
    try:
        shipped_player(name)
    except UnknownPlayer as error:
        raise InvalidField("player", error.args[0]) from None
    if name.endswith("ms"):  # equal requests must have equal answers
        raise InvalidField("player", "Give the strength of a search in iterations, not in milliseconds.")
