"""Language models at the table: the SDK's client plays with tools only, over stdio and HTTP."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from service.rulesets.registry import RULESETS
from service.usecases.puzzles import puzzle_views
from tests.e2e.model import Json, Model, in_process, over_http, over_stdio
from tests.e2e.stack import ROOT, Stack, bearer, free_port
from tests.patience import HANG_S, wait_until
from tests.rulesets.offers import WITH_RULES
from tests.sampling import one_in

GAMES = one_in(4, [*((ruleset, "auto") for ruleset in RULESETS), ("azul", "legacy")])
"""Rulesets and protocols: the newest, and the previous one without sessions."""


@pytest.fixture(scope="module")
def ana(stack: Stack) -> Iterator[Model]:
    """Run a model with its own server."""
    with in_process(stack.url, "Ana") as model:
        yield model


@pytest.fixture(scope="module")
def url(stack: Stack, mcp_port: int) -> str:
    """Return the URL of the service's MCP server."""
    wait_until(lambda: is_answering(mcp_port), "the MCP server listens")
    return f"http://127.0.0.1:{mcp_port}"


def is_answering(port: int) -> bool:
    """Return True if the port answers HTTP."""
    try:
        return requests.get(f"http://127.0.0.1:{port}/", timeout=HANG_S).status_code == 404
    except requests.RequestException:
        return False


def play_a_whole_game(stack: Stack, model: Model, ruleset: str, variant: str) -> Json:
    """Play against an AI and compare the result with the API. Return the view."""
    made = model.call("create_game", ruleset=ruleset, variant=variant, seats=["random", "me"])
    assert ([2], ruleset) == (made["your_seats"], made["ruleset"])
    assert "Printed on the walls" in made["text"] or ruleset != "azul" or variant == "grey"
    final, view = model.play(made["game"], random.Random(7)), stack.get(f"/games/{made['game']}").json()
    assert "finished" == final["status"] == view["status"]
    seats = [*enumerate(view["outcome"]["seats"], 1)]
    assert [{"seat": number, "rank": seat["rank"], "score": seat["score"]} for number, seat in seats] == final["ranks"]
    for number, seat in seats:
        assert f"Rank {seat['rank']}: seat {number} with {seat['score']}" in final["text"]
    return dict(view)


@pytest.mark.parametrize(("ruleset", "mode"), GAMES)
def test_a_whole_game_is_played_over_stdio(stack: Stack, tmp_path: Path, ruleset: str, mode: str) -> None:
    token = tmp_path / "token"
    with over_stdio(stack.url, "--name", "Ben", "--token-file", str(token), mode=mode) as model:
        view = play_a_whole_game(stack, model, ruleset, RULESETS[ruleset].variants[0])
    assert ["Ben", 0o600] == [view["seats"][1]["name"], token.stat().st_mode & 0o777]


@pytest.mark.parametrize(("ruleset", "mode"), GAMES)
def test_a_whole_game_is_played_over_http(stack: Stack, url: str, ruleset: str, mode: str) -> None:
    with over_http(url, stack.new_player(name="Ana", bot=True), mode) as model:
        play_a_whole_game(stack, model, ruleset, RULESETS[ruleset].variants[-1])


def test_rules_and_levels_are_resources_and_tool_results(ana: Model) -> None:
    listed = [str(one.uri) for one in ana.portal.call(ana.client.list_resources).resources]
    assert [*(f"azul://rules/{ruleset}" for ruleset in sorted(WITH_RULES)), "azul://levels"] == listed
    for uri in listed:
        (content,) = ana.portal.call(ana.client.read_resource, uri).contents
        assert content.text == ana.call("read_guide", topic=uri.rpartition("/")[2])["result"]
        assert content.text.startswith("# ")


def test_every_tool_and_argument_is_described(ana: Model) -> None:
    for tool in ana.portal.call(ana.client.list_tools).tools:
        assert tool.description, tool.name
        assert tool.title, tool.name
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema, tool.name
        arguments = tool.input_schema["properties"]
        assert [] == [name for name, one in arguments.items() if not {"description", "enum"} & one.keys()]


