"""What holds for a game of any ruleset: played whole through the use cases, its log tells all of it."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from service.cases import Caller, Cases, creating, ledgers, playing, reading, replaying
from service.cases.creating import NewGame, NewSeat
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS

EVERY_VARIANT = [(ruleset.id, variant) for ruleset in RULESETS.values() for variant in ruleset.variants]


def play(cases: Cases, game_id: str, tokens: dict[str, Any]) -> None:
    """At random, to the end."""
    rng = generator(b"\7" * 32)
    while (game := ledgers.load(cases, game_id).game).to_decide is not None and game.position is not None:
        caller = Caller(tokens["seats"][str(game.to_decide)])
        action = game.ruleset.wire.decode(game.position.random_action(rng))
        playing.act(cases, caller, game_id, None, action, game.revision)


@pytest.mark.parametrize(("ruleset", "variant"), EVERY_VARIANT)
def test_a_whole_game_is_what_its_log_tells(cases: Cases, ruleset: str, variant: str) -> None:
    wanted = NewGame(ruleset, variant, (NewSeat("player"),) * 2, seed=b"\7" * 32)
    created = creating.create(cases, Caller(), wanted)
    game_id = created["game"]["id"]
    play(cases, game_id, created["tokens"])
    loaded = ledgers.load(cases, game_id)
    assert loaded.game == replaying.replay(cases, loaded.game, loaded.game.revision)
    view = orjson.loads(loaded.stored.view)
    assert ("finished", "completed") == (view["status"], view["outcome"]["reason"])
    assert [seat["score"] for seat in view["seats"]] == [
        sum(seat["breakdown"].values()) for seat in view["outcome"]["seats"]
    ]
    for language in ("en", "de"):
        events = reading.history(cases, Caller(language=language), game_id)["events"]
        assert {"created", "start", "draw", "action"} == {event["kind"] for event in events}
        assert all(event["text"] for event in events)


@pytest.mark.parametrize(("ruleset", "variant"), EVERY_VARIANT)
def test_the_choices_are_those_of_the_position_to_decide(cases: Cases, ruleset: str, variant: str) -> None:
    """And none once the game is over; the list tells as many actions, on whatever page."""
    wanted = NewGame(ruleset, variant, (NewSeat("player"),) * 2, seed=b"\7" * 32)
    created = creating.create(cases, Caller(), wanted)
    game_id, anyone = created["game"]["id"], Caller()
    offered, game = reading.choices(cases, anyone, game_id), ledgers.load(cases, game_id).game
    assert game.position is not None
    assert {
        "revision": game.revision,
        "seat": game.to_decide,
        "total": len(game.position.legal_actions()),
        "choices": game.position.choices(),
    } == offered
    assert offered["total"] == reading.legal(cases, anyone, game_id, page=slice(1))["total"]
    play(cases, game_id, created["tokens"])
    ended = reading.choices(cases, anyone, game_id)
    assert (None, 0, None) == (ended["seat"], ended["total"], ended["choices"])
