"""Language models at the table: the SDK's client plays by tools alone, over stdio and over HTTP."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from service.rulesets.registry import RULESETS
from tests.e2e.model import Json, Model, over_http, over_stdio, ran
from tests.e2e.stack import ROOT, Stack, free_port
from tests.patience import until

OLDER = pytest.param("azul", "legacy", marks=pytest.mark.nightly)
"""The protocol before the newest, which knows no sessions."""


@pytest.fixture(scope="module")
def port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, port: int) -> Iterator[Stack]:
    """A service whose operator has set MCP_PORT."""
    more = {"MCP_PORT": str(port), "MCP_NAMES": "games.example.org", "BACKGROUND_WORKERS": "1"}
    with Stack(tmp_path_factory.mktemp("served"), **more) as running:
        until(lambda: answers(port), "the MCP server listens")
        yield running


@pytest.fixture
def url(served: Stack, port: int) -> str:
    """Where its MCP server is."""
    return f"http://127.0.0.1:{port}"


def answers(port: int) -> bool:
    """Whether somebody speaks HTTP there."""
    try:
        return requests.get(f"http://127.0.0.1:{port}/", timeout=5).status_code == 404
    except requests.RequestException:
        return False


def new_player(stack: Stack, name: str) -> str:
    """Their token."""
    answer = requests.post(f"{stack.api}/players", json={"name": name, "bot": True}, timeout=10)
    return str(answer.json()["token"])


async def played(model: Model, ruleset: str, variant: str) -> Json:
    """A whole game against an AI."""
    made = await model.call("create_game", ruleset=ruleset, variant=variant, seats=["random", "me"])
    assert ([1], ruleset) == (made["your_seats"], made["ruleset"])
    assert "Printed on the walls" in made["text"] or ruleset != "azul" or variant == "grey"
    return {**await model.play(made["game"], random.Random(7)), "game": made["game"]}


def is_told_as_it_ended(stack: Stack, final: Json) -> bool:
    """Whether the tools tell of the end what the API does."""
    view = stack.get(f"/games/{final['game']}").json()
    seats = view["outcome"]["seats"]
    expected = [{"seat": number, "rank": seat["rank"], "score": seat["score"]} for number, seat in enumerate(seats)]
    lines = [f"Rank {seat['rank']}: seat {number} with {seat['score']}" for number, seat in enumerate(seats)]
    told = all(line in final["text"] for line in lines)
    return bool(view["status"] == final["status"] == "finished" and expected == final["ranks"] and told)


@pytest.mark.parametrize(("ruleset", "mode"), [*((ruleset, "auto") for ruleset in RULESETS), OLDER])
def test_a_whole_game_is_played_over_stdio(served: Stack, ruleset: str, mode: str) -> None:
    async def work() -> Json:
        async with over_stdio(served.url, mode=mode) as model:
            return await played(model, ruleset, RULESETS[ruleset].variants[0])

    assert is_told_as_it_ended(served, ran(work))


@pytest.mark.parametrize(
    ("ruleset", "mode"),
    [
        ("azul", "auto"),
        *(pytest.param(ruleset, "auto", marks=pytest.mark.nightly) for ruleset in [*RULESETS][1:]),
        OLDER,
    ],
)
def test_a_whole_game_is_played_over_http(served: Stack, url: str, ruleset: str, mode: str) -> None:
    token = new_player(served, "Ana")

    async def work() -> Json:
        async with over_http(url, token, mode) as model:
            return await played(model, ruleset, RULESETS[ruleset].variants[-1])

    assert is_told_as_it_ended(served, ran(work))


def test_the_rules_in_brief_and_the_levels_can_be_read_both_ways(served: Stack) -> None:
    async def work() -> None:
        async with over_stdio(served.url) as model:
            listed = [str(one.uri) for one in (await model.client.list_resources()).resources]
            assert [*(f"azul://rules/{ruleset}" for ruleset in RULESETS), "azul://levels"] == listed
            for uri in listed:
                (content,) = (await model.client.read_resource(uri)).contents
                assert content.text == (await model.call("read_guide", topic=uri.rpartition("/")[2]))["result"]  # type: ignore[union-attr]
                assert content.text.startswith("# ")  # type: ignore[union-attr]

    ran(work)


def test_every_tool_and_argument_is_described(served: Stack) -> None:
    async def work() -> None:
        async with over_stdio(served.url) as model:
            for tool in (await model.client.list_tools()).tools:
                assert tool.description, tool.name
                assert tool.output_schema, tool.name
                arguments = tool.input_schema["properties"]
                assert [] == [name for name, one in arguments.items() if not {"description", "enum"} & one.keys()]

    ran(work)


def test_two_clients_over_http_are_two_players(served: Stack, url: str) -> None:
    """One sees neither the other's games nor may it decide for them; who names no player may only look."""

    async def work() -> None:
        async with (
            over_http(url, new_player(served, "Ana")) as ana,
            over_http(url, new_player(served, "Ben")) as ben,
            over_http(url) as nobody,
        ):
            made = await ana.call("create_game", seats=["me", "random"], first_seat=0)
            game, chosen = made["game"], {"game": made["game"], "action_id": "49", "revision": made["revision"]}
            assert [game] == [one["game"] for one in (await ana.call("list_my_games"))["games"]]
            assert [] == (await ben.call("list_my_games"))["games"]
            seen = [await one.call("read_game", game=game) for one in (ana, ben, nobody)]
            assert [([0], True), ([], False), ([], False)] == [(one["your_seats"], one["your_turn"]) for one in seen]
            assert "no seat" in await ben.error("choose_action", **chosen)
            assert "never your turn" in await ben.error("wait_for_turn", game=game)
            for tool, arguments in (("choose_action", chosen), ("create_game", {}), ("list_my_games", {})):
                assert "Authorization" in await nobody.error(tool, **arguments)
            assert made["revision"] == (await ana.call("read_game", game=game))["revision"]

    ran(work)