def test_two_clients_over_http_are_two_players(stack: Stack, url: str) -> None:
    """Neither sees the other's games or decides for them. Clients without a player can only read."""
    with (
        over_http(url, stack.new_player(name="Ana", bot=True)) as ana,
        over_http(url, stack.new_player(name="Ben", bot=True)) as ben,
        over_http(url) as anonymous,
    ):
        made = ana.call("create_game", seats=["me", "random"], first_seat=1)
        game, chosen = made["game"], {"game": made["game"], "action_id": "49", "revision": made["revision"]}
        assert [game] == [one["game"] for one in ana.call("list_my_games")["games"]]
        assert [] == ben.call("list_my_games")["games"]
        seen = [one.call("read_game", game=game) for one in (ana, ben, anonymous)]
        assert [([1], True), ([], False), ([], False)] == [(one["your_seats"], one["your_turn"]) for one in seen]
        assert "no seat" in ben.error("choose_action", **chosen)
        assert "never your turn" in ben.error("wait_for_turn", game=game)
        for tool, arguments in (("choose_action", chosen), ("create_game", {}), ("list_my_games", {})):
            assert "Authorization" in anonymous.error(tool, **arguments)
        assert made["revision"] == ana.call("read_game", game=game)["revision"]


def test_two_models_play_each_other_by_an_invitation(stack: Stack, ana: Model, url: str) -> None:
    with over_http(url, stack.new_player(name="Ben", bot=True)) as ben:
        made = ana.call("create_game", seats=["me", "open"], first_seat=2)
        assert ("open", False) == (made["status"], made["your_turn"])
        assert made["invite"] in made["text"]
        assert "wait_for_turn" in ana.call("wait_for_turn", game=made["game"], seconds=0)["text"]
        joined = ben.call("join_game", game=made["game"], invite=made["invite"])
        assert ([2], True) == (joined["your_seats"], joined["your_turn"])
        assert "seat 1 Ana" in joined["text"]
        assert "game/full" in ben.error("join_game", game=made["game"], invite=made["invite"])
        assert "game/not_your_turn" in ana.error(
            "choose_action", game=made["game"], action_id="49", revision=joined["revision"]
        )
        legal = ben.call("list_actions", game=made["game"])
        decided = ben.call(
            "choose_action", game=made["game"], action_id=legal["actions"][0]["id"], revision=legal["revision"]
        )
        assert "- Seat 2 took " in decided["text"]
        waited = ana.call("wait_for_turn", game=made["game"], since=joined["revision"])
        assert waited["your_turn"]
        assert "- Seat 2 took " in waited["text"]


GAME = "must be the id of a game"
WRONG: list[tuple[str, Json, str]] = [
    ("create_game", {"ruleset": "chess"}, "ruleset must be one of: azul, summer-pavilion, queens-garden; not"),
    ("create_game", {"seats": ["me", "genius"]}, "seats, item 2 must be one of: me, open, random, novice, "),
    ("create_game", {"seats": ["greedy", "greedy"]}, "Exactly one"),
    ("create_game", {"seats": ["me"]}, 'seats must be a list of 2 to 4 texts, not ["me"]. In playing order'),
    ("create_game", {"seats": ["me", 7]}, "seats, item 2 must be text, not 7. In playing order"),
    ("create_game", {"variant": "pink"}, 'variant must be one of: coloured, grey; not "pink"'),
    (
        "create_game",
        {"first_seat": 0},
        "first_seat must be an integer from 1 to 4 or null, not 0. The seat",
    ),
    ("create_game", {"seets": ["me"]}, 'no argument "seets". Its arguments are: ruleset, seats, variant, first_seat.'),
    ("list_my_games", {"game": "x"}, 'list_my_games has no argument "game". It has no arguments.'),
    ("read_game", {"game": "nosuchgame"}, "game/not_found: Game not found. Check the id. list_my_games"),
    ("read_game", {"game": "../me/export"}, f"game {GAME}, not "),
    ("read_game", {}, "game is missing. Id of the game"),
    ("list_actions", {"game": "nosuchgame"}, "game/not_found"),
    ("list_actions", {"game": "nosuchgame", "page": 0}, "page must be an integer of at least 1, not 0."),
    ("list_actions", {"game": "nosuchgame", "words": "blue"}, 'words must be a list of texts, not "blue".'),
    ("join_game", {"game": "nosuchgame"}, "game/not_found"),
    ("wait_for_turn", {"game": "nosuchgame"}, "game/not_found"),
    ("wait_for_turn", {"game": "nosuchgame", "seconds": 3600}, "seconds must be an integer from 0 to 25, not 3600."),
    ("analyse", {"game": "nosuchgame", "seconds": 60}, "seconds must be a number from 0.05 to 10, not 60."),
    ("choose_action", {"game": "x", "action_id": "1", "revision": "x" * 99}, f'not "{"x" * 59}….'),
    ("get_puzzle", {"theme": "luck"}, "theme: must be one of: "),
    ("answer_puzzle", {"puzzle": "nosuchpuzzle", "action_ids": [1]}, "puzzle/not_found"),
    ("read_guide", {"topic": "chess"}, "topic must be one of: azul, queens-garden, summer-pavilion, levels, not"),
]


