"""Games that are played once and kept in a folder, so that whoever learns from them can go on where they were ended."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from service.rulesets.ruleset import Ruleset

SEATS = (2, 2, 2, 2, 2, 3, 2, 2, 2, 2, 2, 4)  # of the games, by turns: two seats cost least
A_FILE = 50  # games
MAX_APART = 10_000
Kept = TypeVar("Kept", bound=tuple[Any, ...])
"""A named tuple of arrays, a row for each thing that is kept of a game."""
Play = Callable[[str, str, int, int], Kept]
"""Of (ruleset, player, number, seed): what is kept of the game, or the batch of games, of that number."""


def variant_of(ruleset: Ruleset, number: int) -> str:
    """Of a game, by its number."""
    return ruleset.variants[number % len(ruleset.variants)]


def seats_of(ruleset: Ruleset, number: int) -> int:
    """Of a game, by its number."""
    return SEATS[number // len(ruleset.variants) % len(SEATS)]


def collect(
    play: Play[Kept],
    of: type[Kept],
    ruleset: str,
    word: str,
    games: int,
    seed: int,
    jobs: int,
    folder: Path,
    a_file: int = A_FILE,
) -> Kept:
    """So many games, from the folder, or played and put there, file by file."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{number:05}.npz" for number in range(-(-games // a_file))]
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:  # whoever asks may have threads
        done = [
            pool.submit(_file, play, of, ruleset, word, seed, range(number * a_file, (number + 1) * a_file), file)
            for number, file in enumerate(files)
            if not file.exists()
        ]
        for one in tqdm(done, unit=f" × {a_file}", disable=not done):
            one.result()
    return load(of, files)


def load(of: type[Kept], files: list[Path]) -> Kept:
    """What stands in these files, one after the other."""
    loaded = [np.load(file) for file in files]
    return of(*(np.concatenate([file[name] for file in loaded]) for name in of._fields))  # type: ignore[attr-defined]


def apart(games: npt.NDArray[np.int64], seed: int) -> npt.NDArray[np.bool_]:
    """Which rows are of games kept apart, to choose the epoch by: a tenth or MAX_APART. games: (n,), their numbers."""
    known = np.unique(games)
    count = max(1, min(MAX_APART, len(known) // 10))
    chosen = np.random.default_rng(seed).choice(known, count, replace=False)
    return np.isin(games, chosen)


def _file(play: Play[Kept], of: type[Kept], ruleset: str, word: str, seed: int, numbers: range, path: Path) -> None:
    games = [play(ruleset, word, number, seed) for number in numbers]
    partial = path.with_name(f".{path.name}")
    joined = of(*(np.concatenate(parts) for parts in zip(*games, strict=True)))
    np.savez(partial, **joined._asdict())  # type: ignore[attr-defined]
    partial.rename(path)
