"""Statistics of players: count finished games, and return the numbers as JSON. Counting a game twice has no effect."""

from __future__ import annotations

from service.games.rating import rating_field
from service.games.state.model import Game
from service.games.state.moments import parse_ms, unix_ms
from service.games.state.seats import AI, HTTP
from service.games.state.statuses import FINISHED
from service.games.view import outcome
from service.rulesets.wire import Json
from service.storage.people.ratings import DAY_MS
from service.usecases.base import handles
from service.usecases.base.context import Context

AGAINST_PEOPLE, AGAINST_LEVEL = "people", "level"
"""Parts of the field names for games of two seats, by opponent."""


def is_counted(game: Game) -> bool:
    """Return whether the game counts.

    It is finished, fair and not adjudicated, it began at the normal set-up, and everybody decided.
    """
    everybody = all(game.acted[seat] for seat in game.people)
    is_regular = game.fair and game.ranks is None and game.meta.position is None
    return game.status == FINISHED and is_regular and everybody


def count(context: Context, game: Game) -> None:
    """Count the game for each player who has exactly one seat in it."""
    final = outcome(game)
    if final is None or not is_counted(game):
        return
    people = [seat.player for seat in game.seats]
    for number, player_id in enumerate(people):
        if player_id is not None and people.count(player_id) == 1:
            result = final["seats"][number]
            context.statistics.count(
                player_id,
                game.meta.id,
                unix_ms(game.updated_at),
                statistics_fields(game, number),
                won=result["won"],
                score=result["score"],
            )


def count_players(context: Context, game: Game) -> None:
    """Count the people who have a seat in a game that ended in the figures of that day."""
    ids, ended_ms = {seat.player for seat in game.seats if seat.player is not None}, unix_ms(game.updated_at)
    people = [one for one in context.players.get_many(ids) if one is not None and not one.bot]
    returning = [one.id for one in people if parse_ms(one.created_at) // DAY_MS < ended_ms // DAY_MS]
    context.figures.add_players(ended_ms, [one.id for one in people], returning)


def statistics_fields(game: Game, number: int) -> list[str]:
    """Return the statistics fields in which the game counts for a seat.

    These are the ruleset with the number of seats, and for two seats the kind of opponent.
    """
    results = [rating_field(game.meta.ruleset, len(game.seats))]
    if len(game.seats) == 2:
        other = game.seats[1 - number]
        if other.kind == AI:
            results.append(f"{game.meta.ruleset}:{AGAINST_LEVEL}:{other.level}")
        elif other.kind != HTTP:
            results.append(f"{game.meta.ruleset}:{AGAINST_PEOPLE}")
    return results


def of_player(context: Context, word: str) -> Json:
    """Return the statistics of the player with this id or handle. Raises: player/not_found."""
    return statistics_json(context, handles.must_find(context, word).id)


def statistics_json(context: Context, player_id: str) -> Json:
    """Return a player's statistics by ruleset and number of seats, and for two seats by opponent."""
    by_ruleset, by_opponent = list[Json](), list[Json]()
    for field, counted in context.statistics.get(player_id).items():
        ruleset, _, rest = field.partition(":")
        if rest == AGAINST_PEOPLE or rest.startswith(AGAINST_LEVEL):
            level = rest.partition(":")[2] or None
            by_opponent.append({"ruleset": ruleset, "level": level, "games": counted.games, "wins": counted.wins})
        else:
            by_ruleset.append({"ruleset": ruleset, "seats": rest, **counted._asdict()})
    return {"rulesets": by_ruleset, "opponents": by_opponent}
