"""The small verifier: every draw of every game is as the seed says, and what was tampered with is found."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from openapi.clients.verify import verify as program
from openapi.clients.verify.verify import BadEventError
from service.rulesets.ruleset import Json
from tests.openapi.records import EVERY, begun, played, tampered, written
from tests.openapi.verifying import verify
from tests.sampling import one_in

SEED = "07" * 32
COMMITMENT = hashlib.sha256(bytes.fromhex(SEED)).hexdigest()


def draws(told: Json) -> int:
    return sum(event["kind"] == "draw" for event in told["events"])


@pytest.mark.parametrize(("ruleset", "variant", "seats"), one_in(4, EVERY))
def test_every_draw_of_a_whole_game_is_checked(ruleset: str, variant: str, seats: int) -> None:
    actual = json.loads(played(ruleset, variant, seats))
    assert ("finished", draws(actual)) == (actual["status"], verify(actual))


@pytest.mark.parametrize(("ruleset", "variant", "seats"), one_in(3, EVERY[::2]))
@pytest.mark.parametrize("back_at", [9, 30])
def test_what_was_taken_back_is_drawn_anew(ruleset: str, variant: str, seats: int, back_at: int) -> None:
    actual = json.loads(played(ruleset, variant, seats, back_at=back_at))
    assert "takeback" in {event["kind"] for event in actual["events"]}
    assert draws(actual) == verify(actual)


@pytest.mark.parametrize(("ruleset", "variant", "seats"), one_in(4, EVERY))
def test_a_record_that_was_tampered_with_is_found_out_at_the_first_bad_event(
    ruleset: str, variant: str, seats: int
) -> None:
    for how, (spoilt, number) in tampered(json.loads(played(ruleset, variant, seats))).items():
        with pytest.raises(BadEventError) as bad:
            pytest.fail(f"{how}: {verify(spoilt)} draws are good")
        assert number == bad.value.number, how


@pytest.mark.parametrize(("ruleset", "variant", "seats"), one_in(2, EVERY[::3]))
def test_of_an_imported_game_the_draws_that_came_after_are_checked(ruleset: str, variant: str, seats: int) -> None:
    """What was drawn before has another seed, and must only be possible."""
    actual = json.loads(played(ruleset, variant, seats))
    imported = {**actual, "seed_from": actual["events"][-1]["revision"], "seed": SEED, "seed_commitment": COMMITMENT}
    assert 0 == verify(imported)
    half = next(event["revision"] for event in actual["events"] if event["revision"] > 20 and event["kind"] == "draw")
    assert draws({"events": actual["events"][half:]}) == verify({**actual, "seed_from": half})
    with pytest.raises(BadEventError):
        verify({**imported, "seed_from": 20})


@pytest.mark.parametrize(("ruleset", "variant", "seats"), one_in(3, EVERY[::2]))
def test_a_game_that_began_at_a_posted_position_is_checked(ruleset: str, variant: str, seats: int) -> None:
    actual = json.loads(played(ruleset, variant, seats, begin_at=25))
    assert actual["position"] is not None
    assert draws(actual) == verify(actual) > 0


def test_the_program_tells_by_its_exit_status(tmp_path: Path) -> None:
    actual = json.loads(played("azul", "coloured", 2))
    going_on = written(begun("azul", "coloured", 2))
    cases = {"good": (actual, 0), "bad": (tampered(actual)["swapped"][0], 1), "going on": (going_on, 2)}
    for name, (content, status) in cases.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(content))
        ran = subprocess.run([sys.executable, program.__file__, path], capture_output=True, text=True, check=False)
        assert (status, "") == (ran.returncode, ran.stderr), ran.stdout
