"""Statistics of players as JSON."""

from __future__ import annotations

from service.rulesets.wire import Json
from service.usecases.base import handles
from service.usecases.base.context import Context
from service.usecases.people.counting_games import AGAINST_LEVEL, AGAINST_PEOPLE


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
