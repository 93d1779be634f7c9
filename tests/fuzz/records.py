"""The decoder of records: games that are imported over the API, exported, and imported again.

Schema, limits and the replay of the log are tried together. Parts of a record that follow from the rules are mostly
removed beforehand: they are most of a record, and damage to them has no effect.
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
from tests.fuzz.fuzzed_service import EVERY, JSON_TYPE, check_refusal, service
from tests.fuzz.fuzzing import Decoder, Verdict, require
from tests.fuzz.mutations import MOMENTS, Damage, by_name, text_of
from tests.web.client import Client, Json
from tests.web.game_records import process_import

OF_TIME = ("at", "until", "retry_at", "created_at")
LEFT_OUT = ("effects", "notation", "text")
SLIM = 0.9  # share of records without these parts
SHUFFLED = 0.25  # share of records with another log
OF_AN_EVENT = 0.5  # share with damage to an event of any kind, since most events are decisions
KEPT = ("ruleset", "variant", "seats", "first_seat", "position", "clock", "created_at", "status", "outcome")


def shuffle(events: list[Json], dice: random.Random) -> None:
    """Remove, repeat or move events, and number them correctly."""
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
    """Import records of games that people play."""

    def __init__(self, app: Flask, store: redis.Redis) -> None:
        self.client = Client(app.test_client())
        self.context: Context = app.extensions["context"]
        self.store = store
        records = [json.loads(record) for game in GAMES for record in corpus.records(game)]
        self.known = by_name([{**record, "events": record["events"][-30:]} for record in records])
        for name in OF_TIME:
            self.known[name] += MOMENTS

    def __call__(self, number: int, dice: random.Random) -> Verdict:
        """Import a record. If it is accepted, export it, play on, and import the export."""
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
        game_id = self.imported_game(answer)
        if game_id is None:
            return Verdict(game.ruleset.id, accepted=False)
        self.check_export(self.get(f"/v1/games/{game_id}/export"))
        self.check_playable(game_id, (answer.json or {})["tokens"])
        return Verdict(game.ruleset.id, accepted=True)

    def imported_game(self, answer: TestResponse) -> str | None:
        """Return the id of the imported game, or None if it was refused at once or later."""
        made = answer.json or {}
        if answer.status_code == 201:
            return str(made["game"]["id"])
        if answer.status_code != 202:
            check_refusal(answer)
            return None
        process_import(self.client, made["id"])
        done = self.get(f"/v1/imports/{made['id']}")
        require((done["game_id"] is None) != (done["refusal"] is None), f"neither game nor refusal: {done}")
        require(done["game_id"] or done["refusal"]["event"], f"a refusal without its event: {done}")
        return None if done["game_id"] is None else str(done["game_id"])

    def get(self, path: str) -> Json:
        """Return the JSON of a successful GET."""
        answer = self.client.get(path)
        require(answer.status_code == 200, f"{path}: {answer.status_code} {answer.get_data()[:300]!r}")
        return answer.json or {}

    def check_export(self, exported: Json) -> None:
        """Check that an export can be imported, and is exported the same."""
        answer = self.client.post("/v1/games/import", exported)
        game_id = self.imported_game(answer)
        require(game_id, f"what was exported is not imported: {answer.get_data()[:300]!r}")
        again = self.get(f"/v1/games/{game_id}/export")
        events = exported["events"]
        require(again["events"][: len(events)] == events, "another log is exported than was imported")
        require(again["events"][len(events)]["kind"] == "imported", "the log continues before the import event")
        for name in KEPT:
            require(again[name] == exported[name], f"another {name} is exported than was imported")

    def check_playable(self, game_id: str, tokens: Json) -> None:
        """Check that the game can be read, its clock advances, and a seat that decides can play on."""
        path, game = f"/v1/games/{game_id}", self.get(f"/v1/games/{game_id}")
        self.get(f"{path}/history?limit=500")
        repository.open_session(self.context, repository.load(self.context, game["id"]).game).keep_time()
        if game["to_decide"] is None:
            return
        legal = self.get(f"{path}/actions?limit=1")
        token = tokens["seats"].get(str(game["to_decide"]))
        body = {"id": legal["actions"][0]["id"], "revision": legal["revision"]}
        answer = self.client.with_token(token).post(f"{path}/actions", body)
        if answer.status_code != 201:
            check_refusal(answer)


@contextlib.contextmanager
def records() -> Iterator[Decoder]:
    """Yield the decoder of records with its own service."""
    with service() as (app, store):
        yield Records(app, store)
