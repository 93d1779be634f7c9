"""Measure an AI's turn beyond its search: `python -m tests.bench.bench_turns [--people 100 --minutes 10]`.

Starts the whole service as an operator does. Prints
- the time from a person's action to the AI's response over HTTP (median, p95), and its ratio to `/healthz`
- the events a second of many games between quick AIs at once, the milliseconds of processor time per decision of all
  processes of the service and Redis, the same of games played in one process without a service, and their ratio
- with `--people`: the time from an action to the AI's response while many people play at once, each against an AI that
  does not search; they act one second after their turn has begun
"""

from __future__ import annotations

import argparse
import random
import secrets
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

import requests

from service.levels import LEVELS, QUICK
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from tests.bench.bench_background import live
from tests.e2e.stack import Stack, cpu_s
from workers.search.decisions import search_at_level
from workers.tasks.playing import play
from workers.warm import warm

LEVEL, RULESET, VARIANT, SEATS = "greedy", "azul", "coloured", 2
LONGEST_S = 600
PAUSE_S = 1.0  # before a person acts


def spent_s(stack: Stack) -> float:
    """Return the processor time of all processes of the service and their ended children."""
    return sum(map(cpu_s, (stack.process.pid, *stack.family())))


def thinking_ms(games: int) -> float:
    """Return the processor time of a decision in games played in this process."""
    ruleset, decisions, began = RULESETS[RULESET], 0, 0.0
    for number in range(games + 1):  # the first one only loads code
        if number == 1:
            decisions, began = 0, time.process_time()
        rng = generator(secrets.token_bytes(32))
        start = ruleset.start(VARIANT, SEATS, 0)
        _, made = play(
            start,
            lambda position, rng=rng: position.sample(rng),  # type: ignore[misc]
            lambda position: search_at_level(position, LEVEL, secrets.token_bytes(32)).choose().action,
        )
        decisions += len(made)
    return 1000 * (time.process_time() - began) / decisions


def games_of_ais(stack: Stack, games: int) -> None:
    """Play games at once to their end, and print their cost."""
    seats = [{"kind": "ai", "level": LEVEL}] * SEATS
    body = {"ruleset": RULESET, "variant": VARIANT, "seats": seats}
    http = requests.Session()
    before, began = spent_s(stack), time.monotonic()
    ids = [http.post(f"{stack.api}/games", json=body, timeout=60).json()["game"]["id"] for _ in range(games)]
    over: dict[str, dict[str, Any]] = {}
    while len(over) < games and time.monotonic() - began < LONGEST_S:
        for game_id in ids:
            if game_id not in over:
                answer = http.get(f"{stack.api}/games/{game_id}", timeout=60)
                answer.raise_for_status()
                game = answer.json()
                if game["status"] != "playing":
                    over[game_id] = game
        time.sleep(0.2)
    took_s, cost_s = time.monotonic() - began, spent_s(stack) - before
    events = sum(game["revision"] for game in over.values())
    decisions = sum(
        event["kind"] == "action"
        for game_id in over
        for event in http.get(f"{stack.api}/games/{game_id}/export", timeout=60).json()["events"]
    )
    cost_ms, alone_ms = 1000 * cost_s / max(1, decisions), thinking_ms(10)
    print(f"{len(over)} of {games} games of {LEVEL} over in {took_s:.1f} s: {events / took_s:.0f} events a second")
    print(f"a decision: {cost_ms:.2f} ms of processor time in all; alone {alone_ms:.2f} ms: {cost_ms / alone_ms:.1f} x")


def answers(stack: Stack) -> None:
    """Play against an AI over HTTP, and print the times of its responses."""
    live(stack)  # warms up
    http, hello = requests.Session(), []
    for _ in range(100):
        began = time.perf_counter()
        http.get(f"{stack.url}/healthz", timeout=60)
        hello.append(1000 * (time.perf_counter() - began))
    _, answered = live(stack)
    p95 = sorted(answered)[int(0.95 * len(answered))]
    print(f"{LEVEL} answers {median(answered):.1f} ms after the action was sent (median; p95 {p95:.1f} ms), ", end="")
    print(f"{median(answered) / median(hello):.1f} x /healthz ({median(hello):.1f} ms)")


def person(stack: Stack, number: int, end: float) -> list[float]:
    """Play until `end`. Return the ms of each response."""
    answered = list[float]()
    ruleset, level = list(RULESETS.values())[number % len(RULESETS)], sorted(QUICK)[number % len(QUICK)]
    seats = [{"kind": "player"}, {"kind": "ai", "level": level}]
    http = requests.Session()
    time.sleep(PAUSE_S * random.random())
    while time.monotonic() < end:
        body = {"ruleset": ruleset.id, "variant": ruleset.variants[0], "seats": seats, "first_seat": 0}
        made = http.post(f"{stack.api}/games", json=body, timeout=60).json()
        path, game = f"{stack.api}/games/{made['game']['id']}", made["game"]
        bearer = {"Authorization": f"Bearer {made['tokens']['seats']['0']}"}
        while game["status"] == "playing" and time.monotonic() < end:
            actions = http.get(f"{path}/actions?limit=20", timeout=60).json()["actions"]
            time.sleep(PAUSE_S)
            began, sent = time.perf_counter(), {"id": random.choice(actions)["id"], "revision": game["revision"]}
            game = http.post(f"{path}/actions", json=sent, headers=bearer, timeout=60).json()["game"]
            was_waited_for = game["to_decide"] == 1
            while game["status"] == "playing" and game["to_decide"] != 0:
                seen = {"If-None-Match": f'"{game["revision"]}"'}
                game = http.get(f"{path}?wait=20", headers=seen, timeout=60).json()
            if was_waited_for:
                answered.append(1000 * (time.perf_counter() - began))
    return answered


def people(stack: Stack, count: int, minutes: float) -> None:
    """Let people play at once, and print the times of the AIs' responses."""
    end = time.monotonic() + 60 * minutes
    with ThreadPoolExecutor(count) as pool:
        answered = sorted(sum(pool.map(lambda number: person(stack, number, end), range(count)), list[float]()))
    print(f"{count} people for {minutes:g} minutes: {len(answered)} answers of AIs that do not search, ", end="")
    print(f"median {median(answered):.0f} ms, p95 {answered[int(0.95 * len(answered))]:.0f} ms")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--people", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=10.0)
    options = parser.parse_args()
    warm()
    assert LEVELS[LEVEL].is_quick
    with tempfile.TemporaryDirectory() as folder, Stack(Path(folder)) as stack:
        answers(stack)
        games_of_ais(stack, options.games)
        if options.people:
            people(stack, options.people, options.minutes)


if __name__ == "__main__":
    main()
