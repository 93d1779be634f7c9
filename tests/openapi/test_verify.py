"""The small verifier: every draw of every game matches its seed, and forged records are detected."""

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
from tests.openapi.records import EVERY, forged_records, new_session, random_record, record_of
from tests.openapi.verifying import verify
from tests.sampling import one_in

SEED = "07" * 32
COMMITMENT = hashlib.sha256(bytes.fromhex(SEED)).hexdigest()


def draws(record: Json) -> int:
    return sum(event["kind"] == "draw" for event in record["events"])


@pytest.mark.parametrize(("ruleset", "variant", "seats"), one_in(4, EVERY))
def test_every_draw_of_a_whole_game_is_checked(ruleset: str, variant: str, seats: int) -> None:
    actual = json.loads(random_record(ruleset, variant, seats))
    assert ("finished", draws(actual)) == (actual["status"], verify(actual))


@pytest.mark.parametrize(("ruleset", "variant", "seats"), one_in(3, EVERY[::2]))
@pytest.mark.parametrize("back_at", [9, 30])
def test_draws_after_takebacks_are_checked(ruleset: str, variant: str, seats: int, back_at: int) -> None:
    actual = json.loads(random_record(ruleset, variant, seats, back_at=back_at))
    assert "takeback" in {event["kind"] for event in actual["events"]}
    assert draws(actual) == verify(actual)


@pytest.mark.parametrize(("ruleset", "variant", "seats"), one_in(4, EVERY))
def test_a_forged_record_is_detected_at_the_first_wrong_event(ruleset: str, variant: str, seats: int) -> None:
    for change, (forged, number) in forged_records(json.loads(random_record(ruleset, variant, seats))).items():
        with pytest.raises(BadEventError) as error:
            pytest.fail(f"{change}: {verify(forged)} draws are good")
        assert number == error.value.number, change


@pytest.mark.parametrize(("ruleset", "variant", "seats"), one_in(2, EVERY[::3]))
def test_draws_after_an_import_are_checked(ruleset: str, variant: str, seats: int) -> None:
    """Earlier draws have another seed and must only be possible."""
    actual = json.loads(random_record(ruleset, variant, seats))
    imported = {**actual, "seed_from": actual["events"][-1]["revision"], "seed": SEED, "seed_commitment": COMMITMENT}
    assert 0 == verify(imported)
    half = next(event["revision"] for event in actual["events"] if event["revision"] > 20 and event["kind"] == "draw")
    assert draws({"events": actual["events"][half:]}) == verify({**actual, "seed_from": half})
    with pytest.raises(BadEventError):
        verify({**imported, "seed_from": 20})


@pytest.mark.parametrize(("ruleset", "variant", "seats"), one_in(3, EVERY[::2]))
def test_a_game_from_a_posted_position_is_checked(ruleset: str, variant: str, seats: int) -> None:
    actual = json.loads(random_record(ruleset, variant, seats, begin_at=25))
    assert actual["position"] is not None
    assert draws(actual) == verify(actual) > 0


def test_the_exit_status_of_the_program_is_the_result(tmp_path: Path) -> None:
    actual = json.loads(random_record("azul", "coloured", 2))
    going_on = record_of(new_session("azul", "coloured", 2))
    cases = {"good": (actual, 0), "bad": (forged_records(actual)["swapped"][0], 1), "going on": (going_on, 2)}
    for name, (content, status) in cases.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(content))
        result = subprocess.run([sys.executable, program.__file__, path], capture_output=True, text=True, check=False)
        assert (status, "") == (result.returncode, result.stderr), result.stdout
