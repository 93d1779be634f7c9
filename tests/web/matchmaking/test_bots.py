"""Bots over HTTP: publishing, pages of the directory, and invalid requests."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from tests.web.client import Client, Json, body_of, invalid_fields, pointers, read_pages, refusal_of
from tests.web.players import Person, new_player
from tests.web.wrong_bodies import Faults, wrong_bodies

AZUL: Json = {"rulesets": ["azul"]}
URL = "https://bot.example/azul?key=hush"


def new_bot(anyone: Client, name: str, **terms: Any) -> Person:
    bot = new_player(anyone, name, bot=True)
    body_of(publish(bot, **terms), 200)
    return bot


def publish(bot: Person, **terms: Any) -> Any:
    return bot.client.put("/v1/me/bot", {**AZUL, **terms})


def test_a_bot_is_published_found_adopted_released_and_withdrawn(anyone: Client, ana: Person) -> None:
    bot = new_bot(anyone, "Robo", games_at_once=4)
    body_of(bot.client.put("/v1/me/handle", {"handle": "robo"}))
    bot_view = body_of(anyone.get("/v1/bots/robo"))
    status = itemgetter("owner", "games_at_once", "playing", "online", "busy")(bot_view)
    assert (bot.id, None, 4, 0, True, False) == (bot_view["player"]["id"], *status)
    adopted = ana.client.post("/v1/me/bots", {"token": bot.token})
    assert adopted.headers["Location"].endswith(f"/v1/bots/{bot.id}")
    assert ana.id == body_of(adopted, 201)["owner"]["id"]
    assert ["Robo"] == [one["player"]["name"] for one in body_of(ana.client.get("/v1/me/bots"))["bots"]]
    assert 4 == body_of(bot.client.get("/v1/me/export"))["bot"]["games_at_once"]
    assert 204 == ana.client.delete("/v1/me/bots/robo").status_code
    assert 204 == bot.client.delete("/v1/me/bot").status_code
    assert (404, "bot/not_found") == refusal_of(anyone.get("/v1/bots/robo"))
    assert body_of(bot.client.get("/v1/me/export"))["bot"] is None


def test_the_directory_is_read_page_by_page(anyone: Client) -> None:
    names = {new_bot(anyone, name).id for name in ("A", "B", "C")}
    listed = read_pages(anyone, "/v1/bots?limit=2", "bots")
    assert [2, 1] == [len(page) for page in listed]
    assert names == {bot["player"]["id"] for page in listed for bot in page}


def test_the_url_of_a_called_bot_stays_secret(anyone: Client) -> None:
    bot = new_bot(anyone, "Robo")
    published = body_of(publish(bot, endpoint={"url": URL}))
    assert published["secret"].startswith("whsec_")
    assert published["bot"]["called"]
    for client, path in ((anyone, f"/v1/bots/{bot.id}"), (anyone, "/v1/bots"), (bot.client, "/v1/me/export")):
        content = client.get(path).data
        assert [] == [secret for secret in (b"bot.example", b"hush", b"whsec") if secret in content]


def test_a_rotated_secret_is_shown_once(anyone: Client) -> None:
    bot = new_bot(anyone, "Robo")
    old = body_of(publish(bot, endpoint={"url": URL}))["secret"]
    made = body_of(bot.client.post("/v1/me/bot/secret", {"overlap_s": 60}), 201)
    assert ("Robo", True) == (made["bot"]["player"]["name"], made["secret"] not in (None, old))
    assert ["/secret"] == invalid_fields(bot.client.post("/v1/me/bot/secret", {"secret": made["secret"]}))
    assert 204 == bot.client.delete("/v1/me/bot/old-secrets").status_code
    assert b"whsec_" not in bot.client.get("/v1/me/export").data


def test_a_declined_challenge_names_the_field_in_both_languages(anyone: Client, ana: Person) -> None:
    bot = new_bot(anyone, "Robo", turn_s={"least": 60}, unclocked=False)
    body = {"ruleset": "azul", "variant": "grey", "clock": {"turn_s": 10}}
    path = f"/v1/players/{bot.id}/challenges"
    answer = ana.client.post(path, body)
    assert (409, "bot/declines", ["/clock/turn_s"]) == (*refusal_of(answer), pointers(answer))
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


def test_an_invalid_bot_is_refused_with_its_pointer(anyone: Client) -> None:
    bot = new_bot(anyone, "Robo")
    for pointer, body in wrong_bodies({**AZUL, "endpoint": {"url": URL}}, FAULTS):
        assert [pointer] == invalid_fields(bot.client.put("/v1/me/bot", body)), body
    for terms, pointer in RANGES:
        assert [pointer] == invalid_fields(publish(bot, **terms)), terms
    assert ["/arena"] == invalid_fields(publish(bot, arena=True, rated="never"))
