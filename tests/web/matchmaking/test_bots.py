"""Bots over HTTP: publishing, pages of the directory, and what is wrong with a request."""

from __future__ import annotations

from typing import Any

from tests.web.client import Client, Json
from tests.web.players import Person, ana, answered, app, built, context, new_player, pointers, refused

__all__ = ["ana", "app", "built", "context"]  # fixtures
AZUL: Json = {"rulesets": ["azul"]}
URL = "https://bot.example/azul?key=hush"


def new_bot(anyone: Client, name: str, **plays: Any) -> Person:
    made = answered(anyone.post("/v1/players", {"name": name, "bot": True}), 201)
    bot = Person(made["player"]["id"], anyone.with_token(made["token"]))
    answered(put(bot, **plays), 200)
    return bot


def put(bot: Person, **plays: Any) -> Any:
    return bot.client.send("PUT", "/v1/me/bot", json={**AZUL, **plays})


def test_a_bot_is_published_found_adopted_released_and_withdrawn(anyone: Client, ana: Person) -> None:
    bot = new_bot(anyone, "Robo", games_at_once=4)
    answered(bot.client.send("PUT", "/v1/me/handle", json={"handle": "robo"}))
    seen = answered(anyone.get("/v1/bots/robo"))
    assert (bot.id, None, 4, 0, True, False) == (
        seen["player"]["id"],
        seen["owner"],
        *(seen[name] for name in ("games_at_once", "playing", "online", "busy")),
    )
    adopted = ana.client.post("/v1/me/bots", {"token": bot.token})
    assert adopted.headers["Location"].endswith(f"/v1/bots/{bot.id}")
    assert ana.id == answered(adopted, 201)["owner"]["id"]
    assert ["Robo"] == [one["player"]["name"] for one in answered(ana.client.get("/v1/me/bots"))["bots"]]
    assert 4 == answered(bot.client.get("/v1/me/export"))["bot"]["games_at_once"]
    assert 204 == ana.client.send("DELETE", "/v1/me/bots/robo").status_code
    assert 204 == bot.client.send("DELETE", "/v1/me/bot").status_code
    assert (404, "bot/not_found") == refused(anyone.get("/v1/bots/robo"))
    assert answered(bot.client.get("/v1/me/export"))["bot"] is None


def test_the_directory_is_read_page_by_page(anyone: Client) -> None:
    names = {new_bot(anyone, name).id for name in ("A", "B", "C")}
    first = anyone.get("/v1/bots?limit=2")
    page = answered(first)
    rest = answered(anyone.get(f"/v1/bots?limit=2&cursor={page['next_cursor']}"))
    assert (2, 1, None) == (len(page["bots"]), len(rest["bots"]), rest["next_cursor"])
    assert names == {bot["player"]["id"] for bot in (*page["bots"], *rest["bots"])}
    assert f"cursor={page['next_cursor']}" in first.headers["Link"]
    answer = anyone.get("/v1/bots?cursor=x")
    assert (422, "request/invalid", ["/cursor"]) == (*refused(answer), pointers(answer))


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


FAULTS: list[Any] = [
    ({"rulesets": []}, "/rulesets"),
    ({"rulesets": ["chess"]}, "/rulesets/0"),
    ({"rulesets": "azul"}, "/rulesets"),
    ({"seats": [1]}, "/seats/0"),
    ({"seats": []}, "/seats"),
    ({"turn_s": {"least": -1}}, "/turn_s/least"),
    ({"turn_s": {"least": 9, "most": 8}}, "/turn_s/least"),
    ({"turn_s": 5}, "/turn_s"),
    ({"turn_s": None}, "/turn_s"),
    ({"bank_s": {"more": 1}}, "/bank_s/more"),
    ({"games_at_once": 0}, "/games_at_once"),
    ({"games_at_once": 21}, "/games_at_once"),
    ({"games_at_once": "2"}, "/games_at_once"),
    ({"rated": "always"}, "/rated"),
    ({"opponents": "none"}, "/opponents"),
    ({"arena": 1}, "/arena"),
    ({"arena": True, "rated": "never"}, "/arena"),
    ({"endpoint": {"url": "http://bot.example/"}}, "/endpoint/url"),
    ({"endpoint": {"url": "https://10.0.0.1:22/"}}, "/endpoint/url"),
    ({"endpoint": {"url": URL, "secret": "short"}}, "/endpoint/secret"),
    ({"endpoint": {"url": URL, "on_failure": "ai"}}, "/endpoint/on_failure"),
    ({"owner": "me"}, "/owner"),
]


def test_what_is_wrong_with_what_a_bot_says_is_told(anyone: Client) -> None:
    for plays, pointer in FAULTS:
        answer = put(new_bot(anyone, "Robo"), **plays)
        assert (422, "request/invalid", [pointer]) == (*refused(answer), pointers(answer)), (plays, pointer)


QUERIES: list[Any] = ["ruleset=chess", "seats=1", "seats=x", "online=yes", "limit=0", "limit=101", "who=me"]


def test_what_is_wrong_with_a_query_is_told(anyone: Client) -> None:
    for query in QUERIES:
        answer = anyone.get(f"/v1/bots?{query}")
        assert (422, "request/invalid", [f"/{query.partition('=')[0]}"]) == (*refused(answer), pointers(answer)), query


def test_a_person_is_no_bot(ana: Person, anyone: Client) -> None:
    assert (409, "bot/no_program") == refused(put(ana))
    assert (404, "bot/not_found") == refused(anyone.get(f"/v1/bots/{ana.id}"))
    assert (404, "player/not_found") == refused(anyone.get("/v1/bots/nobody-at-all"))
    assert (404, "bot/not_found") == refused(ana.client.post("/v1/me/bots", {"token": new_player(anyone).token}))
