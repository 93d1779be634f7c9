"""A finished game with its review: results, rounds and the course of the chances.

A chance is a probability of winning, from 0 to 1.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from service.games.state.seats import OUT
from service.rulesets.registry import RULESETS
from service.rulesets.texts import LANGUAGES
from service.rulesets.wire import Json

AHEAD = 0.1  # minimum lead of the favourite's chance over all others


@dataclass(frozen=True)
class ReviewedGame:
    """A finished game as its view, and its review as the worker stored it.

    `rounds`: number, revision of the first decision and scores before it, of each round; empty if unknown.
    """

    view: Json
    review: Json
    rounds: Sequence[Json]

    @property
    def decisions(self) -> Sequence[Json]:
        """The reviewed decisions, in order."""
        return self.review["decisions"]  # type: ignore[no-any-return]

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.view["seats"])

    @cached_property
    def dropouts(self) -> Sequence[int]:
        """The seats that resigned, ran out of time or failed."""
        return [number for number, seat in enumerate(self.view["seats"]) if seat["status"] in OUT]

    @property
    def revision(self) -> int:
        """The current revision."""
        return self.view["revision"]  # type: ignore[no-any-return]

    # ------------------------------------------------------------------------------------------- result

    @cached_property
    def results(self) -> Sequence[Json]:
        """The results of the seats; empty if the game was aborted."""
        outcome = self.view["outcome"]
        return [] if outcome is None else outcome["seats"]

    @cached_property
    def reason(self) -> str | None:
        """Why the game ended; None if it was aborted."""
        return self.view["outcome"]["reason"] if self.results else None

    @cached_property
    def ranking(self) -> Sequence[int]:
        """The seats, best first; empty if the game was aborted."""
        return sorted(range(len(self.results)), key=lambda seat: self.results[seat]["rank"])

    @cached_property
    def winner(self) -> int | None:
        """The only winner, or None."""
        winners = [seat for seat in self.ranking if self.results[seat]["won"]]
        return winners[0] if len(winners) == 1 else None

    def score(self, seat: int) -> int:
        """Return the final points of a seat."""
        return self.results[seat]["score"]  # type: ignore[no-any-return]

    def best_by(self, points: Callable[[int], int]) -> int | None:
        """Return the seat with the most points, or None if several have them. Seats that are out do not count."""
        contenders = [seat for seat in range(self.seats) if seat not in self.dropouts]
        most = max(map(points, contenders), default=0)
        best = [seat for seat in contenders if points(seat) == most]
        return best[0] if len(best) == 1 else None

    # ------------------------------------------------------------------------------------------- course

    def round_at(self, revision: int) -> int:
        """Return the number of the round of a decision, or 0 if unknown."""
        at = bisect_right([each["revision"] for each in self.rounds], revision)
        return self.rounds[at - 1]["round"] if at else 0

    def chance(self, seat: int, decision: Json, name: str) -> float | None:
        """Return the chance of a seat at a decision, or None if unknown. `name`: "best" or "played"."""
        chance: float = decision[f"win_probability_{name}"]
        if decision["seat"] == seat:
            return chance
        return 1 - chance if self.seats == 2 else None

    @cached_property
    def chances(self) -> Sequence[Mapping[int, float]]:
        """The last known chance of each seat after each decision."""
        known = dict[int, float]()
        series = []
        for decision in self.decisions:
            found = {seat: self.chance(seat, decision, "played") for seat in range(self.seats)}
            known |= {seat: chance for seat, chance in found.items() if chance is not None}
            series.append(dict(known))
        return series

    @cached_property
    def favourites(self) -> Sequence[tuple[int, int]]:
        """Revision and seat of each change of the favourite, and of the first."""
        found: list[tuple[int, int]] = []
        for decision, chances in zip(self.decisions, self.chances, strict=True):
            if len(chances) == self.seats:
                *_, second, first = sorted(chances, key=lambda seat: chances[seat])
                if chances[first] - chances[second] >= AHEAD and (not found or found[-1][1] != first):
                    found.append((decision["revision"], first))
        return found

    @cached_property
    def own_decisions(self) -> Sequence[Json]:
        """The decisions without those of seats that dropped out while others played on: an AI made the last ones."""
        dropouts = self.dropouts if self.reason == "completed" else ()
        return [each for each in self.decisions if each["seat"] not in dropouts]

    def costliest(self, least: float, seats: Container[int]) -> Json | None:
        """Return the decision of these seats that lost most, at least this chance, if its best action has a name."""
        found = [
            each
            for each in self.own_decisions
            if each["win_lost"] >= least and each["seat"] in seats and self._is_nameable(each)
        ]
        return max(found, key=lambda each: each["win_lost"], default=None)

    def _is_nameable(self, decision: Json) -> bool:
        """Return whether sentences name the best action differently from the played one. They omit payments."""
        played, best = (self.action_text("instead", decision[name], LANGUAGES[0]) for name in ("played", "best"))
        return played != best

    def action_text(self, family: str, action: int, language: str) -> str:
        """Return an action as a part of a sentence, see `Texts`."""
        ruleset = RULESETS[self.view["ruleset"]]
        return ruleset.texts.sentence(language, family, ruleset.wire.decode(action), self.view["variant"])