def test_two_models_meet_by_an_invite(served: Stack, url: str) -> None:
    async def work() -> None:
        async with over_stdio(served.url, "--name", "Ana") as ana, over_http(url, new_player(served, "Ben")) as ben:
            made = await ana.call("create_game", seats=["me", "open"], first_seat=1)
            assert ("open", False) == (made["status"], made["your_turn"])
            assert made["invite"] in made["text"]
            assert "wait_for_turn" in (await ana.call("wait_for_turn", game=made["game"], seconds=0))["text"]
            joined = await ben.call("join_game", game=made["game"], invite=made["invite"])
            assert ([1], True) == (joined["your_seats"], joined["your_turn"])
            assert "seat 0 Ana" in joined["text"]
            assert "game/full" in await ben.error("join_game", game=made["game"], invite=made["invite"])
            assert "game/not_your_turn" in await ana.error(
                "choose_action", game=made["game"], action_id="49", revision=joined["revision"]
            )
            legal = await ben.call("list_actions", game=made["game"])
            decided = await ben.call(
                "choose_action", game=made["game"], action_id=legal["actions"][0]["id"], revision=legal["revision"]
            )
            assert f"- seat 1: {legal['actions'][0]['text']}" in decided["text"]
            waited = await ana.call("wait_for_turn", game=made["game"], since=joined["revision"])
            assert waited["your_turn"]
            assert f"- seat 1: {legal['actions'][0]['text']}" in waited["text"]

    ran(work)


