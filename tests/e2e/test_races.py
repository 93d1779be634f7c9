"""Two clients, one revision."""

from __future__ import annotations

import requests

from tests.e2e.stack import Stack
from tests.e2e.test_games import whole_log
from tests.threads import run_at_once

RACES = 100


def test_exactly_one_of_two_clients_wins_a_race_for_a_revision(stack: Stack) -> None:
    """The log of a hundred contested revisions contains only the winners' events."""
    races = 0
    both = [{"kind": "player"}, {"kind": "player"}]
    while races < RACES:
        created = stack.create(ruleset="azul", variant="coloured", seats=both)
        game, tokens = created["game"]["id"], created["tokens"]["seats"]
        view = created["game"]
        events = whole_log(stack, game)
        while view["status"] == "playing" and races < RACES:
            legal = stack.get(f"/games/{game}/actions").json()
            ids = [action["id"] for action in legal["actions"]]
            token = tokens[str(legal["seat"])]
            if len(ids) == 1:  # both requests would be the same, so the second would be a replay of the first
                only = stack.act(game, token, ids[0], legal["revision"]).json()
                view, events = only["game"], events + only["events"]
                continue
            answers = race(stack, game, token, (ids[0], ids[-1]), legal["revision"])
            statuses = [answer.status_code for answer in answers]
            assert [201, 412] == sorted(statuses)
            winner, loser = (answers[statuses.index(status)].json() for status in (201, 412))
            assert "game/stale_revision" == loser["code"]
            view = winner["game"]
            assert view["revision"] == loser["revision"] == legal["revision"] + len(winner["events"])
            events += winner["events"]
            races += 1
        assert events == whole_log(stack, game)


def race(stack: Stack, game: str, token: str, choices: tuple[str, str], revision: int) -> list[requests.Response]:
    """Send both actions simultaneously, each over its own connection."""
    return run_at_once(
        lambda number: stack.send_act(SESSIONS[number], game, token, choices[number], revision), range(len(choices))
    )


SESSIONS = (requests.Session(), requests.Session())
