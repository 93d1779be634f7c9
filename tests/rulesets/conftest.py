"""Let pytest rewrite the assertions of shared checks."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("tests.rulesets.playing")