def test_errors_name_the_next_step_in_plain_words(ana: Model) -> None:
    for tool, arguments, expected in WRONG:
        text = ana.error(tool, **arguments)
        assert expected in text, (tool, arguments, text)
        assert not [word for word in ("pydantic", "Error executing", "validation", "_type") if word in text], text
    game = ana.call("create_game", seats=["me", "random"], first_seat=1)["game"]
    legal = ana.call("list_actions", game=game)
    right = {"game": game, "action_id": legal["actions"][0]["id"], "revision": legal["revision"]}
    stale = ana.error("choose_action", **{**right, "revision": 1})
    assert (True, 1) == ("list_actions" in stale, stale.count("has changed"))
    assert "list_actions" in ana.error("choose_action", **{**right, "action_id": "99999"})
    assert "game/not_over" in ana.error("review_game", game=game)
    assert "without words" in ana.call("list_actions", game=game, words=["nowhere"])["text"]
    assert ana.call("choose_action", **right)["revision"] > right["revision"]


def test_many_actions_are_paged_and_found_by_their_words(ana: Model) -> None:
    made = ana.call("create_game", ruleset="azul", seats=["me", "random"], first_seat=1)
    whole = ana.call("list_actions", game=made["game"], limit=200)
    assert (whole["total"], None) == (len(whole["actions"]), whole["next_page"])
    first = ana.call("list_actions", game=made["game"], limit=10)
    assert (10, whole["total"], 2) == (len(first["actions"]), first["total"], first["next_page"])
    assert "More: call again with page 2" in first["text"]
    found, page = first["actions"], first
    while page["next_page"] is not None:
        page = ana.call("list_actions", game=made["game"], limit=10, page=page["next_page"])
        found = found + page["actions"]
    assert whole["actions"] == found
    floor = ana.call("list_actions", game=made["game"], words=["Factory 1", "floor line"])
    expected = [one for one in found if "from factory 1 " in one["text"] and "floor line" in one["text"]]
    assert expected == floor["actions"] != []
    assert "More" not in floor["text"]


def test_texts_are_short_and_count_from_one(ana: Model) -> None:
    made = ana.call("create_game", ruleset="azul", seats=["me", "random"], first_seat=1)
    listed = ana.call("list_actions", game=made["game"])
    assert len(listed["text"]) < 0.5 * sum(len(one["text"]) for one in listed["actions"])
    assert "seat 1:" in listed["text"]
    seat, number = listed["seat"], listed["actions"][0]["id"]
    assert [1, [1], 1] == [seat, made["your_seats"], made["to_decide"]]
    assert f"{number}=line 1; " in listed["text"]
    waited = ana.call("wait_for_turn", game=made["game"], since=made["revision"])["text"]
    read = ana.call("read_game", game=made["game"])["text"]
    assert [False, True] == ["start token\n" in text for text in (waited, read)]  # the legend
    assert ["Seat 2: 0 points" in text for text in (waited, read)] == [True, True]
    assert ["azul coloured 1" in text for text in (waited, read)] == [False, False]  # the notation counts from 0


