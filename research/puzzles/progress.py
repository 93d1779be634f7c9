"""Progress of a run: a line of JSON for each searched game, so that an interrupted run can continue."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from research.puzzles.building import LAST_ROUND, Found, rating_of
from research.puzzles.verdicts import reasons_for
from service.puzzles.model import Puzzle, from_json, to_json
from service.rulesets.ruleset import Json


class Progress:
    """The searched games of a ruleset, and the puzzles that are already shipped."""

    def __init__(self, file: Path, shipped: Iterable[Puzzle] = ()) -> None:
        """Read the file, if it exists. A line that an interruption left incomplete is removed."""
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = file
        lines, _, incomplete = (file.read_text("utf-8") if file.exists() else "").rpartition("\n")
        if incomplete:
            file.write_text(f"{lines}\n" if lines else "", "utf-8")
        self.games = list[Json]()
        self._puzzles = {puzzle.id: puzzle for puzzle in shipped}
        for line in lines.splitlines():
            self._append(json.loads(line))

    def _append(self, game: Json) -> None:
        self.games.append(game)
        if game["puzzle"]:
            puzzle = _with_current_themes(game)
            self._puzzles.pop(puzzle.id, None)
            if {*puzzle.themes} - {LAST_ROUND}:
                self._puzzles[puzzle.id] = puzzle

    def add(self, seconds: float, counts: Counter[str], found: Found | None) -> None:
        """Store the next game: seconds of processor time, counts of positions, and its puzzle."""
        game: Json = {"seconds": round(seconds, 1), "counts": counts, "puzzle": None}
        if found:
            game |= {"puzzle": to_json(found.puzzle), "second": found.second, "found": round(found.found, 3)}
        line = json.dumps(game)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
        self._append(json.loads(line))

    def puzzles(self) -> list[Puzzle]:
        """Return the puzzles in the order of their ids.

        Puzzles of the searched games have themes and ratings by the current sources. Those whose point has no name are
        left out.
        """
        return [self._puzzles[key] for key in sorted(self._puzzles)]

    @property
    def seconds(self) -> float:
        """Processor time of all games."""
        return float(sum(game["seconds"] for game in self.games))

    def summary(self) -> str:
        """Return the numbers of games, seconds and puzzles, and the counts of positions in all games."""
        counts = sum((Counter(game["counts"]) for game in self.games), Counter[str]())
        listed = ", ".join(f"{count} {name}" for name, count in counts.items())
        return f"{len(self.games)} games, {self.seconds:.0f} s, {len(self._puzzles)} puzzles: {listed}"


def _with_current_themes(game: Json) -> Puzzle:
    puzzle = from_json(game["puzzle"])
    themes = reasons_for(puzzle.position, puzzle.steps[0].solutions[0], game["second"])
    kept = tuple(theme for theme in puzzle.themes if theme == LAST_ROUND)
    rating = rating_of(puzzle.position, len(puzzle.steps), game["found"], puzzle.win - puzzle.second)
    return replace(puzzle, themes=themes + kept, rating=rating)


def write(file: Path, puzzles: list[Puzzle], command: str) -> None:
    """Write puzzles with the commands that made them, this one last. Equal puzzles give equal bytes."""
    earlier = json.loads(gzip.decompress(file.read_bytes()))["generated_by"] if file.exists() else []
    content = {"generated_by": [*dict.fromkeys([*earlier, command])], "puzzles": [*map(to_json, puzzles)]}
    file.write_bytes(gzip.compress(json.dumps(content, separators=(",", ":")).encode(), mtime=0))
