"""Players: a level as a ruleset plays it, or another setting of the search.

A player is written as one word, for example in commands for benchmark matches:

- The name is a level (`master`), `tree`, `preference` (a network's preferences without search) or `uct` (see below).
- After a colon follow `noise`, `temperature`, `threads` or fields of `Parameters`:
  `tree:exploration=0.3,playout_candidates=4`.
- After an @ follows a time per decision (`tree@0.2s`) or a number of simulations per opponent (`uct@5000`). It replaces
  the limit of a level that searches (`master@500`).

**uct** is plain UCT, as most programs for these games play it. Every legal action is a child, an unvisited child has no
value, and playouts continue to the end of the game. Its playouts choose the best of six random actions by estimate. Six
won most among 2, 3, 4, 6 and 12 over the three games.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from service.levels import LAST_RESORT, LEVELS, Level
from service.rulesets.ai_levels import LevelConfig
from service.rulesets.ruleset import Ruleset
from workers.search.parameters import Parameters

ALL = 1e9  # no limit of children, draws or seconds


@dataclass(frozen=True)
class Player:
    """How decisions are made: with `simulations` per opponent (None: no limit), or for at most `budget_s` seconds."""

    kind: Literal["random", "greedy", "preference", "tree"]
    budget_s: float
    simulations: int | None
    noise: float  # standard deviation of the error added to each action's value, in points
    parameters: Parameters
    threads: int = 1  # that grow its tree
    temperature: float = 0.0  # for sampling by network preferences or search visits; 0: always the best

    @property
    def is_timed(self) -> bool:
        """Return True if only time limits the search. It then uses several threads and keeps its tree between turns.

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
DEFAULT_BUDGET_S = 0.2  # per decision


class UnreadableParametersError(ValueError):
    """A word or option that describes no player."""


def parameters_of(ruleset: Ruleset, **changes: float) -> Parameters:
    """Return the ruleset's search parameters with changes. Raises UnreadableParametersError for an unknown field."""
    fields = {**ruleset.ai.search_parameters, **changes}
    if not fields.keys() <= set(Parameters._fields):
        raise UnreadableParametersError(f"the search has the parameters {', '.join(Parameters._fields)}")
    return Parameters(**{name: type(getattr(Parameters(), name))(value) for name, value in fields.items()})


def player_at_level(ruleset: Ruleset, level: Level, threads: int = 1) -> Player:
    """Return the player of a level.

    A level without configuration in the ruleset plays randomly if it is the last resort, greedily if it has no time,
    and otherwise searches.
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


def _numbers(text: str) -> dict[str, float]:
    """Parse `field=number,…`. Raises ValueError."""
    numbers = {name: float(number) for name, number in (pair.split("=") for pair in text.split(",") if pair)}
    if not all(map(math.isfinite, numbers.values())):
        raise ValueError(text)
    return numbers


def _limit(text: str) -> tuple[float, int | None]:
    """Parse `SECONDSs` or `SIMULATIONS`. Return budget and simulations. Raises ValueError unless it is above 0."""
    budget_s, simulations = (float(text[:-1]), None) if text.endswith("s") else (ALL, int(text))
    if not 0 < (budget_s if simulations is None else simulations) < math.inf:
        raise ValueError(text)
    return budget_s, simulations


def _parameter_error(ruleset: Ruleset, parameters: Parameters) -> str | None:
    """Return why the search cannot use the parameters, or None. Compiled code does not check them."""
    if parameters.scale <= 0.0 or parameters.preference_temperature <= 0.0:
        return "scale and preference_temperature must be above 0"
    if parameters.widening_base < 1.0:
        return "widening_base must be at least 1"
    if not 0 <= parameters.playout_preferred <= ruleset.max_actions:
        return f"playout_preferred must be from 0 to {ruleset.max_actions}"
    return None


def parse_player(ruleset: Ruleset, word: str, other_kinds: Sequence[str] = ()) -> Player:
    """Return the player written as a word. Raises UnreadableParametersError.

    `other_kinds`: names that the caller reads itself. The error for an unknown name lists them, too.
    """
    head, at_sign, budget = word.partition("@")
    name, _, fields = head.partition(":")
    try:
        changes = _numbers(fields)
        limit = _limit(budget) if at_sign else None
    except ValueError:
        raise UnreadableParametersError(
            f"{word}: must be NAME[:field=number,…][@SECONDSs or @SIMULATIONS], with a limit above 0"
        ) from None
    noise, temperature = changes.pop("noise", None), changes.pop("temperature", 0.0)
    if temperature < 0.0 or (noise or 0.0) < 0.0:
        raise UnreadableParametersError(f"{word}: noise and temperature must not be negative")
    threads = int(changes.pop("threads", 1))
    if threads < 1:
        raise UnreadableParametersError(f"{word}: threads must be at least 1")
    if name in LEVELS:
        player = player_at_level(ruleset, LEVELS[name])
        parameters = Parameters(**{**player.parameters._asdict(), **parameters_of(ruleset, **changes)._asdict()})
        budget_s, simulations, kind = player.budget_s, player.simulations, player.kind
        noise = player.noise if noise is None else noise
        temperature = temperature or player.temperature
    elif name in SETTINGS:
        parameters = parameters_of(ruleset, **{**SETTINGS[name], **changes})
        budget_s, simulations, kind = DEFAULT_BUDGET_S, None, "preference" if name == PREFERENCE else "tree"
    else:
        raise UnreadableParametersError(f"{name}: must be a level or one of {', '.join((*SETTINGS, *other_kinds))}")
    if limit is not None and kind != "tree":
        raise UnreadableParametersError(f"{word}: only a player that searches has a time or number of simulations")
    budget_s, simulations = limit or (budget_s, simulations)
    if error := _parameter_error(ruleset, parameters):
        raise UnreadableParametersError(f"{word}: {error}")
    return Player(kind, budget_s, simulations, noise or 0.0, parameters, threads, temperature)
