"""Run RQ jobs in the test process until the queues are empty."""

from __future__ import annotations

from collections.abc import Sequence

from rq import Queue
from rq.serializers import JSONSerializer
from rq.worker import SimpleWorker


def work(queues: Sequence[Queue]) -> None:
    """Run all jobs of these queues, which share a connection."""
    worker = _Alone(queues, connection=queues[0].connection, serializer=JSONSerializer)
    worker.work(burst=True, logging_level="ERROR")


class _Alone(SimpleWorker):
    """A worker that listens to no commands, because stopping the listening thread takes a tenth of a second."""

    def subscribe(self) -> None:
        """Do nothing."""

    def unsubscribe(self) -> None:
        """Do nothing."""
