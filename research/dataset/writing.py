"""Playing on several processes and writing the file, one row group at a time to limit memory."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Generator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from tqdm import tqdm

from research.dataset.columns import batch_of, schema_of
from research.dataset.playing import DatasetPlan, play
from research.matches.results import UnusableResultsError
from research.matches.running import processes
from service.rulesets.registry import RULESETS

GROUP_GAMES = 100  # games in a row group
GROUPS_AHEAD = 2  # row groups that each process may play ahead of the writer


def group(plan: DatasetPlan, games: range, schema: pa.Schema) -> pa.RecordBatch:
    """Return the rows of the games."""
    return batch_of(schema, RULESETS[plan.ruleset], plan.player, (play(plan, number) for number in games))


def groups(plan: DatasetPlan, games: range, schema: pa.Schema, jobs: int) -> Generator[pa.RecordBatch]:
    """Yield the rows of all games, in order."""
    parts = (games[first : first + GROUP_GAMES] for first in range(0, len(games), GROUP_GAMES))
    if jobs == 1:
        yield from (group(plan, part, schema) for part in parts)
        return
    with processes(jobs) as pool:
        pending = deque[Future[pa.RecordBatch]]()
        for part in parts:
            pending.append(pool.submit(group, plan, part, schema))
            if len(pending) == GROUPS_AHEAD * jobs:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def write(plan: DatasetPlan, games: range, jobs: int, out: Path, *, quiet: bool) -> int:
    """Play the games and write the file. Return the number of rows.

    Raises UnusableResultsError if the file cannot be written, and ChildProcessError if a process was killed.
    """
    schema, rows = schema_of(plan, games), 0
    partial = out.with_name(f".{out.name}.partial")
    try:
        with (
            pq.ParquetWriter(partial, schema, compression="zstd") as writer,
            tqdm(total=len(games), unit="game", disable=quiet or None) as bar,
            contextlib.closing(groups(plan, games, schema, jobs)) as batches,
        ):
            for batch in batches:
                writer.write_batch(batch)
                rows += len(batch)
                bar.update(batch.column("game")[-1].as_py() - games.start + 1 - bar.n)
        partial.replace(out)
    except OSError as error:
        raise UnusableResultsError(f"{out}: {error.strerror or error}") from None
    except BrokenProcessPool:
        raise ChildProcessError("a process was killed; no file was written") from None
    finally:
        partial.unlink(missing_ok=True)
    return rows
