"""Does a player ever choose what is not legal? `python -m tests.workers.soak [RULESET …] --decisions 100000`.

Games of all variants and numbers of seats; each seat is a player of its own, by turns, with few simulations, and keeps
its tree while it decides on. What is chosen has to be among the legal actions, as the ruleset lists them, and what is
told of the best lines too. Prints how many decisions were looked at; exits 1 at the first that was not legal.
"""

from __future__ import annotations

import argparse
import hmac
import itertools
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from tqdm import tqdm

from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from service.rulesets.seats import MAX_SEATS
from service.settings import cores
from workers.search.decisions import Searches
from workers.search.players import read
from workers.warm import warm

PLAYERS = (
    "tree@12",
    "tree:expansion_threshold=3,playout_candidates=1@25",
    "tree:draws=4,horizon=2,endgame_positions=0@12",
    "tree:widening_base=1,widening_factor=0.3@30",
    "uct@8",
    "tree@60",
    "greedy:noise=4",
)
CHUNK = 1000  # decisions a task


def chosen(ruleset_id: str, seed: str, number: int) -> Iterator[tuple[Position, str, list[int]]]:
    """A game: each position in which a seat decided, its player, and what the player chose or told as a line."""
    ruleset = RULESETS[ruleset_id]
    tables = list(itertools.product(ruleset.variants, ruleset.seat_counts))
    variant, seats = tables[number % len(tables)]
    rng = generator(hmac.digest(b"soak", f"{seed} {number}".encode(), "sha256"))
    position = ruleset.start(variant, seats, None)
    searches, seeds = Searches(MAX_SEATS), itertools.count()
    while position.status != "over":
        if position.seat is None:
            position = position.resolve_draw(position.sample(rng))
            continue
        player = PLAYERS[(number + position.seat) % len(PLAYERS)]
        search_seed = hmac.digest(b"search", f"{seed} {number} {next(seeds)}".encode(), "sha256")
        search = searches.at(position.seat, position, read(ruleset, player), search_seed)
        action = search.choose().action
        yield position, player, [action, *(line.action for line in search.lines(3))]
        search.advance(action)
        position = position.play(action)


def task(asked: tuple[str, str, int]) -> tuple[int, str | None]:
    """So many decisions; and what was wrong with the last."""
    ruleset_id, seed, first = asked
    count = 0
    for number in itertools.count(first):
        for position, player, actions in chosen(ruleset_id, seed, number):
            count += 1
            legal = set(position.legal_actions())
            for action in actions:
                if action not in legal:
                    return count, f"seed {seed}, game {number}, {player}: {action} is not legal in {position!r}"
        if count >= CHUNK:
            return count, None
    raise AssertionError("endless")


def soak(ruleset_id: str, decisions: int, seed: str, processes: int) -> tuple[int, str | None]:
    """How many decisions were looked at, and what was wrong."""
    tasks = [(ruleset_id, seed, CHUNK * number) for number in range(-(-decisions // CHUNK))]
    looked_at = 0
    with ProcessPoolExecutor(processes) as pool:
        for count, fault in tqdm(pool.map(task, tasks), total=len(tasks), unit="k"):
            looked_at += count
            if fault:
                return looked_at, fault
    return looked_at, None


def main(arguments: Sequence[str] | None = None) -> int:
    """0 where all was legal."""
    parser = argparse.ArgumentParser(prog="python -m tests.workers.soak", description=__doc__)
    parser.add_argument("rulesets", nargs="*", choices=[*RULESETS, []], help="all of them if none is named")
    parser.add_argument("--decisions", type=int, default=100_000, help="of each ruleset")
    parser.add_argument("--seed", default="1", help="any text")
    parser.add_argument("--processes", type=int, default=cores())
    asked = parser.parse_args(arguments)
    warm()
    faults = 0
    for ruleset_id in asked.rulesets or RULESETS:
        count, fault = soak(ruleset_id, asked.decisions, asked.seed, asked.processes)
        print(f"{ruleset_id}, seed {asked.seed}: {count:,} decisions, {fault or 'all legal'}", flush=True)
        faults += fault is not None
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
