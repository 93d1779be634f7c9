"""Requests that the service sends, as described under `webhooks` in the document. `CALLS` lists all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from marshmallow import Schema as MarshmallowSchema

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
from service.games.state.endpoints import ENDPOINT_DISABLED
from service.games.state.statuses import ROUNDS_CHANGED
from service.rulesets.wire import Json
from service.usecases.base.outgoing import FAILING, GONE
from service.usecases.games.endpoints import DECISION_REQUEST, MAX_LISTED
from service.usecases.notifications.dispatch import PING
from service.web.api import Schema, component_name
from service.web.schemas.base.fields import array, choice, constant, counter, instant, integer, nest, seat_number, text
from service.web.schemas.base.names import ENDPOINT_KIND, STAND_IN
from service.web.schemas.base.unions import Action, Choices, tagged_union
from service.web.schemas.games.games import Game, GameSummary, LegalAction
from service.web.schemas.games.games import Offer as OfferedSchema
from service.web.schemas.matchmaking.challenges import Challenge
from service.web.schemas.matchmaking.competitions import CompetitionSummary

NOTICE_TYPES: tuple[str, ...] = (*NOTICES, PING)


def _notice(kind: str, doc: str, **data: Any) -> type[Schema]:
    """Return the schema of a notice type. Its `data` has the player and the given fields."""
    name = kind.title().replace("_", "")
    inner = type(
        f"{name}Data",
        (Schema,),
        {
            "player": text("Id of the player who owns the webhook."),
            **data,
            "component": f"{name}Data",
            "__doc__": f"Data of {'an' if kind[0] in 'aeio' else 'a'} `{kind}` notice.",
        },
    )
    members = {"type": constant(kind), "timestamp": instant("Time of the event."), "data": nest(inner)}
    component = f"{name}Notice"
    return type(component, (Schema,), {**members, "component": component, "__doc__": doc})


def _of_game(kind: str, doc: str, **more: Any) -> type[Schema]:
    """Return the schema of a notice about a game."""
    seat = seat_number("The player's seat. If several are concerned, the first of them.")
    game = nest(GameSummary, "The game at the time of the delivery.")
    return _notice(kind, doc, seat=seat, game=game, **more)


class DisabledEndpoint(Schema):
    """A webhook, device or bot that is no longer called."""

    kind = choice(ENDPOINT_KIND)
    id = text("Id of the webhook or device, or of the bot's player.")
    reason = choice((FAILING, GONE), "As `disabled_reason` of a webhook.")
    failing_since = instant("Time of the first failure in a row.")


NOTICE_SCHEMAS: dict[str, type[Schema]] = {
    GAME_STARTED: _of_game(GAME_STARTED, "A game has started in which the player has a seat."),
    YOUR_TURN: _of_game(
        YOUR_TURN,
        "It is the player's turn. Not sent if the game has already moved on.",
        since=instant("Start of the turn."),
    ),
    OFFER: _of_game(OFFER, "An offer needs the player's answer.", offer=nest(OfferedSchema)),
    SEAT_LOST: _of_game(
        SEAT_LOST,
        "The player ran out of time. An AI plays on, or the seat has lost.",
        then=choice(STAND_IN, "The consequence: the seat loses, or an AI plays on."),
    ),
    GAME_OVER: _of_game(GAME_OVER, "A game of the player has finished or was aborted."),
    REMATCH_STARTED: _of_game(REMATCH_STARTED, "A rematch has started.", game_id=text("Id of the new game.")),
    CHALLENGE: _notice(CHALLENGE, "The player has received a challenge.", challenge=nest(Challenge)),
    CHALLENGE_ANSWERED: _notice(
        CHALLENGE_ANSWERED,
        "The other player accepted, declined or withdrew a challenge.",
        challenge=nest(Challenge),
    ),
    ROUNDS_CHANGED: _notice(
        ROUNDS_CHANGED,
        "A competition that the player hosts or has entered has fewer rounds than planned. There are too few players.",
        competition=nest(CompetitionSummary),
    ),
    ENDPOINT_DISABLED: _notice(
        ENDPOINT_DISABLED,
        "The service no longer calls a webhook, device or bot of the player.",
        endpoint=nest(DisabledEndpoint),
    ),
    PING: _notice(PING, "A test delivery, requested with `pingWebhook`."),
}
Notice: Any = tagged_union("Notice", "type", NOTICE_SCHEMAS, "A notice sent to a webhook.")


class DecisionData(Schema):
    """Data of a `decision` request."""

    game = nest(Game, "The game, as visible to everyone.")
    revision = counter("The game's revision.", 1)
    seat = seat_number("The seat that must decide.")
    deadline = instant("Latest time for the answer.")
    total = integer("Number of legal actions.", 1)
    actions = array(LegalAction, f"The legal actions. Null if there are more than {MAX_LISTED}.", allow_none=True)
    choices = nest(Choices, "The legal actions as choices. Null unless `actions` is null.", allow_none=True)
    positions_url = text('POST `{"position": …, "form": "list"}` to this URL to list all legal actions.')


class DecisionRequest(Schema):
    """An HTTP bot must decide. Respond with its action, by `id`, `action` or `notation`."""

    component = "Decision"
    type = constant(DECISION_REQUEST)
    timestamp = instant("Time of the request.")
    data = nest(DecisionData)


class DecisionAnswer(Schema):
    """One action, by `id`, `action` or `notation`."""

    id = text("Id of an action in `actions`.", required=False)
    action = nest(Action, required=False)
    notation = text("The action in notation, such as `3b4`.", required=False)


class Call(NamedTuple):
    """A request that the service sends."""

    schema: type[MarshmallowSchema]
    answers: Mapping[str, str]
    """Meaning of each response status."""
    answer: type[MarshmallowSchema] | None = None
    """Body of a 2xx response, if the service reads it."""

    @property
    def component(self) -> str:
        """Return the name of the request's schema in the document."""
        return component_name(self.schema)

    @property
    def schemas(self) -> list[type[MarshmallowSchema]]:
        """Return the schemas of the request and the response."""
        return [self.schema] if self.answer is None else [self.schema, self.answer]


