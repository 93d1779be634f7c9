"""Statistics of players, as they are told."""

from __future__ import annotations

from service.rulesets.wire import Json
from service.usecases.base import handles
from service.usecases.base.context import Context
from service.usecases.people.counting_games import AGAINST_LEVEL, AGAINST_PEOPLE


def of_player(context: Context, word: str) -> Json:
    """What is counted of the player of this id or handle. player/not_found."""
    return of(context, handles.found(context, word).id)


def of(context: Context, player_id: str) -> Json:
    """What is counted of a player: by ruleset and number of seats; and of two seats, by opponent."""
    by_ruleset, by_opponent = list[Json](), list[Json]()
    for field, counted in context.statistics.of(player_id).items():
        ruleset, _, rest = field.partition(":")
        if rest == AGAINST_PEOPLE or rest.startswith(AGAINST_LEVEL):
            level = rest.partition(":")[2] or None
            by_opponent.append({"ruleset": ruleset, "level": level, "games": counted.games, "wins": counted.wins})
        else:
            by_ruleset.append({"ruleset": ruleset, "seats": rest, **counted._asdict()})
    return {"rulesets": by_ruleset, "opponents": by_opponent}
