"""RQ's worker in the test's own process: it does what is queued, and ends."""

from __future__ import annotations

from collections.abc import Sequence

from rq import Queue
from rq.serializers import JSONSerializer
from rq.worker import SimpleWorker


def work(queues: Sequence[Queue]) -> None:
    """Do all jobs of these queues, which share a connection."""
    worker = _Alone(queues, connection=queues[0].connection, serializer=JSONSerializer)
    worker.work(burst=True, logging_level="ERROR")


class _Alone(SimpleWorker):
    """Listens to no commands: to end the thread that would takes a tenth of a second."""

    def subscribe(self) -> None:
        """Nobody commands it."""

    def unsubscribe(self) -> None:
        """Nothing was subscribed to."""
