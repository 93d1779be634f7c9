"""Teach a ruleset's evaluation: `python -m research.training azul --write`.

Plays games of the search against itself (they are kept in a folder, so that it can be gone on with), fits the weights
of the evaluation to how they ended, and with `--write` leaves them as `weights.json` in the ruleset's `ai`. The games
are played with the weights that are there; the fit begins with the initial ones. Benchmark
matches tell whether it plays better.
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
from service.rulesets.networks.learned import Weights
from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.settings import cores
from workers.warm import warm


def provenance_of(options: argparse.Namespace, fit: Fit, seconds: float) -> Json:
    """What is written above the weights: how they were made, and what they are worth."""
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
    """Into the folder's file, a line for each table."""
    tables = ",\n".join(f'"{name}": {json.dumps(table.tolist())}' for name, table in weights.items())
    text = f'{json.dumps(head, indent=0)[:-2]},\n"weights": {{\n{tables}\n}}\n}}\n'
    (folder / WEIGHTS).write_text(text, "utf-8")


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m research.training", description=__doc__)
    parser.add_argument(
        "ruleset", choices=[ruleset.id for ruleset in RULESETS.values() if ruleset.ai.trainable.initial_weights]
    )
    parser.add_argument("--player", default="tree@150", help="that plays, as in a match")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--positions", type=int, default=50_000, help="of these games, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=cores())
    parser.add_argument("--folder", type=Path, default=Path("var/training"), help="of the games")
    parser.add_argument("--write", action="store_true", help="the weights into the ruleset's folder")
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
