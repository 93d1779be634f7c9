"""What the server that forks processes for the tests has in memory, as a crew has: imported there, and only there."""

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
duties.learn_the_rules()
gc.collect()
gc.freeze()  # the processes share these pages
