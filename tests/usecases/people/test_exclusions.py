"""A player whom moderators exclude gets no rated game on any way into it, and others get none with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from service.games.state.clocks import ClockRule
from service.usecases.base.context import Caller, Context
from service.usecases.games import creating, offering, seating
from service.usecases.games.commands import Request
from service.usecases.matchmaking import bot_arena, challenging, competitions, seeking
from service.usecases.matchmaking.competitions import NewCompetition
from service.usecases.matchmaking.seeking import NewSeek
from tests.usecases.bots import publish_bot
from tests.usecases.competing import ARENA, SWISS, announce, enter_players, play_round, run_keeper, running_games
from tests.usecases.games.test_usecases import raises_error
from tests.usecases.people.test_rated_games import CLOCK, OPEN, OWN, game_of
from tests.usecases.players import Time, new_game_of, offer_id, player, resign, view

EXCLUDED_S = 20
BY_LETTER = ClockRule(3 * 86_400, 0, "ai", "greedy")
SEEK = NewSeek("azul", "coloured", 2, CLOCK, rated=True, keep_s=600)
Account = tuple[str, Caller]
Way = Callable[[Context, Account, Account], Callable[[], object]]
"""Prepares a way into a rated game before the exclusion, and returns the step that must be refused."""


def exclude(context: Context, player_id: str) -> None:
    stored = context.players.get(player_id)
    assert stored is not None
    assert context.players.change(stored, {"unrated_until": str(context.now_ms() + 1000 * EXCLUDED_S)})


def waiting_game(context: Context, caller: Caller, *seats: creating.NewSeat) -> str:
    return new_game_of(context, caller, OWN, *(seats or (OPEN,)), rated=True, clock=CLOCK)[0]


def finished_game(context: Context, one: Caller, other: Caller) -> str:
    game = game_of(context, one, other)
    resign(context, game, other)
    return game


def create(context: Context, excluded: Account, _: Account, clock: ClockRule = CLOCK) -> Callable[[], object]:
    return lambda: new_game_of(context, excluded[1], OWN, OPEN, rated=True, clock=clock)


def create_by_letter(context: Context, excluded: Account, other: Account) -> Callable[[], object]:
    return create(context, excluded, other, BY_LETTER)


def claim(context: Context, excluded: Account, other: Account) -> Callable[[], object]:
    game = waiting_game(context, other[1])
    return lambda: seating.claim(context, excluded[1], game, None, None)


def claim_one_of_two(context: Context, excluded: Account, other: Account) -> Callable[[], object]:
    game = waiting_game(context, other[1], OPEN, OPEN)
    return lambda: seating.claim(context, excluded[1], game, None, None)


def be_joined(context: Context, excluded: Account, other: Account) -> Callable[[], object]:
    game = waiting_game(context, excluded[1])
    return lambda: seating.claim(context, other[1], game, None, None)


def start(context: Context, excluded: Account, _: Account) -> Callable[[], object]:
    game = waiting_game(context, excluded[1])
    return lambda: creating.start(context, Request(excluded[1], game))


def seek(context: Context, excluded: Account, _: Account) -> Callable[[], object]:
    return lambda: seeking.seek(context, excluded[1], SEEK)


def seek_by_letter(context: Context, excluded: Account, _: Account) -> Callable[[], object]:
    return lambda: seeking.seek(context, excluded[1], replace(SEEK, clock=BY_LETTER))


def join_a_seek(context: Context, excluded: Account, other: Account) -> Callable[[], object]:
    waiting = seeking.seek(context, other[1], SEEK)["id"]
    return lambda: seeking.join(context, excluded[1], waiting)


def challenge(context: Context, excluded: Account, other: Account) -> Callable[[], object]:
    return lambda: challenging.create(context, excluded[1], other[0], SEEK)


def be_challenged(context: Context, excluded: Account, other: Account) -> Callable[[], object]:
    return challenge(context, other, excluded)


def accept(context: Context, excluded: Account, other: Account) -> Callable[[], object]:
    made = challenging.create(context, other[1], excluded[0], SEEK)["id"]
    return lambda: challenging.accept(context, excluded[1], made)


def be_accepted(context: Context, excluded: Account, other: Account) -> Callable[[], object]:
    made = challenging.create(context, excluded[1], other[0], SEEK)["id"]
    return lambda: challenging.accept(context, other[1], made)


def offer_a_rematch(context: Context, excluded: Account, other: Account) -> Callable[[], object]:
    game = finished_game(context, excluded[1], other[1])
    return lambda: offering.rematch(context, Request(excluded[1], game), None)


def get_a_rematch_offered(context: Context, excluded: Account, other: Account) -> Callable[[], object]:
    return offer_a_rematch(context, other, excluded)


def accept_a_rematch(context: Context, excluded: Account, other: Account) -> Callable[[], object]:
    game = finished_game(context, excluded[1], other[1])
    offering.rematch(context, Request(other[1], game), None)
    return lambda: offering.answer(context, Request(excluded[1], game), offer_id(context, game), None, accept=True)


def enter_a_swiss(context: Context, excluded: Account, _: Account) -> Callable[[], object]:
    competition, _host = announce(context, replace(SWISS, rated=True, open_to="people"))
    return lambda: competitions.join(context, excluded[1], competition)


def enter_a_running_arena(context: Context, excluded: Account, _: Account) -> Callable[[], object]:
    competition, host = announce(context, replace(ARENA, rated=True, open_to="people"))
    enter_players(context, competition, 2)
    competitions.start(context, host, competition)
    run_keeper(context)
    return lambda: competitions.join(context, excluded[1], competition)


WAYS = (
    *(create, create_by_letter, claim, claim_one_of_two, be_joined, start),
    *(seek, seek_by_letter, join_a_seek, challenge, be_challenged, accept, be_accepted),
    *(offer_a_rematch, get_a_rematch_offered, accept_a_rematch, enter_a_swiss, enter_a_running_arena),
)


@pytest.mark.parametrize("way", WAYS)
def test_an_excluded_player_gets_no_rated_game(context: Context, time: Time, way: Way) -> None:
    excluded, other = player(context), player(context)
    step = way(context, excluded, other)
    exclude(context, excluded[0])
    with raises_error("limit/excluded") as raised:
        step()
    assert EXCLUDED_S == raised.value.extra["retry_after_s"]
    time.pass_(EXCLUDED_S)
    step()


def paired_now(context: Context, competition: str) -> set[str]:
    run_keeper(context)
    views = [view(context, one["game_id"]) for one in running_games(context, competition)]
    return {seat["player"] for shown in views for seat in shown["seats"]}


@pytest.mark.parametrize("new", [SWISS, ARENA])
def test_an_entrant_who_is_excluded_is_no_longer_paired(context: Context, time: Time, new: NewCompetition) -> None:
    competition, host = announce(context, replace(new, rated=True, open_to="people"))
    people = enter_players(context, competition, 4)
    early, late, *others = people
    exclude(context, early)
    competitions.start(context, host, competition)
    assert early not in paired_now(context, competition)
    exclude(context, late)
    play_round(context, competition, people)
    time.pass_(10)
    assert {*others} == paired_now(context, competition)


def test_an_excluded_bot_is_not_paired_in_the_arena_of_bots(context: Context) -> None:
    excluded, *others = (publish_bot(context, arena=True)[0] for _ in range(3))
    exclude(context, excluded)
    assert 1 == bot_arena.run_due(context).done
    assert [0, 1, 1] == [len(context.players.game_ids(bot)) for bot in (excluded, *others)]
