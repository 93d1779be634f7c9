"""Make puzzles: `python -m research.puzzles azul --count 100 --write`.

Quick levels play games. Searches choose decisions with one best action that the quick policy does not see, and confirm
them. Shipped puzzles stay: new ones are added until a ruleset has `--count`, so use a new seed. Every searched game is
stored, so an interrupted run can continue. Of several rulesets, the one with the least processor time so far is next.
`--check` measures how many shipped puzzles keep their solution in a longer search, and `--list` prints shipped puzzles
for other programs.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

from research.puzzles.building import Found, puzzle_at
from research.puzzles.candidates import decisions
from research.puzzles.checking import check
from research.puzzles.progress import Progress, write
from research.puzzles.verdicts import hunch
from service.puzzles.model import Puzzle, file_of, of_ruleset
from service.rulesets.registry import RULESETS
from workers.warm import warm

MIN_HUNCH = 0.05  # probability by which a short search must prefer its own choice


def search_game(ruleset: str, number: int, seed: int, counts: Counter[str]) -> Found | None:
    """Return the first puzzle of a game, the most promising decision first. `counts`: positions that passed a stage."""
    hunches = [(hunch(position), position) for position in decisions(ruleset, number, seed, counts)]
    counts["suitable"] += len(hunches)
    promising = sorted((pair for pair in hunches if pair[0] >= MIN_HUNCH), key=lambda pair: -pair[0])
    counts["promising"] += len(promising)
    return next(filter(None, (puzzle_at(position, counts) for _, position in promising)), None)


def make(options: argparse.Namespace) -> None:
    """Search games until every ruleset has its puzzles."""
    files = {ruleset: options.folder / f"{ruleset} {options.seed}.jsonl" for ruleset in options.rulesets}
    stores = {ruleset: Progress(file, of_ruleset(ruleset)) for ruleset, file in files.items()}
    for ruleset, store in stores.items():
        _ship(ruleset, store, options)
    while incomplete := [ruleset for ruleset, store in stores.items() if len(store.puzzles()) < options.count]:
        ruleset = min(incomplete, key=lambda name: stores[name].seconds)
        store, counts, began = stores[ruleset], Counter[str](), time.process_time()
        found = search_game(ruleset, len(store.games), options.seed, counts)
        store.add(time.process_time() - began, counts, found)
        _ship(ruleset, store, options)
        print(f"{ruleset}: {store.summary()}", flush=True)


def _ship(ruleset: str, store: Progress, options: argparse.Namespace) -> None:
    if options.write:
        write(file_of(ruleset), store.puzzles(), f"python -m research.puzzles {ruleset} --seed {options.seed} --write")


def line_of(puzzle: Puzzle) -> str:
    """Return position, best actions, and the percentages of winning after these and after the second-best action."""
    position = puzzle.position
    best = ", ".join(position.ruleset.notation_of(action) for action in puzzle.steps[0].solutions)
    return f"{position.notation} | {best} | {100 * puzzle.win:.0f} {100 * puzzle.second:.0f}"


def main() -> None:
    """Make, check or print puzzles."""
    parser = argparse.ArgumentParser(prog="python -m research.puzzles", description=__doc__)
    parser.add_argument("rulesets", nargs="+", metavar="RULESET", choices=RULESETS)
    parser.add_argument("--count", type=int, default=100, help="puzzles of each ruleset; 0: search no games")
    parser.add_argument("--seed", type=int, default=1, help="of the games, or of the sample to check")
    parser.add_argument("--folder", type=Path, default=Path("var/puzzles"), help="folder of the searched games")
    parser.add_argument("--write", action="store_true", help="write the files that the service ships, as they grow")
    parser.add_argument("--check", type=int, default=0, metavar="N", help="check N shipped puzzles instead")
    parser.add_argument("--list", type=int, default=0, metavar="N", help="print N shipped puzzles instead")
    parser.add_argument("--seconds", type=float, default=30.0, help="processor time of the check of a step")
    options = parser.parse_args()
    if options.list:
        for ruleset in options.rulesets:
            print(*map(line_of, of_ruleset(ruleset)[: options.list]), sep="\n")
        return
    warm()
    if not options.check:
        make(options)
        return
    for ruleset in options.rulesets:
        results = []
        for puzzle, is_kept in check(ruleset, options.check, options.seconds, options.seed):
            results.append(is_kept)
            if not is_kept:
                print(f"{puzzle.id} does not keep its solution: {puzzle.position.notation}", flush=True)
        print(f"{ruleset}: {sum(results)} of {len(results)} puzzles keep their solution in {options.seconds:g} s")


if __name__ == "__main__":
    main()
