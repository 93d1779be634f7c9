"""People with players' tokens at the whole service: turns, a pause, a takeback, messages, a rematch."""

from __future__ import annotations

import itertools
import json
import random
import threading
from operator import itemgetter
from typing import Any

import pytest
import requests

from service.rulesets.registry import RULESETS
from tests.e2e.stack import Stack
from tests.patience import HANG_S

Json = dict[str, Any]
TABLES = list(zip(RULESETS, itertools.cycle((2, 3, 4))))  # every number of seats, each in another ruleset


class Person:
    """A player and their requests."""

    def __init__(self, stack: Stack, name: str) -> None:
        self.http, self.api = requests.Session(), stack.api
        made = self.post("/players", {"name": name})
        self.id = made["player"]["id"]
        self.http.headers["Authorization"] = f"Bearer {made['token']}"

    def post(self, path: str, body: Json | None = None, status: int = 201) -> Json:
        """Return the answer, which must have this status."""
        answer = self.http.post(f"{self.api}{path}", json=body or {}, timeout=HANG_S)
        assert status == answer.status_code, answer.text
        return dict(answer.json())

    def get(self, path: str) -> Json:
        answer = self.http.get(f"{self.api}{path}", timeout=HANG_S)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def turns(self, wait: int = 0) -> list[str]:
        return [game["id"] for game in self.get(f"/me/turns?wait={wait}")["games"]]

    def decide(self, game: str, rng: random.Random) -> Json:
        """Wait for this person's turn and play a random action."""
        assert game in self.turns(20)
        legal = self.get(f"/games/{game}/actions?limit=50")
        body = {"id": rng.choice(legal["actions"])["id"], "revision": legal["revision"]}
        return self.post(f"/games/{game}/actions", body)


class Listener(threading.Thread):
    """A thread that follows a game with a ticket until its end, like a browser."""

    def __init__(self, person: Person, game: str) -> None:
        super().__init__()
        ticket = person.post(f"/games/{game}/tickets")["ticket"]
        url = f"{person.api}/games/{game}/events?ticket={ticket}"
        self.answer = requests.get(url, headers={"Accept": "application/x-ndjson"}, stream=True, timeout=HANG_S)
        self.items: list[Json] = []

    def run(self) -> None:
        self.items += [json.loads(line) for line in self.answer.iter_lines() if line]


def agree(people: list[Person], game: str, seat_offering: int, operation: str, body: Json | None = None) -> Json:
    """Make an offer and accept it as the others. Return the view."""
    offer = people[seat_offering].post(f"/games/{game}/{operation}", body)["game"]["offers"][-1]
    assert [seat for seat in range(len(people)) if seat != seat_offering] == offer["awaiting"]
    for seat in offer["awaiting"]:
        view = people[seat].post(f"/games/{game}/offers/{offer['id']}/answer", {"accept": True})["game"]
    assert [] == view["offers"]
    return dict(view)


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_people_play_with_a_clock_pause_take_back_and_rematch(stack: Stack, ruleset: str, seats: int) -> None:
    rng, people = random.Random(seats), [Person(stack, f"player {number}") for number in range(seats)]
    body = {
        "ruleset": ruleset,
        "variant": RULESETS[ruleset].variants[0],
        "seats": [{"kind": "player"}, *({"kind": "open"} for _ in people[1:])],
        "first_seat": 0,
        "visibility": "private",
        "clock": {"turn_s": 120, "bank_s": 60, "on_timeout": "lose"},
    }
    created = people[0].post("/games", body)
    game, path = created["game"]["id"], f"/games/{created['game']['id']}"
    listener = Listener(people[0], game)
    listener.start()
    for person in people[1:]:
        view = person.post(f"{path}/seats", {"token": created["tokens"]["invite"]})["game"]
    assert [person.id for person in people] == [seat["player"] for seat in view["seats"]]

    for _ in range(2 * seats):
        before = view
        view = people[view["to_decide"]].decide(game, rng)["game"]
        assert ("playing", view["to_decide"]) == (view["status"], view["clock"]["seat"])

    assert agree(people, game, 1, "pauses", {"seconds": 600})["paused_until"] is not None
    assert [] == people[view["to_decide"]].turns()
    legal = people[0].get(f"{path}/actions?limit=1")
    action = {"id": legal["actions"][0]["id"], "revision": legal["revision"]}
    assert "game/paused" == people[view["to_decide"]].post(f"{path}/actions", action, 409)["code"]
    assert agree(people, game, 0, "resumption")["clock"]["deadline"] is not None

    last = before["to_decide"]
    view = agree(people, game, last, "takebacks")
    assert (before["position"], last) == (view["position"], view["to_decide"])
    people[1].post(f"{path}/messages", {"text": "well, play it again"})
    assert [1] == [message["seat"] for message in people[0].get(f"{path}/messages?wait=20")["messages"]]
    people[last].decide(game, rng)

    for person in people[1:]:
        view = person.post(f"{path}/resignation")["game"]
    assert ("finished", "resignation") == (view["status"], view["outcome"]["reason"])
    assert view["outcome"]["seats"][0]["won"]
    listener.join(HANG_S)
    history = people[0].get(f"{path}/history")["events"]
    assert [event["revision"] for event in history[1:]] == [item["revision"] for item in listener.items[1:]]
    assert ("snapshot", 1) == (listener.items[0]["kind"], listener.items[0]["revision"])
    assert view == listener.items[-1]["game"]

    second = agree(people, game, seats - 1, "rematch")["rematch"]
    again = people[0].get(f"/games/{second}")
    assert (game, 1, "playing") == itemgetter("rematch_of", "to_decide", "status")(again)
    assert 120 == again["clock"]["turn_s"]
    assert 404 == requests.get(f"{stack.api}/games/{second}", timeout=HANG_S).status_code
    for person in people:
        assert [second, game] == [listed["id"] for listed in person.get("/me/games")["games"]]
    people[1].decide(second, rng)
