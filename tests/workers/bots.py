"""HTTP servers of bots, good and bad ones: each responds with a function that the test passes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import orjson

from service.rulesets.registry import RULESETS
from tests.serving import Handler, served_by

Answer = Callable[["Bot", dict[str, Any]], None]


class Bot(Handler):
    """Respond with the function that the server was given, and record the requests."""

    asked: list[dict[str, Any]]
    reply: Answer

    def respond(self) -> None:
        """Record the request and reply to it."""
        request = orjson.loads(self.content)
        self.asked.append(request)
        type(self).reply(self, request)


def first_action(bot: Bot, request: dict[str, Any]) -> None:
    """Choose the first legal action. If the request does not list them, compute them from the position."""
    actions, position = request["data"]["actions"], request["data"]["game"]["position"]
    legal = RULESETS[position["ruleset"]].read(position).legal_actions if actions is None else None
    bot.answer(orjson.dumps({"id": str(legal()[0]) if legal else actions[0]["id"]}))


def failing(bot: Bot, _: dict[str, Any]) -> None:
    """Respond with status 500."""
    bot.answer(b"oh", 500)


def talkative(bot: Bot, _: dict[str, Any]) -> None:
    """Respond with text that is not JSON."""
    bot.answer(b"hello")


def cheating(bot: Bot, _: dict[str, Any]) -> None:
    """Choose an action that does not exist."""
    bot.answer(b'{"id": "999999"}')


def silent(_: Bot, __: dict[str, Any]) -> None:
    """Do not respond, and keep the connection until the caller closes it."""
    threading.Event().wait()


@contextmanager
def serving(reply: Answer) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the URL of a bot that replies with this function, and the list of its requests."""
    asked: list[dict[str, Any]] = []
    with served_by(type("ABot", (Bot,), {"asked": asked, "reply": staticmethod(reply)})) as url:
        yield f"{url}/", asked
