"""How much a body may hold, to the byte, the member and the level."""

from __future__ import annotations

from typing import Any

import pytest

from service.web.http.request_parsing import DEEPEST, USUAL
from tests.web.client import Client, pointers


@pytest.mark.parametrize(("more", "status"), [(0, 201), (1, 413)])
def test_a_body_may_have_so_many_bytes(anyone: Client, more: int, status: int) -> None:
    body = b'{"name": "Ana"}'.ljust(USUAL.bytes + more)
    assert status == anyone.send("POST", "/v1/players", data=body, content_type="application/json").status_code


@pytest.mark.parametrize(("more", "told"), [(0, "Not a valid string."), (1, "must have at most 1000 items")])
def test_a_list_may_have_so_many_items(anyone: Client, more: int, told: str) -> None:
    answer = anyone.post("/v1/players", {"name": [0] * (USUAL.longest + more)})
    assert [told] == [error["detail"] for error in (answer.json or {})["errors"]]


@pytest.mark.parametrize(("more", "told"), [(0, ["/name"]), (1, [""])])
def test_a_body_may_be_nested_so_deep(anyone: Client, more: int, told: list[str]) -> None:
    name: Any = []
    for _ in range(DEEPEST - 2 + more):
        name = [name]
    assert told == pointers(anyone.post("/v1/players", {"name": name}))
