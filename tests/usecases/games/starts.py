"""Ways to start a live game, which ends earlier consent."""

from __future__ import annotations

from typing import Any

from service.games.state.clocks import ClockRule
from service.usecases.base.context import Caller, Context
from service.usecases.games import creating, offering, seating
from service.usecases.games.commands import Request
from service.usecases.matchmaking import challenging, competitions, seeking
from service.usecases.matchmaking.seeking import NewSeek
from tests.usecases.competing import announce, run_keeper
from tests.usecases.games.test_rematches import rematch_of
from tests.usecases.games.test_usecases import AI, OPEN, PLAYER
from tests.usecases.players import new_game_of, offer_id, player, resign

LIVE = ClockRule(turn_s=10, bank_s=60, on_timeout="lose", level="random")
SLOW = ClockRule(turn_s=86_400, bank_s=0, on_timeout="lose", level="random")
AZUL = NewSeek("azul", "coloured", 2, LIVE)


def new_game(context: Context, one: Caller, other: Caller, clock: ClockRule | None = LIVE) -> str:
    """Create a game of two players. `one` decides first."""
    game, _ = new_game_of(context, one, PLAYER, OPEN, clock=clock)
    seating.claim(context, other, game, None, None)
    return game


def finished_game(context: Context, one: Caller, other: Caller, clock: ClockRule | None = LIVE) -> str:
    game = new_game(context, one, other, clock)
    resign(context, game, one)
    return game


def offer_rematch(context: Context, caller: Caller, game: str) -> Any:
    return offering.rematch(context, Request(caller, game), None)


def answer(context: Context, caller: Caller, game: str) -> Any:
    return offering.answer(context, Request(caller, game), offer_id(context, game), None, accept=True)


def seek(context: Context, caller: Caller) -> None:
    """Pair the caller with a stranger."""
    seeking.seek(context, caller, AZUL)
    assert "paired" == seeking.seek(context, player(context)[1], AZUL)["status"]


def be_accepted(context: Context, caller: Caller) -> None:
    other, as_other = player(context)
    challenging.accept(context, as_other, challenging.create(context, caller, other, AZUL)["id"])


def accept(context: Context, caller: Caller) -> None:
    _, as_other = player(context)
    challenging.accept(context, caller, challenging.create(context, as_other, caller.player_id or "", AZUL)["id"])


def claim(context: Context, caller: Caller) -> None:
    new_game(context, player(context)[1], caller)


def be_joined(context: Context, caller: Caller) -> None:
    new_game(context, caller, player(context)[1])


def play_an_ai(context: Context, caller: Caller) -> None:
    new_game_of(context, caller, PLAYER, AI, clock=LIVE)


def start(context: Context, caller: Caller) -> None:
    """Start a game whose open seat nobody has claimed."""
    game, tokens = new_game_of(context, caller, PLAYER, OPEN, clock=LIVE)
    creating.start(context, Request(Caller(tokens["host"]), game))


def have_a_rematch(context: Context, caller: Caller) -> None:
    _, as_other = player(context)
    game = finished_game(context, caller, as_other)
    offer_rematch(context, as_other, game)
    offer_rematch(context, caller, game)


def have_a_rematch_with_an_ai(context: Context, caller: Caller) -> None:
    game, _ = new_game_of(context, caller, PLAYER, AI, clock=LIVE)
    resign(context, game, caller)
    assert "playing" == rematch_of(context, game, caller)["status"]


def compete(context: Context, caller: Caller) -> None:
    competition, host = announce(context)
    for one in (caller, player(context)[1]):
        competitions.join(context, one, competition)
    competitions.start(context, host, competition)
    run_keeper(context)


STARTS = (
    *(seek, be_accepted, accept, claim, be_joined, play_an_ai),
    *(start, have_a_rematch, have_a_rematch_with_an_ai, compete),
)