TAKEN = {
    "2XX": "Delivered. The service ignores the body of at most 64 KB.",
    "410": "The webhook is disabled at once.",
    "default": "The service retries with increasing delays.",
}
DECISION_RESPONSES = {
    "2XX": "The decision, in at most 64 KB. An invalid body or an illegal action counts as a failure.",
    "default": "A failure. The service retries with increasing delays. "
    "After the last attempt an AI plays on, or the seat loses.",
}
CALLS: dict[str, Call] = {
    DECISION_REQUEST: Call(DecisionRequest, DECISION_RESPONSES, DecisionAnswer),
    **{kind: Call(schema, TAKEN) for kind, schema in NOTICE_SCHEMAS.items()},
}
SIGNED = ("WebhookId", "WebhookTimestamp", "WebhookSignature")


def webhooks_json(descriptions: Mapping[str, str]) -> Json:
    """Return the document's `webhooks`. The first sentence of a schema's description becomes the summary."""
    return {name: {"post": _webhook_json(name, call, descriptions[call.component])} for name, call in CALLS.items()}


def _webhook_json(name: str, call: Call, description: str) -> Json:
    responses: Json = {status: {"description": meaning} for status, meaning in call.answers.items()}
    if call.answer is not None:
        responses["2XX"]["content"] = _content(call.answer)
    summary, _, more = description.removesuffix(".").partition(". ")
    return {
        "operationId": f"receive{name.title().replace('_', '')}",
        "summary": summary,
        **({"description": f"{more}."} if more else {}),
        "tags": ["calls"],  # a tag of its own: some generators write one file per tag and would overwrite others
        "parameters": [{"$ref": f"#/components/parameters/{name}"} for name in SIGNED],
        "requestBody": {"required": True, "content": _content(call.schema)},
        "responses": responses,
    }


def _content(schema: type[MarshmallowSchema]) -> Json:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{component_name(schema)}"}}}
