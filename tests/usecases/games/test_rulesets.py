"""Games of every ruleset, played to the end through the use cases, equal the replay of their log."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.usecases.base import replaying, repository
from service.usecases.base.context import Caller, Context
from service.usecases.games import creating, playing
from service.usecases.games.commands import Request
from service.usecases.games.creating import NewGame, NewSeat
from service.usecases.views import reading
from tests.sampling import one_in

EVERY_VARIANT = [(ruleset.id, variant) for ruleset in RULESETS.values() for variant in ruleset.variants]


def play(context: Context, game_id: str, tokens: dict[str, Any]) -> None:
    """Play at random to the end."""
    rng = generator(b"\7" * 32)
    while (game := repository.load(context, game_id).game).to_decide is not None and game.position is not None:
        caller = Caller(tokens["seats"][str(game.to_decide)])
        action = game.ruleset.wire.decode(game.position.random_action(rng))
        playing.act(context, Request(caller, game_id, (game.revision,)), None, action)


@pytest.mark.parametrize(("ruleset", "variant"), one_in(2, EVERY_VARIANT))
def test_a_whole_game_equals_the_replay_of_its_log(context: Context, ruleset: str, variant: str) -> None:
    """The choices are those of the position, and none are left after the end."""
    wanted = NewGame(ruleset, variant, (NewSeat("player"),) * 2, seed=b"\7" * 32)
    created = creating.create(context, Caller(), wanted)
    game_id, anyone = created["game"]["id"], Caller()
    offered, game = reading.legal_choices(context, anyone, game_id), repository.load(context, game_id).game
    assert game.position is not None
    assert {
        "revision": game.revision,
        "seat": game.to_decide,
        "total": len(game.position.legal_actions()),
        "choices": game.position.choices(),
    } == offered
    assert offered["total"] == reading.list_legal_actions(context, anyone, game_id, page=slice(1))["total"]
    play(context, game_id, created["tokens"])
    ended = reading.legal_choices(context, anyone, game_id)
    assert (None, 0, None) == (ended["seat"], ended["total"], ended["choices"])
    loaded = repository.load(context, game_id)
    assert loaded.game == replaying.replay(context, loaded.game, loaded.game.revision)
    view = orjson.loads(loaded.stored.view)
    assert ("finished", "completed") == (view["status"], view["outcome"]["reason"])
    assert [seat["score"] for seat in view["seats"]] == [
        sum(seat["breakdown"].values()) for seat in view["outcome"]["seats"]
    ]
    for language in ("en", "de"):
        events = reading.history(context, Caller(language=language), game_id)["events"]
        assert {"created", "start", "draw", "action"} == {event["kind"] for event in events}
        assert all(event["text"] for event in events)
