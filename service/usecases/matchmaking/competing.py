"""Keepers' part of competitions: start them and their rounds, pair free players, end them.

Each time-driven transition is one commit, which contains the pairings of new games. Any keeper can create those games.
A result is recorded when its game ends, together with the rating. All steps are idempotent, so another keeper can
resume after a process dies. Once a minute, a keeper checks all games, to find those whose end was not recorded.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from service.competitions import arena, progress
from service.competitions.model import (
    ARENA,
    COMING,
    DRAWN,
    LOST,
    PAUSED,
    REMOVED,
    RUNNING,
    WITHDRAWN,
    WON,
    Competition,
)
from service.competitions.progress import PairingInputs
from service.games.errors import GameError
from service.games.state.statuses import ABORTED, UNFINISHED
from service.storage.people.players import BLOCKED
from service.usecases.base import game_facts
from service.usecases.base.batches import BatchResult, log_errors
from service.usecases.base.context import Context
from service.usecases.matchmaking import competition_records

COMPETITIONS_PER_BATCH = 2
"""A large one takes some tenths of a second, and clocks are checked only between two batches."""
COMPETITION_LEASE_MS = 5_000
"""How long other keepers leave a competition alone. Exceeding it is harmless."""


def run_due(context: Context) -> BatchResult:
    """Advance a batch of competitions that are due. A failure is logged and retried."""
    now = context.now_ms()
    due = context.competitions.take_due(now, now + COMPETITION_LEASE_MS, COMPETITIONS_PER_BATCH)
    for competition_id in due:
        with log_errors("competition failed to advance", competition=competition_id):
            advance(context, competition_id)
    return BatchResult(len(due), len(due) == COMPETITIONS_PER_BATCH)


def advance(context: Context, competition_id: str) -> None:
    """Apply the time-driven transitions of a competition, if it exists."""
    stored = context.competitions.get(competition_id)
    if stored is None:
        context.competitions.forget(competition_id)
        return
    competition = _check_games(context, competition_records.read(competition_id, stored))
    now = context.now_ms()
    inputs = PairingInputs(lambda one: _blocked_pairs(context, one), context.store.new_game_id, random.SystemRandom())
    present = _withdraw_excluded(context, _pause_absent(context, competition))
    changed = progress.next_state(present, now, inputs) or present
    if changed is competition:
        context.competitions.set_due(competition_id, competition.version, progress.due_at(competition, now))
    else:
        competition_records.commit(context, competition, changed)  # if another keeper was faster, it made the change


def _pause_absent(context: Context, competition: Competition) -> Competition:
    """Pause the free entrants of a running arena who have started another live game in the meantime."""
    if (competition.plan.format, competition.status) != (ARENA, RUNNING):
        return competition
    free = {one.player: one for one in arena.free_entrants(competition) if one.player is not None}
    for player, at in context.starts.last_live(free).items():
        if at > max(free[player].free_since, competition.began_at or 0):
            competition = competition.with_entrant(replace(free[player], status=PAUSED))
    return competition


def _withdraw_excluded(context: Context, competition: Competition) -> Competition:
    """Stop pairing the entrants of a rated competition whom moderators exclude from rated games.

    In an arena, they can join again after the exclusion.
    """
    if competition.is_over or not competition.plan.settings["rated"]:
        return competition
    entrants = {one.player: one for one in competition.active if one.player is not None}
    for one, until_ms in zip(entrants.values(), context.ratings.excluded_until([*entrants]), strict=True):
        if until_ms > context.now_ms():
            status = PAUSED if competition.plan.format == ARENA else WITHDRAWN
            competition = competition.with_entrant(replace(one, status=status))
    return competition


def _blocked_pairs(context: Context, competition: Competition) -> set[frozenset[int]]:
    """Return the pairs of entrants of whom one has blocked the other."""
    numbers = {one.player: one.number for one in competition.active if one.player is not None}
    players = [player for player in context.players.get_many(list(numbers)) if player is not None]
    return {
        frozenset((numbers[player.id], numbers[other]))
        for player in players
        for other in context.players.relations(player, BLOCKED)
        if other in numbers
    }


# ------------------------------------------------------------------------------------------------------- results


def record_result(context: Context, game_id: str) -> None:
    """Record the result of a game in its competition, if it has one and is over."""
    (competition_id,) = context.competitions.find_by_games([game_id])
    if competition_id is not None:
        _record_results(context, competition_id, [game_id])


def _record_results(context: Context, competition_id: str, game_ids: Iterable[str]) -> None:
    results = {game_id: result for game_id in game_ids if (result := _result(context, game_id)) is not None}

    def add_results(competition: Competition) -> Competition | None:
        if competition.status != RUNNING:
            return None
        now = context.now_ms()
        for game_id, result in results.items():
            contest = next((one for one in competition.running_contests if one.id == game_id), None)
            if contest is not None:
                absent = [contest.entrants[seat] for seat in result.absent]
                competition = competition.with_result(
                    game_id, result.halves, now, absent, adjudicated=result.adjudicated
                )
        return competition

    _change_if_exists(context, competition_id, add_results)


class Result(NamedTuple):
    """The result of a game: half points by seat, and the seats that lost on time without acting."""

    halves: tuple[int, ...] = (DRAWN, DRAWN)
    absent: Sequence[int] = ()
    adjudicated: bool = False


def _result(context: Context, game_id: str) -> Result | None:
    """Return the result of a game, or None while it is being played.

    A seat that left an aborted game loses it. Another game that was aborted or deleted is a draw. A game that is only
    paired has not started yet.
    """
    # these load the rules, which a keeper starts without
    from service.games.state.seats import FAILED, TIMED_OUT
    from service.games.view import outcome
    from service.usecases.base import repository

    is_waiting = context.seeks.get_pairing(game_id) is not None  # checked first: creating the game deletes it
    try:
        game = repository.load(context, game_id, look_in_archive=False).game
    except GameError as error:
        if error.code != "game/not_found":
            raise
        return None if is_waiting else Result()
    final = outcome(game)
    if game.status == ABORTED:
        if game.seats[0].is_out == game.seats[1].is_out:
            return Result()
        halves: tuple[int, ...] = (LOST, WON) if game.seats[0].is_out else (WON, LOST)
    elif final is None:
        return None
    else:
        won = [seat["won"] for seat in final["seats"]]
        halves = (DRAWN, DRAWN) if all(won) else tuple(WON if is_winner else LOST for is_winner in won)
    absent = [
        number
        for number, seat in enumerate(game.seats)
        if seat.status in (TIMED_OUT, FAILED) and not game.acted[number]
    ]
    return Result(halves, absent, game.ranks is not None)


def _check_games(context: Context, competition: Competition) -> Competition:
    """Return the competition after checking its games, unless this process did so recently."""
    if competition.status != RUNNING or context.watched_competitions.peek(competition.id):
        return competition
    context.watched_competitions.set(competition.id, value=True)
    now = context.now_ms()
    unfinished = [one.id for one in competition.running_contests if one.began_at + progress.WATCH_MS <= now]
    if not unfinished:
        return competition
    over = [
        game_id
        for game_id, facts in zip(unfinished, game_facts.get_many(context, unfinished), strict=True)
        if facts is None or facts.facts.status not in UNFINISHED
    ]
    _record_results(context, competition.id, over)
    late = [one.id for one in progress.overdue_contests(competition, now)]
    if late:
        competition_records.change(context, competition.id, lambda one: progress.score_as_draws(one, late, now))
    return competition_records.get(context, competition.id)


# ------------------------------------------------------------------------------------------------------- players


def forget_player(context: Context, player_id: str) -> None:
    """Remove a deleted player from future competitions, and their name from all others."""

    def remove_player(competition: Competition) -> Competition:
        return competition_records.anonymize(_withdraw_player(context, competition, player_id), player_id)

    _change_all(context, player_id, remove_player)
    context.competitions.forget_player(player_id)


def withdraw_player(context: Context, player_id: str) -> None:
    """Withdraw a banned player from all competitions, and cancel those that they host and that have not started."""
    _change_all(context, player_id, lambda one: _withdraw_player(context, one, player_id))


def _change_all(context: Context, player_id: str, update: Callable[[Competition], Competition]) -> None:
    """Change each competition that the player hosts or has entered."""
    entered = context.competitions.list_entered(player_id, context.now_ms())
    for competition_id in dict.fromkeys([*entered, *context.competitions.list_hosted(player_id)]):
        _change_if_exists(context, competition_id, update)


def _change_if_exists(
    context: Context, competition_id: str, update: Callable[[Competition], Competition | None]
) -> None:
    try:
        competition_records.change(context, competition_id, update)
    except GameError as error:
        if error.code != "competition/not_found":
            raise


def _withdraw_player(context: Context, competition: Competition, player_id: str) -> Competition:
    entrant = competition.entrant_of(player_id)
    if competition.status == COMING:
        if competition.host == player_id:
            return progress.cancel(competition, context.now_ms())
        return competition if entrant is None else competition.without_entrant(entrant.number)
    if entrant is not None and entrant.status not in (WITHDRAWN, REMOVED):
        return competition.with_entrant(replace(entrant, status=WITHDRAWN))
    return competition
