"""Rulesets by the optional parts that they have. Tests of a part ask for the rulesets with it."""

from __future__ import annotations

from collections.abc import Callable

from service.puzzles import model as puzzles
from service.rulesets.interface import no_entries, no_merits
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from service.usecases.views import player_pages


def _rulesets_with(has_part: Callable[[Ruleset], object]) -> dict[str, Ruleset]:
    return {name: ruleset for name, ruleset in RULESETS.items() if has_part(ruleset)}


PUBLISHED = ("azul", "summer-pavilion", "queens-garden")
"""Our rulesets have every part; see tests/test_published_rulesets.py."""

WITH_LEVELS = _rulesets_with(lambda ruleset: ruleset.ai.level_configs)
WITH_WEIGHTS = _rulesets_with(lambda ruleset: ruleset.ai.trainable.initial_weights)
WITH_FEATURES = _rulesets_with(lambda ruleset: ruleset.ai.preference_features)
WITH_VALUES = _rulesets_with(lambda ruleset: ruleset.ai.value_features)
WITH_PICTURE = _rulesets_with(lambda ruleset: ruleset.picture)
WITH_TEXT_PICTURE = _rulesets_with(lambda ruleset: ruleset.text_picture)
WITH_TEXTS = _rulesets_with(lambda ruleset: (ruleset.folder / "texts").is_dir())
WITH_RULES = _rulesets_with(lambda ruleset: ruleset.id in player_pages.titles(player_pages.RULES, "en"))
WITH_MERITS = _rulesets_with(lambda ruleset: ruleset.wire.merits is not no_merits)
WITH_PUZZLES = _rulesets_with(lambda ruleset: puzzles.of_ruleset(ruleset.id))
WITH_BOUNDS = _rulesets_with(lambda ruleset: ruleset.wire.out_of_bounds is not no_entries)
