"""The columns of a table of decisions, for Arrow: what each is, and how rows are made and read.

A position is not kept as JSON, but by the fields of its record, which say all of it: each is a column, an array of
them a list of fixed size, in C's order. What a field means stands beside it in the ruleset's `rules/state.py`, and so
in the column's metadata.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import orjson
import pyarrow as pa

from research.dataset.playing import Asked, Decision, Played
from service.rulesets import kernel
from service.rulesets.kernel import new_record
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset

FORMAT = "azul-games decisions 1"
PREFIX = "position_"
TEXT = pa.dictionary(pa.int32(), pa.string())

BESIDES: Mapping[str, tuple[Any, str]] = {
    "game": (pa.int64(), "number of the game, from which with the seed all of its chance follows"),
    "decision": (pa.int32(), "decisions of the game before this one"),
    "player": (TEXT, "who made it, as in a match: a level, or a setting of the search"),
    "variant": (TEXT, "side of the board"),
    "seats": (pa.int8(), "how many play"),
    "seat": (pa.int8(), "who decides, from 0"),
    "legal_actions": (pa.list_(pa.int64()), "all listed legal actions, as the ruleset's integers"),
    "action": (pa.int64(), "the one that was chosen"),
    "action_json": (TEXT, "the same as the API names it"),
    "visits": (pa.list_(pa.int32()), "simulations through each legal action; null where nothing was searched"),
    "final_scores": (pa.list_(pa.int16()), "points at the end of the game, by seat"),
    "final_ranks": (pa.list_(pa.int8()), "ranks at the end, by seat; 1 is first, equal seats share one"),
    "won": (pa.float32(), "what the seat that decides gets of the win: 1, less in a tie, 0"),
}
"""Columns that every ruleset has, with their types and what they mean."""


class Field(NamedTuple):
    """A number, or an array of them, in a record."""

    path: tuple[str, ...]
    scalar: np.dtype[Any]
    shape: tuple[int, ...]  # of all arrays that it lies in, one in the other

    @property
    def column(self) -> str:
        """Its name in the table."""
        return PREFIX + "_".join(self.path)

    @property
    def type(self) -> pa.DataType:
        """Its type in the table."""
        one = pa.from_numpy_dtype(self.scalar)
        return pa.list_(one, int(np.prod(self.shape))) if self.shape else one

    def of(self, records: Any) -> Any:
        """Its part of an array of records, or of one."""
        for name in self.path:
            records = records[name]
        return records


def fields_of(dtype: np.dtype[Any], path: tuple[str, ...] = (), shape: tuple[int, ...] = ()) -> Iterator[Field]:
    """All fields of a record, in its order."""
    for name in dtype.names or ():
        part = dtype[name]
        base, inner = part.base, shape + part.shape
        if base.names:
            yield from fields_of(base, (*path, name), inner)
        else:
            yield Field((*path, name), base, inner)


def explained(ruleset: Ruleset) -> dict[str, str]:
    """By the last name of a field: what stands beside it in the sources."""
    sources = (Path(str(kernel.__file__)), ruleset.rules.folder / "rules" / "state.py")
    lines = (line for source in sources for line in source.read_text("utf-8").splitlines())
    found = (re.fullmatch(r'\s*\("(\w+)", .+\),(?:  # (.+))?', line) for line in lines)
    return {match[1]: match[2] or match[1].replace("_", " ") for match in found if match}


def schema_of(asked: Asked, games: range) -> pa.Schema:
    """The columns, and in their metadata what they mean; of the table, by what it was made."""
    ruleset = RULESETS[asked.ruleset]
    meanings = explained(ruleset)
    columns = [pa.field(name, kind, metadata={"description": text}) for name, (kind, text) in BESIDES.items()]
    for field in fields_of(ruleset.rules.dtype):
        told = {"description": meanings[field.path[-1]], "shape": orjson.dumps(field.shape)}
        columns.append(pa.field(field.column, field.type, metadata=told))
    made = {
        "format": FORMAT,
        "ruleset": ruleset.id,
        "ruleset_version": str(ruleset.version),
        "rules_hash": ruleset.rules_hash,
        "player": asked.player,
        "seed": str(asked.seed),
        "games": f"{games.start}..{games.stop - 1}",
    }
    return pa.schema(columns, metadata=made)


def batch_of(schema: pa.Schema, ruleset: Ruleset, player: str, games: Iterable[Played]) -> pa.RecordBatch:
    """The rows of these games."""
    rows = [(game, one) for game in games for one in game.decisions]
    records = np.frombuffer(b"".join(one.position.to_bytes() for _, one in rows), ruleset.rules.dtype)
    besides = [_besides(player, game, one) for game, one in rows]
    arrays = [pa.array([row[name] for row in besides], kind) for name, (kind, _) in BESIDES.items()]
    arrays += [_column(field, field.of(records)) for field in fields_of(ruleset.rules.dtype)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _besides(player: str, game: Played, one: Decision) -> dict[str, Any]:
    position, ranks = one.position, [seat.rank for seat in game.outcome]
    seat = int(position.seat or 0)
    return {
        "game": one.game,
        "decision": one.number,
        "player": player,
        "variant": position.variant,
        "seats": position.seats,
        "seat": seat,
        "legal_actions": one.legal,
        "action": one.action,
        "action_json": orjson.dumps(position.ruleset.wire.decode(one.action)).decode(),
        "visits": one.visits,
        "final_scores": [each.score for each in game.outcome],
        "final_ranks": ranks,
        "won": game.outcome[seat].won / ranks.count(1),
    }


def _column(field: Field, values: Any) -> pa.Array:
    flat = pa.array(np.ascontiguousarray(values).reshape(-1))
    return pa.FixedSizeListArray.from_arrays(flat, int(np.prod(field.shape))) if field.shape else flat


def position_of(ruleset: Ruleset, row: Mapping[str, Any]) -> Position:
    """The position of a row: a mapping from columns to numbers and lists, as `to_pylist` and pandas give it."""
    record = new_record(ruleset.rules.dtype)
    for field in fields_of(ruleset.rules.dtype):
        *outer, last = field.path
        part = Field(tuple(outer), field.scalar, ()).of(record)
        part[last] = np.reshape(row[field.column], field.shape)
    return ruleset.from_bytes(record.tobytes())
