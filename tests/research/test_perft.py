"""Node counts: the page shows what the rules count, and the counts agree with `Position`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from research.perft import divide, node_counts, table_lines
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from tests.research.commands import run_command
from tests.research.node_counts import published_positions

PAGE = Path(__file__).parents[2] / "docs/reference/node-counts.md"
MAX_SHALLOW = 400  # nodes
SIDES = [(ruleset.id, variant) for ruleset in RULESETS.values() for variant in ruleset.variants]
every_side = pytest.mark.parametrize(("ruleset", "variant"), SIDES)
AZUL = RULESETS["azul"]


def published_tables(ruleset: str, variant: str) -> dict[str, list[str]]:
    """Return the rows of the page by notation."""
    section = PAGE.read_text("utf-8").split(f"\n### `{ruleset}`, {variant}\n")[1].split("\n### ")[0]
    return {
        notation: re.findall(r"^\| \d.*", table, re.MULTILINE)
        for notation, table in re.findall(r"```text\n(.+)\n```\n\n((?:\|.*\n)+)", section)
    }


def nodes_of(row: str) -> int:
    return int(row.split(" | ")[1].replace(",", ""))


def rows_for(ruleset: str, notation: str, depth: int) -> list[str]:
    return [*table_lines(node_counts(RULESETS[ruleset].read_notation(notation), depth))][2:]


def leaves(position: Position, depth: int) -> Iterator[Position]:
    """Yield the positions after each sequence of actions."""
    for action in position.legal_actions():
        after = position.play(action)
        yield from leaves(after, depth - 1) if depth > 1 else [after]


@every_side
def test_the_committed_page_lists_the_positions_of_its_seed(ruleset: str, variant: str) -> None:
    positions = [position.notation for _, position in published_positions(RULESETS[ruleset], variant)]
    assert positions == [*published_tables(ruleset, variant)]


@every_side
def test_the_committed_page_shows_the_counts_of_shallow_trees(ruleset: str, variant: str) -> None:
    for notation, rows in published_tables(ruleset, variant).items():
        shallow = [row for row in rows if nodes_of(row) <= MAX_SHALLOW]
        depth = 0 if rows[0] not in shallow else next(k for k, row in enumerate([*rows, ""]) if row not in shallow)
        assert rows[:depth] == (rows_for(ruleset, notation, depth) if depth else [])


@pytest.mark.nightly
@every_side
def test_the_committed_page_shows_all_counts(ruleset: str, variant: str) -> None:
    for notation, rows in published_tables(ruleset, variant).items():
        assert rows == rows_for(ruleset, notation, len(rows))


@every_side
def test_counts_agree_with_the_positions_that_play_reaches(ruleset: str, variant: str) -> None:
    position = min(
        (each for _, each in published_positions(RULESETS[ruleset], variant)),
        key=lambda each: len(each.legal_actions()),
    )
    for depth, total in enumerate(node_counts(position, 2), 1):
        reached = [*leaves(position, depth)]
        statuses = [each.status for each in reached]
        assert (total.nodes, total.draws, total.ends) == (
            len(reached),
            statuses.count("drawing"),
            statuses.count("over"),
        )
        assert total.points == sum(sum(each.scores) for each in reached)


def test_divided_counts_add_up_to_the_nodes() -> None:
    position = AZUL.read_notation(next(iter(published_tables("azul", "coloured"))))
    assert 90 == sum(nodes for _, nodes in divide(position, 1))
    parts = dict(divide(position, 2))
    assert 7560 == sum(parts.values())
    assert {AZUL.notation_of(action) for action in position.legal_actions()} == parts.keys()


def test_the_command_prints_the_counts_of_a_position() -> None:
    notation, rows = next(iter(published_tables("azul", "grey").items()))
    ran = run_command("research.perft", "azul", notation, "--depth", "1")
    assert rows[:1] == ran.stdout.splitlines()[2:]
    ran = run_command("research.perft", "azul", notation, "--depth", "1", "--divide")
    assert 90 == len(ran.stdout.splitlines())
    for wrong in (["azul", "nothing"], ["azul", notation, "--depth", "0"]):
        assert 2 == run_command("research.perft", *wrong).returncode
