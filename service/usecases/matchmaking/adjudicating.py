"""The host of a competition, or the operator, decides the result of a game."""

from __future__ import annotations

from service.competitions.model import Competition, Contest
from service.games.errors import GameError
from service.rulesets.wire import Json
from service.storage.base.follow_ups import OPERATOR, LogEntry
from service.storage.base.optimistic import optimistic
from service.usecases.base import access, repository
from service.usecases.base.context import Caller, Context
from service.usecases.matchmaking import competing, competition_records


def adjudicate(
    context: Context, caller: Caller, competition_id: str, game_id: str, result: str, seat: int | None
) -> Json:
    """End a game of the competition with a result, one of `RESULTS`, and return it. `seat`: the winner.

    The end of the game is committed first. The competition then records it like any other result. Repeating the request
    changes nothing. Raises: competition/not_found, auth/host_only, competition/own_game, game/not_found, game/over.
    """
    player = None if access.is_admin(context, caller) else access.must_be_player(context, caller)
    competition = competition_records.get(context, competition_id)
    if player is not None and competition.host != player.id:
        raise GameError("auth/host_only")
    contest = _find_contest(competition, game_id)
    if player is not None and player.id in {competition.by_number[number].player for number in contest.entrants}:
        raise GameError("competition/own_game")

    def attempt() -> None:
        session = repository.open_session(context, repository.load(context, game_id).game)
        session.adjudicate(result, seat)
        if not session.events:
            return
        if player is None:
            context.moderation.append(LogEntry(OPERATOR, "adjudicate_game", "game", game_id))
        repository.append(context, session)

    optimistic(attempt, repository.is_stale)
    competing.record_result(context, game_id)
    competition = competition_records.get(context, competition_id)
    return competition_records.contests_json(competition, [_find_contest(competition, game_id)])[0]


def _find_contest(competition: Competition, game_id: str) -> Contest:
    """Return the game. Raises: game/not_found, also for a bye."""
    for contest in competition.contests:
        if contest.id == game_id and not contest.is_bye:
            return contest
    raise GameError("game/not_found")
