"""Play games and check that players choose only legal actions.

    python -m tests.workers.soak [RULESET …] --decisions 100000

Plays games of all variants and numbers of seats. Each seat has a different player with few simulations, and keeps its
tree. Checks chosen actions and best lines against the ruleset's list of legal actions. Prints the number of decisions,
and exits with 1 at the first illegal action.
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
from workers.search.players import parse_player
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


def play_game(ruleset_id: str, seed: str, number: int) -> Iterator[tuple[Position, str, list[int]]]:
    """Yield each position of a game in which a seat decided, its player, and the actions it chose or put in a line."""
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
        search = searches.search_for(position.seat, position, parse_player(ruleset, player), search_seed)
        action = search.choose().action
        yield position, player, [action, *(line.action for line in search.lines(3))]
        search.advance(action)
        position = position.play(action)


def check_chunk(task: tuple[str, str, int]) -> tuple[int, str | None]:
    """Check about CHUNK decisions. Return their number and the first fault, if any."""
    ruleset_id, seed, first = task
    count = 0
    for number in itertools.count(first):
        for position, player, actions in play_game(ruleset_id, seed, number):
            count += 1
            legal = set(position.legal_actions())
            for action in actions:
                if action not in legal:
                    return count, f"seed {seed}, game {number}, {player}: {action} is not legal in {position!r}"
        if count >= CHUNK:
            return count, None
    raise AssertionError("endless")


def soak(ruleset_id: str, decisions: int, seed: str, processes: int) -> tuple[int, str | None]:
    """Return the number of checked decisions and the first fault, if any."""
    tasks = [(ruleset_id, seed, CHUNK * number) for number in range(-(-decisions // CHUNK))]
    checked = 0
    with ProcessPoolExecutor(processes) as pool:
        for count, fault in tqdm(pool.map(check_chunk, tasks), total=len(tasks), unit="k"):
            checked += count
            if fault:
                return checked, fault
    return checked, None


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 if all actions were legal, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.workers.soak", description=__doc__)
    parser.add_argument("rulesets", nargs="*", choices=[*RULESETS, []], help="all of them if none is named")
    parser.add_argument("--decisions", type=int, default=20_000, help="of each ruleset")
    parser.add_argument("--seed", default="1", help="any text")
    parser.add_argument("--processes", type=int, default=cores())
    options = parser.parse_args(arguments)
    warm()
    faults = 0
    for ruleset_id in options.rulesets or RULESETS:
        count, fault = soak(ruleset_id, options.decisions, options.seed, options.processes)
        print(f"{ruleset_id}, seed {options.seed}: {count:,} decisions, {fault or 'all legal'}", flush=True)
        faults += fault is not None
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
