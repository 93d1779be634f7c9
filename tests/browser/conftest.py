"""A real browser and a real service."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import FRUGAL, HEADLESS, SWITCHES
from tests.browser.player import Player
from tests.e2e.stack import Stack
from tests.outgoing.oidc_provider import OidcProvider

GONE_S = 1
"""Seconds until an absent person's seat can be claimed. Only test_seats.py depends on it."""
ADMIN_TOKEN = "the-operators-token-in-browser-tests-0123456789"
SHOTS = Path(__file__).parents[2] / "var" / "browser"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if HEADLESS is None:
        reason = "no chromium here: apt-get install chromium-headless-shell, or CHROMIUM=/path/to/it"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=HEADLESS, args=[*SWITCHES, *FRUGAL])
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def provider(browser: Browser) -> Iterator[OidcProvider]:
    """Run an identity provider that asks no questions."""
    with OidcProvider() as serving:
        yield serving


@pytest.fixture(scope="session")
def stack(provider: OidcProvider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    settings = {
        "WORKERS": "1",
        "BACKGROUND_WORKERS": "1",
        "WEB_WORKERS": "1",
        "GONE_S": str(GONE_S),
        "OUTGOING": "loopback",
        "ADMIN_TOKEN": ADMIN_TOKEN,
    }
    with Stack(tmp_path_factory.mktemp("stack"), OIDC_PROVIDERS=provider.setting(), **settings) as running:
        yield running


@pytest.fixture
def sit(browser: Browser, stack: Stack, request: pytest.FixtureRequest) -> Iterator[Callable[..., Player]]:
    """Return a function that opens the page in a new browser profile. Errors in the page fail the test."""
    players: list[Player] = []
    SHOTS.mkdir(parents=True, exist_ok=True)

    def open_page(
        width: int = 1280, height: int = 860, *, moving: bool = False, worker: bool = False, **options: Any
    ) -> Player:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            reduced_motion=None if moving else "reduce",
            service_workers="allow" if worker else "block",
            **options,  # colour scheme, locale
        )
        player = Player(context.new_page(), stack.url, SHOTS / request.node.name)
        players.append(player)
        return player

    yield open_page
    complaints = [complaint for player in players for complaint in player.complaints]
    for player in players:
        player.page.context.close()
    assert complaints == []
