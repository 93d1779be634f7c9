"""Opponents over HTTP: a dialer's job. As with an AI's turn it is a wake-up; what is due stands in the store."""

from __future__ import annotations

from service.cases import endpoints, outgoing
from service.outgoing import dialer
from workers.jobs import cases


def ask(game_id: str, revision: int, seat: int) -> None:
    """Have the seat's endpoint make its decision at that revision, if it still is to be made."""
    call = endpoints.take(cases(), game_id, revision, seat)
    if call is None:
        return
    asking = endpoints.asking(cases(), call)
    try:
        answer = dialer.post(
            call.endpoint.url,
            asking.body,
            asking.headers,
            outgoing.policy(cases()),
            deadline_s=call.endpoint.timeout_s,
        )
    except dialer.DialError as error:
        endpoints.fail(cases(), call, error.code)
    else:
        endpoints.decide(cases(), call, answer)
