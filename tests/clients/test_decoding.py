"""The generated Python client decodes every example of the document, also with what a later version may add.

Nothing is lost: encoded again, the value is the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from azul_games_client import models
from service.rulesets.wire import Json
from service.web.docs.components import REFERENCE
from tests.openapi.growing import answers, grown_answers
from tests.web.client import document

Answers = Callable[[Json], Iterator[tuple[str, Json, Any]]]


def canonical(value: Any) -> str:
    """Return a value as text. The client writes times differently."""
    return json.dumps(value, sort_keys=True).replace(".000Z", "Z").replace("+00:00", "Z")


@pytest.mark.parametrize("recorded", [answers, grown_answers])
def test_every_example_is_decoded_without_loss(recorded: Answers) -> None:
    different, count = [], 0
    for operation, schema, value in recorded(document()):
        model = getattr(models, schema["$ref"].removeprefix(REFERENCE))
        count += 1
        if canonical(model.from_dict(value).to_dict()) != canonical(value):
            different.append(operation)
    assert [] == different
    assert count > 80
