"""A game in short, out of its view: for listings, and for who is told of it and knows no rules."""

from __future__ import annotations

from service.rulesets.wire import Json

WITHOUT = ("position", "outcome", "offers", "rematch_of", "rematch", "seed_commitment", "seed")


def summarised(view: Json) -> Json:
    """What a listing tells of a game."""
    return {key: value for key, value in view.items() if key not in WITHOUT}
