"""Counting a game that is over in the statistics of its players, each once, whoever does it and however often."""

from __future__ import annotations

from service.games.rating import field_of
from service.games.state.model import Game
from service.games.state.moments import unix_ms
from service.games.state.seats import AI, HTTP
from service.games.state.statuses import FINISHED
from service.games.view import outcome
from service.usecases.base.context import Context

AGAINST_PEOPLE, AGAINST_LEVEL = "people", "level"
"""Fields of a player's statistics: games of two seats, by opponent."""


def counts(game: Game) -> bool:
    """Whether a game is counted: it is finished, its draws were nobody's to know, and it began at the set-up."""
    return game.status == FINISHED and game.fair and game.meta.position is None


def count(context: Context, game: Game) -> None:
    """Count the game for all of its players who have one seat in it."""
    ended = outcome(game)
    if ended is None or not counts(game):
        return
    people = [seat.player for seat in game.seats]
    for number, player_id in enumerate(people):
        if player_id is not None and people.count(player_id) == 1:
            result = ended["seats"][number]
            context.statistics.count(
                player_id,
                game.meta.id,
                unix_ms(game.updated_at),
                fields_of(game, number),
                won=result["won"],
                score=result["score"],
            )


def fields_of(game: Game, number: int) -> list[str]:
    """In which a game counts for a seat: that of the ruleset and number of seats; of two, also the opponent's level."""
    results = [field_of(game.meta.ruleset, len(game.seats))]
    if len(game.seats) == 2:
        other = game.seats[1 - number]
        if other.kind == AI:
            results.append(f"{game.meta.ruleset}:{AGAINST_LEVEL}:{other.level}")
        elif other.kind != HTTP:
            results.append(f"{game.meta.ruleset}:{AGAINST_PEOPLE}")
    return results
