"""Games on several processes, and the file that they go to: row group by row group, so that memory stays bounded."""

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
from research.dataset.playing import Asked, play_all
from research.matches.results import UnusableResultsError
from research.matches.running import processes
from service.rulesets.registry import RULESETS

A_GROUP = 100  # games of a row group
GROUPS_AHEAD = 2  # row groups that a process is ahead of what is written


def group(asked: Asked, games: range, schema: pa.Schema) -> pa.RecordBatch:
    """The rows of these games."""
    return batch_of(schema, RULESETS[asked.ruleset], asked.player, play_all(asked, games))


def groups(asked: Asked, games: range, schema: pa.Schema, jobs: int) -> Generator[pa.RecordBatch]:
    """All games, in order."""
    parts = (games[first : first + A_GROUP] for first in range(0, len(games), A_GROUP))
    if jobs == 1:
        yield from (group(asked, part, schema) for part in parts)
        return
    with processes(jobs) as pool:
        under_way = deque[Future[pa.RecordBatch]]()
        for part in parts:
            under_way.append(pool.submit(group, asked, part, schema))
            if len(under_way) == GROUPS_AHEAD * jobs:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()


def write(asked: Asked, games: range, jobs: int, out: Path, *, quiet: bool) -> int:
    """Play and write; how many rows. Unusable: the file cannot be written. ChildProcessError: a process was killed."""
    schema, rows = schema_of(asked, games), 0
    partial = out.with_name(f".{out.name}.partial")
    try:
        with (
            pq.ParquetWriter(partial, schema, compression="zstd") as writer,
            tqdm(total=len(games), unit="game", disable=quiet or None) as bar,
            contextlib.closing(groups(asked, games, schema, jobs)) as made,
        ):
            for batch in made:
                writer.write_batch(batch)
                rows += len(batch)
                bar.update(batch.column("game")[-1].as_py() - games.start + 1 - bar.n)
        partial.replace(out)
    except OSError as error:
        raise UnusableResultsError(f"{out}: {error.strerror or error}") from None
    except BrokenProcessPool:
        raise ChildProcessError("a process was killed; nothing is kept") from None
    finally:
        partial.unlink(missing_ok=True)
    return rows
