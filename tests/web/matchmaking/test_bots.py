"""Bots over HTTP: publishing, pages of the directory, and what is wrong with a request."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from tests.web.client import Client, Json, answered, invalid, pages, pointers, refused
from tests.web.players import Person
from tests.web.wrong_bodies import Faults, wrong_bodies

AZUL: Json = {"rulesets": ["azul"]}
URL = "https://bot.example/azul?key=hush"


def new_bot(anyone: Client, name: str, **plays: Any) -> Person:
    made = answered(anyone.post("/v1/players", {"name": name, "bot": True}), 201)
    bot = Person(made["player"]["id"], anyone.with_token(made["token"]))
    answered(put(bot, **plays), 200)
    return bot


def put(bot: Person, **plays: Any) -> Any:
    return bot.client.put("/v1/me/bot", {**AZUL, **plays})


def test_a_bot_is_published_found_adopted_released_and_withdrawn(anyone: Client, ana: Person) -> None:
    bot = new_bot(anyone, "Robo", games_at_once=4)
    answered(bot.client.put("/v1/me/handle", {"handle": "robo"}))
    seen = answered(anyone.get("/v1/bots/robo"))
    told = itemgetter("owner", "games_at_once", "playing", "online", "busy")(seen)
    assert (bot.id, None, 4, 0, True, False) == (seen["player"]["id"], *told)
    adopted = ana.client.post("/v1/me/bots", {"token": bot.token})
    assert adopted.headers["Location"].endswith(f"/v1/bots/{bot.id}")
    assert ana.id == answered(adopted, 201)["owner"]["id"]
    assert ["Robo"] == [one["player"]["name"] for one in answered(ana.client.get("/v1/me/bots"))["bots"]]
    assert 4 == answered(bot.client.get("/v1/me/export"))["bot"]["games_at_once"]
    assert 204 == ana.client.delete("/v1/me/bots/robo").status_code
    assert 204 == bot.client.delete("/v1/me/bot").status_code
    assert (404, "bot/not_found") == refused(anyone.get("/v1/bots/robo"))
    assert answered(bot.client.get("/v1/me/export"))["bot"] is None


def test_the_directory_is_read_page_by_page(anyone: Client) -> None:
    names = {new_bot(anyone, name).id for name in ("A", "B", "C")}
    listed = pages(anyone, "/v1/bots?limit=2", "bots")
    assert [2, 1] == [len(page) for page in listed]
    assert names == {bot["player"]["id"] for page in listed for bot in page}


def test_where_a_bot_that_is_called_stands_is_told_to_nobody(anyone: Client) -> None:
    bot = new_bot(anyone, "Robo")
    published = answered(put(bot, endpoint={"url": URL}))
    assert published["secret"].startswith("whsec_")
    assert published["bot"]["called"]
    for client, path in ((anyone, f"/v1/bots/{bot.id}"), (anyone, "/v1/bots"), (bot.client, "/v1/me/export")):
        content = client.get(path).data
        assert [] == [secret for secret in (b"bot.example", b"hush", b"whsec") if secret in content]


def test_a_challenge_that_does_not_fit_names_the_field_in_both_languages(anyone: Client, ana: Person) -> None:
    bot = new_bot(anyone, "Robo", turn_s={"least": 60}, unclocked=False)
    body = {"ruleset": "azul", "variant": "grey", "clock": {"turn_s": 10}}
    path = f"/v1/players/{bot.id}/challenges"
    answer = ana.client.post(path, body)
    assert (409, "bot/declines", ["/clock/turn_s"]) == (*refused(answer), pointers(answer))
    german = ana.client.send("POST", path, json=body, headers={"Accept-Language": "de"})
    assert "Der Bot lehnt dieses Spiel ab" == (german.json or {})["title"]


FAULTS: Faults = {
    "/rulesets": [[], "azul"],
    "/rulesets/0": ["chess"],
    "/seats": [[]],
    "/turn_s": [5, None],
    "/games_at_once": [0, 21, "2"],
    "/rated": ["always"],
    "/opponents": ["none"],
    "/arena": [1],
    "/endpoint/url": ["http://bot.example/", "https://10.0.0.1:22/"],
    "/endpoint/secret": ["short"],
    "/endpoint/on_failure": ["ai"],
    "/owner": ["me"],
}
RANGES: list[tuple[Json, str]] = [
    ({"seats": [1]}, "/seats/0"),
    ({"turn_s": {"least": -1}}, "/turn_s/least"),
    ({"turn_s": {"least": 9, "most": 8}}, "/turn_s/least"),
    ({"bank_s": {"more": 1}}, "/bank_s/more"),
]


def test_what_is_wrong_with_what_a_bot_says_is_told(anyone: Client) -> None:
    bot = new_bot(anyone, "Robo")
    for pointer, body in wrong_bodies({**AZUL, "endpoint": {"url": URL}}, FAULTS):
        assert [pointer] == invalid(bot.client.put("/v1/me/bot", body)), body
    for plays, pointer in RANGES:
        assert [pointer] == invalid(put(bot, **plays)), plays
    assert ["/arena"] == invalid(put(bot, arena=True, rated="never"))
