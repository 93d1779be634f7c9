"""Properties of every ruleset: the registered ones, and the template `tiny`, which has no optional parts."""

from __future__ import annotations

import dataclasses
import importlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import orjson
import pytest

from service.rulesets.kernel import HEADER, generator
from service.rulesets.parts.steps import EFFECT_BITS, WIDTHS
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import DamagedSnapshotError, IllegalActionError, Position, Ruleset
from service.rulesets.seats import MAX_SEATS
from service.rulesets.texts import LANGUAGES
from tests.rulesets import golden
from tests.rulesets.golden import FOLDER
from tests.rulesets.offers import WITH_TEXTS
from tests.rulesets.playing import assert_draw_refused, candidates, errors, random_walk
from tests.rulesets.tiny import TINY

ALL = tuple((RULESETS | {TINY.id: RULESETS.get(TINY.id, TINY)}).values())
SIDES = [(ruleset, variant) for ruleset in ALL for variant in ruleset.variants]
MAX_SAMPLED = 250  # legal actions of a position that sampling must reach
EACH = [pytest.param(ruleset, id=ruleset.id) for ruleset in ALL]
every_game = pytest.mark.parametrize(
    ("ruleset", "variant", "seats"),
    [
        pytest.param(ruleset, variant, seats, marks=() if (number + seats) % 3 == 1 else pytest.mark.nightly)
        for number, (ruleset, variant) in enumerate(SIDES)
        for seats in ruleset.seat_counts
    ],
    ids=lambda part: getattr(part, "id", None) or str(part),
)
"""All rulesets, sides and numbers of seats in every run, but their combinations only in nightly runs."""
ONE_BIT = np.int64(1) << np.arange(63)  # for actions that are bit fields
every_ruleset = pytest.mark.parametrize("ruleset", EACH)


def walk(ruleset: Ruleset, variant: str, seats: int, seed: int) -> Iterator[Position]:
    """Return every position of a random game, including the last."""
    return random_walk(ruleset.start(variant, seats, None), generator(bytes([seed + 1]) * 32))


