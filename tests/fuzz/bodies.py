"""The decoder of bodies: bodies of every operation, sent to a table where most operations are possible.

An accepted body is read with its schema again: the result is a valid body, and gives the same result. Records have
their own decoder.
"""

from __future__ import annotations

import contextlib
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import orjson
import redis
from flask import Flask
from marshmallow import Schema

from service.rulesets.ruleset import Position
from tests.fuzz import corpus
from tests.fuzz.corpus import GAMES
from tests.fuzz.fuzzed_service import ADMIN_TOKEN, EVERY, JSON_TYPE, check_refusal, service
from tests.fuzz.fuzzing import Decoder, Verdict, require
from tests.fuzz.mutations import By_name, Damage, by_name, text_of
from tests.web.client import OPERATIONS, Client, Json

OF_AN_OPERATION = 50  # consecutive inputs of an operation
EXAMPLES = Path(__file__).parents[2] / "openapi" / "examples"
ENDPOINT = {"url": "https://bot.example/azul", "secret": f"whsec_{'A' * 43}=", "timeout_s": 2.5, "attempts": 2}
SEATS: list[Json] = [
    {"kind": "player", "name": "Ana"},
    {"kind": "ai", "level": "greedy"},
    {"kind": "http", "endpoint": ENDPOINT},
]
GAME = {"ruleset": "summer-pavilion", "variant": "grey"}
CLOCK = {"turn_s": 60, "bank_s": 600, "on_timeout": "lose", "level": "casual"}
NOW = {"seat": 0, "revision": 5}  # in the table's game
MORE: dict[str, list[Json]] = {
    "abortGame": [{"revision": 5}],
    "analyseGame": [{"kind": "decision", "level": "greedy", "revision": 5}],
    "answerOffer": [{"accept": False, **NOW}],
    "claimSeat": [{"seat": 1, "name": "Eve", "token": None}],
    "createGame": [
        {**GAME, "seats": SEATS, "visibility": "public", "clock": CLOCK, "help": False},
        {**GAME, "seats": [{"kind": "player"}, {"kind": "open"}], "clock": CLOCK, "rated": True},
    ],
    "createSeek": [{**GAME, "seats": 3, "clock": CLOCK, "fill": {"level": "club", "after_s": 0}, "keep_s": 600}],
    "createCompetition": [
        {**GAME, "name": "Open", "format": "arena", "clock": CLOCK, "minutes": 5, "open_to": "bots", "starts_at": None}
    ],
    "createTournament": [
        {**GAME, "seats": 3, "levels": ["random"], "endpoints": [{"name": "Bot", **ENDPOINT}], "deals": 1}
    ],
    "createWebhook": [{"url": "https://bot.example:443/", "secret": ENDPOINT["secret"], "events": ["your_turn"]}],
    "offerPause": [{"seconds": 60, **NOW}],
    "offerRematch": [NOW],
    "resignGame": [NOW],
    "offerResume": [NOW],
    "startGame": [{"revision": 1}],
    "requestTakeback": [NOW],
}


