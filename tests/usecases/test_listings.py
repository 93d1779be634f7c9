"""The listing of public games, where there are so many that a filter must not look at all of them at once."""

from __future__ import annotations

import orjson
import pytest
import redis

from service.games.facts import Facts
from service.usecases.base.context import Context
from service.usecases.views import listings
from service.usecases.views.listings import MAX_SCANNED, Filters
from tests.storage.commits import BIRTH, new_game

PAGE = 100


def public(context: Context, redis_client: redis.Redis, rulesets: list[str]) -> list[str]:
    """Ids of public games of these rulesets, the first of which was changed last."""
    results = []
    for ruleset in rulesets:
        facts = Facts(1, ruleset, "coloured", "playing", False, 0, None, None)
        described = {"view": orjson.dumps({"ruleset": ruleset}), "facts": facts.to_bytes()}
        results.append(new_game(context.store, listed=True, fields={**BIRTH, **described}))
    redis_client.zadd(
        context.store.keys.bucket(0).listing, {game: 9000 - number for number, game in enumerate(results)}
    )
    return results


def pages(context: Context, limit: int) -> list[int]:
    """How many games of Azul are on each page of the listing."""
    sizes, cursor = [], None
    while True:
        results, cursor = listings.listing(context, Filters(ruleset="azul"), cursor, limit)
        sizes.append(len(results))
        if cursor is None:
            return sizes


def test_of_games_that_do_not_fit_so_many_are_looked_at_for_one_page(
    context: Context, redis_client: redis.Redis
) -> None:
    """It is empty then, but tells where to go on, and what fits is found there."""
    public(context, redis_client, ["queens-garden"] * MAX_SCANNED + ["azul"] * 3)
    assert [0, 3] == pages(context, PAGE)


@pytest.mark.parametrize("limit", [1, 2, 3, 4, PAGE])
def test_a_filter_leaves_no_page_short_while_more_fits(context: Context, redis_client: redis.Redis, limit: int) -> None:
    public(context, redis_client, ["queens-garden", "azul", "summer-pavilion"] * 4)
    assert [limit] * (4 // limit) + [4 % limit] == pages(context, limit)
