"""Pictures of positions of the golden playthroughs.

`python -m tests.rulesets.pictures` writes the golden pictures again, one for every ruleset, variant and number of
seats, and some in other layouts; review the difference before you commit it. `--look FOLDER` draws each near the
beginning, in the middle and at the end, light and dark, wide and narrow, as SVG and, with chromium, as PNG, and prints
their sizes and times. Further arguments are names of playthroughs to draw.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import itertools
import json
import math
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from service.rulesets.pictures.drawing import AUTO, DARK, LAYOUTS, LIGHT, WIDE, Scene, Sitting, Words
from service.rulesets.ruleset import Json, Position, Ruleset
from tests.rulesets.golden import FOLDER
from tests.rulesets.golden import games as playthroughs

PICTURES = FOLDER / "pictures"
NAMES = ("Ana", "Ben", "planner", "Cleo")
MOMENTS = {"begin": 0.08, "middle": 0.55, "end": 1.0}
GOLDEN = "middle"


def games() -> Iterator[tuple[str, Ruleset, str, int]]:
    """Yield name, ruleset, variant and seats of each playthrough of a ruleset with a picture."""
    return (game for game in playthroughs() if game[1].picture)


FOLDED_ONES = [name for name, ruleset, variant, seats in games() if (variant, seats) == (ruleset.variants[0], 3)]
"""Playthroughs with golden pictures in all layouts."""
OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars")


Moment = tuple[Position, Json | None]
"""A position, and the action that led to it."""


@functools.cache
def moments_of(name: str) -> list[Moment]:
    """Return the positions of a playthrough after each action and its draws, with the action."""
    _, ruleset, variant, seats = next(game for game in games() if game[0] == name)
    moments: list[Moment] = [(ruleset.start(variant, seats, None), None)]
    for step in json.loads((FOLDER / f"{name}.json").read_text("utf-8"))["steps"]:
        position, last = moments[-1]
        if "draw" in step:
            moments[-1] = position.resolve_draw(ruleset.wire.read_draw(step["draw"])), last
        else:
            last = {"seat": position.seat, **step["action"]}
            moments.append((position.play(ruleset.wire.encode(step["action"])), last))
    return moments


def moment(name: str, share: float) -> Moment:
    """Return the position after a share of the decisions of a playthrough, and the last of them."""
    moments = moments_of(name)
    return moments[round(share * (len(moments) - 1))]


def scene(position: Position, last: Json | None, layout: str = WIDE) -> Scene:
    """Return the position as a scene."""
    ruleset = position.ruleset
    sittings = [Sitting(NAMES[seat], score, position.seat == seat) for seat, score in enumerate(position.scores)]
    return Scene(ruleset.view(position), ruleset.wire.components(), sittings, Words(ruleset.texts, "en"), last, layout)


def draw_moment(name: str, share: float, theme: str, layout: str = WIDE) -> str:
    """Return the picture of a moment of a playthrough."""
    return draw_position(*moment(name, share), theme, layout)


def draw_position(position: Position, last: Json | None, theme: str, layout: str = WIDE) -> str:
    """Return the picture of a position."""
    picture = position.ruleset.picture
    assert picture is not None
    return picture(scene(position, last, layout)).to_svg("A table", "In words.", theme)


def golden_path(name: str, layout: str) -> Path:
    """Return the path of a golden picture."""
    return PICTURES / f"{name}{'' if layout == WIDE else f'.{layout}'}.svg"


def write_picture(place: Path, name: str, share: float, theme: str, layout: str) -> None:
    """Write a picture for review, and print its size."""
    moment(name, share)
    began = time.process_time()
    svg = draw_moment(name, share, theme, layout)
    took_ms = 1000 * (time.process_time() - began)
    file = place.parent / f"{place.name}.svg"
    file.write_text(svg)
    print(f"{place.name}: {len(gzip.compress(svg.encode())):,} bytes gzip, {took_ms:.1f} ms")
    chromium = shutil.which("chromium")
    if chromium is None:
        return
    width, height = (math.ceil(float(size)) for size in svg.partition('viewBox="0 0 ')[2].partition('"')[0].split())
    files = (f"--window-size={width},{height}", f"--screenshot={place}.png", file)
    with tempfile.TemporaryDirectory() as profile:
        command = [chromium, *OPTIONS, f"--user-data-dir={profile}", *map(str, files)]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main() -> None:
    """Write the requested pictures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--look", type=Path)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    for name, *_ in games():
        if options.names and name not in options.names:
            continue
        if options.look is None:
            PICTURES.mkdir(exist_ok=True)
            for layout in LAYOUTS if name in FOLDED_ONES else (WIDE,):
                golden_path(name, layout).write_text(draw_moment(name, MOMENTS[GOLDEN], AUTO, layout) + "\n", "utf-8")
            continue
        options.look.mkdir(exist_ok=True)
        for when, share in MOMENTS.items():
            for theme, layout in itertools.product((LIGHT, DARK), LAYOUTS):
                write_picture(options.look / f"{name}.{when}.{theme}.{layout}", name, share, theme, layout)


if __name__ == "__main__":
    main()
