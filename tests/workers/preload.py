"""Modules that the fork server of the tests loads in advance, as a crew does. Import it there only."""

from __future__ import annotations

import gc

import workers.background
import workers.crew
import workers.deliveries
import workers.pushes
from service.usecases.keeping import duties
from workers.worker import take_over_compiled_code

__all__ = ["workers"]
take_over_compiled_code()
duties.load_rules()
gc.collect()
gc.freeze()  # the processes share these pages