WRONG: list[tuple[str, Json, str]] = [
    ("create_game", {"ruleset": "chess"}, "ruleset/not_found"),
    ("create_game", {"seats": ["me", "genius"]}, "/seats/1/level"),
    ("create_game", {"seats": ["greedy", "greedy"]}, "Exactly one"),
    ("create_game", {"seats": ["me"]}, "seats"),
    ("create_game", {"seats": ["me", "greedy"], "variant": "pink"}, "/variant"),
    ("create_game", {"seats": ["me", "greedy"], "first_seat": 9}, "first_seat"),
    ("read_game", {"game": "nosuchgame"}, "list_my_games"),
    ("read_game", {"game": "../me/export"}, "game"),
    ("read_game", {}, "game"),
    ("list_actions", {"game": "nosuchgame"}, "game/not_found"),
    ("join_game", {"game": "nosuchgame"}, "game/not_found"),
    ("wait_for_turn", {"game": "nosuchgame"}, "game/not_found"),
    ("wait_for_turn", {"game": "nosuchgame", "seconds": 3600}, "seconds"),
    ("analyse", {"game": "nosuchgame", "seconds": 60}, "seconds"),
    ("read_guide", {"topic": "chess"}, "topic"),
]


def test_what_is_wrong_is_told_with_what_to_do_next(served: Stack) -> None:
    async def work() -> None:
        async with over_stdio(served.url) as model:
            for tool, arguments, expected in WRONG:
                assert expected in await model.error(tool, **arguments), (tool, arguments)
            game = (await model.call("create_game", seats=["me", "random"], first_seat=0))["game"]
            legal = await model.call("list_actions", game=game)
            right = {"game": game, "action_id": legal["actions"][0]["id"], "revision": legal["revision"]}
            assert "list_actions" in await model.error("choose_action", **{**right, "revision": 1})
            assert "list_actions" in await model.error("choose_action", **{**right, "action_id": "99999"})
            assert "/lines" in await model.error("list_actions", game=game, filters={"lines": 1})
            for odd in ({"token": "x"}, {"seen": 1}, {"line": "x" * 600}):
                assert "request/invalid" in await model.error("list_actions", game=game, filters=odd)
            none = await model.call("list_actions", game=game, filters={"source": "nowhere"})
            assert "without filters" in none["text"]
            listed = await model.call("list_actions", game=game, filters={"form": "choices", "limit": 500})
            assert legal["actions"] == listed["actions"]
            assert (await model.call("choose_action", **right))["revision"] > right["revision"]

    ran(work)


def test_many_actions_are_paged_and_filtered(served: Stack) -> None:
    async def work() -> None:
        async with over_stdio(served.url) as model:
            made = await model.call("create_game", ruleset="azul", seats=["me", "random"], first_seat=0)
            first = await model.call("list_actions", game=made["game"], limit=10)
            assert (10, True) == (len(first["actions"]), first["total"] > 10)
            assert first["next_cursor"] in first["text"]
            assert "  line: " in first["text"]
            found, page = first["actions"], first
            while page["next_cursor"] is not None:
                page = await model.call("list_actions", game=made["game"], limit=10, cursor=page["next_cursor"])
                found = found + page["actions"]
            assert first["total"] == len({action["id"] for action in found})
            lowest = await model.call(
                "list_actions", game=made["game"], filters={"line": "floor", "source": "factory_0"}
            )
            expected = [
                one for one in found if (one["fields"]["line"], one["fields"]["source"]) == ("floor", "factory_0")
            ]
            assert expected == lowest["actions"] != []
            assert "More" not in lowest["text"]
            second = await model.call("list_actions", game=made["game"], filters={"line": 1})
            assert {1} == {action["fields"]["line"] for action in second["actions"]}

    ran(work)


def test_the_search_helps_who_asks(served: Stack) -> None:
    async def work() -> None:
        async with over_stdio(served.url) as model:
            made = await model.call("create_game", seats=["me", "random"], first_seat=0)
            found = await model.call("analyse", game=made["game"], seconds=1, best=2)
            legal = {
                action["id"]: action["text"]
                for action in (await model.call("list_actions", game=made["game"], limit=200))["actions"]
            }
            assert 2 == len(found["candidates"])
            assert all(legal[one["id"]] == one["text"] == one["follows"][0] for one in found["candidates"])
            assert all(one["id"] in found["text"] for one in found["candidates"])

    ran(work)


