"""Train a ruleset's evaluation: `python -m research.training azul --write`.

It plays games of the search against itself and fits the weights of the evaluation to their results. Games are stored in
a folder, so an interrupted run can continue. `--write` stores the weights as `weights.json` in the ruleset's `ai`.
Games use the current weights, and the fit starts with the initial ones. Benchmark matches show whether the result plays
better.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import time
from pathlib import Path

from research.training import fitting, selfplay
from research.training.fitting import Fit
from service.rulesets.code_cache import WEIGHTS
from service.rulesets.networks.trained_weights import Weights
from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.settings import cores
from workers.warm import warm


def provenance_of(options: argparse.Namespace, fit: Fit, seconds: float) -> Json:
    """Return the origin and accuracy of the weights, for their file."""
    return {
        "generated_by": f"python -m research.training {options.ruleset} --player {options.player} "
        f"--games {options.games} --positions {options.positions} --seed {options.seed} --write",
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "seconds": round(seconds),
        "positions": fit.positions,
        "ridge": round(fit.ridge),
        "share": fit.share,
        "points_off_before": round(fit.off_before, 3),
        "points_off_after": round(fit.off_after, 3),
    }


def write(folder: Path, head: Json, weights: Weights) -> None:
    """Write the weights into the folder, one line for each table."""
    tables = ",\n".join(f'"{name}": {json.dumps(table.tolist())}' for name, table in weights.items())
    text = f'{json.dumps(head, indent=0)[:-2]},\n"weights": {{\n{tables}\n}}\n}}\n'
    (folder / WEIGHTS).write_text(text, "utf-8")


def main() -> None:
    """Play games, fit the weights and print their accuracy."""
    parser = argparse.ArgumentParser(prog="python -m research.training", description=__doc__)
    parser.add_argument(
        "ruleset", choices=[ruleset.id for ruleset in RULESETS.values() if ruleset.ai.trainable.initial_weights]
    )
    parser.add_argument("--player", default="tree@150", help="player of the games, in the notation of matches")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--positions", type=int, default=50_000, help="maximum number of positions from the games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=cores())
    parser.add_argument("--folder", type=Path, default=Path("var/training"), help="folder of the games")
    parser.add_argument("--write", action="store_true", help="write the weights into the ruleset's folder")
    options = parser.parse_args()
    warm()
    ruleset = RULESETS[options.ruleset]
    store = options.folder / f"{options.ruleset} {options.player} {options.seed}"
    began = time.monotonic()
    games = selfplay.collect(options.ruleset, options.player, options.games, options.seed, options.jobs, store)
    fit = fitting.fit(ruleset, games, options.positions, options.seed)
    header = provenance_of(options, fit, time.monotonic() - began)
    print(json.dumps(header, indent=2))
    if options.write:
        write(ruleset.ai_folder, header, fit.weights)


if __name__ == "__main__":
    main()
