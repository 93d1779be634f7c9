"""The Flask application. Creating it opens no connection, so it can be loaded before a fork."""

from __future__ import annotations

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from service.operate.observability import counting, redaction, tracing
from service.rulesets.registry import RULESETS
from service.settings import Settings
from service.usecases.base.context import Context, open_context
from service.usecases.games import tickets
from service.web.api import Api
from service.web.docs import static_files
from service.web.http import access_log, limits, middleware
from service.web.http.auth import shown_secrets
from service.web.http.request_parsing import USUAL
from service.web.resources import admin, discovery, fairness, operating, pages, rulesets, service
from service.web.resources.games import (
    actions,
    exports,
    games,
    history,
    messages,
    offers,
    pictures,
    positions,
    presence,
    seats,
)
from service.web.resources.matchmaking import bots, challenges, competitions, seeks
from service.web.resources.notifications import devices, webhooks
from service.web.resources.people import identities, leaderboards, players, reports
from service.web.resources.puzzles import puzzles
from service.web.resources.work import analyses, tournaments

RESOURCES = (
    *(rulesets, games, seats, players, reports, identities, seeks, challenges, competitions, bots, leaderboards),
    *(webhooks, devices, actions, offers, messages, presence, history, pictures, exports, positions),
    *(analyses, tournaments, puzzles, admin, fairness, operating, service),
)
"""Modules with a blueprint, in the order of the OpenAPI document."""


def create_app(settings: Settings | None = None) -> Flask:
    """Return the WSGI application. `extensions` contains its Api (`api`) and its Context (`context`)."""
    settings = settings or Settings.from_environment()
    for ruleset in RULESETS.values():
        ruleset.rules.are_compiled()  # loads existing machine code before a fork, so that it is shared
    counting.start(settings)
    tracing.start()
    return app_of(settings, open_context(settings))


def app_of(settings: Settings, context: Context | None) -> Flask:
    """Return the application with a given context, or with None to build only the OpenAPI document."""
    app = Flask("service", static_folder=None, template_folder="templates")
    app.config.update(MAX_CONTENT_LENGTH=USUAL.bytes + 1, PUBLIC_URL=settings.public_url)
    app.extensions["context"] = context
    if shown_secrets not in redaction.SECRET_SOURCES:
        redaction.SECRET_SOURCES.append(shown_secrets)
    middleware.register(app, settings.cors_origins, access_log.register(app, settings))
    limits.register(app, settings, lambda game_id, ticket: tickets.is_good(app.extensions["context"], game_id, ticket))
    app.before_request(middleware.check_request)
    app.extensions["api"] = api = Api(app)
    for resource in RESOURCES:
        api.register_blueprint(resource.blueprint)
    static_files.register(app)
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(discovery.blueprint)
    trusted = settings.trusted_proxies
    if trusted:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=trusted, x_proto=trusted, x_host=trusted, x_prefix=trusted
        )
    return app
