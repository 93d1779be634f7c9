"""The small verifier: every draw of every game matches its seed, and forged records are detected."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from openapi.clients.verify import verify as program
from openapi.clients.verify.verify import BadEventError
from service.rulesets.ruleset import Json
from tests.openapi.records import EVERY, forged_records, new_session, random_record, record_of
from tests.openapi.verifying import NOT_RECORDS, damaged_records, verdict, verify
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


def find_typed(record: Json, kind: str, key: str) -> tuple[int, Json]:
    """Return the first effect or draw of this type with a value for the key, and the number of its event."""
    for event in record["events"]:
        for typed in (event["draw"] or {"type": ""}, *event["effects"]):
            if typed["type"].endswith(f".{kind}") and typed[key]:
                return event["revision"], typed
    raise AssertionError(kind)


HEXAGON = {"colour": "blue", "pattern": "treee"}
DAMAGES: list[tuple[str, str, str, Any]] = [
    ("azul", "deal", "type", "azul.dealt"),
    ("azul", "deal", "tiles", None),
    ("azul", "first_seat", "seat", True),
    ("azul", "tiles_fallen", "colour", "bleu"),
    ("azul", "tiles_fallen", "count", "2"),
    ("azul", "tiles_fallen", "count", -1),
    ("azul", "tiles_fallen", "count", 10**9),
    ("azul", "tile_placed", "line", None),
    ("summer-pavilion", "passed", "type", "summer-pavilion.tile_placed"),
    ("summer-pavilion", "tile_placed", "spent", ["blue"]),
    ("summer-pavilion", "tile_placed", "spent", {"blue": 1.5}),
    ("summer-pavilion", "passed", "discarded", {"bleu": 1}),
    ("queens-garden", "tile_placed", "payment", {"tiles": [HEXAGON]}),
    ("queens-garden", "tile_placed", "payment", {"tiles": [{"colour": "blue"}]}),
    ("queens-garden", "tile_placed", "payment", [HEXAGON]),
    ("queens-garden", "passed", "discarded", {}),
    ("queens-garden", "pieces_acquired", "pieces", [{"kind": "tile", "hexagon": HEXAGON}]),
    ("queens-garden", "expansions_turned", "expansions", [{"number": 1, "hexagon": HEXAGON}]),
    ("queens-garden", "round_ended", "type", 7),
]


@pytest.mark.parametrize(("ruleset", "kind", "key", "value"), DAMAGES)
def test_a_damaged_effect_or_draw_is_a_wrong_event(ruleset: str, kind: str, key: str, value: object) -> None:
    variant = next(variant for name, variant, _ in EVERY if name == ruleset)
    damaged = json.loads(random_record(ruleset, variant, 2))
    number, typed = find_typed(damaged, kind, "type" if key == "seat" else key)
    typed[key] = value
    assert f"event {number}" == verdict(damaged)


@pytest.mark.parametrize("event", [None, [], {}, {"revision": True}, {"kind": "takeback"}, {"effects": {}}])
def test_a_damaged_event_is_a_wrong_event(event: Json | None) -> None:
    damaged = json.loads(random_record("azul", "coloured", 2))
    damaged["events"][0] = {**damaged["events"][0], **event} if event else event
    assert "event 1" == verdict(damaged)


@pytest.mark.parametrize("revision", [None, True, -1, 10**6, "1"])
def test_a_takeback_to_an_unknown_revision_is_a_wrong_event(revision: object) -> None:
    damaged = json.loads(random_record("azul", "coloured", 2, back_at=20))
    takeback = next(event for event in damaged["events"] if event["kind"] == "takeback")
    takeback["to"] = revision
    assert f"event {takeback['revision']}" == verdict(damaged)


@pytest.mark.parametrize("seed", ["", 7, True, "07", "zz" * 32, [SEED]])
def test_a_damaged_seed_is_wrong(seed: object) -> None:
    actual = json.loads(random_record("azul", "coloured", 2))
    empty = hashlib.sha256(b"").hexdigest()
    assert ["event 0"] * 2 == [
        verdict({**actual, "seed": seed, "seed_commitment": text}) for text in (COMMITMENT, empty)
    ]


@pytest.mark.parametrize("seat", [-1, 2, None])
def test_an_impossible_seat_before_an_import_is_detected(seat: object) -> None:
    actual = json.loads(random_record("azul", "coloured", 2))
    number, draw = find_typed(actual, "first_seat", "type")
    draw["seat"] = seat
    imported = {**actual, "seed_from": actual["events"][-1]["revision"], "seed": SEED, "seed_commitment": COMMITMENT}
    assert f"event {number}" == verdict(imported)


@pytest.mark.parametrize(("ruleset", "variant", "seats"), EVERY[::3])
def test_no_damage_crashes_the_verifier(ruleset: str, variant: str, seats: int) -> None:
    for damage, damaged in damaged_records(json.loads(random_record(ruleset, variant, seats, begin_at=25)), 50):
        try:
            verdict(damaged)
        except Exception as error:  # noqa: BLE001 - any other exception is a crash
            pytest.fail(f"{damage}: {error!r}")


def run_unchecked(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Return the only line that the program prints. It must exit with 2."""
    assert 2 == program.main([str(argument) for argument in arguments])
    output = capsys.readouterr()
    assert ("", 1) == (output.err, output.out.count("\n")), output.out
    return output.out


@pytest.mark.parametrize("name", NOT_RECORDS)
def test_a_file_that_is_not_a_record_cannot_be_checked(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(NOT_RECORDS[name])
    assert run_unchecked(capsys, path)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path / "missing.json", tmp_path):
        assert str(path) in run_unchecked(capsys, path)


@pytest.mark.parametrize("source", [None, "", "class Draws(", "class Draws: pass"])
def test_a_damaged_file_of_draws_is_no_wrong_event(
    source: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, draws = tmp_path / "record.json", tmp_path / "draws.py"
    path.write_text(random_record("azul", "coloured", 2).replace('"ruleset": "azul"', '"ruleset": "other"'))
    if source is not None:
        draws.write_text(source)
    assert run_unchecked(capsys, path, draws)


def test_the_output_is_one_line_of_ascii(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A terminal may be unable to print other characters, and nothing can print half of a surrogate pair."""
    path = tmp_path / "record.json"
    path.write_text(json.dumps({**json.loads(random_record("azul", "coloured", 2)), "ruleset": "\n\ud800"}))
    assert "\\ud800" in run_unchecked(capsys, path)


def test_a_number_with_a_decimal_point_is_an_integer_in_json(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(random_record("azul", "coloured", 2).replace('"revision": 3,', '"revision": 3.0,'))
    assert 0 == program.main([str(path)])
