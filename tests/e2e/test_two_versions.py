"""Two versions on one Redis: whatever one of them begins, the other continues."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import permutations
from typing import Any

import pytest
import requests

from service.rulesets.registry import RULESETS
from tests.e2e import earlier
from tests.e2e.next_version import LATER
from tests.e2e.stack import Service, Stack, bearer
from tests.e2e.test_upgrades import SEATS, next_version, play_on
from tests.faults.checks import faults_of_state
from tests.patience import HANG_S, wait_until

pytestmark = pytest.mark.nightly
Pair = tuple[Service, Service]
EARLIER, NEXT = "beside an earlier version", "beside the next version"
CLOCK = {"turn_s": 600, "bank_s": 600}
BASICS = {"ruleset": "azul", "variant": "grey"}


@pytest.fixture(scope="module", params=[EARLIER, NEXT])
def versions(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Pair]:
    """Run the present version, and an earlier one with all its processes, or a web process of the next one."""
    folders = [tmp_path_factory.mktemp(name) for name in ("present", "other")]
    processes = {"BACKGROUND_WORKERS": "1", "DIALERS": "1"}
    with Stack(folders[0], **processes) as present:
        if request.param == NEXT:
            with next_version(present, "extended") as url:
                yield present, Service(url)
        else:
            assert earlier.FOLDER.exists(), "build it with: python -m tests.e2e.earlier"
            outside = {"PYTHONPATH": str(earlier.FOLDER), "REDIS_URL": present.redis_url}
            with Stack(folders[1], root=folders[1], **processes, **outside) as other:
                yield present, other


@pytest.fixture(params=["present first", "other first"])
def pair(versions: Pair, request: pytest.FixtureRequest) -> Pair:
    """Return both versions; the first begins, the second continues."""
    return versions if request.param == "present first" else (versions[1], versions[0])


def send(url: str, token: str | None = None, **body: Any) -> Any:
    """POST, and return the JSON of the successful answer."""
    answer = requests.post(url, json=body, headers=bearer(token) if token else {}, timeout=HANG_S)
    assert answer.status_code < 300, answer.text
    return answer.json()


def read(url: str, token: str | None = None) -> Any:
    """GET, and return the JSON of the successful answer, without the member that the next version adds to all."""
    answer = requests.get(url, headers=bearer(token) if token else {}, timeout=HANG_S)
    assert answer.status_code == 200, answer.text
    return {name: value for name, value in answer.json().items() if name != LATER}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_games_are_played_by_both_versions_and_their_workers(pair: Pair, ruleset: str) -> None:
    first, second = pair
    created = first.create(ruleset=ruleset, variant=RULESETS[ruleset].variants[0], seats=SEATS)
    view = play_on([second.api, first.api], created)
    exports = [read(f"{stack.api}/games/{view['id']}/export") for stack in pair]
    assert exports[0] == exports[1]
    assert [] == faults_of_state(exports[0], view, 2**63)


def test_players_of_both_versions_meet_through_seeks(pair: Pair) -> None:
    first, second = pair
    waiting = send(f"{first.api}/seeks", first.new_player(name="Ana"), **BASICS, clock=CLOCK)
    assert waiting["id"] in [seek["id"] for seek in read(f"{second.api}/seeks")["seeks"]]
    paired = send(f"{second.api}/seeks", second.new_player(name="Ben"), **BASICS, clock=CLOCK)
    assert paired["game_id"] is not None
    assert "playing" == read(f"{first.api}/games/{paired['game_id']}")["status"]


def test_players_of_both_versions_talk_and_challenge_each_other(pair: Pair) -> None:
    first, second = pair
    ana, ben = first.new_player(name="Ana"), second.new_player(name="Ben")
    other = read(f"{second.api}/me", ben)["id"]
    challenge = send(f"{first.api}/players/{other}/challenges", ana, **BASICS, clock=CLOCK)
    assert challenge["id"] == read(f"{second.api}/me/challenges", ben)["received"][0]["id"]
    game = send(f"{second.api}/challenges/{challenge['id']}/accept", ben)["game_id"]
    for (one, token), (another, reader) in permutations(((first, ana), (second, ben))):
        send(f"{one.api}/games/{game}/messages", token, text="Good luck!")
        assert "Good luck!" == read(f"{another.api}/games/{game}/messages", reader)["messages"][-1]["text"]


def test_a_competition_of_one_version_is_played_by_the_other(pair: Pair) -> None:
    first, second = pair
    host = first.new_player(name="Host")
    plan = {"name": "Open", "format": "swiss", "rounds": 1, "clock": CLOCK}
    competition = send(f"{first.api}/competitions", host, **BASICS, **plan)["id"]
    people = [stack.new_player(name=f"Player {number}") for number, stack in enumerate(pair)]
    for stack, token in zip(reversed(pair), people, strict=True):
        send(f"{stack.api}/competitions/{competition}/join", token)
    send(f"{second.api}/competitions/{competition}/start", host)

    def games() -> Any:
        return read(f"{first.api}/competitions/{competition}/games")["games"]

    (game,) = wait_until(games, "a game of the competition")
    path = f"games/{game['game_id']}"
    wait_until(lambda: requests.get(f"{second.api}/{path}", timeout=HANG_S).status_code == 200, "the game exists")
    send(f"{second.api}/{path}/resignation", people[0])
    for stack in pair:
        url = f"{stack.api}/competitions/{competition}"
        wait_until(partial(_is_over, url), "the competition is over")
        assert [1, 0] == [row["score"] for row in read(url)["standings"]]


def test_background_work_of_one_version_is_done_by_either(pair: Pair) -> None:
    first, second = pair
    created = first.create(**BASICS, seats=[{"kind": "player"}] * 2)
    game, host = created["game"]["id"], created["tokens"]["host"]
    analysis = send(f"{first.api}/games/{game}/analyses", host, kind="decision", seconds=1)
    tournament = send(f"{first.api}/tournaments", **BASICS, levels=["greedy", "random"], deals=1)
    for task in (f"analyses/{analysis['id']}", f"tournaments/{tournament['id']}"):
        ended = wait_until(partial(_find_ended, f"{second.api}/{task}", host), task)
        assert "done" == ended["status"]


def _is_over(url: str) -> bool:
    return bool(read(url)["status"] == "over")


def _find_ended(url: str, token: str) -> Any:
    """Return the task if it has ended, or None."""
    task = read(url, token)
    return task if task["status"] in ("done", "failed") else None
