"""What this service sends to others, as the document's `webhooks` describe it: one entry for each request.

The table is the one source: a new kind of call is a line of CALLS.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from marshmallow import Schema as MarshmallowSchema
from marshmallow import fields, validate

from service.games.notices import (
    CHALLENGE,
    CHALLENGE_ANSWERED,
    GAME_OVER,
    GAME_STARTED,
    NOTICES,
    OFFER,
    REMATCH_STARTED,
    SEAT_LOST,
    YOUR_TURN,
)
from service.rulesets.wire import Json
from service.usecases.automatic.deliveries import PING
from service.usecases.automatic.endpoints import DECISION_REQUEST, MOST_LISTED
from service.web.api import Schema, component_name
from service.web.schemas.challenges import Challenge
from service.web.schemas.fields import choice, counter, seat_number, text, when, whole
from service.web.schemas.games import Game, GameSummary, LegalAction
from service.web.schemas.games import Offer as OfferedSchema
from service.web.schemas.names import STAND_IN
from service.web.schemas.unions import Action, Choices, tagged

NOTICE_TYPES: tuple[str, ...] = (*NOTICES, PING)


def _notice(kind: str, doc: str, **data: Any) -> type[Schema]:
    """A notice of a type: its `data` are the player, and the members named."""
    name = kind.title().replace("_", "")
    inner = type(
        f"{name}Data",
        (Schema,),
        {
            "player": text("The id of the player who is told."),
            **data,
            "component": f"{name}Data",
            "__doc__": f"The data of `{kind}`.",
        },
    )
    members = {
        "type": fields.String(required=True, validate=validate.OneOf([kind]), metadata={"enum": [kind]}),
        "timestamp": when("When it happened."),
        "data": fields.Nested(inner, required=True),
    }
    component = f"{name}Notice"
    return type(component, (Schema,), {**members, "component": component, "__doc__": doc})


def _of_game(kind: str, doc: str, **more: Any) -> type[Schema]:
    """The same of what happens in a game."""
    seat = seat_number("The player's seat; of several, the first that it concerns.")
    game = fields.Nested(
        GameSummary, required=True, metadata={"description": "The game, as it was when the delivery was made."}
    )
    return _notice(kind, doc, seat=seat, game=game, **more)


NOTICE_SCHEMAS: dict[str, type[Schema]] = {
    GAME_STARTED: _of_game(GAME_STARTED, "A game has started in which the player has a seat."),
    YOUR_TURN: _of_game(
        YOUR_TURN,
        "A game waits for the player's decision. It is not sent once the game has moved on.",
        since=when("The moment since which it waits."),
    ),
    OFFER: _of_game(
        OFFER,
        "Something was offered that needs the player's answer.",
        offer=fields.Nested(OfferedSchema, required=True),
    ),
    SEAT_LOST: _of_game(
        SEAT_LOST,
        "The player's time was up: an AI plays on, or the seat has lost.",
        then=choice(STAND_IN, "What follows: the seat loses, or an AI plays on."),
    ),
    GAME_OVER: _of_game(GAME_OVER, "A game of the player has finished, or was aborted."),
    REMATCH_STARTED: _of_game(REMATCH_STARTED, "Another game follows.", game_id=text("The id of that game.")),
    CHALLENGE: _notice(
        CHALLENGE,
        "Somebody challenges the player to a game.",
        challenge=fields.Nested(Challenge, required=True),
    ),
    CHALLENGE_ANSWERED: _notice(
        CHALLENGE_ANSWERED,
        "A challenge was accepted, declined or withdrawn by the other.",
        challenge=fields.Nested(Challenge, required=True),
    ),
    PING: _notice(PING, "A test, at the owner's request, of whether the webhook is reached."),
}
Notice: Any = tagged("Notice", "type", NOTICE_SCHEMAS, "A notice to a webhook.")


class DecisionData(Schema):
    """What is to be decided."""

    game = fields.Nested(Game, required=True, metadata={"description": "The game, as everybody may see it."})
    revision = counter("The game's revision.", 1)
    seat = seat_number("The seat that decides.")
    deadline = when("The moment until which an answer counts.")
    total = whole("How many actions are legal.", 1)
    actions = fields.List(
        fields.Nested(LegalAction),
        required=True,
        allow_none=True,
        metadata={"description": f"The legal actions; null where there are more than {MOST_LISTED}."},
    )
    choices = fields.Nested(
        Choices,
        required=True,
        allow_none=True,
        metadata={"description": "The same in factored form, where `actions` is null; else null."},
    )
    positions_url = text('Where `{"position": …, "form": "list"}` is answered by all that is legal.')


class DecisionRequest(Schema):
    """A seat of kind `http` is to decide. The answer is its action, by `id`, `action` or `notation`."""

    component = "Decision"
    type = fields.String(
        required=True, validate=validate.OneOf([DECISION_REQUEST]), metadata={"enum": [DECISION_REQUEST]}
    )
    timestamp = when("When it was asked.")
    data = fields.Nested(DecisionData, required=True)


class DecisionAnswer(Schema):
    """One action, by `id`, by `action` or by `notation`."""

    id = fields.String(metadata={"description": "The id as listed in `actions`."})
    action = fields.Nested(Action)
    notation = fields.String(metadata={"description": "The action as a short text: `3b4`."})


class Call(NamedTuple):
    """A request that this service makes."""

    schema: type[MarshmallowSchema]
    answers: Mapping[str, str]
    """Status -> what it means to us."""
    answer: type[MarshmallowSchema] | None = None
    """What is answered with 2xx, where that matters."""

    @property
    def component(self) -> str:
        """What is sent, by its name in the document."""
        return component_name(self.schema)

    @property
    def schemas(self) -> list[type[MarshmallowSchema]]:
        """All that the document must know."""
        return [self.schema] if self.answer is None else [self.schema, self.answer]


TAKEN = {
    "2XX": "It has arrived. A body has at most 64 KB, and is not looked at.",
    "410": "The webhook is gone: it is disabled at once.",
    "default": "It is tried again, later and later.",
}
DECISION_RESPONSES = {
    "2XX": "The decision, in at most 64 KB. One that names no action, or an illegal one, is a failure.",
    "default": "A failure: it is asked again, later and later, and after the last attempt an AI plays on or it loses.",
}
CALLS: dict[str, Call] = {
    DECISION_REQUEST: Call(DecisionRequest, DECISION_RESPONSES, DecisionAnswer),
    **{kind: Call(schema, TAKEN) for kind, schema in NOTICE_SCHEMAS.items()},
}
SIGNED = ("WebhookId", "WebhookTimestamp", "WebhookSignature")


def webhooks_json(descriptions: Mapping[str, str]) -> Json:
    """The document's `webhooks`; the first sentence about a schema is the summary of its call."""
    return {name: {"post": _webhook_json(name, call, descriptions[call.component])} for name, call in CALLS.items()}


def _webhook_json(name: str, call: Call, description: str) -> Json:
    responses: Json = {status: {"description": meaning} for status, meaning in call.answers.items()}
    if call.answer is not None:
        responses["2XX"]["content"] = _content(call.answer)
    return {
        "operationId": f"receive{name.title().replace('_', '')}",
        "summary": f"{description.removesuffix('.').partition('. ')[0]}.",
        "description": description,
        "tags": ["calls"],  # none of the paths': some generators write a file for each tag, and one over the other
        "parameters": [{"$ref": f"#/components/parameters/{name}"} for name in SIGNED],
        "requestBody": {"required": True, "content": _content(call.schema)},
        "responses": responses,
    }


def _content(schema: type[MarshmallowSchema]) -> Json:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{component_name(schema)}"}}}
