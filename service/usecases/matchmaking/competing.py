"""Competitions go on by themselves: a keeper begins them and their rounds, pairs who is free, and ends them.

What time brings is one commit, with the pairings of the games that come of it, and any keeper creates those. What a
game brings follows from its end, as its rating does. Each may be done again, and changes nothing where it was done; so
whoever dies at any step is followed by another. A game whose end nobody heard of is found when the keeper looks at all
of them, once a minute.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace

from service.competitions import progress
from service.competitions.model import COMING, DRAWN, LOST, REMOVED, RUNNING, WITHDRAWN, WON, Competition
from service.competitions.progress import PairingInputs
from service.games.errors import GameError
from service.games.state.statuses import ABORTED, FINISHED, UNFINISHED
from service.usecases.base import game_facts
from service.usecases.base.batches import Look, logged
from service.usecases.base.context import Context
from service.usecases.matchmaking import competition_records

COMPETITIONS_A_LOOK = 2
"""A large one takes some tenths of a second, and clocks are looked at between two looks."""
COMPETITION_LEASE_MS = 5_000
"""Other keepers leave a competition alone for so long; nothing is lost or done twice where it takes longer."""


def look_after(context: Context) -> Look:
    """Bring competitions what time brings them; how many were looked at. One that fails is logged, and tried again."""
    now = context.now_ms()
    due = context.competitions.take_due(now, now + COMPETITION_LEASE_MS, COMPETITIONS_A_LOOK)
    for competition_id in due:
        with logged("a competition cannot be looked after", competition=competition_id):
            advance(context, competition_id)
    return Look(len(due), len(due) == COMPETITIONS_A_LOOK)


def advance(context: Context, competition_id: str) -> None:
    """Bring it what time brings, if it is there."""
    stored = context.competitions.get(competition_id)
    if stored is None:
        context.competitions.forget(competition_id)
        return
    competition = _watched(context, competition_records.read(competition_id, stored))
    now = context.now_ms()
    inputs = PairingInputs(lambda one: _blocked(context, one), context.store.new_game_id, random.SystemRandom())
    changed = progress.advanced(competition, now, inputs)
    if changed is None:
        context.competitions.looked(competition_id, competition.version, progress.due_at(competition, now))
    else:
        competition_records.commit(context, competition, changed)  # who was faster has done it


def _blocked(context: Context, competition: Competition) -> set[frozenset[int]]:
    """Two who are to be paired, of whom one has blocked the other."""
    numbers = {one.player: one.number for one in competition.active if one.player is not None}
    players = [player for player in context.players.every(list(numbers)) if player is not None]
    return {
        frozenset((numbers[player.id], numbers[other]))
        for player in players
        for other in context.players.blocked(player)
        if other in numbers
    }


# ------------------------------------------------------------------------------------------------------- results


def record(context: Context, game_id: str) -> None:
    """What the game has brought is known to its competition, if it is of one and is over."""
    (competition_id,) = context.competitions.of_games([game_id])
    if competition_id is not None:
        _record(context, competition_id, [game_id])


def _record(context: Context, competition_id: str, game_ids: Iterable[str]) -> None:
    results = {game_id: found for game_id in game_ids if (found := _result(context, game_id)) is not None}

    def changed(competition: Competition) -> Competition | None:
        if competition.status != RUNNING:
            return None
        for game_id, (halves, absent) in results.items():
            contest = next((one for one in competition.unfinished if one.id == game_id), None)
            if contest is not None:
                numbers = [contest.entrants[seat] for seat in absent]
                competition = competition.with_result(game_id, halves, context.now_ms(), numbers)
        return competition

    _change_if_there(context, competition_id, changed)


def _result(context: Context, game_id: str) -> tuple[tuple[int, int], list[int]] | None:
    """Halves of a point by seat, and the seats that have lost by time without an action; None while it is played.

    A game that was aborted, or is gone, is a draw. One whose pairing waits is yet to come.
    """
    from service.games.state.seats import (  # games need the rules, which a keeper has beside its first looks
        FAILED,
        TIMED_OUT,
    )
    from service.games.view import outcome
    from service.usecases.base import repository

    waits = context.seeks.pairing(game_id) is not None  # asked first: it goes when the game is there
    try:
        game = repository.load(context, game_id, look_in_archive=False).game
    except GameError as error:
        if error.code != "game/not_found":
            raise
        return None if waits else ((DRAWN, DRAWN), [])
    if game.status == ABORTED:
        return (DRAWN, DRAWN), []
    if game.status != FINISHED:
        return None
    first, second = (seat["rank"] for seat in (outcome(game) or {"seats": [{"rank": 1}] * 2})["seats"])
    halves = (DRAWN, DRAWN) if first == second else (WON, LOST) if first < second else (LOST, WON)
    absent = [
        number
        for number, seat in enumerate(game.seats)
        if seat.status in (TIMED_OUT, FAILED) and not game.acted[number]
    ]
    return halves, absent


def _watched(context: Context, competition: Competition) -> Competition:
    """The competition, after its games were looked at, where this process has not done so lately."""
    if competition.status != RUNNING or context.competitions_watched.known(competition.id):
        return competition
    context.competitions_watched.put(competition.id, value=True)
    now = context.now_ms()
    unfinished = [one.id for one in competition.unfinished if one.began_at + progress.WATCH_MS <= now]
    if not unfinished:
        return competition
    over = [
        game_id
        for game_id, seen in zip(unfinished, game_facts.games(context, unfinished), strict=True)
        if seen is None or seen.facts.status not in UNFINISHED
    ]
    _record(context, competition.id, over)
    late = [one.id for one in progress.overdue(competition, now)]
    if late:
        competition_records.change(context, competition.id, lambda one: progress.judged_drawn(one, late, now))
    return competition_records.get(context, competition.id)


# ------------------------------------------------------------------------------------------------------- players


def forget(context: Context, player_id: str) -> None:
    """The player is deleted: they are in no competition that is to come, and nobody knows that they were in another."""
    ids = [*context.competitions.entered(player_id, context.now_ms()), *context.competitions.hosted(player_id)]
    for competition_id in dict.fromkeys(ids):
        _change_if_there(context, competition_id, lambda one: _without(context, one, player_id))
    context.competitions.forget_player(player_id)


def _change_if_there(
    context: Context, competition_id: str, changed: Callable[[Competition], Competition | None]
) -> None:
    try:
        competition_records.change(context, competition_id, changed)
    except GameError as error:
        if error.code != "competition/not_found":
            raise


def _without(context: Context, competition: Competition, player_id: str) -> Competition:
    own = competition.entrant_of(player_id)
    if competition.status == COMING:
        if competition.host == player_id:
            competition = progress.cancelled(competition, context.now_ms())
        elif own is not None:
            return competition.without_entrant(own.number)
    elif own is not None and own.status not in (WITHDRAWN, REMOVED):
        competition = competition.with_entrant(replace(own, status=WITHDRAWN))
    return competition_records.anonymous(competition, player_id)
