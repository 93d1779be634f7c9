"""Endpoints as others write them, well and badly: an HTTP server of this process that answers as a test says."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import orjson

from service.rulesets.registry import RULESETS

Answer = Callable[["Bot", dict[str, Any]], None]


class Bot(http.server.BaseHTTPRequestHandler):
    """Answers each request by the function that its server was given, and remembers what it was asked."""

    asked: list[dict[str, Any]]
    answer: Answer

    def do_POST(self) -> None:
        described = orjson.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(described)
        type(self).answer(self, described)

    def say(self, content: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def first_action(bot: Bot, told: dict[str, Any]) -> None:
    """The first legal action; where they are not listed, as the rules have it."""
    actions, position = told["data"]["actions"], told["data"]["game"]["position"]
    legal = RULESETS[position["ruleset"]].read(position).legal_actions if actions is None else None
    bot.say(orjson.dumps({"id": str(legal()[0]) if legal else actions[0]["id"]}))


def broken(bot: Bot, _: dict[str, Any]) -> None:
    """An error of its own."""
    bot.say(b"oh", 500)


def talkative(bot: Bot, _: dict[str, Any]) -> None:
    """Says something else."""
    bot.say(b"hello")


def cheating(bot: Bot, _: dict[str, Any]) -> None:
    """Wants what no rule knows."""
    bot.say(b'{"id": "999999"}')


def silent(_: Bot, __: dict[str, Any]) -> None:
    """Answers nothing, and keeps the connection until the caller gives up."""
    threading.Event().wait()


@contextmanager
def serving(answer: Answer) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """(the URL of a bot that answers so, what it has been asked)."""
    asked: list[dict[str, Any]] = []
    bot = type("ABot", (Bot,), {"asked": asked, "answer": staticmethod(answer)})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), bot)
    server.block_on_close = False  # some answers never come
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/", asked
    server.shutdown()
    server.server_close()
