"""An opponent over HTTP that decides at random: the dialers call it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.serving import Handler, served_by


class Bot(Handler):
    """Answers with one of the actions."""

    def respond(self) -> None:
        """Decide."""
        actions = json.loads(self.content)["data"]["actions"]
        if actions is None:  # too many to be listed
            self.send_error(501)
            return
        with suppress(ConnectionError):  # the dialer was killed
            self.answer(json.dumps({"id": random.choice(actions)["id"]}).encode())


@contextmanager
def bot() -> Iterator[str]:
    """Its URL, while it runs."""
    with served_by(Bot) as url:
        yield f"{url}/"