@every_ruleset
def test_every_ruleset_has_all_rules_and_a_record_that_begins_with_the_header(ruleset: Ruleset) -> None:
    assert ruleset.rules.missing() == set()
    names = ruleset.rules.dtype.names or ()
    assert [name for name, *_ in HEADER] == list(names)[: len(HEADER)]
    assert not set(names) & set(dir(np.record)), "field names must not shadow NumPy's"


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.nightly)])
@every_game
def test_the_legal_actions_are_exactly_those_that_the_check_rule_accepts(
    ruleset: Ruleset, variant: str, seats: int, every: int
) -> None:
    """The list and the aliases equal the filter over small ints, legal actions, and numbers that differ by one bit.

    If a position has very many legal actions, only some are varied.
    """
    for position in [*walk(ruleset, variant, seats, seats)][::-every]:
        listed = position.legal_actions()
        legal = [*listed, *position.aliases()]
        assert len(legal) == len(set(legal))
        assert len(listed) <= ruleset.max_actions
        assert (position.status == "deciding") == bool(listed)
        near = np.array(legal[:: 1 + len(legal) // MAX_SAMPLED], np.int64)[:, None] ^ ONE_BIT
        asked = np.unique(np.concatenate([np.arange(-10, 2_000), np.array(legal, np.int64), near.ravel()]))
        table_state, rules = position.table_state(), ruleset.rules
        assert sorted(legal) == [action for action in asked.tolist() if rules.check(table_state, action) == 0]
        assert sorted(listed) == [action for action in asked.tolist() if rules.check_listed(table_state, action) == 0]


@every_game
def test_an_alias_has_the_same_result_as_its_listed_action(ruleset: Ruleset, variant: str, seats: int) -> None:
    for position in walk(ruleset, variant, seats, 45):
        aliases = position.aliases()
        assert aliases == {alias: position.as_listed(alias) for alias in aliases}
        if aliases:
            assert set(aliases.values()) <= set(position.legal_actions())
        for alias, listed in aliases.items():
            assert listed == position.as_listed(listed)
            assert position.play(listed) == position.play(alias)


@every_game
def test_candidates_are_legal_and_unique_and_exist_while_a_seat_decides(
    ruleset: Ruleset, variant: str, seats: int
) -> None:
    for position in walk(ruleset, variant, seats, 45):
        actual = candidates(position)
        assert len(actual) == len(set(actual))
        assert set(actual) <= set(position.legal_actions())
        assert (position.status == "deciding") == bool(actual)


@every_game
def test_every_sample_is_legal_and_every_legal_action_can_be_sampled(
    ruleset: Ruleset, variant: str, seats: int
) -> None:
    """Sampling need not be uniform, so the test continues until all legal actions were sampled."""
    rng = generator(bytes(range(5, 37)))
    deciding = [position for position in walk(ruleset, variant, seats, 40) if position.status == "deciding"]
    positions = [position for position in deciding if len(position.legal_actions()) <= MAX_SAMPLED]
    for position in positions[:: max(1, len(positions) // 6)]:
        legal = set(position.legal_actions())
        table_state, random_action = position.table_state(), ruleset.rules.random_action
        sampled: set[int] = set()
        for _ in range(4_000 * len(legal)):
            sampled.add(random_action(table_state, rng))
            if sampled >= legal:
                break
        assert sampled == legal


def names_of(actions: Iterable[Any]) -> list[bytes]:
    """Return named actions as text, with sorted members."""
    return sorted(orjson.dumps(action, option=orjson.OPT_SORT_KEYS) for action in actions)


@every_game
def test_the_expanded_choices_are_exactly_the_legal_actions(ruleset: Ruleset, variant: str, seats: int) -> None:
    """Each action occurs once, and none while no seat decides. Checks positions with most actions, and others."""
    expand = importlib.import_module(f"tests.rulesets.{ruleset.folder.name}.choices").expand
    positions = sorted(walk(ruleset, variant, seats, 130), key=lambda position: len(position.legal_actions()))
    assert positions[0].choices() is None
    for position in [*positions[:: max(1, len(positions) // 25)], positions[-1]]:
        choices = position.choices()
        assert (choices is None) == (position.seat is None)
        if choices is not None:
            assert ruleset.id == choices["ruleset"]
            assert {name.rpartition(".")[2] for name in ruleset.wire.action_schemas} <= set(choices)
            assert {} == ruleset.wire.choices_schema().validate(choices)
            assert names_of(map(ruleset.wire.decode, position.legal_actions())) == names_of(expand(choices))


@every_game
def test_view_and_read_are_inverse_for_every_reachable_position(ruleset: Ruleset, variant: str, seats: int) -> None:
    """The JSON matches the schema, which is validated separately at some positions.

    Games of two seats are checked at every position, longer games at every third and the last.
    """
    every = 1 if seats == 2 else 3
    for number, position in enumerate(walk(ruleset, variant, seats, 50)):
        if number % every and position.status != "over":
            continue
        view = ruleset.view(position)
        assert position == ruleset.read(view)
        assert view["ruleset"] == ruleset.id
        if number % 5 == 0 or position.status == "over":
            assert {} == ruleset.wire.position_schema().validate(view)
        assert ruleset.from_bytes(position.to_bytes()) == position
        assert ruleset.from_snapshot(position.to_snapshot()) == position


@every_game
def test_a_snapshot_with_any_damaged_byte_is_refused(ruleset: Ruleset, variant: str, seats: int) -> None:
    """Compiled rules trust a record, and would read and write beyond its tables."""
    *_, position, _ = walk(ruleset, variant, seats, 140)
    kept = position.to_snapshot()
    flipped = [kept[:at] + bytes([kept[at] ^ 1 << at % 8]) + kept[at + 1 :] for at in range(len(kept))]
    others = [b"", kept[:-1], kept[1:], kept + b"\0", bytes(len(kept)), position.to_bytes(), b"nonsense"]
    for damaged in (*flipped, *others):
        with pytest.raises(DamagedSnapshotError):
            ruleset.from_snapshot(damaged)


@every_ruleset
def test_a_snapshot_of_other_sources_or_another_ruleset_is_refused(ruleset: Ruleset) -> None:
    kept = ruleset.start(ruleset.variants[0], 2, 0).to_snapshot()
    changed = dataclasses.replace(ruleset)
    changed.__dict__["rules_hash"] = "the hash of other sources"
    for other in (changed, *(other for other in ALL if other is not ruleset)):
        with pytest.raises(DamagedSnapshotError):
            other.from_snapshot(kept)


@every_game
def test_actions_and_draws_round_trip_through_json(ruleset: Ruleset, variant: str, seats: int) -> None:
    """Names do not depend on the position, so each action is checked once, and only some of very many."""
    rng = generator(bytes(range(6, 38)))
    seen: set[int] = set()
    for position in walk(ruleset, variant, seats, 60):
        new = [action for action in position.legal_actions() if action not in seen]
        for action in new[:: 1 + len(new) // 20]:
            seen.add(action)
            named = ruleset.wire.decode(action)
            assert (action, named["type"]) == (ruleset.wire.encode(named), ruleset.wire.type_of(action))
            assert {} == ruleset.wire.action_schemas[named["type"]]().validate(named)
        if position.status == "drawing":
            drawn = position.sample(rng)
            named = ruleset.wire.name_draw(position.table_state(), drawn)
            assert drawn == ruleset.wire.read_draw(named)
            assert {} == ruleset.wire.draw_schemas[named["type"]]().validate(named)


@every_game
def test_computing_effects_leads_to_the_same_position_as_playing(ruleset: Ruleset, variant: str, seats: int) -> None:
    """Effects lead to the same record as playing, and each matches its schema."""
    rng = generator(bytes([71]) * 32)
    position = ruleset.start(variant, seats, None)
    while position.status != "over":
        table_state = position.table_state()
        if position.status == "drawing":
            drawn = position.sample(rng)
            effects, position = ruleset.wire.effects_of_draw(table_state, drawn), position.resolve_draw(drawn)
        else:
            action = position.random_action(rng)
            assert position.step(action)[0] == ruleset.wire.effects_of_action(position.table_state(), action)
            effects, position = ruleset.wire.effects_of_action(table_state, action), position.play(action)
        assert position.to_bytes() == table_state.tobytes()
        for effect in effects:
            assert {} == ruleset.wire.effect_schemas[effect["type"]]().validate(effect)


@every_game
def test_a_position_never_changes_and_accepts_draws_only_when_they_are_due(
    ruleset: Ruleset, variant: str, seats: int
) -> None:
    for position in walk(ruleset, variant, seats, 80):
        before = position.to_bytes()
        if position.status == "deciding":
            position.play(position.legal_actions()[-1])
            assert_draw_refused(position, (0,))
        elif position.status == "drawing":
            assert [] == position.legal_actions()
            assert position.sample(generator(b"\7" * 32)) == position.sample(generator(b"\7" * 32))
            with pytest.raises(ValueError, match="no seat decides"):
                position.random_action(generator(b"\7" * 32))
        assert before == position.to_bytes()


@every_game
def test_every_refused_integer_has_a_reason_with_a_text_in_every_language(
    ruleset: Ruleset, variant: str, seats: int
) -> None:
    numbers = [-(2**63), -1, 0, ruleset.max_actions, 10**9, 2**63 - 1]
    for position in walk(ruleset, variant, seats, 90):
        before = position.to_bytes()
        assert {"unknown_action"} == {position.refusal(number) for number in (numbers[0], -1, numbers[-1])}
        for number in numbers:
            refusal = position.refusal(number)
            if refusal is not None:
                with pytest.raises(IllegalActionError) as caught:
                    position.play(number)
                assert (refusal, before) == (caught.value.reason, position.to_bytes())
                assert all(ruleset.texts.reason(language, refusal) for language in LANGUAGES)


@every_game
def test_the_record_does_not_determine_future_draws(ruleset: Ruleset, variant: str, seats: int) -> None:
    """Sampling does not change the position, and each sample leads to a different position.

    Draws that differ only in their order may give the same position, and some positions have only one possible draw.
    """
    most = 0
    for position in walk(ruleset, variant, seats, 100):
        if position.status == "drawing":
            before = position.to_bytes()
            samples = {position.sample(generator(bytes([seed]) * 32)) for seed in range(1, 20)}
            dealt = {position.resolve_draw(drawn) for drawn in samples}
            assert before == position.to_bytes()
            assert len(dealt) >= len({tuple(sorted(drawn)) for drawn in samples})
            most = max(most, len(dealt))
    assert most > 1


@every_game
def test_the_outcome_ranks_all_seats_and_its_breakdown_adds_up(ruleset: Ruleset, variant: str, seats: int) -> None:
    *_, last = walk(ruleset, variant, seats, 110)
    outcome = last.outcome()
    assert last.scores == tuple(seat.score for seat in outcome)
    assert [seat.score for seat in outcome] == [sum(seat.breakdown.values()) for seat in outcome]
    ranks = sorted(seat.rank for seat in outcome)
    assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)
    assert [seat.rank == 1 for seat in outcome] == [seat.won for seat in outcome]


@every_game
def test_the_estimate_is_finite_and_equals_the_score_of_a_finished_game(
    ruleset: Ruleset, variant: str, seats: int
) -> None:
    points = np.zeros(MAX_SEATS)
    for position in walk(ruleset, variant, seats, 120):
        points[:seats] = [ruleset.rules.estimate(position.table_state(), seat) for seat in range(seats)]
        assert np.isfinite(points).all()
    assert list(position.scores) == points[:seats].tolist()


@every_ruleset
def test_a_start_with_an_invalid_seat_or_variant_is_refused(ruleset: Ruleset) -> None:
    variant = ruleset.variants[0]
    for seats, first_seat in [(1, None), (5, None), (2, 2), (2, -1)]:
        with pytest.raises(ValueError, match="seat"):
            ruleset.start(variant, seats, first_seat)
    with pytest.raises(ValueError, match="has no variant"):
        ruleset.start("no such side", 2, None)


@every_ruleset
@pytest.mark.parametrize("json", [None, [], "", 7, {}, {"type": 3}, {"type": "no such"}, {"type": ["a"]}])
def test_malformed_action_json_is_refused_with_a_pointer(ruleset: Ruleset, json: object) -> None:
    assert errors(ruleset.wire.encode, json).keys() <= {"", "/type"}


@every_ruleset
@pytest.mark.parametrize("json", [None, [], "azul", 7])
def test_a_position_that_is_not_an_object_is_refused(ruleset: Ruleset, json: object) -> None:
    assert errors(ruleset.read, json)


@pytest.mark.parametrize("ruleset", WITH_TEXTS.values(), ids=list(WITH_TEXTS))
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_exactly_one_text_per_action_draw_bonus_and_reason(ruleset: Ruleset, language: str) -> None:
    _, *bonuses = ruleset.start(ruleset.variants[0], 2, 0).outcome()[0].breakdown
    families = {
        "action": ruleset.wire.action_schemas,
        "log": ruleset.wire.action_schemas,
        "story": ruleset.wire.action_schemas,
        "instead": ruleset.wire.action_schemas,
        "bonus": bonuses,
        "draw": ruleset.wire.draw_schemas,
        "reason": ruleset.reasons[1:],
    }
    wanted = [f"{family}-{name.rpartition('.')[2]}" for family, names in families.items() for name in names]
    sentences = (ruleset.folder / "texts" / f"{language}.ftl").read_text("utf-8")
    actual = re.findall(rf"^((?:{'|'.join(families)})-[\w-]+) =", sentences, re.MULTILINE)
    assert sorted(name.replace("_", "-") for name in wanted) == sorted(actual)


@every_ruleset
def test_exactly_the_declared_and_the_played_effects_have_a_schema(ruleset: Ruleset) -> None:
    """Played effects come from the golden games, or from one game if there are none; declared ones from `settle`."""
    games = [orjson.loads(path.read_bytes()) for path in FOLDER.glob(f"{ruleset.id}.*.json")]
    side = (ruleset.id, ruleset, ruleset.variants[0], 2)
    games = games or [golden.playthrough(*side, golden.new_choices(*side))]
    played = {effect["type"] for game in games for step in game["steps"] for effect in step["effects"]}
    effects = importlib.import_module(f"{ruleset.rules.function('act').__module__.rpartition('.')[0]}.steps").Effect
    assert set(ruleset.wire.effect_schemas) == played | {f"{ruleset.id}.{effect.name.lower()}" for effect in effects}
    assert len(effects) < 1 << EFFECT_BITS
    assert all(len(effect.fields) <= len(WIDTHS) for effect in effects)


@every_game
def test_every_legal_action_has_a_unique_sentence(ruleset: Ruleset, variant: str, seats: int) -> None:
    positions = [position for position in walk(ruleset, variant, seats, 130) if position.status == "deciding"]
    for position in positions[:: max(1, len(positions) // 8)]:
        named = [ruleset.wire.decode(action) for action in position.legal_actions()[:MAX_SAMPLED]]
        for language in LANGUAGES:
            for family in ("action", "log"):
                assert len(named) == len(
                    {ruleset.texts.sentence(language, family, action, variant) for action in named}
                )


@every_ruleset
def test_the_components_match_their_schema(ruleset: Ruleset) -> None:
    assert {} == ruleset.wire.components_schema().validate(ruleset.wire.components())


@every_ruleset
def test_a_ruleset_is_frozen_and_its_sources_have_a_hash(ruleset: Ruleset) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        ruleset.version = 2  # type: ignore[misc]
    assert len(ruleset.rules_hash) == 64