def test_a_player_is_kept_in_a_file_only_if_asked_for_or_given_by_the_environment(
    served: Stack, tmp_path: Path
) -> None:
    file, given = tmp_path / "token", new_player(served, "Ben")
    seats = [{"kind": "player"}, {"kind": "ai", "level": "random"}]
    body = {"ruleset": "azul", "variant": "grey", "seats": seats}
    made = requests.post(f"{served.api}/games", json=body, headers={"Authorization": f"Bearer {given}"}, timeout=10)
    assert 201 == made.status_code

    async def games(*words: str, **environment: str) -> list[str]:
        async with over_stdio(served.url, *words, **environment) as model:
            await model.call("create_game")
            return [one["game"] for one in (await model.call("list_my_games"))["games"]]

    async def work() -> list[int]:
        kept = [len(await games("--token-file", str(file))) for _ in range(2)]
        assert 0o600 == file.stat().st_mode & 0o777
        return [*kept, len(await games()), len(await games(AZUL_GAMES_PLAYER_TOKEN=given))]

    assert [1, 2, 1, 2] == ran(work)
    assert [file] == list(tmp_path.iterdir())


def test_a_token_that_is_none_is_told(served: Stack) -> None:
    async def work() -> str:
        async with over_stdio(served.url, AZUL_GAMES_PLAYER_TOKEN="none-of-ours") as model:
            return await model.error("create_game")

    assert "no player's" in ran(work)


def posted(url: str, **headers: str) -> int:
    """The status of a request that lists the tools."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepts = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    return requests.post(f"{url}/mcp", json.dumps(body), headers={**accepts, **headers}, timeout=10).status_code


def test_pages_of_other_origins_and_names_that_are_not_ours_are_refused(url: str) -> None:
    """Against DNS rebinding."""
    assert 200 == posted(url)
    assert 200 == posted(url, Origin="http://localhost:3000")
    assert 200 == posted(url, Host="games.example.org", Origin="https://games.example.org")
    assert 403 == posted(url, Origin="https://evil.example")
    assert 421 == posted(url, Host="evil.example")
    assert 421 == posted(url, Host="127.0.0.1.evil.example:80")


def started(*words: str, **environment: str) -> subprocess.Popen[str]:
    """The command as a Procfile starts it."""
    command = [sys.executable, "-m", "azul_games", "mcp", "--http", *words]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, **environment}, stderr=subprocess.PIPE, text=True)


def test_without_a_port_it_waits_for_the_end() -> None:
    process = started()
    assert process.stderr is not None
    assert "MCP_PORT is not set" in process.stderr.readline()
    process.send_signal(signal.SIGTERM)
    assert 0 == process.wait(20)


def test_over_http_no_player_is_everybodys() -> None:
    process = started("--port", str(free_port()), AZUL_GAMES_PLAYER_TOKEN="some")
    assert "each client sends its own" in process.communicate(timeout=20)[1]
    assert 2 == process.returncode


def test_the_rest_of_the_client_says_that_it_wants_to_be_generated(tmp_path: Path) -> None:
    """Where nothing is installed (`-S`), and so nothing generated."""
    shutil.copytree(ROOT / "openapi" / "clients" / "python" / "azul_games", tmp_path / "azul_games")
    command = [sys.executable, "-S", "-m", "azul_games", "levels"]
    here = {"PYTHONPATH": str(tmp_path)}
    ran = subprocess.run(command, cwd=tmp_path, env=here, capture_output=True, text=True, check=False, timeout=60)
    assert (2, "The client has not been generated yet: make client-python\n") == (ran.returncode, ran.stderr)
    command = [sys.executable, "-S", "-m", "azul_games", "mcp"]
    ran = subprocess.run(command, cwd=tmp_path, env=here, capture_output=True, text=True, check=False, timeout=60)
    assert 2 == ran.returncode
    assert "pip install" in ran.stderr


def test_a_service_that_is_away_is_told() -> None:
    async def work() -> str:
        async with over_stdio(f"http://127.0.0.1:{free_port()}") as model:
            return await model.error("create_game")

    assert "does not answer" in ran(work)
