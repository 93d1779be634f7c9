"""The connections to a service: a client for each token, patient, with the tokens that are kept."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

from azul_games.errors import raise_refusals
from azul_games.tokens import Tokens, usual_path
from azul_games.transport import Patient
from azul_games_client import AuthenticatedClient

LONG_POLL_S = 25
TIMEOUT = httpx.Timeout(10.0, read=40.0)  # a long poll takes 25 s, and a stream is silent for 15 at most


class Connection:
    """Speaks to the service at `url`.

    `tokens`: the file that keeps them, None for none; `language`: of sentences, en or de; `api_key`: where the
    operator wants one; `patience`: seconds for which a request is sent again where that is safe.

    Whatever is asked of it raises ServiceError where the service refuses, and httpx.TransportError where it is not
    reached for longer than the patience lasts.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        *,
        tokens: Path | None = usual_path(),  # the environment is meant as it is when the program starts  # noqa: B008  # the environment is meant as it is when the program starts
        language: str = "en",
        api_key: str | None = None,
        patience: float = 60.0,
    ) -> None:
        self.url = url.rstrip("/")
        self.tokens = Tokens(self.url, tokens)
        self._headers = {"Accept-Language": language, **({"X-Api-Key": api_key} if api_key else {})}
        self._transport = Patient(httpx.HTTPTransport(), patience)
        self._clients: dict[str | None, AuthenticatedClient] = {}

    def client(self, token: str | None = None) -> AuthenticatedClient:
        """The generated client with a token, for operations that have no method here: `azul_games_client.api`."""
        if token not in self._clients:
            http = httpx.Client(
                base_url=self.url,
                headers={**self._headers, **({"Authorization": f"Bearer {token}"} if token else {})},
                transport=self._transport,
                timeout=TIMEOUT,
                event_hooks={"response": [raise_refusals]},
            )
            self._clients[token] = AuthenticatedClient(self.url, token=token or "").set_httpx_client(http)
        return self._clients[token]

    def close(self) -> None:
        """Close all connections."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
