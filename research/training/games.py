"""Games for training. They are stored in a folder, so that an interrupted run can continue."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from service.rulesets.ruleset import Ruleset

SEATS = (2, 2, 2, 2, 2, 3, 2, 2, 2, 2, 2, 4)  # in turn; games with two seats are the cheapest
GAMES_PER_FILE = 50
MAX_HELD_OUT = 10_000
Kept = TypeVar("Kept", bound=tuple[Any, ...])
"""A named tuple of arrays, with a row for each stored item."""
Play = Callable[[str, str, int, int], Kept]
"""Function of (ruleset, player, number, seed). Returns the stored part of a game or a batch of games."""


def variant_of(ruleset: Ruleset, number: int) -> str:
    """Return the variant of a game."""
    return ruleset.variants[number % len(ruleset.variants)]


def seats_of(ruleset: Ruleset, number: int) -> int:
    """Return the number of seats of a game."""
    return SEATS[number // len(ruleset.variants) % len(SEATS)]


def collect(
    play: Play[Kept],
    kind: type[Kept],
    ruleset: str,
    word: str,
    games: int,
    seed: int,
    jobs: int,
    folder: Path,
    games_per_file: int = GAMES_PER_FILE,
) -> Kept:
    """Return the games from the folder. Missing files are played and stored first."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{number:05}.npz" for number in range(-(-games // games_per_file))]
    play_file = partial(_play_file, play, kind, ruleset, word, seed)
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:  # the caller may have threads
        futures = [
            pool.submit(play_file, range(number * games_per_file, (number + 1) * games_per_file), file)
            for number, file in enumerate(files)
            if not file.exists()
        ]
        for future in tqdm(futures, unit=f" × {games_per_file}", disable=not futures):
            future.result()
    return load(kind, files)


def load(kind: type[Kept], files: list[Path]) -> Kept:
    """Return the joined contents of the files."""
    loaded = [np.load(file) for file in files]
    return kind(*(np.concatenate([file[name] for file in loaded]) for name in kind._fields))  # type: ignore[attr-defined]


def join(kind: type[Kept], parts: Iterable[Kept]) -> Kept:
    """Return the rows of all parts."""
    return kind(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def select(data: Kept, rows: Any) -> Kept:
    """Return these rows of the data."""
    return type(data)(*(array[rows] for array in data))


def held_out(games: npt.NDArray[np.int64], seed: int) -> npt.NDArray[np.bool_]:
    """Return the mask of rows for choosing the epoch: a tenth of the games, at most MAX_HELD_OUT. games: (n,)."""
    numbers = np.unique(games)
    count = max(1, min(MAX_HELD_OUT, len(numbers) // 10))
    chosen = np.random.default_rng(seed).choice(numbers, count, replace=False)
    return np.isin(games, chosen)


def _play_file(
    play: Play[Kept], kind: type[Kept], ruleset: str, word: str, seed: int, numbers: range, path: Path
) -> None:
    games = [play(ruleset, word, number, seed) for number in numbers]
    temporary = path.with_name(f".{path.name}")
    np.savez(temporary, **join(kind, games)._asdict())  # type: ignore[attr-defined]
    temporary.rename(path)
