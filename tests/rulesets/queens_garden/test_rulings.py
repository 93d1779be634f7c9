"""Every ruling of the facts has a test here: a docstring of this folder names it in square brackets."""

from __future__ import annotations

import re
from pathlib import Path

from service.rulesets.registry import RULESETS

RULINGS = (
    "draft.pool",
    "draft.all_distinct",
    "draft.duplicate_choice",
    "draft.fit",
    "draft.advance",
    "draft.flip",
    "draft.end_of_stack",
    "pay.exact",
    "pay.tree",
    "pay.with_expansion",
    "place.match",
    "place.no_duplicates",
    "place.needs_board",
    "expand.where",
    "expand.stored_face_up",
    "expand.buy",
    "expand.center_of_bought",
    "surround.when",
    "surround.by_expansion",
    "pass.discard",
    "pass.first",
    "score.floor",
    "round.score",
    "round.cleanup",
    "bag.short",
    "final.groups",
    "tie",
)
NAMED = re.compile(r'^ +"""\[([a-z._]+)\]', re.MULTILINE)


def test_every_ruling_has_a_test_and_tests_name_only_existing_rulings() -> None:
    sources = [path.read_text("utf-8") for path in Path(__file__).parent.rglob("test_*.py")]
    assert set(RULINGS) == {ruling for source in sources for ruling in NAMED.findall(source)}


def test_score_component_contains_its_reliability() -> None:
    score = RULESETS["queens-garden"].wire.components()["score"]
    assert ("certain", "likely") == (score["status"], score["least_status"])
