"""How many can sit at a table. It stands apart from the kernel for those that load no compiler."""

from __future__ import annotations

MAX_SEATS = 4
