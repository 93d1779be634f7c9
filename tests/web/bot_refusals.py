"""Requests for refusals about bots, and about people and programs in one rated game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from werkzeug.test import TestResponse

from service.usecases.people import follow_ups
from tests.web.client import Client, Json
from tests.web.test_callers import BODIES

if TYPE_CHECKING:
    from tests.web.refusals import Refusals

RATED: Json = {"ruleset": "azul", "variant": "grey", "clock": {"turn_s": 60}, "rated": True}


def new_program(refusals: Refusals) -> Client:
    """Create a player that is a program."""
    anyone = refusals.anyone
    return anyone.with_token((anyone.post("/v1/players", {"bot": True}).json or {})["token"])


def publish_bot(refusals: Refusals, **changes: Any) -> tuple[Client, str]:
    """Publish a new bot. Return its client and id."""
    client = new_program(refusals)
    answer = client.put("/v1/me/bot", {**BODIES["publishBot"], **changes})
    return client, (answer.json or {})["bot"]["player"]["id"]


def code_declines(refusals: Refusals, operation: str) -> TestResponse:
    """Ask a bot for a game or a pause that it does not accept."""
    if operation == "createChallenge":
        _, bot = publish_bot(refusals, rulesets=["queens-garden"])
        return refusals.ask(operation, refusals.new(), path={"player": bot})
    client, _ = publish_bot(refusals, seats=[2, 3], endpoint={"url": "https://bot.example/"})
    people = [refusals.anyone.with_token(refusals.new_token()) for _ in range(2)]
    seeks = [one.post("/v1/seeks", {**BODIES["createSeek"], "seats": 3}).json or {} for one in (client, *people)]
    path = f"/v1/games/{seeks[2]['game_id']}"
    if operation == "offerPause":
        return people[0].post(f"{path}/pauses", {"seconds": 60})
    client.delete("/v1/me/bot")
    for one in people:
        one.post(f"{path}/resignation")
    return ask_for_rematch(operation, path, *people)


def ask_for_rematch(operation: str, path: str, maker: Client, other: Client) -> TestResponse:
    """Let one player offer a rematch, and the other offer it, too, or accept it."""
    offers = (maker.post(f"{path}/rematch").json or {})["game"]["offers"]
    if operation == "offerRematch":
        return other.post(f"{path}/rematch")
    return other.post(f"{path}/offers/{offers[0]['id']}/answer", {"accept": True})


def blocked_rematch(refusals: Refusals, operation: str) -> TestResponse:
    """Ask for a rematch after a block."""
    people = [refusals.anyone.with_token(refusals.new_token()) for _ in range(2)]
    game = [one.post("/v1/seeks", {**BODIES["createSeek"], "seats": 2}).json or {} for one in people][1]["game_id"]
    ids = [(one.get("/v1/me").json or {})["id"] for one in people]
    people[0].post(f"/v1/games/{game}/resignation")
    offers = (people[0].post(f"/v1/games/{game}/rematch").json or {})["game"]["offers"]
    people[0].put(f"/v1/me/blocked/{ids[1]}", {})
    if operation == "offerRematch":
        return people[1].post(f"/v1/games/{game}/rematch")
    return people[1].post(f"/v1/games/{game}/offers/{offers[0]['id']}/answer", {"accept": True})


def code_busy(refusals: Refusals, operation: str) -> TestResponse:
    """Give a bot with one place a second game."""
    client, bot = publish_bot(refusals)
    person = refusals.anyone.with_token(refusals.new_token())
    one = person.post(f"/v1/players/{bot}/challenges", BODIES["createChallenge"]).json or {}
    path = ""
    if operation in ("offerRematch", "answerOffer"):
        game = (client.post(f"/v1/challenges/{one['id']}/accept").json or {})["game_id"]
        path = f"/v1/games/{game}"
        person.post(f"{path}/resignation")
        follow_ups.run_due(refusals.context)
    client.post("/v1/games", BODIES["createGame"])
    if operation == "createChallenge":
        return person.post(f"/v1/players/{bot}/challenges", BODIES["createChallenge"])
    if operation == "acceptChallenge":
        return client.post(f"/v1/challenges/{one['id']}/accept")
    if operation == "createGame":
        return client.post("/v1/games", BODIES["createGame"])
    if operation == "claimSeat":
        table = refusals.new(seats=BODIES["createGame"]["seats"])
        return client.post(f"{table.path}/seats")
    return ask_for_rematch(operation, path, client, person)


def code_not_mixed(refusals: Refusals, operation: str) -> TestResponse:
    """Let a person and a program meet, one without consent to mixed ratings."""
    program, person = new_program(refusals), refusals.anyone.with_token(refusals.new_token())
    own = (program.get("/v1/me").json or {})["id"]
    if operation == "createChallenge":
        return person.post(f"/v1/players/{own}/challenges", RATED)
    if operation == "acceptChallenge":
        one = person.post(f"/v1/players/{own}/challenges", {**RATED, "mixed": True}).json or {}
        return program.post(f"/v1/challenges/{one['id']}/accept")
    if operation == "joinSeek":
        seek = person.post("/v1/seeks", {**RATED, "mixed": True}).json or {}
        return program.post(f"/v1/seeks/{seek['id']}/join")
    seats = [{"kind": "player"}, {"kind": "open"}]
    game = person.post("/v1/games", {**RATED, "seats": seats}).json or {}
    return program.post(f"/v1/games/{game['game']['id']}/seats")