class Bodies:
    """Bodies of every operation that takes one, at a table where most of them are accepted."""

    def __init__(self, app: Flask, store: redis.Redis) -> None:
        self.app, self.store = app, store
        self.client = Client(app.test_client())
        self.good = {
            name: good_bodies(name)
            for name, (_, _, described) in OPERATIONS.items()
            if "requestBody" in described and name != "importGame"  # see Records
        }
        self.known: By_name = by_name([body for bodies in self.good.values() for body in bodies])
        self.schemas: dict[str, type[Schema]] = app.extensions["api"].schemas()
        self.table = Table("", "", "", "", "", 0, "")

    def __call__(self, number: int, dice: random.Random) -> Verdict:
        """Send a body. Every fifty inputs another operation has its turn, at a new table."""
        if number % EVERY == 0:
            self.store.flushdb()
        if number % OF_AN_OPERATION == 0 or not self.table.game:
            self.table = new_table(self.client)
        name = sorted(self.good)[number // OF_AN_OPERATION % len(self.good)]
        method, path, described = OPERATIONS[name]
        content = text_of(dice, Damage(dice, self.known).json(dice.choice(self.good[name])))
        request: Json = {"content_type": JSON_TYPE if dice.random() < 0.99 else "text/plain"}
        if dice.random() < 0.05:
            request["headers"] = {"If-Match": dice.choice(('"3"', "W/x", '"-1"', f'"{10**20}"'))}
        caller = self.client.with_token(ADMIN_TOKEN if path.startswith("/v1/admin/") else self.table.token_for(name))
        answer = caller.send(method, self.table.path_of(name, path), data=content, **request)
        if answer.status_code >= 300:
            check_refusal(answer)
            return Verdict(name, accepted=False)
        if name == "beginMaintenance":  # which refuses the bodies of others
            caller.delete(path)
        self.check_schema(described, content)
        return Verdict(name, accepted=True)

    def check_schema(self, operation: Json, content: bytes) -> None:
        """Check that the loaded body is a valid body and loads as the same."""
        component = operation["requestBody"]["content"][JSON_TYPE]["schema"]["$ref"].rpartition("/")[2]
        schema = self.schemas[component]()
        with self.app.app_context():  # settings decide which URLs may be called
            once = schema.load(json.loads(content) if content else {})  # also UTF-16 and UTF-32, like the service
            again = schema.load(orjson.loads(orjson.dumps(once, default=_json)))
        require(again == once, "the loaded body is read as another body")


def _json(value: object) -> Json:
    """Return the JSON of an object in a loaded body."""
    require(isinstance(value, Position), f"a body is loaded as {type(value)}")
    position = cast("Position", value)
    return position.ruleset.view(position)


@dataclass(frozen=True)
class Table:
    """A game of Ana and Ben with an offer of Ben's, a game of Ana's with open seats, her webhook, and his seek."""

    ana: str
    ben: str
    game: str
    open_game: str
    webhook: str
    offer: int
    seek: str

    def token_for(self, operation: str) -> str:
        """Return the token of the caller of an operation."""
        return self.ben if operation in ("claimSeat", "rotateMyToken") else self.ana

    def path_of(self, operation: str, path: str) -> str:
        """Return the path with its parameters."""
        game = self.open_game if operation in ("claimSeat", "startGame") else self.game
        filled = {"game_id": game, "seat": 0, "offer": self.offer, "webhook_id": self.webhook, "seek_id": self.seek}
        return path.format_map(defaultdict(lambda: "none", filled, player=self.ben.partition(".")[0]))


def new_table(client: Client) -> Table:
    """Create a table with everything on it."""

    def create(path: str, body: Json, token: str | None = None) -> Json:
        answer = client.with_token(token).post(path, body)
        require(answer.status_code < 300, f"{path}: {answer.get_data()[:300]!r}")
        return answer.json or {}

    ana, ben = (create("/v1/players", {"name": name})["token"] for name in ("Ana", "Ben"))
    game = {"ruleset": "azul", "variant": "grey", "first_seat": 0, "seats": [{"kind": "player"}, {"kind": "open"}]}
    main = create("/v1/games", {**game, "clock": {"turn_s": 600}}, ana)["game"]["id"]
    create(f"/v1/games/{main}/seats", {}, ben)
    offers = create(f"/v1/games/{main}/pauses", {"seconds": 60}, ben)["game"]["offers"]
    waiting = create("/v1/games", {**game, "seats": [{"kind": "player"}, *[{"kind": "open"}] * 3]}, ana)["game"]["id"]
    webhook = create("/v1/me/webhooks", {"url": "https://bot.example/azul"}, ana)["webhook"]["id"]
    seek = create("/v1/seeks", {"ruleset": "azul", "variant": "grey", "seats": 4}, ben)["id"]
    return Table(ana, ben, main, waiting, webhook, offers[0]["id"], seek)


def good_bodies(operation: str) -> list[Json]:
    """Return valid bodies of an operation: those of the examples and of MORE."""
    examples = [orjson.loads(file.read_bytes())["request"] for file in EXAMPLES.glob(f"{operation}*.json")]
    known = [body for body in examples if body is not None]
    return [*known, *MORE.get(operation, []), *of_all_games(operation)] or [{}]


def of_all_games(operation: str) -> list[Json]:
    """Return bodies with an action or a position."""
    if operation in ("submitAction", "previewAction"):
        return [{"action": action, "revision": 5} for game in GAMES for action in corpus.actions(game)[::9]]
    positions = [(view, corpus.actions(game)[0]) for game in GAMES for view in corpus.views(game)[1::9]]
    if operation == "checkPosition":
        return [{"position": view, "action": action, "form": "choices"} for view, action in positions]
    if operation == "analysePosition":
        return [{"position": view, "seconds": 0.5, "best": 5} for view, _ in positions]
    if operation == "createGame":
        sides = [(view, {name: view[name] for name in ("ruleset", "variant")}) for view, _ in positions]
        few = [(view, side) for view, side in sides if len(view["seats"]) <= len(SEATS)]
        return [{**side, "seats": SEATS[: len(view["seats"])], "position": view} for view, side in few]
    return []


@contextlib.contextmanager
def bodies() -> Iterator[Decoder]:
    """Yield the decoder with its own service."""
    with service() as (app, store):
        yield Bodies(app, store)
