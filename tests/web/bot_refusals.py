"""Requests for refusals about bots, and about people and programs in one rated game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from werkzeug.test import TestResponse

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
    """Challenge a bot that plays another ruleset."""
    _, bot = publish_bot(refusals, rulesets=["queens-garden"])
    return refusals.ask(operation, refusals.new(), path={"player": bot})


def code_busy(refusals: Refusals, operation: str) -> TestResponse:
    """Challenge a called bot during its only game."""
    _, bot = publish_bot(refusals, endpoint={"url": "https://bot.example/"})
    for _ in range(2):
        answer = refusals.ask(operation, refusals.new(), path={"player": bot})
    return answer


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