def test_prompts_let_a_model_play_and_review(ana: Model) -> None:
    listed = {one.name: one for one in ana.portal.call(ana.client.list_prompts).prompts}
    titles = {name: (one.title, [argument.name for argument in one.arguments or ()]) for name, one in listed.items()}
    assert {
        "play": ("Play a game", ["ruleset", "level"]),
        "review": ("Review a finished game", ["game"]),
    } == titles
    tools = {tool.name for tool in ana.portal.call(ana.client.list_tools).tools}
    for name, arguments in (("play", {"ruleset": "queens-garden", "level": "novice"}), ("review", {"game": "abc"})):
        (message,) = ana.portal.call(ana.client.get_prompt, name, arguments).messages
        text = message.content.text
        assert all(value in text for value in arguments.values())
        named = set(re.findall(r"\w+_\w+", text))
        assert named <= tools
        assert named


def test_a_finished_game_is_reviewed(stack: Stack) -> None:
    with in_process(stack.url, token=(token := stack.new_player())) as model:
        made = model.call("create_game", ruleset="azul", seats=["me", "random"])
        model.play(made["game"], random.Random(1), decisions=4)  # a review of a whole game computes for 15 s
        path = f"{stack.api}/games/{made['game']}/resignation"
        requests.post(path, headers=bearer(token), json={}, timeout=HANG_S).raise_for_status()
        found = wait_until(lambda: review_if_complete(model, made["game"]), "the review is complete")
    assert [1, 2] == [one["seat"] for one in found["seats"]]
    assert {"inaccuracy", "mistake", "blunder"} >= {one["label"] for one in found["weak"]}
    for one in found["weak"]:
        assert f"Revision {one['revision']}, seat {one['seat']}, {one['label']}" in found["text"]


def review_if_complete(model: Model, game: str) -> Json | None:
    """Return the review, or None while it is not complete."""
    answer = model.portal.call(model.client.call_tool, "review_game", {"game": game})
    return None if answer.is_error else model.call("review_game", game=game)


def test_an_analysis_returns_candidates(ana: Model) -> None:
    made = ana.call("create_game", seats=["me", "random"], first_seat=1)
    found = ana.call("analyse", game=made["game"], seconds=1, best=2)
    legal = {
        action["id"]: action["text"] for action in ana.call("list_actions", game=made["game"], limit=200)["actions"]
    }
    assert 2 == len(found["candidates"])
    assert all(legal[one["id"]] == one["text"] == one["follows"][0] for one in found["candidates"])
    assert all(one["id"] in found["text"] for one in found["candidates"])


def test_a_puzzle_is_solved_and_another_failed(ana: Model) -> None:
    opened = ana.call("get_puzzle", ruleset="azul")
    puzzle = puzzle_views.find(opened["puzzle"])
    assert ("azul", puzzle.seat + 1, len(puzzle.steps)) == (opened["ruleset"], opened["seat"], opened["steps"])
    assert [*map(str, puzzle.position.legal_actions())] == [one["id"] for one in opened["actions"]]
    assert f"Seat {opened['seat']}" in opened["text"]
    ids: list[str] = []
    for step in puzzle.steps:
        ids.append(str(step.solutions[0]))
        answered = ana.call("answer_puzzle", puzzle=puzzle.id, action_ids=ids)
        assert ("solved" if len(ids) == len(puzzle.steps) else "continue") == answered["status"]
    assert "Your puzzle rating: 1500 before" in answered["text"]
    daily = ana.call("get_puzzle", daily=True)
    solutions = map(str, puzzle_views.find(daily["puzzle"]).steps[0].solutions)
    wrong = next(one["id"] for one in daily["actions"] if one["id"] not in {*solutions})
    failed = ana.call("answer_puzzle", puzzle=daily["puzzle"], action_ids=[wrong])
    assert ("failed", True) == (failed["status"], bool(failed["solution"]))
    assert f"Solution: {failed['solution'][0]}" in failed["text"]


