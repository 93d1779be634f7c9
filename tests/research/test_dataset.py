"""Datasets: each row is a decision, and the file is the same on every machine."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

pytest.importorskip("pyarrow", reason="needs the extra `data`")
import pyarrow as pa
import pyarrow.parquet as pq

from research.dataset import writing
from research.dataset.columns import COMMON_COLUMNS, PREFIX, field_descriptions, fields_of, position_of, schema_of
from research.dataset.playing import DatasetPlan
from research.dataset.writing import write
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from tests.patience import HANG_S, wait_until
from tests.research.commands import run_command

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.nightly
every_ruleset = pytest.mark.parametrize("ruleset", RULESETS)


def asked_of(ruleset: str, player: str = "greedy", seed: int = 1) -> DatasetPlan:
    """Return the request for a dataset of all variants and numbers of seats."""
    return DatasetPlan(ruleset, RULESETS[ruleset].variants, RULESETS[ruleset].seat_counts, player, seed)


def rows_of(asked: DatasetPlan, games: range, path: Path) -> list[dict[str, Any]]:
    """Write a new file and return its rows."""
    count = write(asked, games, 1, path, quiet=True)
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    assert count == len(rows)
    return rows


def can_follow(position: Position, following: Position, action: int) -> bool:
    """Return whether the action leads from a position to the next decision of the game, for some draw."""
    after = position.play(action)
    return after == following if after.status == "deciding" else after.status == "drawing"


@every_ruleset
def test_the_rows_contain_every_decision_of_every_game(ruleset: str, tmp_path: Path) -> None:
    asked = asked_of(ruleset)
    rows = rows_of(asked, range(6), tmp_path / "games.parquet")
    assert [0, 1, 2, 3, 4, 5] == sorted({row["game"] for row in rows})
    sides = {row["game"]: (row["variant"], row["seats"]) for row in rows}
    assert len(asked.variants) * len(asked.seats) == len(set(sides.values()))
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        position = position_of(RULESETS[ruleset], row)
        assert (row["variant"], row["seats"], row["seat"]) == (position.variant, position.seats, position.seat)
        assert position.legal_actions() == row["legal_actions"]
        assert row["action"] in row["legal_actions"]
        assert "greedy" == row["player"]
        assert row["visits"] is None
        if following is None or following["decision"] == 0:
            last = position.play(row["action"])
            assert "over" == last.status
            assert list(last.scores) == row["final_scores"]
            assert [seat.rank for seat in last.outcome()] == row["final_ranks"]
        else:
            assert row["decision"] + 1 == following["decision"]
            assert can_follow(position, position_of(RULESETS[ruleset], following), row["action"])


def test_the_won_column_is_the_win_share_of_the_deciding_seat(tmp_path: Path) -> None:
    for row in rows_of(asked_of("azul"), range(6), tmp_path / "games.parquet"):
        winners = row["final_ranks"].count(1)
        assert row["won"] == pytest.approx(1 / winners if row["final_ranks"][row["seat"]] == 1 else 0)


@every_ruleset
def test_the_action_columns_have_the_forms_of_the_api(ruleset: str, tmp_path: Path) -> None:
    for row in rows_of(asked_of(ruleset), range(1), tmp_path / "games.parquet"):
        assert row["action"] == RULESETS[ruleset].wire.encode(json.loads(row["action_json"]))
        assert row["action"] == RULESETS[ruleset].action_of(row["action_notation"])


def test_the_card_of_a_dataset_describes_every_column_and_repeats_its_command(tmp_path: Path) -> None:
    first, second = tmp_path / "first.parquet", tmp_path / "second.parquet"
    rows = rows_of(asked_of("azul"), range(2), first) + rows_of(asked_of("azul"), range(2, 3), second)
    card = run_command("research.dataset.card", str(first), str(second)).stdout
    _, header, text = card.split("---\n", 2)
    facts = yaml.safe_load(header)
    assert tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["license"].lower() == facts["license"]
    assert ["first.parquet", "second.parquet"] == facts["configs"][0]["data_files"]
    assert f"{len(rows)} decisions" in text
    assert [*rows[0]] == re.findall(r"^\| `(\w+)` \| .+ \| .+ \|$", text, re.MULTILINE)
    command = re.findall(r"python -m research.dataset (.+)", text)[1].replace("second.", "again.").split()
    again = str(tmp_path / command[-1])
    assert 0 == run_command("research.dataset.__main__", *command[:-1], again, "--jobs", "1").returncode
    assert second.read_bytes() == (tmp_path / "again.parquet").read_bytes()


def test_a_card_needs_files_of_one_dataset(tmp_path: Path) -> None:
    write(asked_of("azul"), range(1), 1, tmp_path / "azul", quiet=True)
    write(asked_of("queens-garden"), range(1), 1, tmp_path / "other", quiet=True)
    pq.write_table(pa.table({"one": [1]}), tmp_path / "strange")
    for wrong in (["azul", "other"], ["strange"], ["nowhere"]):
        ended = run_command("research.dataset.card", *(str(tmp_path / name) for name in wrong))
        assert (2, "") == (ended.returncode, ended.stdout)


def test_rows_of_a_searching_player_contain_its_visits(tmp_path: Path) -> None:
    rows = rows_of(DatasetPlan("azul", ("grey",), (2,), "tree@20", 1), range(1), tmp_path / "games.parquet")
    searched = [row for row in rows if row["visits"] is not None]
    assert all(len(row["legal_actions"]) == 1 for row in rows if row["visits"] is None)
    assert len(searched) > len(rows) / 2
    for row in searched:
        assert len(row["visits"]) == len(row["legal_actions"])
        assert 20 <= sum(row["visits"])
        assert max(row["visits"]) == row["visits"][row["legal_actions"].index(row["action"])]


def test_the_file_is_the_same_for_any_number_of_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "GROUP_GAMES", 3)
    contents = []
    for name, jobs in (("one", 1), ("two", 2)):
        write(asked_of("azul"), range(8), jobs, tmp_path / name, quiet=True)
        contents.append((tmp_path / name).read_bytes())
    assert contents[0] == contents[1]
    assert 3 == pq.ParquetFile(tmp_path / "two").num_row_groups
    write(asked_of("azul", seed=2), range(8), 1, tmp_path / "other", quiet=True)
    assert contents[0] != (tmp_path / "other").read_bytes()


def test_a_dataset_can_be_written_in_several_files(tmp_path: Path) -> None:
    whole = rows_of(asked_of("azul"), range(4), tmp_path / "whole")
    first, rest = (
        rows_of(asked_of("azul"), range(1), tmp_path / "1"),
        rows_of(asked_of("azul"), range(1, 4), tmp_path / "2"),
    )
    assert whole == first + rest


def test_an_interrupted_command_leaves_no_file(tmp_path: Path) -> None:
    out = tmp_path / "games.parquet"
    command = ["--games", "100000", "--level", "greedy", "--out", str(out), "--jobs", "2", "--quiet"]
    with subprocess.Popen([sys.executable, "-m", "research.dataset", *command], stderr=subprocess.PIPE) as process:
        partial = tmp_path / ".games.parquet.partial"
        wait_until(lambda: partial.exists() or process.poll() is not None)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=HANG_S)
    assert 130 == process.returncode, errors.decode()
    assert [] == list(tmp_path.iterdir())


def test_invalid_arguments_are_refused_with_a_reason(tmp_path: Path) -> None:
    there = tmp_path / "there.parquet"
    there.touch()
    for wrong, reason in (
        (["--level", "nobody"], "nobody"),
        (["--variant", "blue"], "blue"),
        (["--seats", "5"], "2, 3, 4"),
        (["--games", "0"], "--games"),
        (["--first", "-1"], "--first"),
        (["--out", str(there)], "already exists"),
        (["--out", str(tmp_path / "nowhere" / "games.parquet")], "No such file"),
    ):
        usual = ["--games", "1", "--level", "greedy", "--out", str(tmp_path / "games.parquet"), "--jobs", "1"]
        ended = run_command("research.dataset.__main__", *usual, *wrong)
        assert 2 == ended.returncode
        assert reason in ended.stderr
    assert [there] == list(tmp_path.iterdir())


@every_ruleset
def test_every_column_has_a_description(ruleset: str) -> None:
    schema = schema_of(asked_of(ruleset), range(3))
    assert all(field.metadata[b"description"] for field in schema)
    assert {
        b"ruleset",
        b"rules_hash",
        b"player",
        b"seed",
        b"games",
        b"format",
        b"ruleset_version",
        b"variants",
        b"seats",
    } == schema.metadata.keys()
    fields = list(fields_of(RULESETS[ruleset].rules.dtype))
    assert {field.path[-1] for field in fields} <= field_descriptions(RULESETS[ruleset]).keys()
    assert [*COMMON_COLUMNS, *(field.column for field in fields)] == schema.names
    assert all(field.column.startswith(PREFIX) for field in fields)


@pytest.mark.skipif(find_spec("pandas") is None, reason="needs the extra `data`")
def test_pandas_reads_the_dataset(tmp_path: Path) -> None:
    import pandas as pd

    rows = rows_of(asked_of("azul"), range(2), tmp_path / "games.parquet")
    frame = pd.read_parquet(tmp_path / "games.parquet")
    assert len(rows) == len(frame)
    assert [row["action"] for row in rows] == frame["action"].tolist()
    assert frame["visits"].isna().all()
    walls = np.stack(frame["position_boards_wall"]).reshape(-1, 4, 5, 5)
    assert 1 < (walls[-1] > 0).sum()
    assert position_of(RULESETS["azul"], frame.iloc[5]) == position_of(RULESETS["azul"], rows[5])


@pytest.mark.skipif(
    find_spec("datasets") is None, reason="Hugging Face's datasets is not installed; docs/guides/datasets.md"
)
def test_hugging_face_reads_the_dataset(tmp_path: Path) -> None:
    import datasets

    rows = rows_of(asked_of("azul"), range(2), tmp_path / "games.parquet")
    loaded = datasets.load_dataset(
        "parquet", data_files=str(tmp_path / "games.parquet"), cache_dir=str(tmp_path / "cache")
    )
    assert len(rows) == len(loaded["train"])
    assert rows[5] == loaded["train"][5]
