"""A bot for every game. It plays each legal move on to the end of the game, at random, and compares the ends."""

from typing import Any

from skerry_games import InformationState, Position, Rng
from skerry_games.players import Clock


class Bot:
    """Decides for one seat. Draws all its random numbers from ``rng``."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng

    def choose(self, position: InformationState, clock: Clock) -> Any:
        """Return one of the legal moves. Compares up to 32 of them. Each round drops the half that ends worse."""
        moves, seat = list(self.rng.shuffle(position.legal_moves)[:32]), position.seat
        while len(moves) > 1 and clock() > 0:
            leads = dict.fromkeys(moves, 0)
            for _ in range(1 + 12 // len(moves)):
                sample = position.sample(self.rng)
                for move in moves:
                    leads[move] += self.final_lead(sample.play(move, seat, self.rng), seat)
            moves = sorted(moves, key=lambda move: leads[move], reverse=True)[: len(moves) // 2]
        return moves[0]

    def final_lead(self, position: Position, seat: int) -> int:
        """Play on at random. Return how many points the seat has more than its best opponent at the end."""
        while position.to_act:
            actor = position.to_act[0]
            position = position.play(self.rng.choice(position.legal_moves(actor)), actor, self.rng)
        return position.scores[seat] - max(score for other, score in enumerate(position.scores) if other != seat)
