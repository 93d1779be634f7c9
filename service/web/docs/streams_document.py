"""Build the AsyncAPI document of the event streams and of the calls to webhooks and bots.

Everything is taken from the OpenAPI document: channels from its operations and webhooks, payloads from its schemas. A
payload refers to `openapi.json`, which has the same folder as this document, in the repository and at the service.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from service.rulesets.wire import Json
from service.web.docs.components import REFERENCE
from service.web.http.streams import NDJSON, SSE
from service.web.schemas.notifications.calls import SIGNED

OPENAPI = "openapi.json"
HTTP_BINDING = "0.3.0"
LICENSE_URL = "https://spdx.org/licenses/MIT.html"
WEBHOOK, ENDPOINT = "webhook", "endpoint"
STREAM_FORM = (
    f"Each message is an event of a stream of server-sent events (`{SSE}`), or a line of JSON (`{NDJSON}`) if the "
    "request prefers that. Every 4 seconds without a message, the stream has a comment or an empty line. Resume with "
    "the id of the last message in `Last-Event-ID`."
)
CALLED = {
    WEBHOOK: "The URL of a webhook that a player has created. Every request is signed.",
    ENDPOINT: "The URL of a bot that is called for decisions. Every request is signed.",
}
ABOUT = f"""\
Messages that the service sends: event streams, and requests to webhooks and bots. The schemas of the messages and all \
other operations are in the [OpenAPI document]({OPENAPI}).

{STREAM_FORM}
"""


def build_asyncapi(openapi: Json) -> Json:
    """Return the AsyncAPI 3.0 document that belongs to an OpenAPI document. It has no servers."""
    channels, operations = _described_streams(openapi)
    call_channels, call_operations = _described_calls(openapi)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": openapi["info"]["title"],
            "version": openapi["info"]["version"],
            "description": ABOUT,
            "license": {"name": openapi["info"]["license"]["name"], "url": LICENSE_URL},
            "x-generated": openapi["info"]["x-generated"],
        },
        "defaultContentType": "application/json",
        "channels": {**channels, **call_channels},
        "operations": {**operations, **call_operations},
        "components": {
            "schemas": {"Signature": _signature_schema(openapi)},
            "securitySchemes": {"bearer": openapi["components"]["securitySchemes"]["bearer"]},
        },
    }


def _described_streams(openapi: Json) -> tuple[Json, Json]:
    """Return the channels and the operations of the streams."""
    channels, operations = {}, {}
    for address, operation in _streams(openapi):
        name, content = operation["operationId"], operation["responses"]["200"]["content"]
        (component,) = _components(content[NDJSON])
        headers = {"type": "object", "properties": {"id": content[SSE]["schema"]["properties"]["id"]}}
        channels[name] = _stream_channel(address, operation, {component: _message(component, headers)})
        operations[name] = _operation(name, operation, [component], _query_binding(operation))
        schemes = operation.get("security", [{}])
        if {} not in schemes:  # AsyncAPI cannot say that a token is optional
            operations[name]["security"] = [{"$ref": f"#/components/securitySchemes/{one}"} for (one,) in schemes]
    return channels, operations


def _described_calls(openapi: Json) -> tuple[Json, Json]:
    """Return the channels and the operations of the requests to webhooks and bots."""
    channels: Json = {name: {"address": None, "description": text, "messages": {}} for name, text in CALLED.items()}
    operations, binding = {}, {"method": "POST", "bindingVersion": HTTP_BINDING}
    for call in (hook["post"] for hook in openapi["webhooks"].values()):
        answers = _components(call["responses"]["2XX"].get("content", {}).get("application/json", {}))
        (component,) = _components(call["requestBody"]["content"]["application/json"])
        channel = ENDPOINT if answers else WEBHOOK
        messages = {component: _message(component, {"$ref": "#/components/schemas/Signature"})}
        channels[channel]["messages"] |= messages | {answer: _message(answer) for answer in answers}
        operations[call["operationId"]] = _operation(channel, call, [component], binding)
        if answers:
            operations[call["operationId"]]["reply"] = _at_channel(channel, answers)
    return channels, operations


def with_server(document: Json, address: str) -> Json:
    """Return the document with its only server. `address`: the URL of the service, or "" if it is unknown."""
    if not address:
        return document
    url = urlsplit(address)
    server = {"host": url.netloc, "protocol": url.scheme, **({"pathname": url.path} if url.path else {})}
    return {**document, "servers": {"service": {**server, "description": "The server of this document."}}}


def _streams(openapi: Json) -> Iterator[tuple[str, Json]]:
    """Yield the path and the operation of each stream."""
    for path, item in openapi["paths"].items():
        if SSE in item.get("get", {}).get("responses", {}).get("200", {}).get("content", {}):
            yield path, {**item["get"], "parameters": [*item["get"]["parameters"], *item.get("parameters", ())]}


def _components(content: Json) -> list[str]:
    """Return the name of the schema of a body, in a list that is empty without a body."""
    return [content["schema"]["$ref"].removeprefix(REFERENCE)] if content else []


def _stream_channel(address: str, operation: Json, messages: Json) -> Json:
    used = [each for each in operation["parameters"] if each.get("in") == "path"]
    return {
        "address": address,
        "title": operation["summary"],
        "description": operation["responses"]["200"]["description"],
        **({"parameters": {each["name"]: {"description": each["description"]} for each in used}} if used else {}),
        "messages": messages,
    }


def _message(component: str, headers: Json | None = None) -> Json:
    payload = {"name": component, "payload": {"$ref": f"{OPENAPI}{REFERENCE}{component}"}}
    return payload if headers is None else {**payload, "headers": headers}


def _at_channel(channel: str, messages: list[str]) -> Json:
    """Return the references to a channel and to some of its messages."""
    at = f"#/channels/{channel}"
    return {"channel": {"$ref": at}, "messages": [{"$ref": f"{at}/messages/{name}"} for name in messages]}


def _operation(channel: str, operation: Json, messages: list[str], binding: Json) -> Json:
    return {
        "action": "send",
        "summary": operation["summary"],
        **({"description": operation["description"]} if "description" in operation else {}),
        **({"x-deprecated": True} if operation.get("deprecated") else {}),
        "tags": [{"name": name} for name in operation["tags"]],
        **_at_channel(channel, messages),
        "bindings": {"http": binding},
    }


def _query_binding(operation: Json) -> Json:
    """Return the binding of a stream: its method and the parameters of its query."""
    used = [each for each in operation["parameters"] if each.get("in") == "query"]
    members = {each["name"]: {**each["schema"], "description": each["description"]} for each in used}
    query = {"query": {"type": "object", "properties": members}} if members else {}
    return {"method": "GET", **query, "bindingVersion": HTTP_BINDING}


def _signature_schema(openapi: Json) -> Json:
    """Return the schema of the headers of a signed request."""
    parameters = [openapi["components"]["parameters"][name] for name in SIGNED]
    members = {each["name"]: {**each["schema"], "description": each["description"]} for each in parameters}
    return {"type": "object", "required": [*members], "properties": members}
