"""The listing of public games, when a filter cannot examine all of them at once."""

from __future__ import annotations

import orjson
import pytest
from redis import Redis

from service.games.facts import Facts
from service.usecases.base.context import Context
from service.usecases.views import listings
from service.usecases.views.listings import MAX_SCANNED, Filters
from tests.storage.commits import BIRTH, new_game

PAGE = 100


def public(context: Context, redis_client: Redis, rulesets: list[str]) -> list[str]:
    """Create public games of these rulesets, the most recently changed first, and return their ids."""
    games = []
    for ruleset in rulesets:
        facts = Facts(1, ruleset, "coloured", "playing", False, 0, None, None)
        stored_fields = {"view": orjson.dumps({"ruleset": ruleset}), "facts": facts.to_bytes()}
        games.append(new_game(context.store, listed=True, fields={**BIRTH, **stored_fields}))
    redis_client.zadd(context.store.keys.bucket(0).listing, {game: 9000 - number for number, game in enumerate(games)})
    return games


def pages(context: Context, limit: int) -> list[int]:
    """Return the number of games of Azul on each page."""
    sizes, cursor = [], None
    while True:
        results, cursor = listings.listing(context, Filters(ruleset="azul"), cursor, limit)
        sizes.append(len(results))
        if cursor is None:
            return sizes


def test_a_page_examines_a_limited_number_of_games(context: Context, redis_client: Redis) -> None:
    """The page is then empty, with a cursor that leads to the matches."""
    public(context, redis_client, ["queens-garden"] * MAX_SCANNED + ["azul"] * 3)
    assert [0, 3] == pages(context, PAGE)


@pytest.mark.parametrize("limit", [1, 2, 3, 4, PAGE])
def test_filtered_pages_are_full_while_more_games_match(context: Context, redis_client: Redis, limit: int) -> None:
    public(context, redis_client, ["queens-garden", "azul", "summer-pavilion"] * 4)
    assert [limit] * (4 // limit) + [4 % limit] == pages(context, limit)
