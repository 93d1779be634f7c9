"""Rulesets and AI levels."""

from __future__ import annotations

import functools
from dataclasses import asdict
from typing import Any

import orjson
from flask import Response

from service.games.errors import GameError
from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from service.web.api import Blueprint, component_name
from service.web.docs.document_bytes import compressible
from service.web.http.auth import language
from service.web.http.responses import JSON, localize, url
from service.web.schemas.base import catalogue
from service.web.schemas.base.unions import Action, Draw, Effect

blueprint = Blueprint("rulesets", __name__, url_prefix="/v1")


@blueprint.route("/rulesets")
@blueprint.operation("listRulesets")
@blueprint.response(200, catalogue.RulesetList, "All rulesets.", headers=("DocumentETag",))
@blueprint.response(304, description="You already have this version.", headers=("DocumentETag",))
@blueprint.headers("IfNoneMatchDocument")
def list_rulesets() -> Response:
    """List rulesets.

    Each ruleset is a game, with its variants and numbers of seats.
    """
    return compressible(_rulesets(tuple(RULESETS)), JSON)


@functools.cache
def _rulesets(ids: tuple[str, ...]) -> bytes:
    return orjson.dumps({"rulesets": [_summary(RULESETS[each]) for each in ids]})


@blueprint.route("/rulesets/<ruleset_id>")
@blueprint.operation("getRuleset", "ruleset/not_found", "request/not_found")
@blueprint.headers("IfNoneMatchDocument", "AcceptLanguage")
@blueprint.response(200, catalogue.Ruleset, "The ruleset.", headers=("DocumentETag",))
@blueprint.response(304, description="You already have this version.", headers=("DocumentETag",))
def get_ruleset(ruleset_id: str) -> Response:
    """Get a ruleset.

    Returns its components, the reasons for illegal actions, and links to its schemas.
    """
    ruleset = RULESETS.get(ruleset_id)
    if ruleset is None:
        raise GameError("ruleset/not_found")
    reasons = [{"code": code, "text": ruleset.texts.reason(language(), code)} for code in ruleset.reasons if code]
    more = {"components": ruleset.wire.components(), "reasons": reasons, "schemas": _schemas(ruleset)}
    answer = localize(compressible(orjson.dumps({**_summary(ruleset), **more}), JSON))
    answer.headers["Vary"] = "Accept-Language, Accept-Encoding"
    return answer


@blueprint.route("/levels")
@blueprint.operation("listLevels")
@blueprint.response(200, catalogue.LevelList, "All levels, weakest first.", headers=("DocumentETag",))
@blueprint.response(304, description="You already have this version.", headers=("DocumentETag",))
@blueprint.headers("IfNoneMatchDocument")
def list_levels() -> Response:
    """List AI levels.

    Sorted by strength, weakest first, with measured strength per ruleset.
    """
    return compressible(_levels(tuple(RULESETS)), JSON)


@functools.cache
def _levels(ids: tuple[str, ...]) -> bytes:
    levels = [{**asdict(level), "strength": _strength(level.id, ids)} for level in LEVELS.values()]
    return orjson.dumps({"levels": levels})


def _strength(level: str, ids: tuple[str, ...]) -> list[dict[str, Any]]:
    return [
        {"ruleset": each, **asdict(measured)}
        for each in ids
        for measured in RULESETS[each].strength
        if measured.level == level
    ]


def _summary(ruleset: Ruleset) -> dict[str, Any]:
    fields = ("id", "version", "variants", "seat_counts")
    return {name: getattr(ruleset, name) for name in fields}


def _schemas(ruleset: Ruleset) -> dict[str, Any]:
    def link(schema: Any) -> str:
        return url(f"/v1/openapi.json?ruleset={ruleset.id}#/components/schemas/{component_name(schema)}")

    wire = ruleset.wire
    schemas = {"position": wire.position_schema, "choices": wire.choices_schema}
    schemas |= {"action": Action, "draw": Draw, "effect": Effect}
    unions = {"actions": wire.action_schemas, "draws": wire.draw_schemas, "effects": wire.effect_schemas}
    return {name: link(schema) for name, schema in schemas.items()} | {
        name: {tag: link(leaf) for tag, leaf in leaves.items()} for name, leaves in unions.items()
    }
