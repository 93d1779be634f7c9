"""Calls that are not late on a machine that is busy."""

from __future__ import annotations

import pytest

from service.outgoing import outbound_http
from tests.patience import HANG_S


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    defaults = {**(outbound_http.call.__kwdefaults__ or {}), "deadline_s": HANG_S}
    monkeypatch.setattr(outbound_http.call, "__kwdefaults__", defaults)
