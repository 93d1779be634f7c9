"""A bot over HTTP that decides at random. The dialers call it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager

from tests.serving import Handler, served_by


class Bot(Handler):
    """Respond with a random action."""

    def respond(self) -> None:
        """Choose an action."""
        actions = json.loads(self.content)["data"]["actions"]
        if actions is None:  # too many to list
            self.send_error(501)
            return
        self.answer(json.dumps({"id": random.choice(actions)["id"]}).encode())


@contextmanager
def bot() -> Iterator[str]:
    """Yield the URL of a running bot."""
    with served_by(Bot) as url:
        yield f"{url}/"
