"""Filters of the list of legal actions: their values, unknown ones, and those of other rulesets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from service.rulesets.registry import RULESETS
from service.web.resources.games.actions import FILTERS
from service.web.schemas.base.queries import ListActionsQuery
from tests.web.client import Json, body_of, invalid_fields, refusal_of
from tests.web.table import EVERY_VARIANT, PLAYERS, SEED, NewTable, Table

EXPECTED = {
    "azul": {"type", "source", "colour", "line", "column"},
    "summer-pavilion": {"type", "source", "colour", "star", "slot", "wilds"},
    "queens-garden": {"type", "by", "value", "area", "rotation"},
}
WRONG = {"", "pink", "-1", "9", "2.5", "null", "[]", "é", "x" * 500}


def list_actions(table: Table, query: str) -> Json:
    return body_of(table.anyone.get(f"{table.path}/actions?{query}"))


def errors_of(table: Table, query: str) -> dict[str, str]:
    """Return the error messages of a refused query by parameter."""
    answer = table.anyone.get(f"{table.path}/actions?{query}")
    assert (422, "request/invalid") == refusal_of(answer)
    errors = (answer.json or {})["errors"]
    assert {"query"} == {error["in"] for error in errors}
    return {error["pointer"][1:]: error["detail"] for error in errors}


def filters_of(ruleset: str) -> Iterator[tuple[str, str]]:
    """Yield all filters of a ruleset with each of their values."""
    for name, values in FILTERS.items():
        yield from ((name, str(value)) for value in values.get(ruleset, ()))


def test_every_ruleset_has_the_fields_of_its_actions_with_simple_values() -> None:
    for ruleset, expected in EXPECTED.items():
        assert expected == {name for name, values in FILTERS.items() if ruleset in values}
    assert not set(ListActionsQuery().fields) & set(FILTERS)


@pytest.mark.parametrize(("ruleset", "variant"), EVERY_VARIANT)
def test_every_value_of_every_filter_selects_the_actions_that_have_it(
    new_game: NewTable, ruleset: str, variant: str
) -> None:
    """An alias is listed instead of an action that does not have the value."""
    table, selected = new_game(ruleset=ruleset, variant=variant, seed=SEED), set()
    for _ in range(4):
        actions, position = table.legal(), table.position()
        aliases = [[*map(position.ruleset.wire.decode, pair)] for pair in position.aliases().items()]
        for name, value in filters_of(ruleset):
            actual = list_actions(table, f"{name}={value}")
            expected = [action for action in actions if str(action.get(name)) == value]
            expected += [alias for alias, other in aliases if str(alias.get(name)) == value != str(other.get(name))]
            assert expected[:500] == [entry["action"] for entry in actual["actions"]]
            assert len(expected) == actual["total"]
            if expected:
                selected.add(name)
        table.act()
    assert {"type"} < selected


def test_an_action_must_match_all_filters(table: Table) -> None:
    actions = table.legal()
    expected = [action for action in actions if (action["colour"], action["line"]) == ("blue", 2)]
    assert expected == [entry["action"] for entry in list_actions(table, "colour=blue&line=2")["actions"]]
    assert (0, []) == tuple(list_actions(table, "colour=blue&column=2")[name] for name in ("total", "actions"))
    first = list_actions(table, "colour=blue&limit=2")
    second = list_actions(table, f"colour=blue&limit=2&cursor={first['next_cursor']}")
    blue = [action for action in actions if action["colour"] == "blue"]
    assert blue[:4] == [entry["action"] for page in (first, second) for entry in page["actions"]]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_unknown_value_is_refused_with_the_values_of_the_ruleset(new_game: NewTable, ruleset: str) -> None:
    table = new_game(ruleset=ruleset)
    for name, values in FILTERS.items():
        if ruleset not in values:
            continue
        known = {str(value) for value in values[ruleset]}
        elsewhere = {str(value) for of_ruleset in values.values() for value in of_ruleset} - known
        for wrong in sorted(WRONG | elsewhere):
            assert [name] == [*errors_of(table, f"{name}={wrong}")], (name, wrong)
        for wrong in elsewhere:
            assert {name: f"must be one of: {', '.join(map(str, values[ruleset]))}"} == errors_of(
                table, f"{name}={wrong}"
            )


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_filter_of_another_ruleset_is_refused(new_game: NewTable, ruleset: str) -> None:
    table = new_game(ruleset=ruleset)
    others = {name: next(iter(values.values()))[0] for name, values in FILTERS.items() if ruleset not in values}
    assert others
    for name, value in others.items():
        expected = {name: f"must be omitted: no action of `{ruleset}` has this field"}
        assert expected == errors_of(table, f"{name}={value}")
    query = "&".join(f"{name}={value}" for name, value in others.items())
    assert others.keys() == errors_of(table, query).keys()


@pytest.mark.parametrize("name", ["payment", "pieces", "discard", "keep", "hexagon", "space", "form", "Colour"])
def test_fields_with_lists_and_objects_and_unknown_parameters_are_no_filters(new_game: NewTable, name: str) -> None:
    for ruleset in RULESETS:
        table = new_game(ruleset=ruleset)
        assert [f"/{name}"] == invalid_fields(table.anyone.get(f"{table.path}/actions?{name}=1"))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("type=azul.tile&colour=blue", {"colour": "must be omitted: `azul.tile` does not have this field"}),
        ("type=azul.draft&column=0", {"column": "must be omitted: `azul.draft` does not have this field"}),
        ("type=azul.tile&line=floor", {"line": "must be one of: 0, 1, 2, 3, 4"}),
        ("type=queens-garden.pass&line=0", {"type": "must be one of: azul.draft, azul.tile"}),
        ("star=red&colour=green", {"star": "must be omitted: no action of `azul` has this field",
                                   "colour": "must be one of: blue, yellow, red, black, white"}),
    ],
)  # fmt: skip
def test_filters_must_fit_the_type(table: Table, query: str, expected: dict[str, str]) -> None:
    assert expected == errors_of(table, query)


def test_filters_are_checked_while_no_seat_decides(new_game: NewTable) -> None:
    waiting = new_game(seats=[PLAYERS[0], {"kind": "open"}])
    assert ["wilds"] == [*errors_of(waiting, "wilds=1")]
    assert (None, 0) == tuple(list_actions(waiting, "colour=blue")[name] for name in ("seat", "total"))
