"""Several sessions in trouble: random calls of every kind at two replicas, some in vain, while time passes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from msgspec.structs import replace

from skerry_games.api import AnyGame, GameError
from skerry_games.catalogue import all_games
from skerry_service.domain.bot_decisions import due_decisions
from skerry_service.domain.errors import SkerryError
from skerry_service.domain.record import (
    AbandonmentPolicy,
    Clock,
    ClockKind,
    Delay,
    Spectating,
    TimeoutAction,
    Visibility,
    WebhookEvent,
)
from skerry_service.domain.table import BOT, OPEN, Table
from skerry_service.domain.tokens import digest
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.sessions.service import Sessions
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock as WallClock
from tests.sessions.tables import Sitting, stored
from tests.timers.clocks import poll
from tests.timers.thinkers import THINKS

GAMES = ("kreta", "kreta", "small_islands", "tenerife", "canarias")
NAMES = ("Ada", "Bob", "Cyd", "Dot", "Eve")
PASSES_MS = (100, 1_000, 20_000, 31_000, 61_000, 130_000)
REMEMBERED = 30
"""Requests are not remembered for many more, and each brings an entry."""
_LABELS = ((), (("event", "cup"),), (("event", "a=b"), ("round", "1")))
_NOBODYS = (None, "skerry_seat_nonsense")
_LEVELS = ("random", "slow")
_ENDS = (TimeoutAction.SUBSTITUTE, TimeoutAction.END)

Call = Callable[[Sessions], Awaitable[Any]]


@dataclass
class Made:
    """A call that was answered."""

    call: Call
    answer: Any
    table: Table = field(init=False)

    def __post_init__(self) -> None:
        answer = self.answer[0] if isinstance(self.answer, tuple) else self.answer
        self.table = answer if isinstance(answer, Table) else answer.table


class Trouble:
    """Keeps what was given out. Whatever is no refusal is raised."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)
        self.store = FaultyStore()
        self.replicas = [
            Sessions(self.store, clock_ms=WallClock(), levels=_LEVELS, webhooks=lambda host, port: True)
            for _ in range(2)
        ]
        self.sittings: dict[str, Sitting] = {}
        self.made: list[Made] = []

    async def close(self) -> None:
        for one in self.replicas:
            await one.close()

    # ------------------------------------------------------------ what sessions are

    def terms(self, game: AnyGame, options: Any, seats: int) -> NewSession:
        """Draw what a session is to be."""
        pick = self.dice.choice
        spectating = pick(list(Spectating))
        late = None if spectating is Spectating.NOBODY else pick([None, None, Delay(entries=5), Delay(ms=60_000)])
        return NewSession(
            game=game,
            options=options,
            seats=tuple(self.dice.choices((OPEN, BOT, THINKS), (4, 1, 1), k=seats)),
            visibility=pick(list(Visibility)),
            spectating=spectating,
            abandonment=AbandonmentPolicy(pick(_ENDS), pick(_LEVELS), pick([0, 30_000, 120_000]), pick(_ENDS)),
            clock=pick([None, *self._clocks()]),
            delay=late,
        )

    def _clocks(self) -> Sequence[Clock]:
        clocks = (
            Clock(ClockKind.PER_MOVE, grace_ms=30_000),
            Clock(ClockKind.BANK, bank_ms=60_000),
            Clock(ClockKind.BANK, bank_ms=60_000, increment_ms=2_000),
            Clock(ClockKind.BANK_WITH_GRACE, bank_ms=60_000, grace_ms=5_000),
        )
        return [replace(one, on_expiry=self.dice.choice(list(TimeoutAction))) for one in clocks]

    def keep(self, table: Table, host: str = "", spectator: str = "", seat: str = "") -> None:
        """Keep the tokens of a session."""
        sitting = self.sittings.setdefault(table.record.id, Sitting(table.record.id, host, spectator))
        sitting.host, sitting.spectator = sitting.host or host, sitting.spectator or spectator
        if seat and seat not in sitting.seats:
            sitting.seats.append(seat)

    def request(self) -> bytes:
        return self.dice.randbytes(16)

    def replica(self) -> Sessions:
        return self.dice.choice(self.replicas)

    async def some(self, *, over: bool = False) -> Sitting:
        """Return one of the last sessions; mostly one that is over, or one that is not."""
        last = list(self.sittings.values())[-8:]
        wanted = [one for one in last if (await stored(self.store, one.id)).record.over is over]
        return self.dice.choice(wanted if wanted and self.dice.random() < 0.8 else last)

    def seat_token(self, one: Sitting) -> str | None:
        known = (*one.seats, one.host or None, one.spectator or None, *_NOBODYS)
        return self.dice.choice(one.seats) if one.seats and self.dice.random() < 0.9 else self.dice.choice(known)

    def host_token(self, one: Sitting) -> str | None:
        return one.host or None if self.dice.random() < 0.9 else self.seat_token(one)

    # ------------------------------------------------------------ calls

    async def answer(self, call: Call, *, repeats: bool = True) -> Any:
        """Make a call at some replica; ``None`` if it is refused."""
        try:
            answer = await call(self.replica())
        except (SkerryError, GameError):
            return None
        if repeats:
            self.made.append(Made(call, answer))
        return answer

    async def create(self) -> None:
        game = all_games()[self.dice.choice(GAMES)]
        new, request = self.terms(game, game.options_type(), self.dice.choice(game.seats)), self.request()
        self.keep(*await self.replica().create(new, request))

    async def join(self) -> None:
        one, name, request = await self.some(), self.dice.choice(NAMES), self.request()
        wanted = self.dice.choice([None, None, 0, 1, 2])
        joined = await self.answer(lambda at: at.players.join(one.id, name, wanted, request))
        if joined:
            self.keep(joined[0], seat=joined[2])

    async def fill(self) -> None:
        one = await self.some()
        for name in NAMES:
            await self._fill(one, name)

    async def _fill(self, one: Sitting, name: str) -> None:
        if joined := await self.answer(lambda at: at.players.join(one.id, name, None, None), repeats=False):
            self.keep(joined[0], seat=joined[2])

    async def go(self) -> None:
        one, request = await self.some(), self.request()
        token, verb = self.seat_token(one), self.dice.choice(["leave", "leave", "resign"])
        await self.answer(lambda at: getattr(at.players, verb)(one.id, token, request))

    async def come_back(self) -> None:
        one, request = await self.some(), self.request()
        token = self.seat_token(one)
        await self.answer(
            lambda at: at.players.return_to_seat(one.id, token, request), repeats=False
        )  # may have done nothing

    async def nudge(self) -> None:
        one, seat, request = await self.some(), self.dice.randrange(4), self.request()
        token = self.seat_token(one)
        await self.answer(lambda at: at.players.nudge(one.id, token, seat, request))

    async def hook(self) -> None:
        one, request = await self.some(), self.request()
        token, url = self.dice.choice([self.seat_token, self.host_token])(one), self.dice.choice(["", "http://a.b/"])
        await self.answer(lambda at: at.webhooks.set(one.id, token, url, tuple(WebhookEvent), request))

    async def host(self) -> None:
        """Do something that hosts do."""
        one, request, seat = await self.some(), self.request(), self.dice.randrange(4)
        token, bots, level = self.host_token(one), self.dice.random() < 0.5, self.dice.choice(_LEVELS)
        labels = self.dice.choice(_LABELS)
        calls: list[tuple[int, Call]] = [
            (4, lambda at: at.host.start(one.id, token, bots, request, level=level)),
            (3, lambda at: at.host.open_seat(one.id, token, seat, request)),
            (1, lambda at: at.host.remove(one.id, token, seat, request)),
            (1, lambda at: at.host.label(one.id, token, labels, request)),
            (1, lambda at: at.host.cancel(one.id, token, request)),
        ]
        weights, made = zip(*calls, strict=True)
        await self.answer(self.dice.choices(made, weights)[0])

    async def rematch(self) -> None:
        one = await self.some(over=True)
        token = self.seat_token(one)
        found = await self.answer(lambda at: at.rematches.rematch(one.id, token), repeats=False)
        if found:
            self.keep(found.table, found.host, found.spectator, found.token)

    async def fork(self) -> None:
        one, request = await self.some(over=True), self.request()
        token, table = self.dice.choice([self.seat_token, self.host_token])(one), await stored(self.store, one.id)
        sequence = self.dice.choice([1, 2, table.record.opening + 1, max(1, table.sequence // 2), table.sequence])
        new = self.terms(table.game, None, len(table.record.seats))
        forked = await self.answer(
            lambda at: at.rematches.fork(
                one.id, token, sequence, lambda game, options: replace(new, game=game, options=options), request
            ),
            repeats=False,
        )
        if forked:
            self.keep(*forked)

    async def act(self) -> None:
        one = await self.some()
        for _ in range(self.dice.choice([1, 10, 40])):
            await self.act_once(one)

    async def act_once(self, one: Sitting) -> None:
        """Let a player move, or a bot that thinks."""
        table, request = await stored(self.store, one.id), self.request()
        if decisions := due_decisions(table):
            owed = self.dice.choice(decisions)
            move = self.dice.choice(table.game.legal_moves(table.state, owed.seat))
            await self.answer(lambda at: at.moves.decide(owed, move), repeats=False)
            return
        held = {digest(token): token for token in one.seats}
        acting = [seat for seat in table.to_act if table.record.seats[seat].token in held]
        if acting:
            seat = self.dice.choice(acting)
            token, move = (
                held[table.record.seats[seat].token],
                self.dice.choice(table.game.legal_moves(table.state, seat)),
            )
            self.store.now_ms += self.dice.choice([0, 10, 4_000])
            sent_ms = self.dice.choice([None, self.store.now_ms - 100])

            async def moves(at: Sessions) -> Any:
                return await at.moves.act(await at.moves.seated(one.id, token), move, table.sequence, request, sent_ms)

            await self.answer(moves)

    async def passes(self) -> None:
        """Let time pass, and happen what happens by itself."""
        self.store.now_ms += self.dice.choice(PASSES_MS)
        for replica in self.replicas:
            await replica.presence.flush()
            await poll(replica)

    async def repeat(self) -> None:
        """What was asked lately is answered as it was then, by whichever replica."""
        if self.made:
            made = self.dice.choice(self.made[-8:])
            now = await stored(self.store, made.table.record.id)
            if now.sequence - made.table.sequence < REMEMBERED:
                assert await made.call(self.replica()) == made.answer
