"""The WSGI application that `bench_web` serves: the service, the service with limits, and baselines.

`/limited/…` is the service with limits that are never reached. Under `/baseline`, Flask responds
- `/hello`: without work
- `/read/<game>`: after the Redis commands of the same read
- `/act/<game>`: after the load, JSON body and commit of an action
- `/cpu`: with the processor seconds of this process and the number of its messages to Redis
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

import msgpack
from flask import Flask, Response, request
from redis import Redis
from redis.connection import AbstractConnection

from service import app as service_app
from service.settings import Settings
from service.storage.base.packing import unpack
from service.storage.base.scripts import source_of
from service.storage.games.store import Store
from service.storage.games.stored_game import LOADED, Commit

JSON = "application/json"
WIDE = dict.fromkeys(("LIMIT_READS", "LIMIT_ACTIONS", "LIMIT_GAMES"), "100000000/60")


def create() -> Callable[..., Iterable[bytes]]:
    """Return the WSGI application."""
    plain, baseline = service_app.create_app(), baseline_app()
    settings = Settings.from_environment()
    more = {"RATE_LIMITS": "on", "LIMIT_OPEN_GAMES": "0", **WIDE}
    limited = service_app.create_app(Settings.from_environment({"REDIS_URL": settings.redis_url, **more}))

    def serve(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path.startswith("/baseline/"):
            return baseline(environ, start_response)
        if path.startswith("/limited/"):
            return limited({**environ, "PATH_INFO": path.removeprefix("/limited")}, start_response)
        return plain(environ, start_response)

    serve.extensions = plain.extensions  # type: ignore[attr-defined]  # what gunicorn_conf ends looks for them
    return serve


def baseline_app() -> Flask:
    """Return Flask with the same Redis commands through redis-py: its client, pipeline and script."""
    app, redis = Flask("baseline"), Redis.from_url(Settings.from_environment().redis_url, protocol=2)
    store, sent = Store(redis, 1), [0]
    script = redis.register_script(source_of("commit"))

    def run(keys: Sequence[str], **given: Any) -> Any:
        return script(keys=keys, args=[msgpack.packb(given, use_bin_type=False)])

    store._commit = run  # type: ignore[assignment]
    send = AbstractConnection.send_packed_command

    def count_and_send(self: Any, *args: Any, **named: Any) -> None:
        sent[0] += 1
        send(self, *args, **named)  # type: ignore[no-untyped-call]  # redis ships half its types

    AbstractConnection.send_packed_command = count_and_send  # type: ignore[method-assign]

    @app.get("/baseline/hello")
    def hello() -> dict[str, str]:
        return {"hello": "world"}

    @app.get("/baseline/cpu")
    def cpu() -> dict[str, float]:
        return {"seconds": time.process_time(), "sent": sent[0]}

    @app.get("/baseline/read/<game>")
    def read(game: str) -> Response:
        *_, view = redis.hmget(store.keys.game(game).game, "revision", "visibility", "view")
        return Response(unpack(cast("bytes", view)), content_type=JSON)

    @app.post("/baseline/act/<game>")
    def act(game: str) -> Response:
        keys, event = store.keys.game(game), request.get_data()
        pipeline = redis.pipeline(transaction=False)
        pipeline.hmget(keys.game, *LOADED)
        pipeline.hget(keys.tokens, "nobody")
        stored = dict(zip(LOADED, pipeline.execute()[0], strict=True))
        assert request.get_json()
        fields = {name: unpack(stored[name]) for name in ("state", "snapshot", "facts", "view")}
        revision = int(stored["revision"])
        store.commit(game, Commit(revision, (event,), fields, {}, None, listed=False, ttl_s=3600, idempotency=None))
        return Response(fields["view"], content_type=JSON)

    return app
