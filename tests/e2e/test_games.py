"""Whole games over HTTP with real workers, verified afterwards."""

from __future__ import annotations

import random
from typing import Any

import pytest

from service.rulesets.registry import RULESETS
from tests.e2e.stack import Service, Stack
from tests.openapi.verifying import verify
from tests.sampling import one_in

SIDES = [(ruleset, variant) for ruleset in RULESETS.values() for variant in ruleset.variants]
GAMES = [  # every variant, and every number of seats of some ruleset
    (ruleset.id, variant, ruleset.seat_counts[-1 - number % len(ruleset.seat_counts)])
    for number, (ruleset, variant) in enumerate(SIDES)
]
LEVELS = ["greedy", "random", "planner"]  # of the AIs; only a table of four has one that searches


def play_to_the_end(service: Service, created: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Play seat 0 at random to the end. Return the last view."""
    game, token = created["game"]["id"], created["tokens"]["seats"]["0"]
    view: dict[str, Any] = created["game"]
    while view["status"] == "playing":
        if view["to_decide"] != 0:
            view = service.next_view(view)
            continue
        legal = service.get(f"/games/{game}/actions").json()
        choice = rng.choice(legal["actions"])
        answer = service.act(game, token, choice["id"], legal["revision"])
        assert answer.status_code == 201, answer.text
        view = answer.json()["game"]
    return view


def whole_log(stack: Stack, game: str) -> list[dict[str, Any]]:
    """Return all events over all pages."""
    path, events = f"/games/{game}/history?limit=200", list[dict[str, Any]]()
    while path:
        page = stack.get(path)
        events += page.json()["events"]
        path = page.links.get("next", {}).get("url", "").removeprefix("/v1")
    assert page.json()["revision"] == len(events)
    return events


@pytest.mark.parametrize(("name", "variant", "seats"), one_in(2, GAMES))
def test_a_game_with_ais_is_played_to_the_end_and_every_draw_is_verified(
    stack: Stack, name: str, variant: str, seats: int
) -> None:
    """A person plays at random against AIs. A replay verifies commitment, draws, effects and scores."""
    others = [{"kind": "ai", "level": LEVELS[number]} for number in range(seats - 1)]
    created = stack.create(ruleset=name, variant=variant, seats=[{"kind": "player", "name": "Ana"}, *others])
    final = play_to_the_end(stack, created, random.Random(seats))
    assert ("finished", True, None) == (final["status"], final["fair"], final["to_decide"])

    assert created["game"]["seed"] is None
    assert created["game"]["seed_commitment"] == final["seed_commitment"]
    log, record = whole_log(stack, final["id"]), stack.get(f"/games/{final['id']}/export").json()
    assert [event["draw"] for event in log] == [event["draw"] for event in record["events"]]
    assert sum(event["kind"] == "draw" for event in log) == verify(record)

    ruleset = RULESETS[name]
    position = ruleset.start(variant, seats, None)
    for event in log:
        if event["kind"] == "draw":
            drawn = ruleset.wire.read_draw(event["draw"])
            assert position.step_draw(drawn)[0] == event["effects"]
            position = position.resolve_draw(drawn)
        elif event["kind"] == "action":
            action = ruleset.wire.encode(event["action"])
            assert position.seat == event["seat"]
            assert position.step(action)[0] == event["effects"]
            position = position.play(action)
    assert "over" == position.status
    assert ruleset.view(position) == final["position"]
    actual = [(seat["score"], seat["rank"], seat["won"]) for seat in final["outcome"]["seats"]]
    assert actual == [(seat.score, seat.rank, seat.won) for seat in position.outcome()]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_among_ais_plays_itself(stack: Stack, ruleset: str) -> None:
    seats = [{"kind": "ai", "level": "greedy"}, {"kind": "ai", "level": "random"}]
    game = stack.create(ruleset=ruleset, variant=RULESETS[ruleset].variants[-1], seats=seats)["game"]
    while game["status"] == "playing":
        game = stack.next_view(game)
    assert "finished" == game["status"]