def test_a_player_is_stored_in_a_file_only_on_request(stack: Stack, tmp_path: Path) -> None:
    file, given_token = tmp_path / "token", stack.new_player(name="Ben", bot=True)
    seats = [{"kind": "player"}, {"kind": "ai", "level": "random"}]
    body = {"ruleset": "azul", "variant": "grey", "seats": seats}
    made = requests.post(f"{stack.api}/games", json=body, headers=bearer(given_token), timeout=HANG_S)
    assert 201 == made.status_code

    def games(token: str | None = None, file: Path | None = None) -> int:
        with in_process(stack.url, token=token, file=file) as model:
            model.call("create_game")
            return len(model.call("list_my_games")["games"])

    assert [1, 2] == [games(file=file) for _ in range(2)]
    assert 0o600 == file.stat().st_mode & 0o777
    assert [1, 2] == [games(), games(given_token)]
    assert [file] == list(tmp_path.iterdir())


def test_an_invalid_token_is_reported(stack: Stack) -> None:
    with in_process(stack.url, token="none-of-ours") as model:
        assert "Player token required" in model.error("create_game")


def post_status(url: str, **headers: str) -> int:
    """Return the status of a request for the list of tools."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepts = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    return requests.post(f"{url}/mcp", json.dumps(body), headers={**accepts, **headers}, timeout=HANG_S).status_code


def test_other_origins_and_host_names_are_refused(url: str) -> None:
    """Protection against DNS rebinding."""
    assert 200 == post_status(url)
    assert 200 == post_status(url, Origin="http://localhost:3000")
    assert 200 == post_status(url, Host="games.example.org", Origin="https://games.example.org")
    assert 403 == post_status(url, Origin="https://evil.example")
    assert 421 == post_status(url, Host="evil.example")
    assert 421 == post_status(url, Host="127.0.0.1.evil.example:80")


def start_server(*words: str, **environment: str) -> subprocess.Popen[str]:
    """Start the command like a Procfile."""
    command = [sys.executable, "-m", "azul_games", "mcp", "--http", *words]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, **environment}, stderr=subprocess.PIPE, text=True)


def test_without_a_port_the_server_waits_until_it_is_stopped() -> None:
    process = start_server()
    assert process.stderr is not None
    assert "MCP_PORT is not set" in process.stderr.readline()
    process.send_signal(signal.SIGTERM)
    assert 0 == process.wait(HANG_S)


def test_over_http_a_shared_player_is_refused() -> None:
    process = start_server("--port", str(free_port()), AZUL_GAMES_PLAYER_TOKEN="some")
    assert "each client sends its own" in process.communicate(timeout=HANG_S)[1]
    assert 2 == process.returncode


@pytest.mark.parametrize(
    ("words", "default", "refused"),
    [((), "x", "x"), ((), "99999", "99999"), (("--port", "-1"), "8765", "-1"), (("--port", "٨"), "", "٨")],
)
def test_an_invalid_port_is_refused(words: tuple[str, ...], default: str, refused: str) -> None:
    process = start_server(*words, MCP_PORT=default)
    last_line = process.communicate(timeout=HANG_S)[1].splitlines()[-1]
    assert f"error: argument --port: {refused!r} is not a port from 1 to 65535, or 0 (MCP_PORT)" in last_line
    assert 2 == process.returncode


def test_other_commands_require_the_generated_client(tmp_path: Path) -> None:
    """Nothing is installed (`-S`), so nothing is generated."""
    shutil.copytree(ROOT / "openapi" / "clients" / "python" / "azul_games", tmp_path / "azul_games")
    command = [sys.executable, "-S", "-m", "azul_games", "levels"]
    environment = {"PYTHONPATH": str(tmp_path)}
    result = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=HANG_S
    )
    assert (2, "The client has not been generated yet: make client-python\n") == (result.returncode, result.stderr)
    command = [sys.executable, "-S", "-m", "azul_games", "mcp"]
    result = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=HANG_S
    )
    assert 2 == result.returncode
    assert "`make options` in a checkout, otherwise `pip install 'azul-games[mcp]'`" in result.stderr


def test_an_unavailable_service_is_reported() -> None:
    with in_process(f"http://127.0.0.1:{free_port()}") as model:
        assert "does not respond" in model.error("create_game")
