"""Published rulesets have every optional part, so no test of a part leaves one of them out."""

from __future__ import annotations

import pytest

from service.rulesets.registry import RULESETS
from tests.rulesets import offers
from tests.rulesets.golden import games
from tests.rulesets.offers import PUBLISHED
from tests.rulesets.soak import SOAKED


@pytest.mark.parametrize("part", [name for name in vars(offers) if name.startswith("WITH_")])
def test_published_rulesets_have_every_part(part: str) -> None:
    assert set(PUBLISHED) <= set(getattr(offers, part))


def test_published_rulesets_have_a_referee() -> None:
    assert set(PUBLISHED) <= set(SOAKED)


def test_published_rulesets_have_a_golden_game_of_each_variant_and_number_of_seats() -> None:
    expected = {
        (name, variant, seats) for name in PUBLISHED for variant in RULESETS[name].variants for seats in (2, 3, 4)
    }
    assert expected <= {(ruleset.id, variant, seats) for _, ruleset, variant, seats in games()}
