"""Who decides: a level as a ruleset plays it, or a setting of the search that is not among the levels.

A player is written in one word, as matches take it: a level (`master`), a setting (`tree`; `preference`: what a
network prefers, without a search; `uct`: the yardstick), each with `noise`, `temperature`, `threads` or fields of
`Parameters` after a colon (`tree:exploration=0.3,playout_candidates=4`) and, after an @, a time for each decision
(`tree@0.2s`) or a number of simulations for each opponent (`uct@5000`): with more of them, what they may do between two
decisions takes more to see.

**uct** is plain UCT as most programs for these games play it: every legal action is a child, nothing is known of a
child before it is visited, and playouts go on to the end of the game. Its playouts choose the best, by estimate, of
six actions drawn at random, which won most among the numbers tried (2, 3, 4, 6, 12) over the three games.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from service.levels import LAST_RESORT, LEVELS, Level
from service.rulesets.ai_levels import LevelConfig
from service.rulesets.ruleset import Ruleset
from workers.search.parameters import Parameters

ALL = 1e9  # children, or acts of chance: as many as there are


@dataclass(frozen=True)
class Player:
    """How decisions are made: until `simulations` for each opponent are done (None: no limit) or `budget_s` is over."""

    kind: Literal["random", "greedy", "preference", "tree"]
    budget_s: float
    simulations: int | None
    noise: float  # points; the standard deviation of what is added to the value of each action
    parameters: Parameters
    threads: int = 1  # that grow its tree
    temperature: float = 0.0  # at which it draws among what a network prefers, or among what a search has visited

    @property
    def is_timed(self) -> bool:
        """Whether it searches until a time is over: with several threads, and with its tree kept from turn to turn.

        A search with a number of simulations does neither, so that it chooses the same every time.
        """
        return self.kind == "tree" and self.simulations is None


SETTINGS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "tree": MappingProxyType({}),
        "preference": MappingProxyType({}),
        "uct": MappingProxyType(
            {
                "widening_base": ALL,
                "prior_visits": 0.0,
                "horizon": int(ALL),
                "plies": Parameters().plies,
                "playout_candidates": 6,
                "playout_preferred": 0,
                "preference": 0.0,
                "exploration": 0.4,
            }
        ),
    }
)
PREFERENCE = "preference"
SETTING_S = 0.2  # a decision, unless given after an @


class UnreadableParametersError(ValueError):
    """No player is written so."""


def parameters_of(ruleset: Ruleset, **changes: float) -> Parameters:
    """The ruleset's search parameters with changes (Unreadable: no such field)."""
    fields = {**ruleset.ai.search_parameters, **changes}
    if not fields.keys() <= set(Parameters._fields):
        raise UnreadableParametersError(f"the search has the parameters {', '.join(Parameters._fields)}")
    return Parameters(**{name: type(getattr(Parameters(), name))(value) for name, value in fields.items()})


def of(ruleset: Ruleset, level: Level, threads: int = 1) -> Player:
    """The player that a level is at a ruleset.

    Where the ruleset does not say how the level plays, it plays by chance if it is the last resort, greedily if it has
    no time, and else searches as far as its time allows.
    """
    config = ruleset.ai.level_configs.get(level.id)
    if config is None:
        config = LevelConfig("random" if level.id == LAST_RESORT else "greedy" if level.is_quick else "tree")
    player = Player(
        config.kind,
        level.budget_s,
        config.simulations,
        config.noise,
        parameters_of(ruleset),
        temperature=config.temperature,
    )
    return replace(player, threads=threads) if player.is_timed else player


def _numbers(written: str) -> dict[str, float]:
    """The fields of `field=number,…` (ValueError)."""
    numbers = {name: float(number) for name, number in (pair.split("=") for pair in written.split(",") if pair)}
    if not all(map(math.isfinite, numbers.values())):
        raise ValueError(written)
    return numbers


def read(ruleset: Ruleset, word: str) -> Player:
    """The player that is written so (Unreadable)."""
    head, limited, limit = word.partition("@")
    name, _, written = head.partition(":")
    try:
        changes = _numbers(written)
        seconds = float(limit[:-1]) if limit.endswith("s") else None
        simulations = int(limit) if limited and seconds is None else None
    except ValueError:
        raise UnreadableParametersError(f"{word}: NAME[:field=number,…][@SECONDSs or @SIMULATIONS]") from None
    noise, temperature = changes.pop("noise", None), changes.pop("temperature", 0.0)
    threads = int(changes.pop("threads", 1))
    if threads < 1:
        raise UnreadableParametersError(f"{word}: at least one thread")
    if name in LEVELS:
        player = of(ruleset, LEVELS[name])
        parameters = Parameters(**{**player.parameters._asdict(), **parameters_of(ruleset, **changes)._asdict()})
        budget_s, most, kind = player.budget_s, player.simulations, player.kind
        noise = player.noise if noise is None else noise
        temperature = temperature or player.temperature
    elif name in SETTINGS:
        parameters = parameters_of(ruleset, **{**SETTINGS[name], **changes})
        budget_s, most, kind = SETTING_S, None, "preference" if name == PREFERENCE else "tree"
    else:
        raise UnreadableParametersError(f"{name}: no level, and not one of {', '.join(SETTINGS)}")
    if seconds is not None:
        budget_s, most = seconds, None
    if simulations is not None:
        budget_s, most = ALL, simulations
    if parameters.preference_temperature <= 0.0:
        raise UnreadableParametersError(f"{word}: a preference_temperature above 0")
    return Player(kind, budget_s, most, noise or 0.0, parameters, threads, temperature)
