"""A posted action is processed once, from the body to the answer."""

from __future__ import annotations

from collections import Counter

from tests.usecases.games.test_once import ONCE, call_counts
from tests.web.table import Table

__all__ = ["call_counts"]


def test_a_posted_action_is_read_named_checked_and_played_once(call_counts: Counter[str], table: Table) -> None:
    view, chosen = table.view(), table.actions(1)[0]
    call_counts.clear()
    body = {"action": chosen["action"], "revision": view["revision"]}
    answer = table.seat(view["to_decide"]).post(f"{table.path}/actions", body)
    assert (201, ONCE | {"read": 1}) == (answer.status_code, call_counts)
