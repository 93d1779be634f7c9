"""Measure what a tournament costs live games: `python -m tests.bench.bench_background [--games 200]`.

Starts the whole service as an operator does, with two workers and one background worker. Plays live games against an
AI over HTTP and measures the time until an action is answered and until the AI has decided: during a tournament of
fast levels, and without background work before and after it (the baseline).
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import requests

from tests.e2e.stack import Stack

GAMES = 12  # live games, one after the other
LEVEL = "greedy"


def live(stack: Stack) -> tuple[list[float], list[float]]:
    """Play live games. Return the ms until an action was answered and the ms until the AI had decided."""
    acted, decided = [], []
    http = requests.Session()
    for _ in range(GAMES):
        seats = [{"kind": "player"}, {"kind": "ai", "level": LEVEL}]
        body = {"ruleset": "azul", "variant": "coloured", "seats": seats, "first_seat": 0}
        created = http.post(f"{stack.api}/games", json=body, timeout=60).json()
        path, game = f"{stack.api}/games/{created['game']['id']}", created["game"]
        bearer = {"Authorization": f"Bearer {created['tokens']['seats']['0']}"}
        while game["status"] == "playing":
            action = http.get(f"{path}/actions?limit=1", timeout=60).json()["actions"][0]["id"]
            began = time.perf_counter()
            sent = {"id": action, "revision": game["revision"]}
            game = http.post(f"{path}/actions", json=sent, headers=bearer, timeout=60).json()["game"]
            acted.append(1000 * (time.perf_counter() - began))
            while game["status"] == "playing" and game["to_decide"] != 0:
                seen = {"If-None-Match": f'"{game["revision"]}"'}
                game = http.get(f"{path}?wait=20", headers=seen, timeout=60).json()
            decided.append(1000 * (time.perf_counter() - began))
    return acted, decided


def print_line(name: str, found: tuple[list[float], list[float]], baseline: tuple[list[float], list[float]]) -> None:
    """Print medians, their ratios to the baseline, and 99th percentiles."""
    parts = []
    for what, times, quiet in zip(("an action", "the AI's answer"), found, baseline, strict=True):
        p99 = sorted(times)[int(0.99 * len(times))]
        ratio = median(times) / median(quiet)
        parts.append(f"{what} {median(times):.1f} ms ({ratio:.2f} x the baseline), p99 {p99:.0f} ms")
    print(f"{name}: {'; '.join(parts)}", flush=True)


def tournament(stack: Stack, games: int) -> dict[str, Any]:
    """Start a tournament and return it."""
    body = {"ruleset": "azul", "variant": "coloured", "levels": ["random", "greedy"], "deals": games // 2}
    answer = requests.post(f"{stack.api}/tournaments", json=body, timeout=60)
    answer.raise_for_status()
    return dict(answer.json())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    games = parser.parse_args().games
    settings = {"BACKGROUND_WORKERS": "1", "BACKGROUND_NICE": "19"}
    with tempfile.TemporaryDirectory() as folder, Stack(Path(folder), **settings) as stack:
        live(stack)
        quiet = live(stack)
        print_line("alone", quiet, quiet)
        began = time.monotonic()
        task = tournament(stack, games)
        path = f"{stack.api}/tournaments/{task['id']}"
        done = task
        while done["status"] not in ("done", "failed"):
            done = requests.get(f"{path}?after={done['version']}&wait=30", timeout=60).json()
        alone_s = time.monotonic() - began
        print(f"a tournament of {done['games_played']} games, alone: {alone_s:.1f} s", flush=True)
        task = tournament(stack, 10 * games)
        print_line(f"during a tournament of {10 * games} games", live(stack), quiet)
        left = requests.get(f"{stack.api}/tournaments/{task['id']}", timeout=60).json()
        print(f"  {left['games_played']} of its games were played in that time")
        requests.delete(f"{stack.api}/tournaments/{task['id']}", timeout=60)
        time.sleep(2)
        print_line("alone again", live(stack), quiet)


if __name__ == "__main__":
    main()
