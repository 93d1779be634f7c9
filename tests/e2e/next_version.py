"""`python -m tests.e2e.next_version PORT same|raised|extended`: a web process of the next version.

Its rules have other sources, and the same or a raised version, as after a change of a rule. An extended version adds
a field to every object that it stores, and an argument to every job. It uses Redis and queue of REDIS_URL.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import orjson
from werkzeug.serving import make_server

from service.app import create_app
from service.rulesets.registry import RULESETS
from service.settings import Settings

LATER = "later"
"""The member that an extended version adds to objects."""


def _extend(dumps: Callable[..., bytes]) -> Callable[..., bytes]:
    """Return a function that serializes objects with a field that no earlier version knows."""

    def dump(value: Any, *arguments: Any, **options: Any) -> bytes:
        return dumps({**value, LATER: 1} if isinstance(value, dict) else value, *arguments, **options)

    return dump


def main(port: str, version: str) -> None:
    """Serve until killed."""
    for ruleset in [*RULESETS.values()]:
        later = replace(ruleset, version=ruleset.version + (version == "raised"))
        later.__dict__["rules_hash"] = "the hash of the next version's sources"
        RULESETS[ruleset.id] = later
    if version == "extended":
        orjson.dumps = _extend(orjson.dumps)
    make_server("127.0.0.1", int(port), create_app(Settings.from_environment()), threaded=True).serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
