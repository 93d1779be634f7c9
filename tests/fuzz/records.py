"""The decoder of records: games that are imported over the API, exported, and imported again to the same.

Schema, caps, the game that is founded and the log that is played again are tried together. What a record says that
follows from the rules is mostly left out beforehand: it is most of a record, nobody reads it, and damage to it is none.
"""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Iterator

import redis
from flask import Flask
from werkzeug.test import TestResponse

from service.usecases.base import repository
from service.usecases.base.context import Context
from tests.fuzz import corpus
from tests.fuzz.corpus import GAMES
from tests.fuzz.fuzzing import Decoder, Verdict, must
from tests.fuzz.mutations import MOMENTS, Damage, by_name, text_of
from tests.fuzz.served import EVERY, JSON_TYPE, refused, service
from tests.web.client import Client, Json
from tests.web.recorded import read_in

OF_TIME = ("at", "until", "retry_at", "created_at")
LEFT_OUT = ("effects", "notation", "text")
SLIM = 0.9  # of all records are without these
SHUFFLED = 0.25  # have another log
OF_AN_EVENT = 0.5  # have one event damaged, of any kind, since most are decisions
KEPT = ("ruleset", "variant", "seats", "first_seat", "position", "clock", "created_at", "status", "outcome")


def shuffle(events: list[Json], dice: random.Random) -> None:
    """The log is another, but its numbers are right: an event is gone, twice there, or elsewhere."""
    for _ in range(dice.randint(1, 3)):
        at, to = dice.randrange(len(events)), dice.randrange(len(events))
        event = {**events[at]}
        if len(events) > 1 and dice.random() < 0.7:
            del events[at]
        if dice.random() < 0.7:
            event["at"] = events[min(to, len(events) - 1)].get("at", event["at"])
            events.insert(to, event)
    for number, event in enumerate(events, 1):
        event["revision"] = number


class Records:
    """Records of games that people play, imported."""

    def __init__(self, app: Flask, store: redis.Redis) -> None:
        self.client = Client(app.test_client())
        self.context: Context = app.extensions["context"]
        self.store = store
        records = [json.loads(record) for game in GAMES for record in corpus.records(game)]
        self.known = by_name([{**record, "events": record["events"][-30:]} for record in records])
        for name in OF_TIME:
            self.known[name] += MOMENTS

    def __call__(self, number: int, dice: random.Random) -> Verdict:
        """Import one; if it is taken, export it, play it on and import it again."""
        if number % EVERY == 0:
            self.store.flushdb()
        game = GAMES[number % len(GAMES)]
        good = json.loads(dice.choice(corpus.records(game)))
        if dice.random() < SLIM:
            good["events"] = [{name: event[name] for name in event if name not in LEFT_OUT} for event in good["events"]]
        if dice.random() < SHUFFLED:
            shuffle(good["events"], dice)
        damage, events = Damage(dice, self.known), good["events"]
        if dice.random() < OF_AN_EVENT:
            kind = dice.choice(sorted({event["kind"] for event in events}))
            at = dice.choice([at for at, event in enumerate(events) if event["kind"] == kind])
            events[at] = damage.json(events[at])
        else:
            good = damage.json(good)
        content = text_of(dice, good)
        answer = self.client.send("POST", "/v1/games/import", data=content, content_type=JSON_TYPE)
        game_id = self.founded(answer)
        if game_id is None:
            return Verdict(game.ruleset.id, accepted=False)
        self.same_again(self.get(f"/v1/games/{game_id}/export"))
        self.goes_on(game_id, (answer.json or {})["tokens"])
        return Verdict(game.ruleset.id, accepted=True)

    def founded(self, answer: TestResponse) -> str | None:
        """The game that an import has led to; None if it was refused, at once or once it was read in."""
        made = answer.json or {}
        if answer.status_code == 201:
            return str(made["game"]["id"])
        if answer.status_code != 202:
            refused(answer)
            return None
        read_in(self.client, made["id"])
        done = self.get(f"/v1/imports/{made['id']}")
        must((done["game_id"] is None) != (done["refusal"] is None), f"neither game nor refusal: {done}")
        must(done["game_id"] or done["refusal"]["event"], f"a refusal without its event: {done}")
        return None if done["game_id"] is None else str(done["game_id"])

    def get(self, path: str) -> Json:
        """What can be read."""
        answer = self.client.get(path)
        must(answer.status_code == 200, f"{path}: {answer.status_code} {answer.get_data()[:300]!r}")
        return answer.json or {}

    def same_again(self, exported: Json) -> None:
        """What came out goes in and comes out again."""
        answer = self.client.post("/v1/games/import", exported)
        game_id = self.founded(answer)
        must(game_id, f"what was exported is not imported: {answer.get_data()[:300]!r}")
        again = self.get(f"/v1/games/{game_id}/export")
        events = exported["events"]
        must(again["events"][: len(events)] == events, "another log is exported than was imported")
        must(again["events"][len(events)]["kind"] == "imported", "the log goes on before it is told to be imported")
        for name in KEPT:
            must(again[name] == exported[name], f"another {name} is exported than was imported")

    def goes_on(self, game_id: str, tokens: Json) -> None:
        """The game can be read; time passes for it; and where somebody is to decide, it is played on."""
        path, game = f"/v1/games/{game_id}", self.get(f"/v1/games/{game_id}")
        self.get(f"{path}/history?limit=500")
        repository.opened(self.context, repository.load(self.context, game["id"]).game).keep_time()
        if game["to_decide"] is None:
            return
        legal = self.get(f"{path}/actions?limit=1")
        token = tokens["seats"].get(str(game["to_decide"]))
        body = {"id": legal["actions"][0]["id"], "revision": legal["revision"]}
        answer = self.client.with_token(token).post(f"{path}/actions", body)
        if answer.status_code != 201:
            refused(answer)


@contextlib.contextmanager
def records() -> Iterator[Decoder]:
    """The decoder of records, on a service of its own."""
    with service() as (app, store):
        yield Records(app, store)
